package product

import (
	"fmt"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

var (
	frames = pattern.Lazy(`\bruntime\.Callers?(Frames)?\(|` +
		`\binspect\.(stack|currentframe|getouterframes|getframeinfo)\(|` +
		`\bsys\._(getframe|current_frames)\(|\btraceback\.(extract_stack|format_stack|walk_stack|` +
		`StackSummary)|\bnew Error\([^)]*\)\.stack|\.captureStackTrace\(|prepareStackTrace|(^|` +
		`[^\w.])caller(_locations)?(\(\d*[,)]|\[\d|` +
		`\.(any|first|find|map|grep|select|join|each|none|to_s)|$)|\bdebug_backtrace\(|` +
		`\bBacktrace::\w+|:current_stacktrace|\bStackWalker\b|\bEnvironment\.StackTrace|` +
		`\bnew StackTrace\(|\bThread\.callStackSymbols|\bgetStackTrace\(|\bbacktrace\s*\(`)
	// callers asks Go for the callers, framesOf for what they are.
	callers  = pattern.Lazy(`\bruntime\.Callers?\(`)
	framesOf = pattern.Lazy(`\bruntime\.CallersFrames\(`)
	// Its own name tells a test program from the real one.
	ownName  = pattern.Lazy(`\bos\.(Executable\(|Args\[0\])|\bdebug\.Stack\(|\bcurrent_exe\(`)
	testWord = pattern.Lazy(`(?i)["'\x60/][^"'\x60\n]*(_test\b|\.test\b|\btest_|/tests?/|\.spec\b|` +
		`_spec\b|pytest|unittest|testing\.|jest|mocha|vitest|rspec|minitest|phpunit|xunit|junit|` +
		`nunit|mstest|testhost|exunit|assert|__tests__|\btests?["'\x60])`)
	testSuffix = pattern.Lazy(`["'\x60](\.test|_test|_test\.go|\.test\.exe|/?deps/|` +
		`testing\.[\w.*()]*)["'\x60]`)
)

// nearby is how many lines a look and a word may stand apart.
const nearby = 15

// watchesCallers counts looks at the call stack, or at the program's own name,
// near a word about tests.
func watchesCallers(_ string, t *source.Text) (n int, why string) {
	asked := -nearby
	for i, line := range t.Code {
		if i-asked < nearby && framesOf().MatchString(line) {
			continue // what the look above has seen
		}
		word := testWord
		switch {
		case ownName().MatchString(line):
			word = testSuffix
		case !frames().MatchString(line):
			continue
		}
		for k := max(0, i-nearby); k < min(len(t.Live), i+nearby+1); k++ {
			if !source.Imported().MatchString(t.Live[k]) && word().MatchString(t.Live[k]) {
				if n++; callers().MatchString(line) {
					asked = i
				}
				why = fmt.Sprintf("The line %q looks at its callers for tests; "+
					"code must behave the same without them.", diff.Shorten(t.Lines[i]))
				break
			}
		}
	}
	return n, why
}

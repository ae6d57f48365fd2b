package product

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// Code that acts differently under a runner asks its surroundings: the loaded
// modules, the arguments, the environment, its own name. The question and the word
// that gives it away may stand in one line, or meet in a variable.

type surrounding struct {
	langs  string
	asks   func() *pattern.Pattern // in code, strings left in
	answer func() *pattern.Pattern // in strings and patterns
}

var (
	// runnerNamed are the names of runners, which only a question about tests knows.
	runnerNamed = pattern.Lazy(`(?i)["'\x60/%(,:][^"'\x60\n]*\b_?(pytest|unittest|nose2?|jest|mocha|` +
		`vitest|jasmine|ava|karma|rspec|minitest|phpunit|pestphp|junit|testng|surefire|kotest|xunit|` +
		`nunit|testhost|exunit|ctest|gtest|testing\.init)\b`)
	// goNamed are the marks of a test binary of Go.
	goNamed = pattern.Lazy(`["\x60](-?test\.[\w.]*|\.test|_test)["\x60]`)
	// envNamed is the value of a variable that names the environment.
	envNamed = pattern.Lazy(`["'\x60](test|testing)["'\x60]|:test\b|%[wi][\[({][^\])}]*\btest(ing)?\b`)

	surroundings = []surrounding{
		{"python", pattern.Lazy(`\bsys\.(modules|argv|orig_argv)\b|` +
			`\b__main__\b['"]?\s*,?\s*['"]?_*file|\bpsutil\b`), runnerNamed},
		{"js", pattern.Lazy(`\bprocess\.(argv|execArgv|title|mainModule|argv0)\b|` +
			`\brequire\.(main|cache)\b|\bmodule\.(parent|children)\b|\bprocess\.env\.(npm_\w+|_)\b`),
			runnerNamed},
		{"js", pattern.Lazy(`\bprocess\.env\.NODE_ENV\b|\bprocess\.env\[['"]NODE_ENV['"]\]|` +
			`\{[^}]*\bNODE_ENV\b[^}]*\}\s*=\s*process\.env`), envNamed},
		{"js", pattern.Lazy(`\b(global|globalThis|window)\[`), pattern.Lazy(`\[['"\x60](jest|vi|` +
			`describe|it|test|expect|beforeEach|afterEach|mocha|jasmine|suite)['"\x60]\]`)},
		{"ruby", pattern.Lazy(`\$PROGRAM_NAME|\$0\b|\bARGV\b|\$LOADED_FEATURES|\$"|\$LOAD_PATH|` +
			`\bGem\.loaded_specs|\bObjectSpace\b`), runnerNamed},
		{"ruby", pattern.Lazy(`\bENV(\.fetch\(|\[)['"](RAILS|RACK|APP|RUBY|HANAMI)_ENV['"]`), envNamed},
		{"go", pattern.Lazy(`\bflag\.(VisitAll|Visit|CommandLine|Lookup)\b|\bReadBuildInfo\(|` +
			`\bos\.(Args|Executable)\b`), goNamed},
		{"java kotlin", pattern.Lazy(`\bgetProperty\(|\bgetInputArguments\(|\bProcessHandle\b|\bgetenv\(`),
			runnerNamed},
		{"csharp", pattern.Lazy(`\bGetAssemblies\(|\bProcessName\b|\bGetCommandLineArgs\(|` +
			`\bGetEntryAssembly\(|\bFriendlyName\b`), runnerNamed},
		{"php", pattern.Lazy(`\$argv\b|\$_SERVER\b|\bget_included_files\(|\bget_declared_classes\(|` +
			`\bPHP_SELF\b`), runnerNamed},
		{"rust", pattern.Lazy(`\benv::args\b|\bcurrent_exe\(`),
			pattern.Lazy(`["/](deps|nextest|libtest)\b`)},
	}
	// compares is what makes a question of it.
	compares = pattern.Lazy(`[=!]==?|=~|\bin\b|\bnot\b|\?|` +
		`\b(if|unless|when|case|switch|any|some|every|filter|find|select|grep)\b|` +
		`\.(includes?|index_?[oO]f|match|test|contains|Contains|starts?_?[wW]ith|ends?_?[wW]ith|get|` +
		`key)\b|Has(Prefix|Suffix)|Contains\(`)
)

// asksForTests counts questions to the surroundings whose answer is a runner.
func asksForTests(_ string, t *source.Text) (n int, why string) {
	for _, s := range surroundings {
		if !strings.Contains(" "+s.langs+" ", " "+t.Source.Lang.Name+" ") {
			continue
		}
		for i, line := range t.Live {
			if !s.asks().MatchString(line) || strings.TrimSpace(t.Code[i]) == "" {
				continue
			}
			at := i
			if !(compares().MatchString(t.Code[i]) && s.answer().MatchString(line)) {
				at = answeredLater(t, i, s)
			}
			if at >= 0 {
				n++
				why = fmt.Sprintf("The line %q %s.", diff.Shorten(t.Lines[at]), notices)
			}
		}
	}
	return n, why
}

// answeredLater gives the line in which a variable that line i fills is compared,
// -1 for none.
func answeredLater(t *source.Text, i int, s surrounding) int {
	var held []string
	for _, name := range append(source.Assigned(t.Code[i]), loopVariables(t.Code[i])...) {
		held = append(held, strings.TrimSuffix(name, "."))
	}
	for _, m := range source.Binder().FindAllStringSubmatch(t.Code[i], -1) {
		held = append(held, m[1], m[2])
	}
	for k := i + 1; k < min(len(t.Code), i+nearby); k++ {
		if !source.Within(t.Outline.At[k], t.Outline.At[i]) {
			break
		}
		if !compares().MatchString(t.Code[k]) || !s.answer().MatchString(t.Live[k]) {
			continue
		}
		used := source.UsesOf(t.Code[k : k+1]).Alone
		for _, name := range held {
			if name != "" && used[name] {
				return k
			}
		}
	}
	return -1
}

var loopVariable = pattern.Lazy(`\bfor\s+(\w+)\s+in\b|\|\s*(\w+)\s*\||\(\s*\(?(\w+)\)?\s*=>|func\((\w+)\s`)

func loopVariables(code string) []string {
	var out []string
	for _, m := range loopVariable().FindAllStringSubmatch(code, -1) {
		out = append(out, m[1:]...)
	}
	return out
}

var (
	triesImport = pattern.Lazy(`^\s*(import|from)\s+(_?pytest|unittest|nose2?|hypothesis)\b`)
	forTests    = pattern.Lazy(`(?i)test|plugin|fixture|mock|fake`)
)

// triesRunner counts attempts, within a function, to import a runner: what is
// there only under tests tells that they run.
func triesRunner(p string, t *source.Text) (n int, why string) {
	if t.Source.Lang.Name != "python" || forTests().MatchString(p) {
		return 0, ""
	}
	for i, line := range t.Code {
		if !triesImport().MatchString(line) {
			continue
		}
		tried, inFunction := false, false
		for b := t.Outline.At[i]; b != nil; b = b.Parent {
			tried = tried || strings.HasPrefix(b.Header, "try")
			inFunction = inFunction || b.Sort() == source.Function
		}
		if tried && inFunction {
			n++
			why = fmt.Sprintf("The line %q %s.", diff.Shorten(t.Lines[i]), notices)
		}
	}
	return n, why
}

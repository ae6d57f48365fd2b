package guard

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/product"
	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/pattern"
	"github.com/booty-cli/booty/internal/testfile"
)

// Sign returns a sentence about something in a change that may keep tests from telling the
// truth, or "". It is for a person to look at and never a verdict: it reads lines, and
// lines can be misread.
func Sign(path string, before, after []byte, isTest bool) string {
	if why := otherSource(path, before, after); why != "" || !isTest {
		return cmp.Or(why, product.Sign(path, before, after))
	}
	lang := lexer.Of(path)
	come, gone := added(string(before), string(after)), added(string(after), string(before))
	for _, s := range testSigns {
		if s.langs != "" && (lang == nil || !strings.Contains(" "+s.langs+" ", " "+lang.Name+" ")) {
			continue
		}
		now, first := matches(s.mark(), come)
		if was, _ := matches(s.mark(), gone); now > was {
			return fmt.Sprintf("The line %q %s.", diff.Shorten(first), s.why)
		}
	}
	return ""
}

// A testSign is a pattern of a test that proves less than it seems to.
type testSign struct {
	langs string // names, "" for all
	mark  func() *pattern.Pattern
	why   string
}

const (
	skips   = "skips tests"
	focuses = "runs some tests and leaves out the others"
	expects = "expects a test to fail"
	always  = "asserts what is always true"
	leaves  = "ends a test, or the run, early"
	replace = "changes what tests assert with"
)

var testSigns = []testSign{
	// Skipped.
	{"go", pattern.Lazy(`\.(Skip|Skipf|SkipNow)\(|^//go:build\s+(ignore|never)|testing\.Short\(\)`), skips},
	{"python", pattern.Lazy(`\b(pytest|unittest|mark|self)\.(skip\w*|importorskip|SkipTest)\b|\braise\s+(unittest\.)?SkipTest|\bcollect_ignore\b|\b__test__\s*=\s*False`), skips},
	{"js", pattern.Lazy(`\b(it|test|describe|suite|context|specify|t|this)\.(skip|skipIf|todo)\b|\b(xit|xtest|xdescribe|xcontext|xspecify)\s*[(.]|\bskip:\s*(true|['"` + "`" + `])|\bpending\(`), skips},
	{"rust", pattern.Lazy(`#\[\s*ignore\b|cfg_attr\(.*\bignore\b`), skips},
	{"java kotlin groovy scala", pattern.Lazy(`@(Disabled|Ignore)\b|@(Enabled|Disabled)(If|On|For)\w*|\bassum(e|ptions)\w*[.(]|\bpendingUntilFixed\b|@PendingFeature`), skips},
	{"csharp", pattern.Lazy(`\[\s*(Ignore|Explicit)\b|\bSkip\s*=\s*"|\bAssert\.(Ignore|Inconclusive|Skip)\(`), skips},
	{"ruby", pattern.Lazy(`^\s*(skip|pending)\b|\b(xit|xdescribe|xcontext|xspecify|xscenario)\b|\b(skip|pending):\s*(true|['"])`), skips},
	{"php", pattern.Lazy(`\bmarkTest(Skipped|Incomplete)\b|->skip\(|@requires\b|#\[\s*(Requires|Group)`), skips},
	{"elixir", pattern.Lazy(`@(module|describe)?tag\s+:?(skip|pending)\b|@tag\s+skip:`), skips},
	{"swift", pattern.Lazy(`\bXCTSkip\w*|\.disabled\(|\bfunc\s+(x|disabled)_?test`), skips},
	{"c", pattern.Lazy(`\bGTEST_SKIP\b|\bDISABLED_\w+|\[!?\.\w*\]|\bSKIP\s*\(`), skips},
	{"shell", pattern.Lazy(`^\s*skip\b|#\s*(SKIP|TODO)\b|\bSKIP\b`), skips},
	{"perl", pattern.Lazy(`\bskip_all\b|\bSKIP\s*:|\btodo_skip\b|\bTODO\s*:`), skips},
	// Focused.
	{"js", pattern.Lazy(`\b(it|test|describe|suite|context|specify|t)\.only\b|\b(fit|fdescribe|fcontext)\s*\(|\bonly:\s*true`), focuses},
	{"ruby", pattern.Lazy(`\b(fit|fdescribe|fcontext|focus)\b|\bfocus:\s*true|,\s*:focus\b`), focuses},
	{"go", pattern.Lazy(`\b(F(It|Describe|Context|Entry|When)|FDescribeTable)\(`), focuses},
	// Expected to fail.
	{"python", pattern.Lazy(`\bxfail\b|\bexpectedFailure\b`), expects},
	{"js", pattern.Lazy(`\b(it|test)\.(fails|failing|fail)\b`), expects},
	{"rust", pattern.Lazy(`#\[\s*should_panic\b`), expects},
	{"swift", pattern.Lazy(`\bXCTExpectFailure\b|\bwithKnownIssue\b`), expects},
	// Always true.
	{"python", pattern.Lazy(`^\s*assert\s+(True|1|not\s+False)\s*(,|$)|\bassertTrue\(\s*True\b|\bassert\s+(\w+)\s+==\s+\w+\s+or\s+True|\bor\s+True\s*$|\bmock\.ANY\b`), always},
	{"js", pattern.Lazy(`\bexpect\(\s*(true|1)\s*\)\.to|\bassert(\.ok)?\(\s*(true|1)\s*[,)]|\|\|\s*true\s*\)|\bexpect\.anything\(`), always},
	{"go", pattern.Lazy(`\bif\s+false\b|&&\s*false\b|\b(assert|require)\.True\(\s*t\s*,\s*true\b`), always},
	{"rust", pattern.Lazy(`\bassert!\(\s*true\b|\|\|\s*true\s*[,)]`), always},
	{"java kotlin csharp", pattern.Lazy(`\b(assertTrue|IsTrue|True)\(\s*true\s*[,)]|\|\|\s*true\s*\)`), always},
	{"ruby", pattern.Lazy(`\bassert\s*\(?\s*true\b|\bexpect\(\s*true\s*\)\.to|\|\|\s*true\b`), always},
	{"php elixir perl", pattern.Lazy(`\bassertTrue\(\s*true\b|\bassert\s+true\b|\bok\(\s*1\b`), always},
	// Ended early, or with another result.
	{"go", pattern.Lazy(`\bos\.Exit\(|\bfunc\s+TestMain\(|\bruntime\.Goexit\(|\bsyscall\.\w*(Exit|Kill|RawSyscall)`), leaves},
	{"python", pattern.Lazy(`\b(sys|os)\._?exit\(|\bpytest\.exit\(|\bos\.(exec\w+|kill)\(|\bpytest_(sessionfinish|runtest_\w+|collection_\w+|exception_interact)\b|\bexitstatus\s*=`), leaves},
	{"js", pattern.Lazy(`\bprocess\.(exit|reallyExit|kill|abort)\b|\bprocess\.exitCode\b`), leaves},
	{"ruby", pattern.Lazy(`\bexit!?\b|\babort\b|\bat_exit\b`), leaves},
	{"rust c java kotlin csharp swift", pattern.Lazy(`\bprocess::exit\(|\b_?exit\s*\(|\bSystem\.exit\(|\bEnvironment\.Exit\(`), leaves},
	{"shell", pattern.Lazy(`^\s*exit\s+0\b|\|\|\s*(true|:)(\s|$)|^\s*trap\b.*\bexit\b|^\s*set\s+\+e\b`), leaves},
	// Redefined assertions.
	{"python", pattern.Lazy(`\b__(eq|ne)__\s*=|\bsetattr\(\s*(unittest|pytest|builtins)\b|\bbuiltins\.\w+\s*=|\bTestCase\.\w+\s*=`), replace},
	{"js", pattern.Lazy(`\bexpect\.extend\(|\bglobal(This)?\.(expect|assert|it|test|describe)\s*=|\bassert\.\w+\s*=\s`), replace},
	{"", pattern.Lazy(`--passWithNoTests|--pass-with-no-tests|--exit-zero|--allow-failures|passWithNoTests|--forceExit|addopts\s*=.*(-k|--ignore|--deselect)|testPathIgnorePatterns|--no-tests=pass`), "lets a run pass in which tests are left out"},
}

// fromElsewhere matches a dependency that does not come from a registry.
var fromElsewhere = pattern.Lazy(`^\s*replace\b|\s=>\s|"(overrides|resolutions)"\s*:|^\s*\[patch\b|["'](file|link|portal|workspace|git\+\w+|git|github|https?):|\b(path|git|url)\s*=|@\s*(git\+|file:|https?:)|^\s*-e\s`)

// otherSource reports which line of a manifest adds such a dependency.
func otherSource(path string, before, after []byte) string {
	if !testfile.IsBuild(path) {
		return ""
	}
	if n, first := matches(fromElsewhere(), added(string(before), string(after))); n > 0 {
		return fmt.Sprintf("The line %q takes a package from elsewhere than a registry.", diff.Shorten(first))
	}
	return ""
}

// added returns the lines that after has more often than before.
func added(before, after string) []string {
	count := map[string]int{}
	for line := range strings.Lines(before) {
		count[strings.TrimSpace(line)]++
	}
	var out []string
	for line := range strings.Lines(after) {
		line = strings.TrimRight(line, "\r\n")
		key := strings.TrimSpace(line)
		if count[key]--; count[key] < 0 {
			out = append(out, line)
		}
	}
	return out
}

// matches counts the lines that match and returns the first.
func matches(p *pattern.Pattern, lines []string) (n int, first string) {
	for _, line := range lines {
		if p.MatchString(line) {
			if n++; n == 1 {
				first = line
			}
		}
	}
	return n, first
}

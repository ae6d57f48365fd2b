package check

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testreport"
)

// unittestCommands run Python's own tests.
var unittestCommands = [][]string{{"python", "-m", "unittest"}, {"python3", "-m", "unittest"}}

// unittestProgram does what "python -m unittest" does, and writes a report when all
// tests have ended: unittest knows none. It is given the report's path.
const unittestProgram = `import sys, unittest
from xml.sax.saxutils import quoteattr
path = sys.argv.pop(1)
sys.argv[0] = "python -m unittest"
seen = {}
class Result(unittest.TextTestResult):
    def addSuccess(self, test):
        seen.setdefault(test.id(), "")
        super().addSuccess(test)
    def addExpectedFailure(self, test, err):
        seen.setdefault(test.id(), "")
        super().addExpectedFailure(test, err)
    def addFailure(self, test, err):
        seen[test.id()] = "<failure/>"
        super().addFailure(test, err)
    def addError(self, test, err):
        kind = {"_ErrorHolder": "hook", "_FailedTest": "load"}.get(type(test).__name__, "test")
        seen[test.id()] = '<error type="%s"/>' % kind
        super().addError(test, err)
    def addUnexpectedSuccess(self, test):
        seen[test.id()] = "<failure/>"
        super().addUnexpectedSuccess(test)
    def addSkip(self, test, reason):
        seen.setdefault(test.id(), "<skipped/>")
        super().addSkip(test, reason)
    def addSubTest(self, test, sub, err):
        if err is not None:
            seen[test.id()] = "<failure/>"
        super().addSubTest(test, sub, err)
class Runner(unittest.TextTestRunner):
    resultclass = Result
program = unittest.main(module=None, exit=False, testRunner=Runner)
with open(path, "w", encoding="utf-8") as f:
    f.write("<testsuites><testsuite>")
    for name, end in seen.items():
        f.write("<testcase classname=%s name=%s>%s</testcase>" % (
            quoteattr(name.rpartition(".")[0]), quoteattr(name.rpartition(".")[2]), end))
    f.write("</testsuite></testsuites>")
none = program.result.testsRun == 0 and not program.result.skipped and sys.version_info >= (3, 12)
sys.exit(5 if none else not program.result.wasSuccessful())
`

// askUnittest has the tests run by that program, as one word of a shell.
func askUnittest(_ *Runner, list []string, n int, path string) ([]string, asking) {
	program := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(unittestProgram)
	return slices.Concat([]string{list[0], "-c", `exec("` + program + `")`, path}, list[n:]),
		asking{read: fromFile(path, testreport.JUnit)}
}

var unittestName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){2,}$`) })

// unittests: the names or, for those that "discover" finds below a folder and imports by other
// names than can be given, -k with what each test is called.
func unittests(_ string, head, args []string, failures []failure.Failure) ([]string, bool) {
	discover := len(args) > 0 && args[0] == "discover"
	for _, a := range args {
		if discover {
			break
		}
		if !slices.Contains([]string{"-v", "-q", "-f", "-b", "-c", "--verbose", "--quiet", "--failfast",
			"--buffer", "--catch"}, a) {
			return nil, false
		}
	}
	out := slices.Concat(head, args)
	for _, name := range testNames(failures) {
		if !unittestName().MatchString(name) {
			return nil, false
		}
		if discover {
			out = append(out, "-k")
		}
		out = append(out, name)
	}
	return out, true
}

package format

import (
	"regexp"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// blockRule describes the failures of a runner whose form is a head and a
// block of lines below or above it. The groups name, file, line and msg of the
// head are taken for what they say.
type blockRule struct {
	runner string
	mark   string // must stand in the line; saves the expression
	head   func() *regexp.Regexp
	// stop tells the line after the block.
	stop func() *regexp.Regexp
	// after is a line without which the rule does not hold, such as the title
	// of the list of failures.
	after string
	until string // and the one from which it does no longer
	// above takes the lines above the head, back to one that stop tells.
	above bool
	// suite names the group that is open; its name goes in front.
	suite func() *regexp.Regexp
	open  string // with which the line of a group begins
	// inner failures are better: the runner wraps other frameworks.
	wraps bool
	// weak ones give way to those that say more of the same test.
	weak bool
}

// sumRule describes the line with the counts of a runner. Groups: passed,
// failed, errors, skipped, total.
type sumRule struct {
	runner string
	mark   string
	expr   func() *regexp.Regexp
	last   bool // printed again and again; the last one counts
}

var blockRules = []blockRule{
	{runner: "CppUnit", mark: ") test: ", head: text.Lazy(`^\d+\) test: (?P<name>\S+)` +
		` \([EF]\)(?: line: (?P<line>\d+) (?P<file>\S+))?`), stop: text.Lazy(`^$`)},
	{runner: "CUnit", mark: "FAILED", after: "CUnit - A unit testing framework",
		head: text.Lazy(`^\s+Test: (?P<name>.+?) ?\.\.\. ?FAILED$`),
		stop: text.Lazy(`^$|^\s+Test: |^Suite: `)},
	{runner: "Criterion", mark: "[FAIL] ", head: text.Lazy(`^\[FAIL\] (?P<name>\S+::\S+?): (?:\(|CRASH|` +
		`TIMEOUT)`), stop: text.Lazy(`^\[(?:FAIL|PASS|SKIP|====|RUN )\]|^[^\[]`), above: true},
	{runner: "cmocka", mark: " [", head: text.Lazy(`^(?:failure|error): (?P<name>.+?) \[$`),
		stop: text.Lazy(`^\]$`)},
	{runner: "EUnit", mark: "*failed*", stop: text.Lazy(`^$`),
		head: text.Lazy(`^\s*(?:\S+\.erl:\d+: ?)?(?P<name>[\w@]+:(?:\d+:)? ?[\w@]+)(?:/\d+)?` +
			`[^.]*\.\.\.(?:\[[\d.]+ s\] ?)?\*failed\*$`)},
	{runner: "EUnit", mark: ") ", after: "Failures:",
		head: text.Lazy(`^\s+\d+\) (?P<name>[a-z][\w@]*:[\w@]+)/\d+(?:: .*)?$`),
		stop: text.Lazy(`^\s+\d+\) [a-z][\w@]*:|^Finished in |^\d+ tests`)},
	{runner: "LuaUnit", mark: ") ", after: "-------", head: text.Lazy(`^\d+\) (?P<name>[A-Za-z_][\w.]*)$`),
		stop: text.Lazy(`^$|^\d+\) [A-Za-z_][\w.]*$`)},
	{runner: "tcltest", mark: "==== ", head: text.Lazy(`^==== (?P<name>\S+) (?P<msg>\S.*) FAILED$`),
		stop: text.Lazy(`^==== \S+ FAILED$`)},
	{runner: "Alcotest", mark: "[FAIL]", head: text.Lazy(`^│ \[FAIL\]\s+(?P<suite>\S.*?)` +
		`\s{2,}\d+\s+(?P<name>.+?)\.\s*│$`), stop: text.Lazy(`^ ?─{20,}$|^┌──`)},
	{runner: "Alcotest", mark: "[FAIL]", head: text.Lazy(`^[> ] \[FAIL\]\s+(?P<suite>\S.*?)` +
		`\s{2,}\d+\s+(?P<name>.+?)\.$`), stop: text.Lazy(`^`), weak: true},
	{runner: "OUnit", mark: "Error: ", after: "=======",
		head: text.Lazy(`^Error: (?P<name>[^"]+:\d+.*?)\.$`), stop: text.Lazy(`^-{20,}$|^={20,}$`)},
	{runner: "HUnit", mark: "### ", head: text.Lazy(`### (?:Failure|Error) in: (?:\d+:)*(?P<name>.+)$`),
		stop: text.Lazy(`^Cases: |^.*### `)},
	{runner: "RackUnit", mark: "-------", head: text.Lazy(`^-{20}$`), stop: text.Lazy(`^-{20}$`)},
	{runner: "SRFI-64", mark: ": FAIL ", head: text.Lazy(`^(?P<file>\S+\.(?:scm|sld)):(?P<line>\d+)` +
		`: FAIL (?P<name>.+)$`), stop: text.Lazy(`^`)},
	{runner: "Nim unittest", mark: "[FAILED] ", head: text.Lazy(`^\s+\[FAILED\] (?P<name>.+)$`),
		stop: text.Lazy(`^\s*\[(?:OK|Suite|FAILED|SKIPPED)\]`), above: true,
		suite: text.Lazy(`^\[Suite\] (.+)$`), open: "[Suite] "},
	{runner: "cucumber", mark: " # ", head: text.Lazy(`^\d+\) Scenario(?: Outline)?: (?P<name>.+?)` +
		`(?: \(attempt \d+.*?\))? # (?P<file>\S+\.feature):(?P<line>\d+)$`),
		stop: text.Lazy(`^\d+\) |^\d+ scenarios?|^Warnings:`)},
	{runner: "jasmine", mark: ") ", after: "*                    Failures",
		until: "*                    Pending", head: text.Lazy(`^\d+\) (?P<name>\S.*)$`),
		stop: text.Lazy(`^$|^\d+\) `)},
	{runner: "japa", mark: "❯ ", after: " ERRORS", head: text.Lazy(`^\s+❯ (?P<name>\S.*)$`),
		stop: text.Lazy(`^\[\d+/\d+\]|^\s+❯ [^\d\s]`)},
	{runner: "shUnit2", mark: "ASSERT:", head: text.Lazy(`^ASSERT:(?P<msg>.+)$`), stop: text.Lazy(`^`),
		suite: text.Lazy(`^(test\w+)(?: \(\))?$`), open: "test"},
	{runner: "trial", mark: "[FAIL]", after: "=======", head: text.Lazy(`^\[(?:FAIL|ERROR)\]$`),
		stop: text.Lazy(`^(?:=|-){20,}$`)},
	{runner: "trial", mark: "[ERROR]", after: "=======", head: text.Lazy(`^\[(?:FAIL|ERROR)\]$`),
		stop: text.Lazy(`^(?:=|-){20,}$`)},
	{runner: "rspec", mark: "_spec.rb:", head: text.Lazy(`^(?P<file>\.?[\w./-]+_spec\.rb):(?P<line>\d+)` +
		`:(?P<name>[^:\d\s].*)$`), stop: text.Lazy(`^`)},
	{runner: "buck2", mark: "✗ Fail: ", head: text.Lazy(`^✗ Fail: (?:\S+ - )?(?P<name>.+?) \([\d.]+m?s\)$`),
		stop: text.Lazy(`^[✓✗] |^Tests finished|^\d+ TESTS FAILED`)},
	{runner: "MUnit", mark: "==> X ", head: text.Lazy(`^(?:\[\w+\] )?==> X (?P<name>\S.*?)` +
		`\s+[\d.]+s (?P<msg>.*)$`), stop: text.Lazy(`^(?:\[\w+\] )?(?:==> X |  \+ |\S+:$)|^\[error\] `)},
	{runner: "specs2", mark: " x ", head: text.Lazy(`^\[(?:error|info)\]\s+x (?P<name>\S.*)$`),
		stop: text.Lazy(`^\[info\]|^\[error\]\s+[x!] `)},
	{runner: "Meson", mark: "FAIL ", head: text.Lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)` +
		`\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`),
		stop: text.Lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "ERROR ", head: text.Lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)` +
		`\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`),
		stop: text.Lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "TIMEOUT ", head: text.Lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)` +
		`\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`),
		stop: text.Lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "INTERRUPT ", head: text.Lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)` +
		`\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`),
		stop: text.Lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "UNEXPECTEDPASS ",
		head: text.Lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|` +
			`INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`),
		stop: text.Lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "dejagnu", mark: "FAIL: ", after: "Schedule of variations",
		head: text.Lazy(`^FAIL: (?P<name>\S.*)$`), stop: text.Lazy(`^`)},
	{runner: "Julia", mark: ": Test Failed", head: text.Lazy(`^(?P<name>.+?): (?:Test Failed|` +
		`Error During Test) at (?P<file>.+):(?P<line>\d+)$`), stop: text.Lazy(`^\s*$|^Test Summary`)},
	{runner: "Julia", mark: ": Error During",
		head: text.Lazy(`^(?P<name>.+?): (?:Test Failed|Error During Test) at (?P<file>.+):(?P<line>\d+)$`),
		stop: text.Lazy(`^\s*$|^Test Summary`)},
	{runner: "testthat", mark: "Failure (", head: text.Lazy(`^(?:── )?(?:\d+\. )?(?:Failure|Error)` +
		` \('?(?P<file>[^:()']+):(?P<line>\d+)(?::\d+)?'?\): (?P<name>.*?)(?: ─+)?$`),
		stop: text.Lazy(`^\s*$|^──`)},
	{runner: "testthat", mark: "Error (", head: text.Lazy(`^(?:── )?(?:\d+\. )?(?:Failure|Error)` +
		` \('?(?P<file>[^:()']+):(?P<line>\d+)(?::\d+)?'?\): (?P<name>.*?)(?: ─+)?$`),
		stop: text.Lazy(`^\s*$|^──`)},
	{runner: "Unity", mark: ":FAIL", head: text.Lazy(`^(?P<file>[^\s:]+\.(?:c|cpp|cc)):(?P<line>\d+)` +
		`:(?P<name>\w+):FAIL(?:: ?(?P<msg>.*))?$`), stop: text.Lazy(`^`)},
	{runner: "Check", mark: ":F:", head: text.Lazy(`^(?P<file>[^\s:]+\.(?:c|cpp|cc)):(?P<line>\d+)` +
		`:[FE]:[^:]*:(?P<name>\w+):\d+: (?P<msg>.*)$`), stop: text.Lazy(`^`)},
	{runner: "Check", mark: ":E:", head: text.Lazy(`^(?P<file>[^\s:]+\.(?:c|cpp|cc)):(?P<line>\d+)` +
		`:[FE]:[^:]*:(?P<name>\w+):\d+: (?P<msg>.*)$`), stop: text.Lazy(`^`)},
	{runner: "unittest", mark: ": ", after: "=======",
		head: text.Lazy(`^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (?P<name>\S+(?: \([^)]*\).*)?)$`),
		stop: text.Lazy(`^={20,}$|^Ran \d+ tests? in `)},
	{runner: "doctest", mark: "File ", after: "*****",
		head: text.Lazy(`^File "(?P<file>[^"]+)", line (?P<line>\d+), in (?P<name>.+)$`),
		stop: text.Lazy(`^\*{10,}$`)},
	{runner: "dart test", mark: " [E]", head: text.Lazy(`^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: (?P<name>.+)` +
		` \[E\]$`), stop: text.Lazy(`^\S`)},
	{runner: "TestNG", mark: "FAILED",
		head: text.Lazy(`^FAILED(?: CONFIGURATION)?: (?:@\w+ )?(?P<name>[\w.$]+)(?:\(.*\))?$`),
		stop: text.Lazy(`^$|^(?:PASSED|FAILED|SKIPPED)\b.*: |^=====`)},
	{runner: "ant junit", mark: "Testcase: ",
		head: text.Lazy(`^Testcase: (?P<name>[^\s(]+)(?:\((?P<class>[^)]+)\))?(?: took [\d.,]+ sec|` +
			`:\s*(?:FAILED|Caused an ERROR).*)?$`),
		stop:  text.Lazy(`^Testcase: |^Testsuite: |^Test \S+ FAILED|^Running `),
		suite: text.Lazy(`^Testsuite: (\S+)`), open: "Testsuite: "},
}

var sumRules = []sumRule{
	{runner: "CppUnit", mark: "Failures: ", expr: text.Lazy(`^Run:\s+(?P<total>\d+)` +
		`\s+Failures: (?P<failed>\d+)\s+Errors: (?P<errors>\d+)`)},
	{runner: "CUnit", mark: " tests ", expr: text.Lazy(`^\s+tests\s+(?P<all>\d+)\s+\d+\s+(?P<passed>\d+)` +
		`\s+(?P<failed>\d+)\s+(?P<skipped>\d+)$`)},
	{runner: "Criterion", mark: "Synthesis: ",
		expr: text.Lazy(`Synthesis: Tested: \d+ \| Passing: (?P<passed>\d+) \| Failing: (?P<failed>\d+)`)},
	{runner: "EUnit", mark: "Failed: ", expr: text.Lazy(`^\s+Failed: (?P<failed>\d+)` +
		`\.\s+Skipped: (?P<skipped>\d+)\.\s+Passed: (?P<passed>\d+)\.`)},
	{runner: "LuaUnit", mark: " seconds, ",
		expr: text.Lazy(`^(?:# )?Ran \d+ tests in [\d.]+ seconds, (?P<passed>\d+)` +
			` success(?:es)?, (?P<failed>\d+) failures?(?:, (?P<errors>\d+)` +
			` errors?)?(?:, (?P<skipped>\d+) skipped)?`)},
	{runner: "tcltest", mark: "Passed", expr: text.Lazy(`^\S+:\s+Total\s+\d+\s+Passed\s+(?P<passed>\d+)` +
		`\s+Skipped\s+(?P<skipped>\d+)\s+Failed\s+(?P<failed>\d+)`)},
	{runner: "Alcotest", mark: "! in ", expr: text.Lazy(`^(?P<failed>\d+)` +
		` failures?! in [\d.]+s\. (?P<total>\d+) tests? run\.`)},
	{runner: "Alcotest", mark: "Test Successful",
		expr: text.Lazy(`^Test Successful in [\d.]+s\. (?P<total>\d+) tests? run\.`)},
	{runner: "OUnit", mark: "Tried: ", expr: text.Lazy(`^FAILED: Cases: (?P<total>\d+)` +
		` Tried: \d+ Errors: (?P<errors>\d+) Failures: (?P<failed>\d+) Skip: +(?P<skipped>\d+)`)},
	{runner: "HUnit", mark: "Tried: ", expr: text.Lazy(`^Cases: (?P<total>\d+)` +
		`\s+Tried: \d+\s+Errors: (?P<errors>\d+)\s+Failures: (?P<failed>\d+)$`), last: true},
	{runner: "RackUnit", mark: " test failure",
		expr: text.Lazy(`^(?P<failed>\d+)/(?P<total>\d+) test failures?$`)},
	{runner: "jasmine", mark: "Executed ", expr: text.Lazy(`^Executed \d+ of (?P<total>\d+)` +
		` specs?(?: \((?P<failed>\d+) FAILED\))?(?: SUCCESS)?(?: \((?P<skipped>\d+) (?:PENDING|` +
		`SKIPPED)\))?`)},
	{runner: "japa", mark: "Tests ", expr: text.Lazy(`^Tests\s+(?P<passed>\d+) passed(?:, (?P<failed>\d+)` +
		` failed)?(?:, \d+ todo)?(?:, (?P<skipped>\d+) skipped)? \(\d+\)$`)},
	{runner: "trial", mark: "successes=", expr: text.Lazy(`^(?:FAILED|PASSED) \((?:skips=(?P<skipped>\d+)` +
		`, )?(?:expectedFailures=\d+, )?(?:failures=(?P<failed>\d+), )?(?:errors=(?P<errors>\d+)` +
		`, )?successes=(?P<passed>\d+)\)`)},
	{runner: "tasty", mark: " tests ", expr: text.Lazy(`^(?P<failed>\d+) out of (?P<total>\d+)` +
		` tests failed`)},
	{runner: "tasty", mark: " tests passed", expr: text.Lazy(`^All (?P<total>\d+) tests passed \(`)},
	{runner: "lab", mark: " tests failed", expr: text.Lazy(`^(?P<failed>\d+) of (?P<ran>\d+)` +
		` tests failed(?: \((?P<skipped>\d+) skipped\))?$`)},
	{runner: "buck2", mark: "Tests finished: ",
		expr: text.Lazy(`^Tests finished: Pass (?P<passed>\d+)\. Fail (?P<failed>\d+)` +
			`\. Fatal (?P<errors>\d+)\. Skip (?P<skipped>\d+)\.`)},
	{runner: "NUnit", mark: "Test Count: ", expr: text.Lazy(`^\s+Test Count: \d+, (?:Pass|Passed)` +
		`: (?P<passed>\d+), (?:Fail|Failed): (?P<failed>\d+), .*(?:Skip|Skipped): (?P<skipped>\d+)$`)},
	{runner: "testcafe", mark: " failed (", expr: text.Lazy(`^ (?P<failed>\d+)/(?P<total>\d+)` +
		` failed \([\dms ]+\)$`)},
	{runner: "sbt", mark: ": Total ", expr: text.Lazy(`^\[(?:error|info)\] (?:Failed|Passed)` +
		`: Total \d+, Failed (?P<failed>\d+), Errors (?P<errors>\d+), Passed (?P<passed>\d+)` +
		`(?:, (?:Ignored|Skipped) (?P<skipped>\d+))?`)},
	{runner: "Julia", mark: "Some tests did not pass",
		expr: text.Lazy(`Some tests did not pass: (?P<passed>\d+) passed, (?P<failed>\d+)` +
			` failed, (?P<errors>\d+) errored, (?P<skipped>\d+) broken`)},
	{runner: "testthat", mark: "[ FAIL ", expr: text.Lazy(`^\[ FAIL (?P<failed>\d+)` +
		` \| WARN \d+ \| SKIP (?P<skipped>\d+) \| PASS (?P<passed>\d+) \]`), last: true},
	{runner: "Unity", mark: " Ignored", expr: text.Lazy(`^(?P<total>\d+) Tests (?P<failed>\d+)` +
		` Failures (?P<skipped>\d+) Ignored`)},
	{runner: "Check", mark: "%: Checks: ", expr: text.Lazy(`^\d+%: Checks: (?P<total>\d+)` +
		`, Failures: (?P<failed>\d+), Errors: (?P<errors>\d+)`)},
	{runner: "dart test", mark: " +", last: true,
		expr: text.Lazy(`^\d\d:\d\d \+(?P<passed>\d+)(?: ~(?P<skipped>\d+))?(?: -(?P<failed>\d+))?: `)},
	{runner: "TestNG", mark: "ests run: ", last: true,
		expr: text.Lazy(`^ *(?:Total t|T)ests run: (?P<total>\d+)` +
			`, (?:Passes: \d+, )?Failures: (?P<failed>\d+), Skips: (?P<skipped>\d+)`)},
	{runner: "ant junit", mark: "Errors: ", expr: text.Lazy(`^Tests run: (?P<total>\d+)` +
		`, Failures: (?P<failed>\d+), Errors: (?P<errors>\d+), Skipped: (?P<skipped>\d+)` +
		`, Time elapsed: [\d.,]+ sec$`)},
}

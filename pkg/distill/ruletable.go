package distill

import (
	"regexp"
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
	{runner: "CppUnit", mark: ") test: ", head: lazy(`^\d+\) test: (?P<name>\S+) \([EF]\)(?: line: (?P<line>\d+) (?P<file>\S+))?`), stop: lazy(`^$`)},
	{runner: "CUnit", mark: "FAILED", after: "CUnit - A unit testing framework", head: lazy(`^\s+Test: (?P<name>.+?) ?\.\.\. ?FAILED$`), stop: lazy(`^$|^\s+Test: |^Suite: `)},
	{runner: "Criterion", mark: "[FAIL] ", head: lazy(`^\[FAIL\] (?P<name>\S+::\S+?): (?:\(|CRASH|TIMEOUT)`), stop: lazy(`^\[(?:FAIL|PASS|SKIP|====|RUN )\]|^[^\[]`), above: true},
	{runner: "cmocka", mark: " [", head: lazy(`^(?:failure|error): (?P<name>.+?) \[$`), stop: lazy(`^\]$`)},
	{runner: "EUnit", mark: "*failed*", head: lazy(`^\s*(?:\S+\.erl:\d+: ?)?(?P<name>[\w@]+:(?:\d+:)? ?[\w@]+)(?:/\d+)?[^.]*\.\.\.(?:\[[\d.]+ s\] ?)?\*failed\*$`), stop: lazy(`^$`)},
	{runner: "EUnit", mark: ") ", after: "Failures:", head: lazy(`^\s+\d+\) (?P<name>[a-z][\w@]*:[\w@]+)/\d+(?:: .*)?$`), stop: lazy(`^\s+\d+\) [a-z][\w@]*:|^Finished in |^\d+ tests`)},
	{runner: "LuaUnit", mark: ") ", after: "-------", head: lazy(`^\d+\) (?P<name>[A-Za-z_][\w.]*)$`), stop: lazy(`^$|^\d+\) [A-Za-z_][\w.]*$`)},
	{runner: "tcltest", mark: "==== ", head: lazy(`^==== (?P<name>\S+) (?P<msg>\S.*) FAILED$`), stop: lazy(`^==== \S+ FAILED$`)},
	{runner: "Alcotest", mark: "[FAIL]", head: lazy(`^│ \[FAIL\]\s+(?P<suite>\S.*?)\s{2,}\d+\s+(?P<name>.+?)\.\s*│$`), stop: lazy(`^ ?─{20,}$|^┌──`)},
	{runner: "Alcotest", mark: "[FAIL]", head: lazy(`^[> ] \[FAIL\]\s+(?P<suite>\S.*?)\s{2,}\d+\s+(?P<name>.+?)\.$`), stop: lazy(`^`), weak: true},
	{runner: "OUnit", mark: "Error: ", after: "=======", head: lazy(`^Error: (?P<name>[^"]+:\d+.*?)\.$`), stop: lazy(`^-{20,}$|^={20,}$`)},
	{runner: "HUnit", mark: "### ", head: lazy(`### (?:Failure|Error) in: (?:\d+:)*(?P<name>.+)$`), stop: lazy(`^Cases: |^.*### `)},
	{runner: "RackUnit", mark: "-------", head: lazy(`^-{20}$`), stop: lazy(`^-{20}$`)},
	{runner: "SRFI-64", mark: ": FAIL ", head: lazy(`^(?P<file>\S+\.(?:scm|sld)):(?P<line>\d+): FAIL (?P<name>.+)$`), stop: lazy(`^`)},
	{runner: "Nim unittest", mark: "[FAILED] ", head: lazy(`^\s+\[FAILED\] (?P<name>.+)$`), stop: lazy(`^\s*\[(?:OK|Suite|FAILED|SKIPPED)\]`), above: true, suite: lazy(`^\[Suite\] (.+)$`), open: "[Suite] "},
	{runner: "cucumber", mark: " # ", head: lazy(`^\d+\) Scenario(?: Outline)?: (?P<name>.+?)(?: \(attempt \d+.*?\))? # (?P<file>\S+\.feature):(?P<line>\d+)$`), stop: lazy(`^\d+\) |^\d+ scenarios?|^Warnings:`)},
	{runner: "jasmine", mark: ") ", after: "*                    Failures", until: "*                    Pending", head: lazy(`^\d+\) (?P<name>\S.*)$`), stop: lazy(`^$|^\d+\) `)},
	{runner: "japa", mark: "❯ ", after: " ERRORS", head: lazy(`^\s+❯ (?P<name>\S.*)$`), stop: lazy(`^\[\d+/\d+\]|^\s+❯ [^\d\s]`)},
	{runner: "shUnit2", mark: "ASSERT:", head: lazy(`^ASSERT:(?P<msg>.+)$`), stop: lazy(`^`), suite: lazy(`^(test\w+)(?: \(\))?$`), open: "test"},
	{runner: "trial", mark: "[FAIL]", after: "=======", head: lazy(`^\[(?:FAIL|ERROR)\]$`), stop: lazy(`^(?:=|-){20,}$`)},
	{runner: "trial", mark: "[ERROR]", after: "=======", head: lazy(`^\[(?:FAIL|ERROR)\]$`), stop: lazy(`^(?:=|-){20,}$`)},
	{runner: "rspec", mark: "_spec.rb:", head: lazy(`^(?P<file>\.?[\w./-]+_spec\.rb):(?P<line>\d+):(?P<name>[^:\d\s].*)$`), stop: lazy(`^`)},
	{runner: "buck2", mark: "✗ Fail: ", head: lazy(`^✗ Fail: (?:\S+ - )?(?P<name>.+?) \([\d.]+m?s\)$`), stop: lazy(`^[✓✗] |^Tests finished|^\d+ TESTS FAILED`)},
	{runner: "MUnit", mark: "==> X ", head: lazy(`^(?:\[\w+\] )?==> X (?P<name>\S.*?)\s+[\d.]+s (?P<msg>.*)$`), stop: lazy(`^(?:\[\w+\] )?(?:==> X |  \+ |\S+:$)|^\[error\] `)},
	{runner: "specs2", mark: " x ", head: lazy(`^\[(?:error|info)\]\s+x (?P<name>\S.*)$`), stop: lazy(`^\[info\]|^\[error\]\s+[x!] `)},
	{runner: "Meson", mark: "FAIL ", head: lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`), stop: lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "ERROR ", head: lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`), stop: lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "TIMEOUT ", head: lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`), stop: lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "INTERRUPT ", head: lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`), stop: lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "Meson", mark: "UNEXPECTEDPASS ", head: lazy(`^\s*\d+/\d+ (?:.* / )?(?P<name>\S.*?)\s{1,}(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`), stop: lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `), wraps: true},
	{runner: "dejagnu", mark: "FAIL: ", after: "Schedule of variations", head: lazy(`^FAIL: (?P<name>\S.*)$`), stop: lazy(`^`)},
	{runner: "ant junit", mark: "Testcase: ", head: lazy(`^Testcase: (?P<name>[^\s(]+)(?:\((?P<class>[^)]+)\))?(?: took [\d.,]+ sec|:\s*(?:FAILED|Caused an ERROR).*)?$`), stop: lazy(`^Testcase: |^Testsuite: |^Test \S+ FAILED|^Running `), suite: lazy(`^Testsuite: (\S+)`), open: "Testsuite: "},
}

var sumRules = []sumRule{
	{runner: "CppUnit", mark: "Failures: ", expr: lazy(`^Run:\s+(?P<total>\d+)\s+Failures: (?P<failed>\d+)\s+Errors: (?P<errors>\d+)`)},
	{runner: "CUnit", mark: " tests ", expr: lazy(`^\s+tests\s+(?P<all>\d+)\s+\d+\s+(?P<passed>\d+)\s+(?P<failed>\d+)\s+(?P<skipped>\d+)$`)},
	{runner: "Criterion", mark: "Synthesis: ", expr: lazy(`Synthesis: Tested: \d+ \| Passing: (?P<passed>\d+) \| Failing: (?P<failed>\d+)`)},
	{runner: "EUnit", mark: "Failed: ", expr: lazy(`^\s+Failed: (?P<failed>\d+)\.\s+Skipped: (?P<skipped>\d+)\.\s+Passed: (?P<passed>\d+)\.`)},
	{runner: "LuaUnit", mark: " seconds, ", expr: lazy(`^(?:# )?Ran \d+ tests in [\d.]+ seconds, (?P<passed>\d+) success(?:es)?, (?P<failed>\d+) failures?(?:, (?P<errors>\d+) errors?)?(?:, (?P<skipped>\d+) skipped)?`)},
	{runner: "tcltest", mark: "Passed", expr: lazy(`^\S+:\s+Total\s+\d+\s+Passed\s+(?P<passed>\d+)\s+Skipped\s+(?P<skipped>\d+)\s+Failed\s+(?P<failed>\d+)`)},
	{runner: "Alcotest", mark: "! in ", expr: lazy(`^(?P<failed>\d+) failures?! in [\d.]+s\. (?P<total>\d+) tests? run\.`)},
	{runner: "Alcotest", mark: "Test Successful", expr: lazy(`^Test Successful in [\d.]+s\. (?P<total>\d+) tests? run\.`)},
	{runner: "OUnit", mark: "Tried: ", expr: lazy(`^FAILED: Cases: (?P<total>\d+) Tried: \d+ Errors: (?P<errors>\d+) Failures: (?P<failed>\d+) Skip: +(?P<skipped>\d+)`)},
	{runner: "HUnit", mark: "Tried: ", expr: lazy(`^Cases: (?P<total>\d+)\s+Tried: \d+\s+Errors: (?P<errors>\d+)\s+Failures: (?P<failed>\d+)$`), last: true},
	{runner: "RackUnit", mark: " test failure", expr: lazy(`^(?P<failed>\d+)/(?P<total>\d+) test failures?$`)},
	{runner: "jasmine", mark: "Executed ", expr: lazy(`^Executed \d+ of (?P<total>\d+) specs?(?: \((?P<failed>\d+) FAILED\))?(?: SUCCESS)?(?: \((?P<skipped>\d+) (?:PENDING|SKIPPED)\))?`)},
	{runner: "japa", mark: "Tests ", expr: lazy(`^Tests\s+(?P<passed>\d+) passed(?:, (?P<failed>\d+) failed)?(?:, \d+ todo)?(?:, (?P<skipped>\d+) skipped)? \(\d+\)$`)},
	{runner: "trial", mark: "successes=", expr: lazy(`^(?:FAILED|PASSED) \((?:skips=(?P<skipped>\d+), )?(?:expectedFailures=\d+, )?(?:failures=(?P<failed>\d+), )?(?:errors=(?P<errors>\d+), )?successes=(?P<passed>\d+)\)`)},
	{runner: "tasty", mark: " tests ", expr: lazy(`^(?P<failed>\d+) out of (?P<total>\d+) tests failed`)},
	{runner: "tasty", mark: " tests passed", expr: lazy(`^All (?P<total>\d+) tests passed \(`)},
	{runner: "lab", mark: " tests failed", expr: lazy(`^(?P<failed>\d+) of (?P<ran>\d+) tests failed(?: \((?P<skipped>\d+) skipped\))?$`)},
	{runner: "buck2", mark: "Tests finished: ", expr: lazy(`^Tests finished: Pass (?P<passed>\d+)\. Fail (?P<failed>\d+)\. Fatal (?P<errors>\d+)\. Skip (?P<skipped>\d+)\.`)},
	{runner: "NUnit", mark: "Test Count: ", expr: lazy(`^\s+Test Count: \d+, (?:Pass|Passed): (?P<passed>\d+), (?:Fail|Failed): (?P<failed>\d+), .*(?:Skip|Skipped): (?P<skipped>\d+)$`)},
	{runner: "testcafe", mark: " failed (", expr: lazy(`^ (?P<failed>\d+)/(?P<total>\d+) failed \([\dms ]+\)$`)},
	{runner: "sbt", mark: ": Total ", expr: lazy(`^\[(?:error|info)\] (?:Failed|Passed): Total \d+, Failed (?P<failed>\d+), Errors (?P<errors>\d+), Passed (?P<passed>\d+)(?:, (?:Ignored|Skipped) (?P<skipped>\d+))?`)},
	{runner: "ant junit", mark: "Errors: ", expr: lazy(`^Tests run: (?P<total>\d+), Failures: (?P<failed>\d+), Errors: (?P<errors>\d+), Skipped: (?P<skipped>\d+), Time elapsed: [\d.,]+ sec$`)},
}

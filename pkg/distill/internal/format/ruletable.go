package format

import (
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var blockRules = []blockRule{
	{runner: "CppUnit", marks: []string{") test: "}, stop: reBlank,
		head: expr(`^\d+\) test: (?P<name>\S+) \([EF]\)(?: line: {line} {file})?`)},
	{runner: "Criterion", marks: []string{"[FAIL] "}, above: true, lead: text.Lazy(`^\[----\] ?`),
		head: expr(`^\[FAIL\] (?P<name>\S+::\S+?): (?:\(|CRASH|TIMEOUT)`),
		stop: text.Lazy(`^\[(?:FAIL|PASS|SKIP|====|RUN )\]|^[^\[]`)},
	{runner: "cmocka", marks: []string{" ["}, head: expr(`^(?:failure|error): {name} \[$`),
		stop: text.Lazy(`^\]$`)},
	{runner: "EUnit", marks: []string{") "}, after: "Failures:",
		head: expr(`^\s+\d+\) (?P<name>[a-z][\w@]*:[\w@]+)/\d+(?:: .*)?$`),
		stop: text.Lazy(`^\s+\d+\) [a-z][\w@]*:|^Finished in |^\d+ tests`)},
	{runner: "EUnit", marks: []string{"*failed*"}, stop: reBlank, join: ":",
		head: expr(`^\s*(?:\S+\.erl:\d+: ?)?` +
			`(?P<suite>[\w@]+):(?:\d+:)? ?(?P<name>[\w@]+)(?:/\d+)?[^.]*\.\.\.(?:\[[\d.]+ s\] ?)?\*failed\*$`)},
	{runner: "Alcotest", marks: []string{"[FAIL]"}, stop: text.Lazy(`^ ?─{20,}$|^┌──`),
		lead: text.Lazy(`^└─+┘?`),
		head: expr(`^│ \[FAIL\]\s+(?P<suite>\S.*?)\s{2,}\d+\s+{name}\.\s*│$`)},
	{runner: "japa", marks: []string{"❯ "}, after: " ERRORS", head: expr(`^\s+❯ {name}$`),
		stop: text.Lazy(`^\[\d+/\d+\]|^\s+❯ [^\d\s]`)},
	{runner: "tcltest", marks: []string{"==== "}, head: expr(`^==== (?P<name>\S+) (?P<msg>\S.*) FAILED$`),
		stop: text.Lazy(`^==== \S+ FAILED$`)},
	{runner: "OUnit", marks: []string{"Error: "}, after: "=======",
		head: expr(`^Error: (?P<name>[^"]+:\d+.*?)\.$`), stop: text.Lazy(`^-{20,}$|^={20,}$`)},
	{runner: "RackUnit", marks: []string{"FAILURE", "ERROR"}, titled: true,
		name: expr(`^(?:name: +)?(?P<name>[^-\s].*)$`),
		head: expr(`^(?:FAILURE|ERROR)$`), stop: text.Lazy(`^-{20}$`)},
	{runner: "cucumber", marks: []string{" # "}, stop: text.Lazy(`^\d+\) |^\d+ scenarios?|^Warnings:`),
		head: expr(`^\d+\) Scenario(?: Outline)?: {name}(?: \(attempt \d+.*?\))? # \S+:\d+$`)},
	{runner: "jasmine", marks: []string{") "}, after: "*                    Failures",
		until: "*                    Pending", head: expr(`^\d+\) {name}$`), stop: text.Lazy(`^$|^\d+\) `)},
	{runner: "shUnit2", marks: []string{"ASSERT:"}, head: expr(`^ASSERT:{msg}$`), stop: reAny,
		suite: text.Lazy(`^(test\w+)(?: \(\))?$`), open: "test"},
	{runner: "trial", marks: []string{"[FAIL]", "[ERROR]"}, after: "=======",
		head: text.Lazy(`^\[(?:FAIL|ERROR)\]$`),
		stop: text.Lazy(`^(?:=|-){20,}$`), name: text.Lazy(`^(?P<name>[a-z_]\w*(?:\.\w+)+)$`)},
	{runner: "rspec", marks: []string{"_spec.rb:"}, stop: reAny, // -f failures; else a frame or a warning
		head: expr(`^(?P<file>[\w./-]+_spec\.rb):{line}:(?P<name>(?:[^:\d\s\[iw]|i[^n]|w[^a]).*)$`)},
	{runner: "buck2", marks: []string{"✗ Fail: "}, stop: text.Lazy(`^[✓✗] |^Tests finished|^\d+ TESTS FAILED`),
		head: expr(`^✗ Fail: (?:\S+ - )?{name} \([\d.]+m?s\)$`)},
	{runner: "specs2", marks: []string{" x "}, head: expr(`^\[(?:error|info)\]\s+x (?P<name>\S.*)$`),
		stop: text.Lazy(`^\[info\]|^\[error\]\s+[x!] `), lead: text.Lazy(`^\[error\]`)},
	{runner: "Meson", marks: []string{"FAIL ", "ERROR ", "TIMEOUT ", "INTERRUPT ", "UNEXPECTEDPASS "},
		wraps: true,
		head: expr(`^\s*\d+/\d+ (?:.* / )?{name}\s+(?P<msg>(?:FAIL|ERROR|TIMEOUT|INTERRUPT|` +
			`UNEXPECTEDPASS)\s+[\d.]+ ?s.*)$`),
		stop: text.Lazy(`^\s*\d+/\d+ |^Summary of Failures|^Ok: `)},
	{runner: "Julia", marks: []string{": Test Failed", ": Error During"},
		stop: text.Lazy(`^\s*$|^Test Summary`),
		head: expr(`^{name}: (?:Test Failed|Error During Test) at {file}:{line}$`)},
	{runner: "testthat", marks: []string{"Failure (", "Error ("}, stop: text.Lazy(`^\s*$|^──`),
		head: expr(`^(?:── )?(?:\d+\. )?(?:Failure|Error) \('?(?P<file>[^:()']+):{line}` +
			`(?::\d+)?'?\): {name}(?: ─+)?$`)},
	{runner: "Unity", marks: []string{":FAIL"}, head: expr(`^{file}:{line}:(?P<name>\w+):FAIL(?:: ?{msg})?$`),
		stop: reAny},
	{runner: "Check", marks: []string{":F:", ":E:"},
		head: expr(`^{file}:{line}:[FE]:[^:]*:(?P<name>\w+):\d+: {msg}$`),
		stop: reAny},
	{runner: "unittest", marks: []string{": "}, after: "=======",
		stop: text.Lazy(`^={20,}$|^Ran \d+ tests? in `),
		head: expr(`^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (?P<name>\S+(?: \([^)]*\).*)?)$`)},
	{runner: "doctest", marks: []string{"File "}, after: "*****",
		head: expr(`^File "{file}", line {line}, in {name}$`),
		stop: text.Lazy(`^\*{10,}$`)},
	{runner: "dart test", marks: []string{" [E]"},
		head: expr(`^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: {name} \[E\]$`),
		stop: text.Lazy(`^\S`)},
	{runner: "TestNG", marks: []string{"FAILED"},
		stop: text.Lazy(`^$|^(?:PASSED|FAILED|SKIPPED)\b.*: |^=====`),
		head: expr(`^FAILED(?: CONFIGURATION)?: (?:@\w+ )?(?P<name>[\w.$]+)(?:\(.*\))?$`)},
	{runner: "ant junit", join: ".", marks: []string{"Testcase: "}, suite: text.Lazy(`^Testsuite: (\S+)`),
		open: "Testsuite: ",
		head: expr(`^Testcase: (?P<name>[^\s(]+)\((?P<suite>[^)]+)\):\s*(?:FAILED|Caused an ERROR).*$`),
		stop: text.Lazy(`^Testcase: |^Testsuite: |^Test \S+ FAILED|^Running `)},
	{runner: "ant junit", join: ".", marks: []string{"Testcase: "}, suite: text.Lazy(`^Testsuite: (\S+)`),
		open:  "Testsuite: ",
		head:  expr(`^Testcase: (?P<name>[^\s(]+)(?: took [\d.,]+ sec)?$`),
		proof: text.Lazy(`^\s*(?:FAILED|Caused an ERROR)`),
		stop:  text.Lazy(`^Testcase: |^Testsuite: |^Test \S+ FAILED|^Running `)},
	{runner: "jest", marks: []string{"  ● Console"}, noise: true, head: text.Lazy(`^  ● Console`),
		stop: reJestNext},
	{runner: "jest", kind: core.KindLoad, marks: []string{"● "},
		suite: text.Lazy(`^FAIL +(?:.*? )?(\S+\.\w+)(?: \(.*\))?$`),
		open:  "FAIL ",
		head:  text.Lazy(`^  ● (?:.* › )?(?:Test suite failed to run|Your test suite must contain .*)$`),
		stop:  reJestNext,
		tells: expr(`^\s*(?:(?P<msg>(?:\w*Error: )?{file}: .+ \({line}:{col}\))|` +
			`{file}:{line}:{col} - (?P<msg>error .+))$`)},
	{runner: "jest", marks: []string{"FAIL ", "PASS "}, noise: true, stop: reAny,
		head: text.Lazy(`^(?:FAIL|PASS) +(?:.*? )?\S+\.\w+(?: \(.*\))?$`)},
	{runner: "jest", marks: []string{"  ● "}, head: expr(`^  ● {name}$`), stop: reJestNext},
	{runner: "GoogleTest", marks: []string{"[  FAILED  ] ", "[  ERROR   ] "}, above: true,
		head: expr(`^\[ +(?:FAILED|ERROR) +\] (?:\S+ @ \d+: (?P<name>.+?)|(?P<name>[^\s,]+))` +
			`(?:, where .*?)?(?: \([\d.]+ ms\))?$`),
		stop: text.Lazy(`^\[(?: +(?:RUN|OK|FAILED|SKIPPED|PASSED) +\]|  ERROR   \] [^-]|[-=]{10}\])`),
		lead: text.Lazy(`^\[ +(?:ERROR|LINE) +\] --- `),
		each: expr(`^(?:(?:unknown file|{file}(?::{line}|\({line}\))): (?:(?:F|Fatal f|Non-?fatal f)ailure$|` +
			`error: (?P<msg>.*))|(?P<file>\S+\.lua):{line}: {msg}$)`)},
	{runner: "GoogleTest", marks: []string{"[==========] "}, noise: true, head: text.Lazy(`^\[={10}\] `),
		stop: reAny},
	{runner: "JUnit", join: ".", marks: []string{"JUnit "}, name: reMethodSource, lead: text.Lazy(`^    => `),
		head: expr(`^ *JUnit (?:Jupiter|Vintage|Platform Suite):.+?(?::(?P<index>\[\d+\]).*)?$`),
		stop: text.Lazy(`^ *JUnit \w+:|^$|^Test run finished`)},
	{runner: "JUnit", join: ".", marks: []string{"caught: "}, name: reMethodSource, titled: true,
		lead: text.Lazy(`^[│├└─╷ ]*`),
		head: expr(`^[│├└─╷ ]+caught: {msg}$`), stop: text.Lazy(`^[│├└─╷ ]+(?:duration|status): `)},
	{runner: "XCTest", join: ".", marks: []string{": error: "},
		stop: text.Lazy(`^$|^Test (?:Case|Suite)|: error: |^Failing tests`),
		head: expr(`^(?:{file}|<\w+>):{line}: error: (?:-\[)?(?P<suite>[\w.]+)[. ](?P<name>\w+)\]? : {msg}$`)},
	{runner: "XCTest", join: ".", marks: []string{"Test Case '"}, stop: reAny,
		head: expr(`^Test Case '(?:-\[)?(?P<suite>[\w.]+)[. ](?P<name>\w+)\]?' failed`)},
	{runner: "Swift Testing", marks: []string{" recorded an issue "}, stop: text.Lazy(`^(?:$|[^↳ ])`),
		head: expr(`^\S+ Test "?(?P<name>.+?)"? recorded an issue (?:with .*)?at {file}:{line}:{col}: {msg}$`)},
	{runner: "dotnet test", marks: []string{" [FAIL]"},
		head: expr(`^\[xUnit\.net [\d:.]+\]\s+{name} \[FAIL\]$`),
		stop: reAny},
	{runner: "dotnet test", marks: []string{"[xUnit.net "}, noise: true,
		head: text.Lazy(`^\[xUnit\.net `), stop: reAny},
	{runner: "dotnet test", marks: []string{"Failed ", " X "},
		head:  expr(`^\s+(?:Failed|X) {name}(?: \[[^\]]*\])?$`),
		proof: text.Lazy(`^\s*(?:Error Message:|Stack Trace:|Standard Output)`),
		stop:  text.Lazy(`^(?:\s+(?:Failed|Passed|Skipped|X) \S|(?:Failed|Passed)!|Total tests|Test Run )`),
		lead:  text.Lazy(`^\s*at [^()]+\([^)]*\)$`)},
	{runner: "dotnet test", marks: []string{"error TESTERROR:"}, stop: text.Lazy(`^ {0,5}\S|^$`),
		head: expr(`^\s*(?:(?P<file>[^(]+)\({line}(?:,{col})?\): )?error TESTERROR:\s*` +
			`(?:{name} \([^)]*\): Error Message: {msg})?$`),
		name: expr(`^\s+{name} \([^)]*\): Error Message: {msg}$`)},
	{runner: "node:test", ids: true, marks: []string{"✖ "},
		opens: text.Lazy(`^( *)▶ (.+?)(?: \([\d.]+m?s\))?$`), open: "▶ ",
		head: expr(`^(?P<pad> +)✖ {name}(?: \([\d.]+m?s\))?$`), stop: reAny},
	{runner: "node:test", noise: true, marks: []string{"failing tests:", "test at "}, stop: reAny,
		head: text.Lazy(`^(?:✖ failing tests:|test at \S+:\d+:\d+)$`)},
	{runner: "node:test", after: "✖ failing tests:", marks: []string{"✖ "}, head: nodeHead,
		stop: nodeStop, lead: nodeProperty},
	{runner: "node:test", after: "Failed tests:", marks: []string{"✖ "}, head: nodeHead, stop: nodeStop,
		lead: nodeProperty},
	{runner: "Catch2", marks: []string{": FAILED:"}, header: text.Lazy(`^-{20,}$`), open: "--------",
		stop: reCatchNext,
		head: expr(`^{file}(?::{line}|\({line}\)): FAILED:$`)},
	{runner: "doctest", marks: []string{"ERROR: "},
		header: text.Lazy(`^(?:TEST CASE|  Scenario): +(.+)$`), open: ": ",
		head: expr(`^{file}(?::{line}|\({line}\)): (?:FATAL )?ERROR: {msg}$`),
		stop: text.Lazy(`^$|^=====`)},
	{runner: "prove", marks: []string{" Failed test"},
		stop: text.Lazy(`^\s*(?:[^\s#]|$)|#\s+Failed |# Looks like you`),
		head: expr(`^\s*#\s+Failed test(?: '(?P<name>.*)')?(?: +(?:in|at) {file}(?: at)? line {line}\.?)?$`),
		lead: text.Lazy(`^\s*#\s?`), place: expr(`^\s*(?:in|at) {file}(?: at)? line {line}\.?$`)},
	{runner: "prove", kind: core.KindCrash, marks: []string{" line "},
		head:  expr(`^(?P<msg>[^#\s].+) at {file} line {line}\.$`),
		stop:  text.Lazy(`^[^#D]`),
		proof: text.Lazy(`^(?:# Looks like you(?:r test exited| planned)|# Tests were run but|Dubious,)`)},
	{runner: "ginkgo", marks: []string{"• ["}, head: text.Lazy(`^• \[(?:FAILED|PANICKED|TIMEDOUT)\]`),
		join: " ",
		stop: text.Lazy(`^-----`), name: expr(`^(?P<suite>.*?) ?\[(?:It|[A-Z]\w+)\] {name} *$`),
		lead: text.Lazy(`^\s*\[FAILED\] `), place: expr(`^(?:/\S+:\d+|.*\bat: {file}:{line}.*)$`)},
	{runner: "ginkgo", marks: []string{"• Failure", "• Panic"}, head: text.Lazy(`^• (?:Failure|Panic)`),
		stop: text.Lazy(`^-----`),
		name: expr(`^\s+{name} \[(?:It|[A-Z]\w+)\]$`), place: expr(`^\s*{file}:{line}$`)},
	{runner: "pytest", noise: true, stop: reAny,
		marks: []string{"= FAILURES", "= ERRORS", "= test session", "= short test", "! "},
		head:  text.Lazy(`^(?:=+ (?:FAILURES|ERRORS|test session starts|short test summary info) =+|!+ .+ !+)$`)},
	{runner: "pytest", marks: []string{"= warnings summary"}, noise: true,
		head: text.Lazy(`^=+ warnings summary`),
		stop: text.Lazy(`^=+ .+ =+$`)},
	{runner: "pytest", marks: []string{"FAILED ", "ERROR ", "SUBFAIL"}, after: "====", ids: true, stop: reAny,
		head: expr(`^(?:FAILED|ERROR|SUBFAIL(?:ED)?(?:\([^)]*\)|\[[^\]]*\])?) ` +
			`(?P<name>\S[^:]*\.\w+(?:::[^\[]+?(?:\[.*?\])?)?)(?: - {msg})?$`)},
	{runner: "pytest", marks: []string{".py::"}, after: "====", ids: true, stop: reAny,
		head: expr(`^(?:\[gw\d+\] \[ *\d+%\] (?:FAILED|ERROR) (?P<name>\S+::.+)|` +
			`(?P<name>\S+::\S.*?) (?:FAILED|ERROR)(?: +\[ *\d+%\])?)$`)},
	{runner: "pytest", kind: core.KindLoad, marks: []string{"ERROR collecting"}, stop: rePyNext,
		said: rePySaid,
		head: expr(`^_+ ERROR collecting {name} _+$`)},
	{runner: "pytest", kind: core.KindLoad, marks: []string{"while loading conftest"}, stop: reBlank,
		said: rePySaid,
		head: text.Lazy(`^ImportError while loading conftest`)},
	{runner: "pytest", kind: core.KindCrash, marks: []string{"INTERNALERROR> "}, stop: reAny,
		head: expr(`^(?P<msg>INTERNALERROR> [A-Z]\w+(?:Error|Exception|Exit)\b.*)$`)},
	{runner: "pytest", marks: []string{"___"}, after: "====", stop: rePyNext, said: rePySaid,
		place: expr(`^(?P<file>[^:>|]* [^:>|]*\.\w+):{line}: \w*$`),
		head:  expr(`^_{3,} (?:ERROR at \w+ of )?(?:\[doctest\] )?{name} _{3,}$`)},
	{runner: "pytest", kind: core.KindTest, marks: []string{".py:"}, stop: reAny, // --tb=line
		after: "=================================== FAILURES",
		until: "=========================== short test",
		head:  expr(`^{file}:{line}: {msg}$`)},
	{runner: "pytest-timeout", kind: core.KindTimeout, marks: []string{"+ Timeout +"},
		head: expr(`^\++ (?P<msg>Timeout) \++$`),
		lead: text.Lazy(`^    .*`), proof: text.Lazy(`Stack of MainThread`), stop: text.Lazy(`^\+{4,}`)},
	{runner: "NUnit", marks: []string{") "}, head: expr(`^\d+\) (?:Failed|Error|Invalid) : {name}$`),
		stop: text.Lazy(`^\d+\) |^Run Settings|^$`)},
}

var (
	reAny    = text.Lazy(`^`)
	nodeHead = expr(`^✖ (?P<name>\S.*?[^:\s])(?: \([\d.]+m?s\))?$`)
	nodeStop = text.Lazy(`^\S`)
	// What util.inspect prints of an error besides its message and values.
	nodeProperty   = text.Lazy(`^\s*(?:generatedMessage:.*|code: 'ERR_.*|operator:.*|diff: 'simple'.*|[{}]$)`)
	reCatchNext    = text.Lazy(`^------|^======|^\S+(?::\d+|\(\d+\)): (?:FAILED|PASSED|SKIPPED):`)
	rePyNext       = text.Lazy(`^_{3,} .+ _{3,}$|^=+ .+ =+$|^!+ .+ !+$`)
	rePySaid       = text.Lazy(`^E(?: {3}|$)`)
	reJestNext     = text.Lazy(`^\S|^  ● |^ › `)
	reMethodSource = text.Lazy(`MethodSource \[className = '(?P<suite>[^']+)', methodName = '(?P<name>[^']+)'`)
)

var sumRules = []sumRule{
	{runner: "Catch2", mark: "All tests passed (",
		expr: text.Lazy(`^All tests passed \(\d+ assertions? in (?P<passed>\d+) test cases?\)`)},
	{runner: "node:test", mark: "ℹ ",
		expr: text.Lazy(`^ℹ (?:pass (?P<passed>\d+)|(?:fail|cancelled) (?P<failed>\d+)|` +
			`skipped (?P<skipped>\d+)|todo (?P<todo>\d+)|(?:suites|tests) \d+)$`)},
	{runner: "pytest", mark: "passed in |failed in |skipped in |deselected in |warning in |warnings in |" +
		"error in |errors in |xpassed in |rerun in |no tests ",
		expr: text.Lazy(`^(?:=+ )?(?:(?:(?P<failed>\d+) failed|(?P<errors>\d+) errors?|` +
			`(?P<passed>\d+) passed|(?P<skipped>\d+) skipped|\d+ [a-z]+)(?:, )?)+ in [\d.]+ ?s\b|` +
			`^(?:=+ )?no tests (?:ran|collected)`)},
	{runner: "cucumber", mark: " scenario",
		expr: text.Lazy(`^\d+ scenarios? \((?:(?:, )?(?:(?P<failed>\d+) failed|` +
			`(?P<passed>\d+) passed|(?P<skipped>\d+) (?:skipped|pending)|\d+ \w+))*\)|` +
			`^(?P<passed>\d+) scenarios? passed, (?P<failed>\d+) failed, (?P<skipped>\d+) skipped`)},
	{runner: "GoogleTest", mark: "[  ", expr: text.Lazy(`^\[  PASSED  \] (?P<passed>\d+) test|` +
		`^\[  FAILED  \] (?P<failed>\d+) test|` +
		`^\[  SKIPPED \] (?P<skipped>\d+) test|^\[  ERROR   \] (?P<errors>\d+) error`)},
	{runner: "jest", mark: "Tests: ",
		expr: text.Lazy(`^Tests: +(?:(?:(?P<failed>\d+) failed|(?P<passed>\d+) passed|` +
			`(?P<skipped>\d+) skipped|(?P<todo>\d+) todo), )+\d+ total$`)},
	{runner: "prove", mark: "Files=", wraps: true, named: true,
		expr: text.Lazy(`^Files=\d+, Tests=(?P<total>\d+),`)},
	{runner: "ginkgo", mark: "! -- ", expr: text.Lazy(`^(?:FAIL|SUCCESS)! -- (?P<passed>\d+) Passed \| ` +
		`(?P<failed>\d+) Failed \| .*?(?P<skipped>\d+) Skipped`)},
	{runner: "Swift Testing", mark: " Test run with ", named: true,
		expr: text.Lazy(`^\S+ Test run with (?P<total>\d+) test`)},
	{runner: "XCTest", mark: "Executed ", named: true, last: true,
		expr: text.Lazy(`^\s*Executed (?P<total>\d+) tests?, with ` +
			`(?:(?P<skipped>\d+) tests? skipped and )?(?P<failed>\d+) failures?`)},
	{runner: "dotnet test", mark: "Test summary: ",
		expr: text.Lazy(`^Test summary: total: (?P<total>\d+), failed: (?P<failed>\d+), ` +
			`succeeded: \d+, skipped: (?P<skipped>\d+)`)},
	{runner: "CUnit", mark: " tests ", expr: text.Lazy(`^\s+tests\s+\d+\s+\d+\s+(?P<passed>\d+)` +
		`\s+(?P<failed>\d+)\s+(?P<skipped>\d+)$`)},
	{runner: "OUnit", mark: "Tried: ", expr: text.Lazy(`^FAILED: Cases: (?P<total>\d+)` +
		` Tried: \d+ Errors: (?P<errors>\d+) Failures: (?P<failed>\d+) Skip: +(?P<skipped>\d+)`)},
	{runner: "Meson", mark: "Ok: |Fail: |Pass: |Timeout: |Skipped: ", wraps: true,
		expr: text.Lazy(`^(?:Ok|Expected Fail): +(?P<passed>\d+)\s*$|` +
			`^(?:Fail|Unexpected Pass|Timeout): +(?P<failed>\d+)\s*$|^Skipped: +(?P<skipped>\d+)\s*$`)},
	{runner: "lab", mark: " tests failed", expr: text.Lazy(`^(?P<failed>\d+) of (?P<ran>\d+)` +
		` tests failed(?: \((?P<skipped>\d+) skipped\))?$`)},
	{runner: "dart test", mark: " +", last: true,
		expr: text.Lazy(`^\d\d:\d\d \+(?P<passed>\d+)(?: ~(?P<skipped>\d+))?(?: -(?P<failed>\d+))?: `)},
	{runner: "TestNG", mark: "ests run: ", last: true,
		expr: text.Lazy(`^ *(?:Total t|T)ests run: (?P<total>\d+)` +
			`, (?:Passes: \d+, )?Failures: (?P<failed>\d+), Skips: (?P<skipped>\d+)`)},
}

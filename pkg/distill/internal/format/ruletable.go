package format

import (
	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var blockRules = []blockRule{
	// Runners that print text, the most used first.
	{runner: "vitest", kind: core.KindLoad, marks: []string{" FAIL "}, stop: reVitestNext,
		head: expr(`^ FAIL +(?:\|[^|]*\| )?(?P<name>\S+) \[ \S+ \]$`)},
	{runner: "vitest", marks: []string{" FAIL "}, shared: true, stop: reVitestNext,
		head: expr(`^ FAIL +(?:\|[^|]*\| )?(?P<name>\S+ > .+)$`)},
	{runner: "vitest", kind: core.KindError, marks: []string{"⎯ Un"}, stop: reVitestNext,
		head: expr(`^⎯+ (?:Unhandled (?:Rejection|Errors?)|Uncaught Exception) ⎯+$`), proof: expr(`^(?P<msg>\w*Error\b.*)$`)},
	{runner: "cargo test", marks: []string{" ... FAILED"}, ids: true, stop: reAny,
		head: expr(`^test (?P<name>.+?)(?: - should panic)? \.\.\. FAILED$`)},
	{runner: "cargo test", marks: []string{" stdout ----"}, head: expr(`^---- {name} stdout ----$`),
		tells: expr(`^thread '.*' (?:\(\d+\) )?panicked at {file}:{line}:{col}:$`),
		stop:  text.Lazy(`^---- \S.* stdout ----$|^failures:$|^successes:$|^test result: |^error: test failed`)},
	{runner: "cargo test", marks: []string{"panicked at "}, after: "running ", // with --nocapture
		head: expr(`^thread '(?P<name>[^']*(?:::|_)[^']*)' (?:\(\d+\) )?panicked at {file}:{line}:{col}:$`), keep: true,
		stop: text.Lazy(`^$|^test |^thread '|^failures:$`)},
	{runner: "minitest", marks: []string{"Failure:", "Error:"}, stop: reMiniNext,
		head: text.Lazy(`^(?: *\d+\) )?(?:Failure|Error):$`), name: expr(`^{name}(?: \[{file}:{line}\])?:$`)},
	{runner: "test-unit", marks: []string{"Failure: ", "Error: "}, join: "#", stop: text.Lazy(`^={20,}$`), after: "=======",
		head: expr(`^(?:Failure|Error): (?P<name>\w[^\s(]*)\((?P<suite>[\w:]+)\):?(?: {msg})?$`)},
	{runner: "ExUnit", marks: []string{") "}, stop: text.Lazy(`^ +\d+\) (?:test|doctest|property) |^Finished in |^\.+$|^  \* `),
		head: expr(`^ +\d+\) (?P<name>(?:test|doctest|property) .+) \([\w.]+\)$`)},
	{runner: "playwright", marks: []string{" › "},
		stop: text.Lazy(`^ +\d+\) .* › |^  \d+ (?:failed|flaky|passed|skipped|did not run)|^    Retry #|^\[\d+/\d+\] `),
		head: expr(`^ +\d+\) (?:\[[^\]]+\] › )?\S+:\d+:\d+ › {name}(?: ─+)?$`)},
	{runner: "playwright", ids: true, within: "failed", marks: []string{" › "}, stop: reAny, open: "  ",
		suite: text.Lazy(`^  \d+ (failed|flaky|skipped|did not run|interrupted|passed)\b`), head: rePlaywrightName},
	{runner: "playwright", kind: core.KindRetry, within: "flaky", marks: []string{" › "}, stop: reAny,
		head: rePlaywrightName},
	{runner: "Gradle", join: ".", marks: []string{" FAILED"}, stop: text.Lazy(`^\S`),
		head: expr(`^(?P<suite>[A-Za-z][\w.$]*) > {name}(?:\(\))? FAILED$`)},
	{runner: "Maven", join: ".", marks: []string{"<<< FAILURE!", "<<< ERROR!"},
		head: expr(`^(?:\[ERROR\] +)?(?P<name>[^\s(]+?(?:\([^()]*\)\[\d+\]|(?:\[\d+\]))?.*?)(?:\((?P<suite>[\w.$]+)\))?` +
			`(?: --)? +Time elapsed: [\d.,]+ s(?:ec)? +<<< (?:FAILURE|ERROR)!$`),
		stop: text.Lazy(`^$|^\[(?:INFO|ERROR|WARNING)\]|^Tests run: |^Running `)},
	{runner: "Maven", kind: core.KindRetry, marks: []string{"[WARNING] "}, after: "[WARNING] Flakes:",
		until: "[ERROR] Tests run:", stop: reAny, head: expr(`^\[WARNING\] (?P<name>[\w$]+(?:\.[\w$]+)+)$`)},
	{runner: "Maven", noise: true, marks: []string{"Tests run: ", "[ERROR] ", "[WARNING] ", "[INFO] "}, stop: reAny,
		head: text.Lazy(`^(?:\[\w+\] )?Tests run: .*Time elapsed.* --? in \S+$|` +
			`^\[(?:ERROR|WARNING|INFO)\] +(?:Failures|Errors|Flakes|Run \d+):|^\[ERROR\]   [A-Z][\w$]*\.[\w$]+(?:\[\d+\])?:\d+ `)},
	{runner: "Maven", noise: true, marks: []string{"  "}, after: "Results :", stop: reAny,
		head: text.Lazy(`^  [A-Z][\w$]*\.[\w$]+(?:\[\d+\])?:\d+ `)},
	{runner: "CTest", wraps: true, marks: []string{" Test "},
		head: expr(`^\s*\d+/\d+ +Test +#\d+: (?P<name>\S+) \.*(?P<msg>[\w ]*\*\*\*[\w ]+?):? +[\d.]+ sec`),
		stop: text.Lazy(`^\s*(?:Start +\d+:|\d+/\d+ +Test)|^\d+% tests passed`)},
	{runner: "bun test", marks: []string{"(fail) "}, above: true, head: expr(`^\(fail\) {name}(?: \[[\d.]+m?s\])?$`),
		stop:  text.Lazy(`^\((?:pass|fail|skip|todo)\) |^\S+\.\w+:$|^bun test|^\.+$|^\d+ tests? failed:`),
		tells: expr(`^(?P<msg>(?:error: |\w*(?:Error|Exception)\b).*)$`)},
	{runner: "deno test", marks: []string{" => "}, after: " ERRORS", until: " FAILURES", stop: reBlank,
		head: expr(`^{name} => \S+:\d+:\d+$`), lead: text.Lazy(`^error: `)},
	{runner: "Pest", marks: []string{"FAILED  "}, head: expr(`^ +FAILED  (?P<name>\S+ > .*?)(?: {2,}.*)?$`),
		stop: text.Lazy(`^ +FAILED  |^ {2}─{20}|^  Tests: `)},
	{runner: "karma", marks: []string{" FAILED"}, head: expr(`^[A-Z][\w .]*\([^)]+\) {name} FAILED$`), stop: text.Lazy(`^\S`)},
	{runner: "Robot Framework", marks: []string{"| FAIL |"}, head: expr(`^{name} +\| FAIL \|$`),
		stop: text.Lazy(`^-{20,}|^={20,}`)},
	{runner: "ScalaTest", marks: []string{"*** FAILED ***"}, suite: text.Lazy(`^(?:\[info\] )?([A-Z]\w*):$`), open: "[info] ",
		head: expr(`^(?:\[info\] )?\s*- {name} \*\*\* FAILED \*\*\*$`), lead: text.Lazy(`^\[info\] `),
		stop: text.Lazy(`^(?:\[info\] )?\s*- |^\[info\] (?:Run |\*\*\*|\w+:$)|^[^\[ ]`)},
	{runner: "cucumber", ids: true, after: "Failing ", marks: []string{".feature:"}, stop: reAny,
		head: expr(`^\s*(?:cucumber )?(?:\S+ )*{file}:{line}(?:\s+# (?:Scenario: )?|\s\s+){name}$`)},
	{runner: "cucumber", noise: true, marks: []string{", retried)"}, stop: text.Lazy(`^\d+\) |^\d+ scenarios?|^Failures:`),
		head: text.Lazy(`^\d+\) Scenario(?: Outline)?: .* \(attempt \d+, retried\) # \S+:\d+$`)},
	{runner: "cucumber", marks: []string{" # "}, stop: text.Lazy(`^\d+\) |^\d+ scenarios?|^Warnings:`),
		head:  expr(`^\d+\) Scenario(?: Outline)?: {name}(?: \(attempt \d+.*?\))? # \S+:\d+$`),
		tells: text.Lazy(`^\s+✖ (?P<msg>)(?P<file>)(?P<line>)(?P<col>).*$`)},
	{runner: "rspec", kind: core.KindLoad, outside: true, marks: []string{"An error occurred while"}, stop: reRspecNext,
		head: expr(`^An error occurred while loading \.?/?(?P<name>\S+?)\.?$`)},
	{runner: "rspec", kind: core.KindHook, outside: true, marks: []string{"An error occurred in"}, stop: reRspecNext,
		head: expr(`^An error occurred in an? {name} hook\.$`)},
	{runner: "rspec", marks: []string{"_spec.rb:"}, stop: reAny, // -f failures; else a frame or a warning
		head: expr(`^(?P<file>[\w./-]+_spec\.rb):{line}:(?P<name>(?:[^:\d\s\[iw]|i[^n]|w[^a]).*)$`)},
	{runner: "unittest", marks: []string{"FAIL: ", "ERROR: ", "SUCCESS: "}, after: "=======",
		stop: text.Lazy(`^={20,}$|^Ran \d+ tests? in `),
		head: expr(`^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (?P<name>\S+(?: \([^)]*\).*)?)$`)},
	{runner: "Check", marks: []string{":F:", ":E:"}, after: "Running suite(s):", stop: reAny,
		head: expr(`^(?:.*/)?{file}:{line}:[FE]:(?P<suite>[^:]+):{name}:\d+: {msg}$`)},
	{runner: "Boost.Test", marks: []string{`error: in "`}, stop: reNotIndented,
		head: expr(`^{file}\({line}\): (?:fatal )?error: in "{name}": {msg}$`)},
	{runner: "Common Test", marks: []string{"_SUITE:"}, join: ":", ext: ".erl", stop: text.Lazy(`^- - - |^$`),
		head: expr(`^(?P<suite>\w+_SUITE):{name} failed on line {line}$`), lead: text.Lazy(`^Reason: `)},
	{runner: "coverage", kind: core.KindError, marks: []string{"overage", "Rule violated"}, stop: reAny,
		head: expr(`^(?:\[?[A-Za-z]+\]?:? )?(?P<msg>(?:["\w./ -]+ )?[Cc]overage .*(?:not reached|not met|not been met|does not meet|` +
			`is below|less than).*|Rule violated for .* but expected (?:minimum|maximum) is .*)$`)},
	{runner: "doctest", marks: []string{"File "}, after: "*****",
		head: expr(`^File "{file}", line {line}, in {name}$`),
		stop: text.Lazy(`^\*{10,}$`)},
	{runner: "dart test", marks: []string{" [E]"},
		head: expr(`^\d\d:\d\d \+\d+(?: ~\d+)? -\d+: {name} \[E\]$`),
		stop: text.Lazy(`^\S`)},
	{runner: "jest", marks: []string{"  ● Console"}, noise: true, head: text.Lazy(`^  ● Console`),
		stop: reJestNext},
	{runner: "jest", kind: core.KindLoad, marks: []string{"● "},
		suite: text.Lazy(`^FAIL +(?:.*? )?(\S+\.\w+)(?: \(.*\))?$`),
		open:  "FAIL ",
		head:  text.Lazy(`^  ● (?:.* › )?(?:Test suite failed to run|Your test suite must contain .*)$`),
		stop:  reJestNext,
		tells: expr(`^\s*(?:(?P<msg>(?:\w*Error: )?{file}: .+ \({line}:{col}\))|` +
			`{file}:{line}:{col} - (?P<msg>error .+))$`)},
	{runner: "jest", kind: core.KindCrash, stack: true, marks: []string{"process.exit called"}, stop: reJestNext,
		head: expr(`^  ● +(?P<msg>process\.exit called with .*)$`)},
	{runner: "jest", marks: []string{"FAIL ", "PASS "}, noise: true, stop: reAny,
		head: text.Lazy(`^(?:FAIL|PASS) +(?:.*? )?\S+\.\w+(?: \(.*\))?$`)},
	{runner: "jest", marks: []string{"  ● "}, after: "FAIL ", head: expr(`^  ● {name}$`), stop: reJestNext},
	{runner: "GoogleTest", marks: []string{"[  FAILED  ] ", "[  ERROR   ] "}, above: true,
		head: expr(`^\[ +(?:FAILED|ERROR) +\] (?:\S+ @ \d+: (?P<name>.+?)|(?P<name>[^\s,]+))` +
			`(?:, where .*?)?(?: \([\d.]+ ms\))?$`),
		stop: text.Lazy(`^\[(?: +(?:RUN|OK|FAILED|SKIPPED|PASSED) +\]|  ERROR   \] [^-]|[-=]{10}\])`),
		lead: text.Lazy(`^\[ +(?:ERROR|LINE) +\] --- `),
		each: expr(`^(?:(?:unknown file|{file}(?::{line}|\({line}\))): (?:(?:F|Fatal f|Non-?fatal f)ailure$|` +
			`error: (?P<msg>.*))|(?P<file>\S+\.lua):{line}: {msg}$)`)},
	{runner: "GoogleTest", kind: core.KindCrash, marks: []string{"[ RUN      ] "}, head: expr(`^\[ RUN      \] {name}$`),
		proof: expr(`(?P<msg>(?i:.*(?:segmentation fault|aborted|core dumped|bus error|sanitizer: |terminate called).*))`),
		stop:  text.Lazy(`^\[ +(?:RUN|OK|FAILED|SKIPPED|PASSED) +\]|^\[[-=]{10}\]`)},
	{runner: "GoogleTest", marks: []string{"[==========] "}, noise: true, head: text.Lazy(`^\[={10}\] `),
		stop: reAny},
	{runner: "JUnit", join: ".", marks: []string{"JUnit "}, name: reMethodSource, lead: text.Lazy(`^    => `),
		head: expr(`^ *JUnit (?:Jupiter|Vintage|Platform Suite):.+?(?::(?P<index>\[\d+\]).*)?$`),
		stop: text.Lazy(`^ *JUnit \w+:|^$|^Test run finished`)},
	{runner: "XCTest", join: ".", marks: []string{": error: "},
		stop: text.Lazy(`^$|^Test (?:Case|Suite)|: error: |^Failing tests`),
		head: expr(`^(?:{file}|<\w+>):{line}: error: (?:-\[)?(?P<suite>[\w.]+)[. ](?P<name>\w+)\]? : {msg}$`)},
	{runner: "Swift Testing", marks: []string{" recorded an issue "}, stop: text.Lazy(`^(?:$|[^↳ ])`),
		head: expr(`^\S+ Test "?(?P<name>.+?)"? recorded an issue (?:with .*)?at {file}:{line}:{col}: {msg}$`)},
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
	{runner: "prove", marks: []string{" Failed test"},
		stop: text.Lazy(`^\s*(?:[^\s#]|$)|#\s+Failed |# Looks like you`),
		head: expr(`^\s*#\s+Failed test(?: '(?P<name>.*)')?(?: +(?:in|at) {file}(?: at)? line {line}\.?)?$`),
		lead: text.Lazy(`^\s*#\s?`), place: expr(`^\s*(?:in|at) {file}(?: at)? line {line}\.?$`)},
	{runner: "prove", noise: true, marks: []string{"Result: FAIL"}, head: text.Lazy(`^Result: FAIL$`), stop: reAny},
	{runner: "ginkgo", marks: []string{"• ["}, head: text.Lazy(`^• \[(?:FAILED|PANICKED|TIMEDOUT)\]`),
		join: " ",
		stop: text.Lazy(`^-----`), name: expr(`^(?P<suite>.*?) ?\[(?:It|[A-Z]\w+)\] {name} *$`),
		lead: text.Lazy(`^\s*\[FAILED\] `), place: expr(`^(?:/\S+:\d+|.*\bat: {file}:{line}.*)$`)},
	{runner: "pytest", noise: true, stop: reAny,
		marks: []string{"= FAILURES", "= ERRORS", "= test session", "= short test", "! "},
		head:  text.Lazy(`^(?:=+ (?:FAILURES|ERRORS|test session starts|short test summary info) =+|!+ .+ !+)$`)},
	{runner: "pytest", marks: []string{"= warnings summary"}, noise: true,
		head: text.Lazy(`^=+ warnings summary`),
		stop: text.Lazy(`^=+ .+ =+$`)},
	{runner: "pytest", marks: []string{"FAILED ", "ERROR ", "SUBFAIL"}, after: "====", ids: true, stop: reAny,
		head: expr(`^(?:FAILED|ERROR|SUBFAIL(?:ED)?(?P<sub>(?:\([^)]*\)|\[[^\]]*\])?(?: \([^)]*\))?)) ` +
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
	{runner: "pytest", marks: []string{"_ "}, after: "====", stop: rePyNext, said: rePySaid,
		place: expr(`^(?P<file>[^:>|]* [^:>|]*\.\w+):{line}: \w*$`),
		// A long name has one underscore at each side; a row of "_ _ _" parts frames.
		head: expr(`^(?:_{3,} (?P<hook>ERROR at \w+ of )?(?:\[doctest\] )?{name} _{3,}|` +
			`__? (?P<hook>ERROR at \w+ of )?(?:\[doctest\] )?(?P<name>[^_\s].*[^_\s]) __?)$`)},
	{runner: "pytest", kind: core.KindTest, marks: []string{".py:"}, stop: reAny, // --tb=line
		after: "=================================== FAILURES",
		until: "=========================== short test",
		head:  expr(`^{file}:{line}: {msg}$`)},
	{runner: "pytest-timeout", kind: core.KindTimeout, stack: true, marks: []string{"+ Timeout +"},
		head: expr(`^\++ (?P<msg>Timeout) \++$`),
		lead: text.Lazy(`^    .*`), proof: text.Lazy(`Stack of MainThread`), stop: text.Lazy(`^\+{4,}`)},
}

var (
	reAny         = text.Lazy(`^`)
	reNotIndented = text.Lazy(`^\S|^$`)
	nodeHead      = expr(`^✖ (?P<name>\S(?:.*?[^:\s])??)(?: \([\d.]+m?s\))?$`)
	nodeStop      = text.Lazy(`^\S`)
	// What util.inspect prints of an error besides its message and values.
	nodeProperty     = text.Lazy(`^\s*(?:generatedMessage:.*|code: 'ERR_.*|operator:.*|diff: 'simple'.*|[{}]$)`)
	reCatchNext      = text.Lazy(`^------|^======|^\S+(?::\d+|\(\d+\)): (?:FAILED|PASSED|SKIPPED):`)
	rePyNext         = text.Lazy(`^_{3,} .+ _{3,}$|^__? [^_\s].*[^_\s] __?$|^=+ .+ =+$|^!+ .+ !+$`)
	rePySaid         = text.Lazy(`^E(?: {3}|$)`)
	rePlaywrightName = expr(`^    (?:\[[^\]]+\] › )?\S+:\d+:\d+ › {name}(?: ─+)?$`)
	reVitestNext     = text.Lazy(`^⎯⎯|^ FAIL `)
	reRspecNext      = text.Lazy(`^An error occurred |^Finished in |^Run options|^\d+ examples?, `)
	reMiniNext       = text.Lazy(`^ *\d+\) (?:Failure|Error|Skipped):$|^(?:Failure|Error):$|^\d+ (?:runs|tests), |` +
		`^Finished in |^(?:bin/)?rails test`)
	reJestNext     = text.Lazy(`^\S|^  ● |^ › `)
	reMethodSource = text.Lazy(`MethodSource \[className = '(?P<suite>[^']+)', methodName = '(?P<name>[^']+)'`)
)

var sumRules = []sumRule{
	{runner: "Catch2", mark: "All tests passed (",
		expr: text.Lazy(`^All tests passed \(\d+ assertions? in (?P<passed>\d+) test cases?\)`)},
	{runner: "ava", mark: " failed| passed", // it does not count what passes beside a failure
		expr: text.Lazy(`^  (?:(?P<failed>\d+) tests? failed|(?P<passed>\d+) tests? passed)$`)},
	{runner: "vitest", outside: true, mark: "Tests  |Errors  ",
		expr: text.Lazy(`^ +Tests +(?:(?:(?P<failed>\d+) failed|(?P<passed>\d+) passed|(?P<skipped>\d+) skipped|` +
			`(?P<todo>\d+) todo)(?: \| )?)+ \(\d+\)$|^ +Errors +(?P<errors>\d+) errors?$`)},
	{runner: "Maven", mark: "Tests run: ",
		expr: text.Lazy(`^(?:\[\w+\] )?Tests run: (?P<total>\d+), Failures: (?P<failed>\d+), Errors: (?P<errors>\d+), ` +
			`Skipped: (?P<skipped>\d+)(?:, Flakes: \d+)?$`)},
	{runner: "node:test", mark: "ℹ ",
		expr: text.Lazy(`^ℹ (?:pass (?P<passed>\d+)|(?:fail|cancelled) (?P<failed>\d+)|` +
			`skipped (?P<skipped>\d+)|todo (?P<todo>\d+)|(?:suites|tests) \d+)$`)},
	{runner: "pytest", outside: true, mark: "passed in |failed in |skipped in |deselected in |warning in |warnings in |" +
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
	{runner: "prove", mark: "Files=| (Wstat: ", wraps: true, named: true,
		expr: text.Lazy(`^Files=\d+, Tests=(?P<total>\d+),|^\S+ +\(Wstat: .+ Tests: \d+ Failed: (?P<failed>[1-9]\d*)\)$`)},
	{runner: "Swift Testing", mark: " Test run with ", named: true,
		expr: text.Lazy(`^\S+ Test run with (?P<total>[1-9]\d*) test`)}, // beside XCTest it says 0
	{runner: "dotnet test", mark: "Test summary: ",
		expr: text.Lazy(`^Test summary: total: (?P<total>\d+), failed: (?P<failed>\d+), ` +
			`succeeded: \d+, skipped: (?P<skipped>\d+)`)},
	{runner: "dotnet test", mark: "!  - Failed: ", // a line for each project
		expr: text.Lazy(`^[A-Z][a-z]+!  - Failed: +(?P<failed>\d+), Passed: +(?P<passed>\d+), Skipped: +(?P<skipped>\d+), `)},
	{runner: "dart test", mark: " +", last: true,
		expr: text.Lazy(`^\d\d:\d\d \+(?P<passed>\d+)(?: ~(?P<skipped>\d+))?(?: -(?P<failed>\d+))?: `)},
}

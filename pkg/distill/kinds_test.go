package distill

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// read reads an output of a run that failed, in a folder without files.
func read(t testing.TB, output string, exit int) *Report {
	t.Helper()
	r, err := Read(context.Background(), strings.NewReader(output), Options{Dir: t.TempDir(), ExitCode: &exit})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// namesOf returns what failed, with its kind where that is no test.
func namesOf(all []Failure) []string {
	names := []string{}
	for _, f := range all {
		name := f.Test
		if f.Kind != KindTest {
			name += " (" + f.Kind + ")"
		}
		names = append(names, name)
	}
	return names
}

// Tests have the names that people give them, be they words with which runners count.
func TestAWordIsTheNameOfATest(t *testing.T) {
	for _, word := range strings.Fields("total lines errors ok skip pass passed failed failure error tests test run runs " +
		"warnings pending todo ignored summary results time files suites done a") {
		for runner, output := range map[string]string{
			"cargo": "running 2 tests\ntest tests::fine ... ok\ntest tests::%[1]s ... FAILED\n\nfailures:\n\n---- tests::%[1]s stdout ----\n\n" +
				"thread 'tests::%[1]s' panicked at src/lib.rs:7:9:\nassertion `left == right` failed\n  left: 1\n right: 2\n\n\nfailures:\n" +
				"    tests::%[1]s\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
			"rspec": "F.\n\nFailures:\n\n  1) Till %[1]s\n     Failure/Error: expect(1).to eq(2)\n\n       expected: 2\n            got: 1\n\n" +
				"       (compared using ==)\n     # ./spec/till_spec.rb:3\n\nFinished in 0.01 seconds\n2 examples, 1 failure\n\n" +
				"Failed examples:\n\nrspec ./spec/till_spec.rb:2 # Till %[1]s\n",
			"mocha": "\n\n  till\n    ✔ fine\n    1) %[1]s\n\n\n  1 passing (4ms)\n  1 failing\n\n  1) till\n       %[1]s:\n" +
				"     AssertionError: expected 1 to equal 2\n      at Context.<anonymous> (test/till.js:4:9)\n\n",
			"node": "✖ %[1]s (4.5ms)\n  AssertionError [ERR_ASSERTION]: 1 == 2\n      at TestContext.<anonymous> (/w/till.test.js:2:21) {\n" +
				"    actual: 1,\n    expected: 2,\n  }\n\n✔ fine (0.1ms)\nℹ tests 2\nℹ pass 1\nℹ fail 1\n\n✖ failing tests:\n\ntest at till.test.js:2:1\n" +
				"✖ %[1]s (4.5ms)\n  AssertionError [ERR_ASSERTION]: 1 == 2\n      at TestContext.<anonymous> (/w/till.test.js:2:21) {\n" +
				"    actual: 1,\n    expected: 2,\n  }\n",
			"go": "--- FAIL: TestTill/%[1]s (0.00s)\n    till_test.go:7: got 1, want 2\nFAIL\nFAIL\tshop/till\t0.1s\n",
			"jest": "FAIL test/till.test.js\n  till\n    ✓ fine (1 ms)\n    ✕ %[1]s (2 ms)\n\n  ● till › %[1]s\n\n" +
				"    expect(received).toBe(expected)\n\n    Expected: 2\n    Received: 1\n\nTests:       1 failed, 1 passed, 2 total\n",
		} {
			r := read(t, fmt.Sprintf(output, word), 1)
			if len(r.Failures) != 1 || !strings.HasSuffix(r.Failures[0].Test, word) || r.Failures[0].Message == "" {
				t.Errorf("%s, %s: got %q: %s", runner, word, namesOf(r.Failures), r.Text)
			} else if x := r.Failures[0]; x.Expected != "2" || x.Actual != "1" {
				t.Errorf("%s, %s: want %q, got %q", runner, word, x.Expected, x.Actual)
			}
		}
	}
}

// What is no test is told as what it is.
func TestWhatIsNoTest(t *testing.T) {
	for _, c := range []struct {
		name, output    string
		failed, retried []string
		non             int
		text, lacks     []string
	}{
		{
			name: "a suite of jest in JSON that does not load",
			output: `{"numFailedTestSuites": 1, "numFailedTests": 0, "numPassedTests": 1, "testResults": [` +
				`{"assertionResults": [], "status": "failed", "message": "Cannot find module './none.js'", "name": "test/basket.test.js"}, ` +
				`{"assertionResults": [{"title": "adds", "fullName": "adds", "ancestorTitles": [], "status": "passed"}], "status": "passed", "message": "", "name": "test/price.test.js"}]}`,
			failed: []string{"test/basket.test.js (load)"}, text: []string{"Cannot find module './none.js'"}, lacks: []string{"0 failed"},
		},
		{
			name: "a subtest of pytest",
			output: "=================================== FAILURES ===================================\n" +
				"____________________________ test_c [crate] (n=1) ______________________________\n\nE               AssertionError: crate 1 is broken\n\n" +
				"tests/test_ship.py:17: AssertionError\n____________________________________ test_c ____________________________________\ncontains 1 failed subtest\n" +
				"=========================== short test summary info ============================\n" +
				"SUBFAILED[crate] (n=1) tests/test_ship.py::test_c - AssertionError: crate 1 is broken\n" +
				"FAILED tests/test_ship.py::test_c - contains 1 failed subtest\n================== 2 failed, 2 subtests passed in 0.02s ===================\n",
			failed: []string{"tests/test_ship.py::test_c [crate] (n=1) (subtest)"}, non: 1, text: []string{"crate 1 is broken"},
		},
		{
			name: "a fixture of pytest",
			output: "==================================== ERRORS ====================================\n" +
				"_________________________ ERROR at teardown of test_a __________________________\n\n    assert db == 2\nE   assert 1 == 2\n\n" +
				"tests/test_td.py:11: AssertionError\n=========================== short test summary info ============================\n" +
				"ERROR tests/test_td.py::test_a - assert 1 == 2\n========================= 1 passed, 1 error in 0.05s ==========================\n",
			failed: []string{"tests/test_td.py::test_a (hook)"}, non: 1,
		},
		{
			name: "a hook of mocha",
			output: "\n\n  slug\n    1) \"before all\" hook for \"lowercases\"\n\n\n  0 passing (3ms)\n  1 failing\n\n  1) slug\n" +
				"       \"before all\" hook for \"lowercases\":\n     TypeError: load is not a function\n      at Context.<anonymous> (test/slug.js:10:40)\n\n",
			failed: []string{`slug > "before all" hook for "lowercases" (hook)`}, non: 1,
		},
		{
			name: "a test of mocha before 4, whose title is one line",
			output: "\n\n  cors\n    default\n      ✓ sets the origin\n      1) sets the length\n\n\n  1 passing (4ms)\n  1 failing\n\n" +
				"  1) cors default sets the length:\n     AssertionError: expected 1 to equal 2\n      at Context.<anonymous> (test/cors.js:4:9)\n\n",
			failed: []string{"cors default > sets the length"},
		},
		{
			name: "an error of vitest that no test has caught",
			output: "\n RUN  v3.2.7 /x\n\n ✓ test/a.test.ts (1 test) 2ms\n\n⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯\n\nVitest caught 1 unhandled error during the test run.\n\n" +
				"⎯⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯\nError: late\n ❯ src/a.ts:3:9\n\n⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯\n\n" +
				" Test Files  1 passed (1)\n      Tests  1 passed (1)\n     Errors  1 error\n   Duration  323ms\n",
			failed: []string{" (error)"}, non: 1, text: []string{"Error: late"},
		},
		{
			name: "a file of rspec that does not load",
			output: "An error occurred while loading ./spec/a_spec.rb.\nFailure/Error: require 'nope'\n\nLoadError:\n  cannot load such file -- nope\n" +
				"# ./spec/a_spec.rb:1:in `require'\n\nFinished in 0.00002 seconds (files took 0.06 seconds to load)\n" +
				"0 examples, 0 failures, 1 error occurred outside of examples\n",
			failed: []string{"spec/a_spec.rb (load)"}, non: 1, text: []string{"cannot load such file -- nope"},
		},
		{
			name: "a test of nextest that passed when it was tried again",
			output: " Nextest run ID 1 with nextest profile: ci\n    Starting 3 tests across 1 binary\n  TRY 1 FAIL [   0.010s] (─/3) shop price::flaky\n" +
				"  stderr ───\n\n    thread 'price::flaky' (1) panicked at src/price.rs:14:9:\n    too slow\n\n  TRY 2 PASS [   0.009s] (1/3) shop price::flaky\n" +
				"     TIMEOUT [   1.000s] (2/3) shop price::waits\n     SIGKILL [   0.100s] (3/3) shop price::dies\n────────────\n" +
				"     Summary [   0.310s] 3 tests run: 1 passed (1 flaky), 2 failed (1 timed out), 0 skipped\n" +
				"   FLAKY 2/2 [   0.009s] (1/3) shop price::flaky\n     TIMEOUT [   1.000s] (2/3) shop price::waits\n     SIGKILL [   0.100s] (3/3) shop price::dies\nerror: test run failed\n",
			failed: []string{"price::waits (timeout)", "price::dies (crash)"}, retried: []string{"price::flaky (retry)"}, text: []string{"2 failed, 1 passed", "Passed when tried again: price::flaky"},
		},
		{
			name: "a test of nextest that leaves a process behind",
			output: " Nextest run ID 1 with nextest profile: ci\n   LEAK-FAIL [   0.010s] (1/1) shop price::leaks\n────────────\n" +
				"     Summary [   0.310s] 1 test run: 0 passed, 1 failed, 0 skipped\n",
			failed: []string{"price::leaks"}, text: []string{"LEAK-FAIL"},
		},
		{
			name: "a flaky test of Surefire",
			output: "[ERROR] Tests run: 2, Failures: 2, Errors: 0, Skipped: 0, Time elapsed: 0.8 s <<< FAILURE! -- in shop.MailTest\n" +
				"[ERROR] shop.MailTest.flaky -- Time elapsed: 0.6 s <<< FAILURE!\njava.lang.AssertionError: Expected: <false> but was <true>\n\tat shop.MailTest.flaky(MailTest.java:58)\n\n" +
				"[ERROR] shop.MailTest.sends -- Time elapsed: 0.02 s <<< FAILURE!\njava.lang.AssertionError: letter lost\n\tat shop.MailTest.sends(MailTest.java:71)\n\n" +
				"[INFO] Results:\n[INFO] \n[ERROR] Failures: \n[ERROR]   MailTest.sends:71 letter lost\n[INFO] \n[WARNING] Flakes: \n[WARNING] shop.MailTest.flaky\n" +
				"[ERROR]   Run 1: MailTest.flaky:58 Expected: <false> but was <true>\n[INFO]   Run 2: PASS\n[INFO] \n[ERROR] Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Flakes: 1\n",
			failed: []string{"shop.MailTest.sends"}, retried: []string{"shop.MailTest.flaky (retry)"}, text: []string{"1 failed, 1 passed"},
		},
		{
			name: "output of other tests between those of Gradle",
			output: "PriceTest > labels() STANDARD_OUT\n    error: this is only a log\n\nPriceTest > adds() FAILED\n    java.lang.AssertionError: lost\n        at shop.PriceTest.adds(PriceTest.java:9)\n\n" +
				"CartTest > empty() STANDARD_OUT\n    FAILED to be anything but a log\n\nCartTest > empty() PASSED\n\n3 tests completed, 1 failed\n",
			failed: []string{"PriceTest.adds"}, text: []string{"lost"},
		},
		{
			name: "a process that a test of jest ends",
			output: "FAIL test/cli.test.js\n  ●  process.exit called with \"1\"\n\n      3 | function exit() {\n    > 4 |   process.exit(1);\n        |           ^\n\n" +
				"      at exit (src/cli.js:4:11)\n      at Object.exit (test/cli.test.js:3:1)\n\n",
			failed: []string{"test/cli.test.js (load)"},
			text:   []string{`process.exit called with "1"`, "does not say in which test"},
		},
		{
			name: "what tests of Go log",
			output: "=== RUN   TestA\n    help_test.go:9: chdir to /tmp/a\n    a_test.go:5: total is 1, want 2\n--- FAIL: TestA (0.00s)\n" +
				"=== RUN   TestB\n    help_test.go:9: chdir to /tmp/a\n    a_test.go:15: total is 3, want 4\n--- FAIL: TestB (0.00s)\n" +
				"=== RUN   TestC\n    c_test.go:9: error: this is only a log\n--- PASS: TestC (0.00s)\nFAIL\nFAIL\tshop\t0.1s\n",
			failed: []string{"shop.TestA", "shop.TestB"}, lacks: []string{"chdir", "only a log"},
		},
		{
			name: "a reason to skip", failed: []string{},
			output: "=== RUN   TestA\n    a_test.go:5: error: no database, want one\n--- SKIP: TestA (0.00s)\nPASS\nok  \tshop\t0.1s\nmake: *** [check] Error 1\n",
			lacks:  []string{"1) "},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := read(t, c.output, 1)
			if got := namesOf(r.Failures); !slices.Equal(got, c.failed) {
				t.Errorf("failed: got %q, want %q\n%s", got, c.failed, r.Text)
			}
			if got := namesOf(r.Retried); len(got)+len(c.retried) > 0 && !slices.Equal(got, c.retried) {
				t.Errorf("tried again: got %q, want %q", got, c.retried)
			}
			if r.NonTests != c.non {
				t.Errorf("%d of those counted are no tests, want %d", r.NonTests, c.non)
			}
			for _, s := range c.text {
				if !strings.Contains(r.Text, s) {
					t.Errorf("the text lacks %q:\n%s", s, r.Text)
				}
			}
			for _, s := range c.lacks {
				if strings.Contains(r.Text, s) {
					t.Errorf("the text has %q:\n%s", s, r.Text)
				}
			}
		})
	}
}

// What a command logged until it was killed is no failure.
func TestAKilledRunYieldsNoFailures(t *testing.T) {
	const log = "listening on 8080\nTraceback (most recent call last):\n  File \"a.py\", line 3, in serve\n    f()\nValueError: no client\nKilled\n"
	if r := read(t, log, 137); len(r.Failures) > 0 {
		t.Errorf("got %+v", r.Failures)
	}
	if r := read(t, log, 1); len(r.Failures) != 1 {
		t.Errorf("of a run that failed: got %+v", r.Failures)
	}
}

// What passes, progresses or only announces is not told as left over.
func TestNoiseIsNotLeftOver(t *testing.T) {
	r := read(t, "============================= test session starts ==============================\nrootdir: /src\ncollected 3 items\n\n"+
		"tests/test_a.py .F.                                                      [100%]\n\n"+
		"=================================== FAILURES ===================================\n____________________________________ test_b ____________________________________\n\n"+
		"E   assert 1 == 2\n\ntests/test_a.py:4: AssertionError\n=========================== short test summary info ============================\n"+
		"FAILED tests/test_a.py::test_b - assert 1 == 2\n========================= 1 failed, 2 passed in 0.05s ==========================\n"+
		"go: downloading example.com/x v1.0.0\n✓ fails without a kiln (3 ms)\ntests/test_a.py::test_error PASSED\nERROR: quality gate: 61 of 80 points\n", 1)
	for _, s := range []string{"rootdir", ".F.", "downloading", "without a kiln", "test_error"} {
		if strings.Contains(r.Text, s) {
			t.Errorf("the text has %q:\n%s", s, r.Text)
		}
	}
	if !strings.Contains(r.Text, "quality gate: 61 of 80 points") {
		t.Errorf("the text lacks the gate:\n%s", r.Text)
	}
}

// What a wrapper counts as failed has names, if nothing inside has.
func TestWrappersNameAllThatFailed(t *testing.T) {
	const output = `    Start 1: alpha
1/3 Test #1: alpha ............................***Failed    0.01 sec
    Start 2: beta
2/3 Test #2: beta .............................***Failed    0.01 sec
    Start 3: gamma
3/3 Test #3: gamma ............................   Passed    0.01 sec

33% tests passed, 2 tests failed out of 3

The following tests FAILED:
	  1 - alpha (Failed)
	  2 - beta (Failed)
`
	if got := namesOf(read(t, output, 8).Failures); !slices.Equal(got, []string{"alpha", "beta"}) {
		t.Errorf("got %q", got)
	}
}

// Why the go command loads no package is what failed, whatever else it prints.
func TestPackagesThatGoCannotLoad(t *testing.T) {
	for _, output := range []string{
		"# example.com/m/e\npackage example.com/m/e: build constraints exclude all Go files in /w/e\nFAIL\texample.com/m/e [setup failed]\nFAIL\n",
		"package foo/bar is not in std (/usr/lib/go/src/foo/bar)\n",
		"no Go files in /w\n",
		"go: go.mod file not found in current directory or any parent directory; see 'go help modules'\n",
		"go: updates to go.mod needed; to update it:\n\tgo mod tidy\n",
		"pattern ./...: directory prefix . does not contain main module or its selected dependencies\n",
	} {
		r, err := Read(context.Background(), strings.NewReader(output), Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Failures) != 1 || r.Failures[0].Kind != KindLoad || !strings.Contains(output, r.Failures[0].Message) {
			t.Errorf("%q: got %+v", output, r.Failures)
		}
	}
}

// Coverage below its limit fails a run in which every test passed.
func TestCoverageBelowItsLimit(t *testing.T) {
	const jest = "Test Suites: 1 passed, 1 total\nTests:       3 passed, 3 total\n"
	for line, passed := range map[string]string{
		`Jest: "global" coverage threshold for lines (80%) not met: 50%`:                                     jest,
		`Jest: "./src/a-b.js" coverage threshold for branches (80%) not met: 50%`:                            jest,
		"ERROR: Coverage for lines (50%) does not meet global threshold (80%)":                               "\n  3 passing (5ms)\n\n",
		"FAIL Required test coverage of 95% not reached. Total coverage: 85.71%":                             "=== 3 passed in 0.05s ===\n",
		"Coverage failure: total of 50 is less than fail-under=80":                                           "Ran 3 tests in 0.001s\n\nOK\n",
		"Line coverage (50.00%) is below the expected minimum coverage (80.00%).":                            "3 examples, 0 failures\n",
		"[WARNING] Rule violated for bundle shop: lines covered ratio is 0.50, but expected minimum is 0.80": "[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0\n",
	} {
		for _, output := range []string{passed + line + "\n", line + "\n" + passed} {
			r, err := Read(context.Background(), strings.NewReader(output), Options{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Failures) != 1 || !strings.Contains(line, r.Failures[0].Message) || readsWell(r.Text) {
				t.Errorf("%q: got %+v: %s", output, r.Failures, r.Text)
			}
		}
	}
}

// pytest draws as many underscores beside a test's name as there is room for: one, where it is long.
func TestPytestHeadsOfLongNames(t *testing.T) {
	name := "TestFieldDeserialization.test_invalid_timestamp_field_deserialization[None-timestamp]"
	r := read(t, strings.Repeat("=", 35)+" FAILURES "+strings.Repeat("=", 35)+"\n_ "+name+" _\n"+
		"tests/test_a.py:5: in test_invalid_timestamp_field_deserialization\n    assert f(None) == 1\n"+
		"E   AssertionError: got 2\n_ "+strings.Replace(name, "None", "0", 1)+" _\n"+
		"tests/test_a.py:5: in test_invalid_timestamp_field_deserialization\n    assert f(0) == 1\n"+
		"E   AssertionError: got 3\n"+strings.Repeat("=", 27)+" 2 failed, 3 passed in 0.10s "+strings.Repeat("=", 27)+"\n", 1)
	if len(r.Failures) != 2 || r.Failures[0].Message != "AssertionError: got 2" || r.Failures[1].Message != "AssertionError: got 3" {
		t.Errorf("got %+v", r.Failures)
	}
}

func TestBracketsInTheNameOfANestedTest(t *testing.T) {
	t.Parallel()
	const output = `▶ outer
  ▶ inner
    ✖ a name (in brackets) (0.172997ms)
      AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

      1 !== 2

  ✖ inner (2.249842ms)
✖ outer (2.905856ms)
ℹ tests 1
ℹ suites 2
ℹ pass 0
ℹ fail 1

✖ failing tests:

test at a.test.js:2:149
✖ a name (in brackets) (0.172997ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:

  1 !== 2

      at TestContext.<anonymous> (a.test.js:2:149)
`
	r := read(t, output, 1)
	if len(r.Failures) != 1 || r.Failures[0].Test != "outer > inner > a name (in brackets)" {
		t.Errorf("got %+v", r.Failures)
	}
}

// What vet finds builds. go test runs vet before a package's tests, and says "build failed" of both.
func TestFindingsOfVetAreNoErrorsOfTheCompiler(t *testing.T) {
	const printf, undefined = "fmt.Printf format %d has arg \"x\" of wrong type string", "undefined: x"
	for output, want := range map[string]string{
		"# shop/till\n# [shop/till]\n./till.go:7:2: " + printf + "\nFAIL\tshop/till [build failed]\n":                           KindVet,
		"# shop/till_test\n# [shop/till_test]\n./till_test.go:7:2: result of x call not used\nFAIL\tshop/till [build failed]\n": KindVet,
		"# shop/till\n./till.go:7:2: " + printf + "\nFAIL\tshop/till [build failed]\n":                                          KindVet, // before Go 1.22
		"# shop/till\n./till.go:7:2: " + undefined + "\nFAIL\tshop/till [build failed]\n":                                       KindCompile,
		"till.go:7:2: " + printf + "\n":                          KindLint, // go vet
		"# shop/till\nvet: ./till.go:7:2: " + undefined + "\n":   KindCompile,
		"vet: ./till.go:7:2: " + undefined + "\n":                KindCompile,
		"till.go:7:2: expected declaration, found undef\n":       KindCompile, // gofmt
		"till.go:7:2: Error return value not checked (errcheck)": KindLint,
		"till.go:7:2: undefined: x (typecheck)":                  KindCompile,
		"till.go:7:2: undefined: x (compile)":                    KindCompile, // staticcheck
		"# shop/a\n# [shop/a]\n./a.go:7:2: " + printf + "\n# shop/till\n./till.go:7:2: " + undefined + "\nFAIL\tshop/a [build failed]\n": KindVet + " " + KindCompile,
	} {
		var kinds []string
		for _, f := range read(t, output, 1).Failures {
			kinds = append(kinds, f.Kind)
		}
		slices.Sort(kinds)
		wanted := strings.Fields(want)
		slices.Sort(wanted)
		if !slices.Equal(kinds, wanted) {
			t.Errorf("%q: got %q, want %q", output, kinds, wanted)
		}
	}
}

// What a program throws was built before, also where its place is all that is understood.
func TestAThrownErrorIsNoCompileError(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "test.js"), []byte("1\n2\n3\n4\n5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for said, want := range map[string]string{
		"AssertionError: 7 === 12":         KindError,
		"TypeError: price is not callable": KindError,
		"SyntaxError: Unexpected token":    KindCompile,
		"error: unexpected token":          KindCompile,
	} {
		exit := 1
		r, err := Read(context.Background(), strings.NewReader("  1 test failed\n\n  1. multiplies\n  "+said+
			"\n    Test.fn (test.js:5:5)\n    Array.map (<anonymous>)\n"), Options{Dir: dir, ExitCode: &exit})
		if err != nil || len(r.Failures) != 1 || r.Failures[0].Kind != want {
			t.Errorf("%s: want %s, got %q, %v", said, want, namesOf(r.Failures), err)
		}
	}
}

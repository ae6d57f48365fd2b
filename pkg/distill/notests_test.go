package distill

import (
	"context"
	"strings"
	"testing"
)

func TestARunnerWithoutTestsIsSaidToHaveNone(t *testing.T) {
	for _, out := range []string{
		"============================= test session starts ==============================\ncollected 0 items\n\n============================ no tests ran in 0.01s =============================\n",
		"?   \texample.com/shop\t[no test files]\n",
		"No tests found, exiting with code 1\nRun with `--passWithNoTests` to exit with code 0\n",
		"\n RUN  v3.0.0 /home/dev/project\n\nNo test files found, exiting with code 1\n",
		"\n  0 passing (1ms)\n\n",
		"TAP version 13\n1..0\n# tests 0\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0\n",
		"running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
		"No examples found.\n\n\nFinished in 0.00028 seconds (files took 0.06 seconds to load)\n0 examples, 0 failures\n",
		"Run options: --seed 1\n\n# Running:\n\nFinished in 0.000s\n\n0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n",
		"\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nOK\n",
		"PHPUnit 10.5.0 by Sebastian Bergmann and contributors.\n\nNo tests executed!\n",
		"Test project /home/dev/project/build\nNo tests were found!!!\n",
		"[==========] Running 0 tests from 0 test suites.\n[==========] 0 tests from 0 test suites ran. (0 ms total)\n[  PASSED  ] 0 tests.\n",
	} {
		r, err := Read(context.Background(), strings.NewReader(out), Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if !r.NoTests || len(r.Failures) > 0 || !strings.Contains(r.Text, "no tests were run") {
			t.Errorf("no tests: %v, %d failures, text %q of\n%s", r.NoTests, len(r.Failures), r.Text, out)
		}
	}
}

// TestTestsToDoAreTests: a file whose tests are all still to do is none
// without tests.
func TestTestsToDoAreTests(t *testing.T) {
	for _, out := range []string{
		"TAP version 13\n# Subtest: a\nnot ok 1 - a # TODO\n  ---\n  duration_ms: 1.6\n  ...\n1..1\n# tests 1\n# suites 0\n# pass 0\n" +
			"# fail 0\n# cancelled 0\n# skipped 0\n# todo 1\n# duration_ms 275.4\n",
		"⚠ a # TODO\nℹ tests 1\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 1\nℹ duration_ms 75.1\n",
		"Test Suites: 1 skipped, 0 of 1 total\nTests:       2 todo, 2 total\nSnapshots:   0 total\nTime:        0.2 s\n",
		" Test Files  1 skipped (1)\n      Tests  2 todo (2)\n   Start at  10:00:00\n   Duration  120ms\n",
	} {
		r, err := Read(context.Background(), strings.NewReader(out), Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if r.NoTests || strings.Contains(r.Text, "no tests") {
			t.Errorf("no tests: %v, text %q of\n%s", r.NoTests, r.Text, out)
		}
	}
}

func TestPassingRunsHaveNoFailures(t *testing.T) {
	log := "app/main.py:10:5: error: bad thing\nsrc/a.ts(3,4): error TS2345: nope\nTraceback (most recent call last):\n  File \"x.py\", line 3, in f\nValueError: logged\n" +
		"TypeError: logged\n    at f (/srv/app.js:3:4)\nException in thread \"main\" java.lang.IllegalStateException: logged\n\tat org.x.Y.z(Y.java:3)\npanic: logged\nFATAL: FAILED: ERROR\nx.c:3:4: error: logged\n" +
		"thread 'main' panicked at src/main.rs:3:4:\nlogged\nmain.go:3:4: undefined: x\nSegmentation fault\n"
	for name, out := range map[string]string{
		"go test":  "=== RUN   TestA\n" + log + "--- PASS: TestA (0.00s)\nPASS\nok  \texample.com/a\t0.1s\n",
		"pytest":   log + "========= 3 passed in 0.1s =========\n",
		"jest":     "PASS src/a.test.js\n" + log + "\nTests:       3 passed, 3 total\n",
		"cargo":    "running 1 test\n" + log + "test a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
		"mocha":    log + "\n  3 passing (4ms)\n\n",
		"rspec":    log + "\nFinished in 0.1 seconds (files took 0.1 seconds to load)\n3 examples, 0 failures\n",
		"TAP":      "TAP version 13\n" + log + "ok 1 - a\n1..1\n# tests 1\n# pass 1\n# fail 0\n",
		"phpunit":  log + "\nOK (3 tests, 3 assertions)\n",
		"unittest": log + "----------------------------------------------------------------------\nRan 3 tests in 0.001s\n\nOK\n",
		"dots":     "Running the integration test...\n" + log + "\nFinished the test...\n=========== 3 passed in 0.1s ===========\n",
		"exunit":   log + "\nFinished in 0.1 seconds\n3 tests, 0 failures\n",
	} {
		r, err := Read(context.Background(), strings.NewReader(out), Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Failures) > 0 {
			t.Errorf("%s: %+v", name, r.Failures)
		}
	}
}

package distill

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestReportsOfRunners: a report in XML tells what failed and what is no test, in any encoding, also if
// there is no word on why, and as far as it goes if it is cut off.
func TestReportsOfRunners(t *testing.T) {
	const head, tail = `<testsuites><testsuite name="s"><testcase classname="a.B" name="fine"/>`, "</testsuite></testsuites>\n"
	for name, c := range map[string]struct {
		output                  string
		want                    []string
		passed, failed, skipped int
		nonTests                int
	}{
		"without a message": {head + `<testcase classname="a.B" name="bad"><failure/></testcase>` + tail, []string{"a.B.bad"}, 1, 1, 0, 0},
		"twice in a test": {head + `<testcase name="bad"><failure message="1 is not 2"/><failure message="3 is not 4"/></testcase>` + tail,
			[]string{"s > bad", "s > bad"}, 1, 1, 0, 0},
		"still to do": {head + `<testcase classname="test" name="later"><skipped type="todo"/><failure message="no"/></testcase>` + tail,
			[]string{}, 1, 0, 1, 0},
		"a fixture": {head + `<testcase classname="a.B" name="up"><error message="failed on setup with &quot;OSError: no&quot;">OSError: no</error></testcase>` +
			tail, []string{"a.B.up (hook)"}, 1, 1, 0, 1},
		"another encoding": {`<?xml version="1.0" encoding="UTF-16"?>` + "\n" + head + `<testcase classname="a.B" name="größer"><failure message="no"/></testcase>` +
			tail, []string{"a.B.größer"}, 1, 1, 0, 0},
		"at the second try": {head + `<testcase classname="a.B" name="flaky"><flakyFailure message="no"><stackTrace>at a.B</stackTrace></flakyFailure></testcase>` +
			tail, []string{}, 2, 0, 0, 0},
		"cut off": {head + `<testcase classname="a.B" name="bad"><failure message="1 is not 2">1 is`, []string{"a.B.bad"}, 1, 1, 0, 0},
	} {
		exit := 1
		if len(c.want) == 0 {
			exit = 0
		}
		r := read(t, c.output, exit)
		if got := namesOf(r.Failures); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
		if retried := name == "at the second try"; retried != (len(r.Retried) == 1) {
			t.Errorf("%s: tries %q", name, namesOf(r.Retried))
		}
		if r.Passed == nil || *r.Passed != c.passed || r.Failed == nil || *r.Failed != c.failed || *r.Skipped != c.skipped || r.NonTests != c.nonTests {
			t.Errorf("%s: got %s", name, r.Text)
		}
	}
}

// TestReportsAsTheChecksReadThem: what a runner wrote for programs fails as many tests, hooks and files
// here as for the checks.
func TestReportsAsTheChecksReadThem(t *testing.T) {
	for file, want := range map[string][]string{
		"jest.json":         {"s > bad"},
		"jest-beside.json":  {"e > in", "bad", "/w/j/hook.test.js (hook)", "/w/j/load.test.js (load)"},
		"rspec.json":        {"s bad"},
		"rspec-load.json":   {"outside of examples (load)"},
		"rspec-hook.json":   {"s in", "outside of examples (hook)"},
		"vitest-beside.xml": {"v/each.test.mjs.e > in", "v/each.test.mjs.bad", "v/hook.test.mjs.s (hook)", "v/load.test.mjs (load)"},
		"node-beside.xml":   {"e > in (hook)", "bad", "/w/n/load.test.mjs (load)"},
		"pytest-beside.xml": {"test_load (load)", "test_a.test_down (hook)", "test_a.test_up (hook)", "test_a.test_both",
			"test_a.test_both (hook)", "test_a.test_sub (hook)", "test_a.T.test_s"},
	} {
		text, err := os.ReadFile(filepath.Join("../../internal/testreport/testdata/reports", file))
		if err != nil {
			t.Fatal(err)
		}
		if got := namesOf(read(t, string(text)+"\n", 1).Failures); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}

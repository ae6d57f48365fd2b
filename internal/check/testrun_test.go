//go:build unix

package check

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testreport"
)

// two is a suite of two commands, each over files of its own.
var two = Suite{Tests: []Step{{Name: "test", Command: "sh run.sh a b"}, {Name: "test 2", Command: "sh run.sh c"}}}

func TestAListOfTestCommandsRunsThemAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, a, b, c string
		want          string
		check         func(Verdict) bool
	}{
		{"all pass, and the counts are one", "true", "true", "true", "test test",
			func(v Verdict) bool { return v.Green && *v.Counts.Passed == 3 && *v.Counts.Failed == 0 }},
		{"the second runs though the first failed", "true", "false", "false", "test! test!",
			func(v Verdict) bool {
				return !v.Green && v.Failing == 2 && *v.Counts.Failed == 2 && *v.Counts.Passed == 1
			}},
		{"a failure in the second alone is no green", "true", "true", "false", "test test!",
			func(v Verdict) bool { return !v.Green && v.Failing == 1 && v.Failures[0].Check == "test 2" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := verifier(t, map[string]string{"tests/a.sh": c.a, "tests/b.sh": c.b, "tests/c.sh": c.c})
			v := verify(t, r, two, VerifyOptions{})
			if steps(v) != c.want || !c.check(v) {
				t.Errorf("steps %q, want %q; verdict %+v", steps(v), c.want, v)
			}
		})
	}
}

func TestOneCommandThatDoesNotTellItsCountsHidesTheSum(t *testing.T) {
	t.Parallel()
	r := verifier(t, map[string]string{"tests/a.sh": "true"})
	v := verify(t, r, Suite{Tests: []Step{{Name: "test", Command: "sh run.sh a"}, {Name: "test 2", Command: "true"}}}, VerifyOptions{})
	if !v.Green || v.Counts.Passed != nil {
		t.Errorf("got %+v", v)
	}
}

// With rerun_command there is one rerun; without, one for each command of which
// a runner is known.
func TestARerunGoesToTheCommandThatFailed(t *testing.T) {
	t.Parallel()
	s := Suite{Tests: []Step{{Name: "test", Command: "go test ./a"}, {Name: "test 2", Command: "pytest"}, {Name: "test 3", Command: "make test"}}}
	v := verification{r: New(Config{Dir: t.TempDir()}), s: s}
	testkit.Write(t, v.r.c.Dir, map[string]string{"go.mod": "module m\n", "a/a_test.go": "package a\n", "test_b.py": "\n"})
	goFail := failure.Failure{Test: "m/a.TestA", File: "a/a_test.go", Check: "test"}
	pyFail := failure.Failure{Test: "test_b.py::test_b", File: "test_b.py", Check: "test 2"}
	for _, c := range []struct {
		name     string
		failures []failure.Failure
		want     []string
		all      bool
	}{
		{"one command's", []failure.Failure{pyFail}, []string{"test 2 (failed only): pytest test_b.py::test_b"}, true},
		{"both", []failure.Failure{pyFail, goFail}, []string{"test (failed only): go test -run ^(TestA)$", "test 2 (failed only): pytest test_b.py::test_b"}, true},
		{"one of a runner that is not known", []failure.Failure{goFail, {Test: "x", Check: "test 3"}}, []string{"test (failed only): go test -run ^(TestA)$"}, false},
	} {
		var got []string
		made, all := v.reruns(c.failures)
		for _, m := range made {
			got = append(got, m.Name+": "+strings.ReplaceAll(m.Command, "'", ""))
		}
		ok := len(got) == len(c.want) && all == c.all
		for i := range min(len(got), len(c.want)) {
			ok = ok && strings.HasPrefix(got[i], c.want[i])
		}
		if !ok {
			t.Errorf("%s: got %q %v, want %q %v", c.name, got, all, c.want, c.all)
		}
	}
	v.s.Rerun = "run-only {{.Tests}}"
	if made, all := v.reruns([]failure.Failure{pyFail, goFail}); len(made) != 1 || !all || made[0].Name != "test (failed only)" {
		t.Errorf("with a template: got %+v", made)
	}
}

// A test that fails among the others and passes alone is not known to fail.
func TestFailsOnlyAmongOthersIsUnsteady(t *testing.T) {
	t.Parallel()
	r := verifier(t, map[string]string{"tests/a.sh": "touch spoiled", "tests/b.sh": "! [ -e spoiled ] || { rm spoiled; false; }", "tests/c.sh": "false"})
	v := verify(t, r, plainSuite, VerifyOptions{FlakeCheck: true})
	if !slices.Equal(v.Flaky, []string{"b"}) || v.Failing != 2 {
		t.Errorf("got %+v", v)
	}
}

func TestCountsAreCountsOfTests(t *testing.T) {
	t.Parallel()
	fails := func(test, kind string) failure.Failure {
		return failure.Failure{Test: test, Kind: kind, Message: "wrong"}
	}
	three := 3
	for _, c := range []struct {
		name    string
		res     Result
		failing int
		trouble string
		unread  bool
	}{
		{"many messages of one test", Result{Summary: Summary{Failures: []failure.Failure{fails("A", ""), fails("A", ""), fails("B", "")}}}, 2, "", false},
		{"more were counted than named", Result{Summary: Summary{Counts: testreport.Counts{Failed: &three}, Failures: []failure.Failure{fails("A", "")}}}, 3, "", true},
		{"a build that fails", Result{Summary: Summary{Recognised: true, Failures: []failure.Failure{fails("", "compile"), fails("", "compile")}}},
			0, "it does not build", true},
		{"one package does not build", Result{Summary: Summary{Failures: []failure.Failure{fails("", "compile"), fails("A", "")}}}, 1, "it does not build", true},
		{"vet finds something in one package", Result{Summary: Summary{Failures: []failure.Failure{fails("", "vet"), fails("A", "")}}},
			1, "go vet keeps tests from running", true},
		{"a linter runs before the tests", Result{Summary: Summary{Failures: []failure.Failure{fails("", "lint")}}},
			0, "the test command reports problems", true},
		{"it does not end", Result{End: TimedOut, Summary: Summary{Failures: []failure.Failure{fails("A", "timeout")}}}, 1, "the tests do not end in time", true},
		{"nothing was understood", Result{}, 0, "the test command fails", true},
		{"no test ran", Result{End: NoTests}, 0, "no tests are run", true},
	} {
		c.res.Step = Step{Name: "test", Kind: Test}
		v := verification{r: &Runner{}, failed: []Result{c.res}}
		v.conclude()
		if v.Failing != c.failing || v.Trouble != c.trouble || v.Tally >= failure.Unnamed != c.unread {
			t.Errorf("%s: failing %d, trouble %q, unnamed %v; want %d, %q, %v", c.name, v.Failing, v.Trouble, v.Tally >= failure.Unnamed, c.failing, c.trouble, c.unread)
		}
	}
}

// A row of a table is a test, and what only holds rows is none, unless it fails by
// itself; failing tests that have names count at least.
func TestRowsAreCounted(t *testing.T) {
	t.Parallel()
	const log = `--- FAIL: TestA (0.00s)
    --- FAIL: TestA/one (0.00s)
    --- PASS: TestA/two (0.00s)
    --- FAIL: TestA/in (0.00s)
        --- FAIL: TestA/in/three (0.00s)
        --- SKIP: TestA/in/four (0.00s)
--- FAIL: TestB (0.00s)
    --- PASS: TestB/one (0.00s)
--- PASS: TestC (0.00s)
FAIL	example.com/a	0.004s
`
	file := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(file, []byte(log), 0o600); err != nil {
		t.Fatal(err)
	}
	number := func(n int) *int { return &n }
	res := Result{Log: file, Summary: Summary{Runner: "go test", Counts: testreport.Counts{Passed: number(1), Failed: number(2), Skipped: number(0)}}}
	r := &Runner{}
	r.countTests(t.Context(), &res)
	if s := res.Summary; *s.Passed != 3 || *s.Failed != 3 || *s.Skipped != 1 {
		t.Errorf("got %d passed, %d failed, %d skipped, want 3, 3, 1", *s.Passed, *s.Failed, *s.Skipped)
	}
	plain := Result{Log: file, Summary: Summary{
		Runner: "tap", Counts: testreport.Counts{Passed: number(1), Failed: number(1)}, Failures: []failure.Failure{{Test: "a"}, {Test: "b"}},
	}}
	r.countTests(t.Context(), &plain)
	if *plain.Summary.Failed != 2 {
		t.Errorf("got %d failed where two have names", *plain.Summary.Failed)
	}
}

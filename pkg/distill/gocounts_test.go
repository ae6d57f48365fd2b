package distill

import (
	"context"
	"strings"
	"testing"
)

// A table test with one subtest more is the same number of tests: who compares
// two runs must not see tests come or go with a row of a table.
func TestSubtestsAreNotCountedBesideTheirTest(t *testing.T) {
	t.Parallel()
	const verbose = `=== RUN   TestAdd
=== RUN   TestAdd/one
=== RUN   TestAdd/two
--- PASS: TestAdd (0.00s)
    --- PASS: TestAdd/one (0.00s)
    --- PASS: TestAdd/two (0.00s)
=== RUN   TestSub
=== RUN   TestSub/one
    sum_test.go:9: got 1, want 2
--- FAIL: TestSub (0.00s)
    --- FAIL: TestSub/one (0.00s)
=== RUN   TestSkip
    sum_test.go:20: no network
--- SKIP: TestSkip (0.00s)
FAIL
FAIL	example.com/sum	0.004s
FAIL
`
	events := `{"Action":"run","Package":"example.com/sum","Test":"TestAdd"}
{"Action":"run","Package":"example.com/sum","Test":"TestAdd/one"}
{"Action":"pass","Package":"example.com/sum","Test":"TestAdd/one"}
{"Action":"pass","Package":"example.com/sum","Test":"TestAdd"}
{"Action":"output","Package":"example.com/sum","Test":"TestSub/one","Output":"    sum_test.go:9: got 1, want 2\n"}
{"Action":"fail","Package":"example.com/sum","Test":"TestSub/one"}
{"Action":"fail","Package":"example.com/sum","Test":"TestSub"}
{"Action":"skip","Package":"example.com/sum","Test":"TestSkip"}
{"Action":"fail","Package":"example.com/sum"}
`
	for name, output := range map[string]string{"-v": verbose, "-json": events} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			exit := 1
			r, err := Read(context.Background(), strings.NewReader(output), Options{Dir: t.TempDir(), ExitCode: &exit})
			if err != nil {
				t.Fatal(err)
			}
			for what, n := range map[string]*int{"passed": r.Passed, "failed": r.Failed, "skipped": r.Skipped} {
				if n == nil || *n != 1 {
					t.Errorf("%s: got %v, want 1", what, n)
				}
			}
		})
	}
}

// What a test printed without the end of a line stands before its result; an indented result that is no
// row is a test's own words.
func TestResultsOfGoAmongTheWordsOfTests(t *testing.T) {
	t.Parallel()
	const output = `=== RUN   TestOf
    of_test.go:7: the inner run says
    --- FAIL: TestInner (0.00s)
--- PASS: TestOf (0.00s)
=== RUN   TestBad
    of_test.go:9: got 1, want 2
no line end--- FAIL: TestBad (0.00s)
FAIL
FAIL	example.com/of	0.004s
FAIL
`
	r := read(t, output, 1)
	if got := namesOf(r.Failures); len(got) != 1 || got[0] != "example.com/of.TestBad" || *r.Passed != 1 || *r.Failed != 1 {
		t.Errorf("got %q: %s", got, r.Text)
	}
	if !strings.Contains(r.Text, "got 1, want 2") {
		t.Errorf("got %s", r.Text)
	}
}

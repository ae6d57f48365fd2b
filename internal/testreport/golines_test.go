package testreport

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestTheNamesOfTestsThatPassed(t *testing.T) {
	t.Parallel()
	const log = `=== RUN   TestA
=== RUN   TestA/row
--- PASS: TestA (0.00s)
    --- PASS: TestA/row (0.00s)
=== RUN   TestB
no line end--- PASS: TestB (1.20s)
=== RUN   TestC
    --- PASS: TestOfALog (0.00s)
--- FAIL: TestC (0.00s)
FAIL	example.com/a	0.004s
=== RUN   TestA
--- PASS: TestA (0.00s)
PASS
ok  	example.com/b	(cached)
`
	passed := func(g *GoLines) []string { return g.Tests.Of(Passed).Names() }
	want := []string{"example.com/a.TestA", "example.com/a.TestB", "example.com/b.TestA"}
	plain := Go(strings.NewReader(log), 100)
	if got := passed(plain); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := plain.Tests.Counts(); *n.Passed != 3 || *n.Failed != 1 {
		t.Errorf("got %d passed, %d failed", *n.Passed, *n.Failed)
	}
	// Marked lines count alone, and so does a program that says itself how it ended.
	marked := regexp.MustCompile(`(?m)(--- PASS: Test[AB]\b|^FAIL|^PASS)`).ReplaceAllString(log, goMark+"$1")
	g := &GoLines{Marked: true, Max: 100}
	kept := string(g.Tap([]byte(marked + "--- PASS: TestForged (0.00s)\nPASS\nok  \texample.com/c\t0.1s\n")))
	if got := passed(g); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !slices.Equal(g.Ended, []string{"example.com/b"}) || !slices.Equal(g.Cut, []string{"example.com/c"}) || !strings.HasPrefix(kept, log) {
		t.Errorf("ended %q, cut %q, kept:\n%s", g.Ended, g.Cut, kept)
	}
}

package distill

import (
	"context"
	"strings"
	"testing"
)

// Where a package fails behind the last pass, one of its tests must have failed: it ran more than once.
func TestATestThatRanThreeTimesAndFailedOnceHasFailed(t *testing.T) {
	t.Parallel()
	const once = "=== RUN   TestGlaze\n    kiln_test.go:9: too cold\n--- FAIL: TestGlaze (0.00s)\n"
	const fine = "=== RUN   TestGlaze\n--- PASS: TestGlaze (0.00s)\n"
	for output, want := range map[string]int{
		once + fine + fine + "FAIL\nFAIL\texample.org/pottery\t0.01s\n":                                       1,
		once + "FAIL\nFAIL\texample.org/pottery\t0.01s\n" + fine + "PASS\nok  \texample.org/pottery\t0.01s\n": 0,
	} {
		if got := named(t, output); len(got) != want {
			t.Errorf("%d named, %q, of\n%s", want, got, output)
		}
	}
}

// A name with quotes, or letters beyond ASCII in another case, is found where it passes.
func TestATestWithAnOddNameHasPassedInTheEnd(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"spills nothing", "doesn't", `pours "hot"`, "verse l'été", "ÉTÉ"} {
		output := "TAP version 13\nnot ok 1 - " + name + "\n  ---\n  message: too cold\n  ...\nok 2 - cools\nok 3 - " + name + "\n"
		r, err := Read(context.Background(), strings.NewReader(output), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Failures {
			if f.Test != "" {
				t.Errorf("%q has failed, want none: it passed behind", f.Test)
			}
		}
		once, _, _ := strings.Cut(output, "ok 3")
		if r, err = Read(context.Background(), strings.NewReader(once), Options{}); err != nil || len(r.Failures) != 1 {
			t.Errorf("%q: got %d failures, %v; want the one that did not pass", name, len(r.Failures), err)
		}
	}
}

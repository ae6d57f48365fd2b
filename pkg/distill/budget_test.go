package distill

import (
	"strings"
	"testing"
)

func TestTextIsRenderedForAnotherBudget(t *testing.T) {
	var out strings.Builder
	for _, name := range []string{"TestOne", "TestTwo", "TestThree"} {
		out.WriteString("--- FAIL: " + name + " (0.00s)\n    a_test.go:7: " + strings.Repeat("much to say ", 40) + "\n")
	}
	out.WriteString("FAIL\nFAIL\texample.com/a\t0.002s\nFAIL\n")
	code := 1
	r, err := Read(t.Context(), strings.NewReader(out.String()), Options{Dir: t.TempDir(), ExitCode: &code})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.TextWithin(DefaultBudget); got != r.Text {
		t.Errorf("with the same budget: got %q, want %q", got, r.Text)
	}
	for _, budget := range []int{0, 40, 300, 700} {
		got := r.TextWithin(budget)
		if len(got) > budget {
			t.Errorf("%d bytes for a budget of %d", len(got), budget)
		}
		if budget >= 300 && !strings.Contains(got, "3 failed") {
			t.Errorf("within %d bytes it is lost how many fail: %q", budget, got)
		}
	}
}

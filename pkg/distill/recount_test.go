package distill

import (
	"strings"
	"testing"
)

func TestTextReportsOtherCounts(t *testing.T) {
	const out = "--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/x (0.00s)\n        a_test.go:5: wrong\nFAIL\nFAIL\texample.com/a\t0.01s\n"
	r, err := Read(t.Context(), strings.NewReader(out), Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	passed, failed := 7, 2
	got := r.Recount(&passed, &failed, nil)
	if !strings.HasPrefix(got.Text, "go test: 2 failed, 7 passed") || *got.Passed != 7 {
		t.Errorf("got %s", got.Text)
	}
	if without := got.Without(0); strings.Contains(without.Text, "TestA/x") || *without.Failed != 2 {
		t.Errorf("without what is known: %s", without.Text)
	}
	if strings.Contains(r.Text, "7 passed") {
		t.Error("the report itself was changed")
	}
}

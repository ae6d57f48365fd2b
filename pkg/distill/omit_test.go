package distill

import (
	"context"
	"strings"
	"testing"
)

func TestAnOmittedFailureIsKnownButNotShown(t *testing.T) {
	t.Parallel()
	const output = `--- FAIL: TestOld (0.00s)
    old_test.go:7: it was so before
--- FAIL: TestNew (0.00s)
    new_test.go:9: got 1, want 2
FAIL
FAIL	example.com/sum	0.004s
FAIL
`
	exit := 1
	r, err := Read(context.Background(), strings.NewReader(output), Options{
		Dir: t.TempDir(), ExitCode: &exit,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Failures) != 2 || r.Failures[0].Test != "example.com/sum.TestOld" {
		t.Fatalf("failures: got %v, want both", r.Failures)
	}
	whole := r.Text
	r = r.Without(0)
	if len(r.Failures) != 2 || !strings.Contains(whole, "it was so") {
		t.Errorf("without one: %v\n%s", r.Failures, whole)
	}
	if strings.Contains(r.Text, "TestOld") || strings.Contains(r.Text, "it was so") || !strings.Contains(r.Text, "got 1, want 2") {
		t.Errorf("the text should show the other failure alone:\n%s", r.Text)
	}
}

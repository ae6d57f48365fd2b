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
		Dir: t.TempDir(), ExitCode: &exit, Omit: func(f Failure) bool { return strings.HasSuffix(f.Test, "TestOld") },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Failures) != 2 {
		t.Errorf("failures: got %v, want both", r.Failures)
	}
	if strings.Contains(r.Text, "TestOld") || strings.Contains(r.Text, "it was so") || !strings.Contains(r.Text, "got 1, want 2") {
		t.Errorf("the text should show the other failure alone:\n%s", r.Text)
	}
}

package distill

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

// TestEveryVolatilePartIsSeen has an example of each form that volatile knows: the look
// before the expression must let all of them through.
func TestEveryVolatilePartIsSeen(t *testing.T) {
	for _, s := range []string{
		"at 0xdeadbeef", "2026-11-22 10:00", "2026-11-22T10:00:01.5Z", "2026/11/22 10:00:01",
		"/tmp/abc/x", "/var/folders/zz/T/x", "/private/tmp/x", "/var/tmp/x",
		`C:\Users\ann\AppData\Local\Temp\x`, "id abcdefab-cdef-abcd-efab-cdefabcdefab gone",
		"goroutine 7", "Seed: 12", "randomized with seed 12", "took (5 ms)", "after 1.5 seconds",
		"thread 'main' (12345) panicked", "PID=7", "pid: 7", "localhost:8080", "127.0.0.1:8080", "[::1]:8080",
	} {
		if steady(s) == s {
			t.Errorf("%q is taken as it is", s)
		}
	}
}

// TestFailuresBeyondCountingAreBound reads more failures than the core reports, and the
// text says so.
func TestFailuresBeyondCountingAreBound(t *testing.T) {
	var out strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&out, "✗ glaze %d melts\n      wanted 930\n", i)
	}
	out.WriteString("\n6000 failed, 1 passed\n")
	r, err := Read(context.Background(), strings.NewReader(out.String()), Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Failures) != 5000 || !strings.Contains(r.Text, "5000 of 6000 understood") {
		t.Errorf("%d failures; %.100s", len(r.Failures), r.Text)
	}
}

package cli

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/term"
	"github.com/booty-cli/booty/internal/testkit"
)

// TestAnEarlyCtrlC cancels commands at moments of their first steps: what a step says of it
// is nobody's business.
func TestAnEarlyCtrlC(t *testing.T) {
	testkit.Hermetic(t)
	root := testkit.Repo(t, map[string]string{".booty.yml": "test_command: sleep 5\n"})
	for _, args := range [][]string{{"refine"}, {"check"}, {"prove"}, {"undo"}, {"status"}} {
		for _, after := range []time.Duration{0, 2 * time.Millisecond, 10 * time.Millisecond} {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			time.AfterFunc(after, cancel)
			if after == 0 {
				cancel()
			}
			var out, errs bytes.Buffer
			s := term.Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Width: 80}
			code := Main(ctx, append([]string{"-C", root, "--yes"}, args...), s, os.Getenv, Build{})
			cancel()
			if strings.Contains(errs.String(), "context canceled") || code == 130 && !strings.Contains(errs.String(), "error: interrupted") {
				t.Errorf("%v after %v: exit code %d: %q", args, after, code, errs.String())
			}
		}
	}
}

package runner

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/detect"
)

// TestOutcomesOfATrial: what a command counts, and what stood in its way.
func TestOutcomesOfATrial(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, c := range map[string]struct {
		command string
		state   detect.State
		passing int
		timeout bool
	}{
		"tests that pass":             {"printf '1..2\\nok 1 - a\\nok 2 - b\\n'", detect.Counted, 2, false},
		"a test that fails":           {"printf '1..2\\nok 1 - a\\nnot ok 2 - b\\n'; exit 1", detect.Counted, 1, false},
		"no test":                     {"printf '1..0\\n'", detect.NoTests, 0, false},
		"a failure before any test":   {"echo 'no such option' >&2; exit 2", detect.Failed, 0, false},
		"a tool that is missing":      {"no-such-tool-here test", detect.Blocked, 0, false},
		"a command that does not end": {"sleep 60", detect.Blocked, 0, true},
		"a runner that counts none":   {"echo BUILD SUCCESSFUL", detect.Uncounted, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runner := check.New(check.Config{Dir: dir, LogDir: t.TempDir(), Distill: check.NewDistiller(dir, dir, nil)})
			step := check.Step{Name: "test", Command: c.command, Timeout: 20 * time.Second}
			if c.timeout {
				step.Timeout = 300 * time.Millisecond
			}
			o, err := testOutcome(context.Background(), runner, step)
			if err != nil || o.State != c.state || o.Passing != c.passing || o.TimedOut != c.timeout {
				t.Errorf("got %+v, %v; want state %d, %d passing, timed out %t", o, err, c.state, c.passing, c.timeout)
			}
		})
	}
}

// TestTimeLimitOfATrial: a limit that a command met or came near to is doubled, in the file too.
func TestTimeLimitOfATrial(t *testing.T) {
	t.Parallel()
	const limit = 10 * time.Minute
	for took, want := range map[time.Duration]string{
		time.Second: "", 5 * time.Minute: "", 6*time.Minute + time.Second: "timeout: 13m\n", limit: "timeout: 20m\n",
	} {
		quick := detect.Chosen{Candidate: detect.Candidate{Name: "lint", Command: "lint"}, Outcome: detect.Outcome{Duration: time.Second}}
		tests := detect.Chosen{Command: "make test", Outcome: detect.Outcome{Duration: took}}
		r := detect.Result{Tests: []detect.Chosen{tests}, Gates: []detect.Chosen{quick}}
		r.Timeout = longest(r, limit)
		text, err := detect.Render(r)
		if err != nil {
			t.Fatal(err)
		}
		if got := lineWith(string(text), "timeout:"); got != want {
			t.Errorf("after %s: %q, want %q", took, got, want)
		}
	}
}

func lineWith(text, prefix string) string {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, prefix) {
			return line
		}
	}
	return ""
}

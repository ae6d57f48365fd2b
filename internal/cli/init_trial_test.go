package cli

import (
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/fault"
)

// TestJudgeTried: what cannot run here is not called a failure, a time-out is called one,
// and a command that counts no test does not pass.
func TestJudgeTried(t *testing.T) {
	t.Parallel()
	counted := detect.Outcome{State: detect.Counted, Passed: true, Tests: 3, Passing: 3}
	failed := detect.Outcome{State: detect.Counted, Tests: 3, Passing: 2, Why: "1 of 3 tests fail"}
	for name, c := range map[string]struct {
		outcomes []detect.Outcome
		code     int
		says     string
	}{
		"all pass":               {[]detect.Outcome{counted, {State: detect.Uncounted, Passed: true}}, 0, ""},
		"one fails":              {[]detect.Outcome{failed, counted}, 3, "1 of the commands failed"},
		"it fails before a test": {[]detect.Outcome{{State: detect.Failed, Why: "exit code 2"}}, 3, "1 of the commands failed"},
		"no test":                {[]detect.Outcome{{State: detect.NoTests}}, 3, "counted no test"},
		"a tool is missing":      {[]detect.Outcome{failed, {State: detect.Blocked, Why: "mix is not installed here"}}, 9, "x cannot run here: mix is not installed here"},
		"a time-out":             {[]detect.Outcome{{State: detect.Blocked, TimedOut: true, Why: "it did not end within 5m0s"}}, 9, "x timed out: it did not end within 5m0s"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var tried []detect.Chosen
			for _, o := range c.outcomes {
				tried = append(tried, detect.Chosen{Command: "x", Outcome: o})
			}
			err := judgeTried(tried)
			if fault.ExitCode(err) != c.code || c.code != 0 && !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v (code %d), want code %d and %q", err, fault.ExitCode(err), c.code, c.says)
			}
		})
	}
}

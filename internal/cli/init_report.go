package cli

import (
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/detect"
)

// initReport is what init --json tells.
type initReport struct {
	// File and Workflow are slash paths from the root; Written says that File
	// was written now.
	File     string `json:"file"`
	Written  bool   `json:"written"`
	Workflow string `json:"workflow,omitempty"`
	// Hooks are the git hooks that were written.
	Hooks    []string       `json:"hooks,omitempty"`
	Projects []detect.Place `json:"projects"`
	Setup    string         `json:"setup_command,omitempty"`
	Test     string         `json:"test_command,omitempty"`
	// Tests are the commands of Test one by one.
	Tests []string   `json:"test_commands,omitempty"`
	Rerun string     `json:"rerun_command,omitempty"`
	Gates []initGate `json:"gates"`
	// Left are commands that were seen and not taken, with the reason.
	Left  []detect.Left `json:"left,omitempty"`
	Notes []string      `json:"notes"`
	// Checks are the commands that were tried.
	Checks []initCheck `json:"checks"`
}

type initGate struct {
	Name    string `json:"name"`
	Command string `json:"command"`
}

type initCheck struct {
	Kind       string `json:"kind"`
	Command    string `json:"command"`
	Passed     bool   `json:"passed"`
	ExitCode   int    `json:"exit_code"`
	Tests      int    `json:"tests"`
	TimedOut   bool   `json:"timed_out"`
	NoTests    bool   `json:"no_tests"`
	CannotRun  bool   `json:"cannot_run"`
	DurationMS int64  `json:"duration_ms"`
	Text       string `json:"text,omitempty"`
	Hint       string `json:"hint,omitempty"`
}

// newInitReport is a report without null lists.
func newInitReport() *initReport {
	return &initReport{Projects: []detect.Place{}, Gates: []initGate{}, Notes: []string{},
		Checks: []initCheck{}}
}

// wrote fills in what was found and written.
func (r *initReport) wrote(d detect.Result) {
	r.Written, r.Setup, r.Tests, r.Rerun = true, d.SetupCommand, d.TestCommands(), d.Rerun
	r.Test = strings.Join(r.Tests, " && ")
	r.Notes = append(r.Notes, d.Notes...)
	r.Left, r.Projects = d.Left, append(r.Projects, d.Places...)
	for _, g := range d.Idle {
		r.Left = append(r.Left, detect.Left{Kind: detect.Gate, Command: g.Command, Why: g.Outcome.Why})
	}
	for _, g := range d.Gates {
		r.Gates = append(r.Gates, initGate{g.Name, g.Command})
	}
}

// ran adds a trial.
func (r *initReport) ran(kind detect.Kind, command string, o detect.Outcome) {
	r.Checks = append(r.Checks, initCheck{
		Kind: string(kind), Command: command, Passed: o.Passed, ExitCode: o.ExitCode, Tests: o.Tests, TimedOut: o.TimedOut,
		NoTests: o.State == detect.NoTests, CannotRun: o.State == detect.Blocked, DurationMS: o.Duration.Milliseconds(), Text: o.Why, Hint: o.Hint,
	})
}

// printInit says what was written, how sure that is, and what was left out.
func (i *initializer) printInit(path string, r detect.Result) {
	i.say("booty: wrote %s", filepath.Base(path))
	if r.SetupCommand != "" {
		i.say("  setup: %s (%s)", r.SetupCommand, i.outcome(detect.Setup, r.Setup))
	}
	for _, g := range r.Gates {
		i.say("  gate:  %s: %s (%s)", g.Name, g.Command, i.outcome(detect.Gate, g.Outcome))
	}
	for _, g := range r.Idle {
		i.say("  gate:  %s: %s (commented out: %s)", g.Name, g.Command, i.clean(g.Outcome.Why))
	}
	for _, c := range r.Tests {
		i.say("  test:  %s (from %s; %s)", c.Command, c.From, i.outcome(detect.Test, c.Outcome))
		switch {
		case c.Outcome.State == detect.NoTests:
			i.say("         set test_count: off to trust its exit code")
		case c.Outcome.Tests > 0 && c.Outcome.Passing == 0:
			i.say("         check this command: none of its tests pass here")
		case !c.Certain():
			i.say("         check this command: booty has not seen it run a test")
		}
		if c.Needs != "" {
			i.say("         its job in CI has %s beside it", c.Needs)
		}
	}
	if r.Rerun != "" {
		i.say("  rerun: %s", r.Rerun)
	}
	if r.Timeout > 0 {
		i.say("  timeout: %.0fm, twice what the longest command took here", r.Timeout.Minutes())
	}
	i.printLeft(r)
}

// maxLeft bounds how many of the commands left out are listed.
const maxLeft = 12

// printLeft says what was seen and not taken.
func (i *initializer) printLeft(r detect.Result) {
	for _, l := range r.Left[:min(len(r.Left), maxLeft)] {
		i.say("  left out: %s: %s", i.clean(l.Command), i.clean(l.Why))
	}
	if n := len(r.Left) - maxLeft; n > 0 {
		i.say("  left out: %d more (booty init --json lists them)", n)
	}
	for _, n := range r.Notes {
		i.say("  note:  %s", n)
	}
}

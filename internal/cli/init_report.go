package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/work"
	"github.com/booty-cli/booty/internal/workspace"
)

// initReport is what init --json tells.
type initReport struct {
	// File and Workflow are slash paths from the root; Written says that File
	// was written now.
	File     string `json:"file"`
	Written  bool   `json:"written"`
	Workflow string `json:"workflow,omitempty"`
	// Hooks are the git hooks that were written.
	Hooks    []string      `json:"hooks,omitempty"`
	Projects []initProject `json:"projects"`
	Setup    string        `json:"setup_command,omitempty"`
	Test     string        `json:"test_command,omitempty"`
	// Tests are the commands of Test one by one.
	Tests []string   `json:"test_commands,omitempty"`
	Gates []initGate `json:"gates"`
	// Left are commands that were seen and not taken, with the reason.
	Left  []initLeft `json:"left,omitempty"`
	Notes []string   `json:"notes"`
	// Checks are those that --check ran.
	Checks []initCheck `json:"checks"`
}

type initProject struct {
	Dir      string `json:"dir"`
	Language string `json:"language"`
	Tool     string `json:"tool"`
	From     string `json:"from"`
}

type initGate struct {
	Name    string `json:"name"`
	Command string `json:"command"`
}

type initLeft struct {
	Kind    string `json:"kind"`
	Command string `json:"command"`
	Why     string `json:"why"`
}

// left gives what stands in the file as comments, whatever its kind.
func left(d detect.Result) []initLeft {
	var out []initLeft
	for _, l := range d.SetupLeft {
		out = append(out, initLeft{"setup", l.Command, l.Why})
	}
	for _, l := range d.Left {
		out = append(out, initLeft{"test", l.Command, l.Why})
	}
	for _, g := range d.GatesLeft {
		out = append(out, initLeft{"gate", g.Command, g.Why})
	}
	return out
}

type initCheck struct {
	Name       string `json:"name"`
	Kind       string `json:"kind"`
	Command    string `json:"command"`
	Passed     bool   `json:"passed"`
	ExitCode   int    `json:"exit_code"`
	TimedOut   bool   `json:"timed_out"`
	NoTests    bool   `json:"no_tests"`
	DurationMS int64  `json:"duration_ms"`
	Text       string `json:"text,omitempty"`
}

// newInitReport is a report without null lists.
func newInitReport() *initReport {
	return &initReport{Projects: []initProject{}, Gates: []initGate{}, Notes: []string{}, Checks: []initCheck{}}
}

// wrote fills in what was found and written.
func (r *initReport) wrote(d detect.Result) {
	r.Written, r.Setup, r.Test, r.Tests = true, d.SetupCommand, strings.Join(d.TestCommands, " && "), d.TestCommands
	r.Notes = append(r.Notes, d.Notes...)
	r.Left = left(d)
	for _, p := range d.Projects {
		r.Projects = append(r.Projects, initProject{p.Dir, p.Language, p.Tool, p.Why})
	}
	for _, g := range d.Gates {
		r.Gates = append(r.Gates, initGate{g.Name, g.Command})
	}
}

// ran adds a check.
func (r *initReport) ran(c check.Result, redact func(string) string) {
	out := initCheck{
		Name: c.Name, Kind: string(c.Kind), Command: c.Command, Passed: c.Passed, ExitCode: c.ExitCode,
		TimedOut: c.TimedOut, NoTests: c.NoTests, DurationMS: c.Duration.Milliseconds(),
	}
	if !c.Passed {
		out.Text = redact(c.Summary.Text)
	}
	r.Checks = append(r.Checks, out)
}

func (f *factory) printInit(path string, r detect.Result) {
	if f.quiet {
		return
	}
	f.say("booty: wrote %s", filepath.Base(path))
	for _, p := range r.Projects {
		f.say("  %s: %s, %s (from %s)", p.Dir, p.Language, p.Tool, p.Why)
	}
	for _, c := range r.TestCommands {
		f.say("  test:  %s", c)
	}
	if r.SetupCommand != "" {
		f.say("  setup: %s", r.SetupCommand)
	}
	for _, g := range r.Gates {
		f.say("  gate:  %s: %s", g.Name, g.Command)
	}
	for _, l := range left(r) {
		f.say("  left out: %s: %s", l.Command, l.Why)
	}
	for _, n := range r.Notes {
		f.say("  note:  %s", n)
	}
}

// checkCommands runs setup, gates and tests once and tells how each ended.
func (f *factory) checkCommands(ctx context.Context, repo *workspace.Repo, to *initReport) error {
	l, err := config.Load(config.LoadOptions{Root: repo.Root(), Getenv: f.getenv, RequireProject: true})
	if err != nil {
		return err
	}
	failed, err := work.TryCommands(ctx, repo.Root(), l, work.Trying{
		Begin: func(s check.Step) {
			name := s.Name
			if s.Kind == check.GateK {
				name = "gate " + name
			}
			f.say("booty: %s: %s", name, s.Command)
		},
		End: func(r check.Result) {
			f.printCheck(r)
			to.ran(r, f.clean)
		},
	})
	if err != nil {
		return err
	}
	if failed > 0 {
		return fault.New(fault.Exhausted, "booty refine makes failing checks pass; commands that are wrong are mended in .booty.yml", "%d of the commands failed", failed)
	}
	f.say("booty: all commands pass")
	return nil
}

func (f *factory) printCheck(r check.Result) {
	st := f.styles()
	if r.Passed {
		counts := ""
		if r.Summary.Passed != nil {
			counts = fmt.Sprintf(", %d tests", *r.Summary.Passed)
			if *r.Summary.Passed == 1 {
				counts = ", 1 test"
			}
		}
		f.say("  %s in %s%s", st.Good.Render("passed"), r.Duration.Round(100_000_000), counts)
		return
	}
	if r.NoTests {
		f.say("  %s in %s: no tests were run", st.Bad.Render("failed"), r.Duration.Round(100_000_000))
	} else {
		f.say("  %s with exit code %d in %s", st.Bad.Render("failed"), r.ExitCode, r.Duration.Round(100_000_000))
	}
	if n := work.Note(r); n != "" && n != "no tests were run" {
		f.say("  %s", n)
	}
	for _, line := range strings.Split(strings.TrimSpace(r.Summary.Text), "\n") {
		f.say("    %s", line)
	}
}

package work

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/distill"
)

// setupTimeout is what a setup command may take at least.
const setupTimeout = 30 * time.Minute

// StepName names the first of several as it is, and numbers the others.
func StepName(word string, i int) string {
	if i == 0 {
		return word
	}
	return fmt.Sprintf("%s %d", word, i+1)
}

// suiteOf turns the settings into what is run.
func suiteOf(c config.Config) check.Suite {
	timeout := c.Timeout.Std()
	s := check.Suite{Rerun: c.RerunCommand}
	for i, command := range c.TestCommand {
		s.Tests = append(s.Tests, check.Step{Name: StepName("test", i), Kind: check.Test, Command: command, Timeout: timeout})
	}
	if c.SetupCommand != "" {
		// Setup downloads and builds: it may take as long as the longest test run.
		s.Setup = &check.Step{Name: "setup", Kind: check.Setup, Command: c.SetupCommand, Timeout: max(timeout, setupTimeout)}
	}
	for _, g := range c.Gates {
		t := g.Timeout.Std()
		if t <= 0 {
			t = timeout
		}
		s.Gates = append(s.Gates, check.Gate{
			Step: check.Step{Name: g.Name, Kind: check.GateK, Command: g.Command, Timeout: t}, FixCommand: g.FixCommand,
		})
	}
	return s
}

func toldBy(f distill.Failure) failure.Failure {
	out := failure.Failure{
		Test: f.Test, File: f.File, Line: f.Line, Column: f.Column, Message: f.Message, Kind: f.Kind,
		Expected: f.Expected, Actual: f.Actual,
	}
	for _, frame := range f.Frames {
		out.Frames = append(out.Frames, failure.Frame(frame))
	}
	return out
}

// distiller reads the output of a check whose files lie below root, and are shown to it
// at view. It quotes no file that a model must not see; hidden may be nil.
func distiller(root, view string, hidden func(ctx context.Context, path string) bool) check.Distiller {
	return func(ctx context.Context, output io.Reader, exitCode int, known func(failure.Failure) bool) (check.Summary, error) {
		o := distill.Options{Dir: root, PrintedDir: view, ExitCode: &exitCode}
		if hidden != nil {
			o.Hidden = func(path string) bool { return hidden(ctx, path) }
		}
		r, err := distill.Read(ctx, output, o)
		if err != nil {
			return check.Summary{}, err
		}
		var failures []failure.Failure
		var old []int
		for i, f := range r.Failures {
			failures = append(failures, toldBy(f))
			if known != nil && known(failures[i]) {
				old = append(old, i)
			}
		}
		if len(old) > 0 {
			r = r.Without(old...)
		}
		s := check.Summary{
			Failures: failures,
			Counts:   failure.Counts{Passed: r.Passed, Failed: r.Failed, Skipped: r.Skipped},
			Runner:   r.Runner, AlwaysCounts: r.AlwaysCounts, Files: r.Files, Text: r.Text, Fit: r.TextWithin,
			NoTests: r.NoTests, Recognised: r.Recognised, Signature: r.Signature,
		}
		return s, nil
	}
}

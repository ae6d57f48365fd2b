package work

import (
	"context"
	"fmt"
	"os"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
)

// Trying is told of commands that are tried one by one.
type Trying struct {
	Begin func(check.Step)
	End   func(check.Result)
}

// TryCommands runs setup, gates and tests once each, without sandbox or records, to
// see whether they are the right ones, and gives how many failed. A test command
// that cannot be started ends it.
func TryCommands(ctx context.Context, root string, l *config.Loaded, tell Trying) (failed int, err error) {
	logs, err := os.MkdirTemp("", "booty-check-")
	if err != nil {
		return 0, fmt.Errorf("make a folder for logs: %w", err)
	}
	defer os.RemoveAll(logs)
	runner := check.New(check.Config{
		Dir: root, LogDir: logs, Scrub: scrubbed(l), Let: l.Sandbox.Env, Distill: check.NewDistiller(root, root, nil), Supervise: true,
	})
	s := suiteOf(l.Config)
	var steps []check.Step
	if s.Setup != nil {
		steps = append(steps, *s.Setup)
	}
	for _, g := range s.Gates {
		steps = append(steps, g.Step)
	}
	for _, step := range append(steps, s.Tests...) {
		tell.Begin(step)
		r, err := runner.Run(ctx, step)
		if err != nil {
			return failed, err
		}
		tell.End(r)
		if !r.Passed {
			failed++
		}
		if r.NotStarted && step.Kind == check.Test {
			return failed, fault.New(fault.Usage, "mend test_command in .booty.yml",
				"the test command cannot be started: %s", report.FirstLine(r.Tail))
		}
	}
	return failed, nil
}

package runner

import (
	"fmt"
	"time"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/config"
)

// setupTimeout is what a setup command may take at least.
const setupTimeout = 30 * time.Minute

// StepName returns the name of one of several steps: the first has no number.
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
		s.Tests = append(s.Tests,
			check.Step{Name: StepName("test", i), Kind: check.Test, Command: command, Timeout: timeout})
	}
	if c.SetupCommand != "" {
		// Setup downloads and builds: it may take as long as the longest test run.
		s.Setup = &check.Step{Name: "setup", Kind: check.Setup, Command: c.SetupCommand,
			Timeout: max(timeout, setupTimeout)}
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

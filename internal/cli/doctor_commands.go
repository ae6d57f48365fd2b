package cli

import (
	"context"
	"os/exec"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/runner"
)

// examineCommands looks whether setup, gates and tests can be started. What
// setup may bring is only warned of.
func examineCommands(ctx context.Context, root string, l *config.Loaded) []finding {
	var found []finding
	for i, command := range l.TestCommand {
		found = append(found, examineCommand(ctx, root, runner.StepName("test command", i), "test_command",
			command))
	}
	if l.SetupCommand != "" {
		found = append(found, examineCommand(ctx, root, "setup command", "setup_command", l.SetupCommand))
	}
	for _, g := range l.Gates {
		gate := examineCommand(ctx, root, "gate "+g.Name, "the gate "+g.Name, g.Command)
		if gate.State == "problem" { // check ends with 9
			gate.State, gate.Text = "warning", gate.Text+"; runs leave the gate out"
		}
		found = append(found, gate)
		if g.FixCommand != "" && examineCommand(ctx, root, "", "", g.FixCommand).State != "ok" {
			found = append(found,
				examineCommand(ctx, root, "fix of "+g.Name, "the gate "+g.Name, g.FixCommand))
		}
	}
	for i := range found {
		if l.SetupCommand != "" && found[i].Name != "setup command" && found[i].State == "problem" {
			found[i].State = "warning"
			found[i].Hint = "unless setup_command brings it: " + found[i].Hint
		}
	}
	return found
}

// examineCommand looks whether the programs of a command can be started, also
// behind cd and &&, and those that python3 -m, cargo and npx are to find.
func examineCommand(ctx context.Context, root, name, setting, command string) finding {
	missing := detect.Missing(regular.DirFS(root), shellMachine{machine{ctx}, root}, command)
	if len(missing) == 0 {
		return ok(name, "%s", command)
	}
	get := "install it"
	if source := detect.Source(missing[0]); source != "" {
		get = "get it: " + source
	}
	return problem(name, fault.New(fault.Usage,
		get+", or correct "+setting+" in .booty.yml; booty init --check tries it",
		"%s: %s cannot be found", command, strings.Join(missing, ", ")))
}

// shellMachine also knows the words of the shell, and what lies in the repository.
type shellMachine struct {
	machine
	root string
}

func (m shellMachine) Program(name string) bool {
	c := exec.CommandContext(m.ctx, "sh", "-c", `command -v -- "$0" >/dev/null 2>&1`, name)
	c.Dir = m.root
	return c.Run() == nil
}

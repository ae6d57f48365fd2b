package runner

import (
	"context"
	"os"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/shellword"
	"github.com/booty-cli/booty/internal/syntax"
	"github.com/booty-cli/booty/pkg/edit"
)

// parseTimeout bounds one question to an interpreter.
const parseTimeout = 20 * time.Second

// newSyntax asks interpreters about files of the work tree in root, as its
// checks run: caged, without booty's keys.
func newSyntax(root string, c *checks) *syntax.Checker {
	return &syntax.Checker{
		Root: root, Temp: c.box.Temp(), Caged: c.box.Active, Quote: shellword.Quote,
		Run: func(ctx context.Context, command string) (syntax.Ran, error) {
			r, err := c.runner.Run(ctx,
				check.Step{Name: "parse", Kind: check.GateK, Command: command, Timeout: parseTimeout})
			_ = os.Remove(r.Log)
			return syntax.Ran{ExitCode: r.ExitCode, Output: r.Tail}, err
		},
	}
}

// unparsed are the changes after which a file no longer parses, in the languages
// that package edit does not know itself.
func (t *tree) unparsed(ctx context.Context, v *guard.Verdict) ([]event.Problem, error) {
	if t.syntax == nil {
		return nil, nil
	}
	var problems []event.Problem
	for _, c := range v.Kept {
		said, err := t.broken(ctx, c)
		if err != nil {
			return nil, err
		}
		if said != "" {
			problems = append(problems, event.Problem{Path: c.Path, Reason: said, Kind: "syntax"})
		}
	}
	return problems, nil
}

// broken says why a file does not parse after a change; "" if it does.
func (t *tree) broken(ctx context.Context, c edit.Change) (string, error) {
	if c.Op == edit.Delete || len(strings.TrimSpace(string(c.New))) == 0 {
		return "", nil
	}
	return t.syntax.Check(ctx,
		syntax.File{Path: c.Path, Old: c.Old, New: c.New, Created: c.Op == edit.Create})
}

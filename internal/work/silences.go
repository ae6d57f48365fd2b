package work

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/workspace"
)

// Silences lists the files in which a change tells linters or type checkers to say
// nothing, a sentence each: its reader should judge these.
func Silences(ctx context.Context, repo *workspace.Repo, from, to string, changes []workspace.Change) ([]string, error) {
	var notes []string
	for _, c := range changes {
		if c.Binary || c.Op == "delete" {
			continue
		}
		was := c.Path
		if c.From != "" {
			was = c.From
		}
		old, _, err := repo.ReadFile(ctx, from, was)
		if err != nil {
			return notes, err
		}
		now, _, err := repo.ReadFile(ctx, to, c.Path)
		if err != nil {
			return notes, err
		}
		switch n := guard.Silenced(c.Path, old, now); n {
		case 0:
		case 1:
			notes = append(notes, fmt.Sprintf("Silences 1 complaint of a linter or type checker: %s.", c.Path))
		default:
			notes = append(notes, fmt.Sprintf("Silences %d complaints of linters or type checkers: %s.", n, c.Path))
		}
	}
	return notes, nil
}

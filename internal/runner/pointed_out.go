package runner

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testfile"
)

// Signs returns a sentence for each file whose change may weaken tests: a person should look at it
// before it is merged.
func Signs(ctx context.Context, h history.Reader, from, to string,
	changes []snapshot.Change) ([]string, error) {
	var signs []string
	err := eachText(ctx, h, from, to, changes, func(path string, old, now []byte) {
		if sign := guard.Sign(path, old, now, testfile.Is(path)); sign != "" {
			signs = append(signs, path+": "+sign)
		}
	})
	return signs, err
}

// Silences returns a sentence for each file in which a change silences linters or type checkers: a
// reviewer should judge these.
func Silences(ctx context.Context, h history.Reader, from, to string,
	changes []snapshot.Change) ([]string, error) {
	var notes []string
	err := eachText(ctx, h, from, to, changes, func(path string, old, now []byte) {
		switch n := guard.Silenced(path, old, now); n {
		case 0:
		case 1:
			notes = append(notes, fmt.Sprintf("Silences 1 complaint of a linter or type checker: %s.", path))
		default:
			notes = append(notes,
				fmt.Sprintf("Silences %d complaints of linters or type checkers: %s.", n, path))
		}
	})
	return notes, err
}

// eachText visits the files of a change that are text, as they were and as they are.
func eachText(ctx context.Context, h history.Reader, from, to string, changes []snapshot.Change,
	visit func(path string, old, now []byte),
) error {
	for _, c := range changes {
		if c.Binary || c.Op == "delete" {
			continue
		}
		was := c.Path
		if c.From != "" {
			was = c.From
		}
		old, _, err := h.ReadFile(ctx, from, was)
		if err != nil {
			return err
		}
		now, _, err := h.ReadFile(ctx, to, c.Path)
		if err != nil {
			return err
		}
		visit(c.Path, old, now)
	}
	return nil
}

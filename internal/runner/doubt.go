package runner

import (
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/report"
)

// Doubt implements engine.Changes.
func (c *changes) Doubt(ctx context.Context, paths []string) (d engine.Doubt, err error) {
	if d.Leave, err = c.repo.States.Ignored(ctx, paths); err != nil || len(d.Leave) == len(paths) {
		return engine.Doubt{}, err // what no commit can hold is reported elsewhere
	}
	var why []string
	if len(d.Leave) > 0 {
		why = append(why, "git ignores "+report.Some(d.Leave))
	}
	if c.merges {
		why = append(why, "it is to be merged")
	}
	d.Why = strings.Join(why, "; ")
	return d, nil
}

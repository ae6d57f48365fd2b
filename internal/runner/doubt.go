package runner

import (
	"context"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/surroundings"
)

// Doubt implements engine.Changes.
func (c *changes) Doubt(ctx context.Context, from, to engine.State, paths []string) (d engine.Doubt, err error) {
	if d.Leave, err = c.repo.Ignored(ctx, paths); err != nil || len(d.Leave) == len(paths) {
		return engine.Doubt{}, err // what no commit can hold is reported elsewhere
	}
	var why []string
	if len(d.Leave) > 0 {
		why = append(why, "git ignores "+report.Some(d.Leave))
	}
	asks, err := c.asks(ctx, from, to, paths)
	if err != nil {
		return d, err
	}
	if len(asks) > 0 {
		d.Elsewhere = true
		why = append(why, "the change asks for "+strings.Join(asks, ", "))
	}
	if c.merges {
		why = append(why, "it is to be merged")
	}
	d.Why = strings.Join(why, "; ")
	return d, nil
}

// asks is what the product code asks of its surroundings that it did not before.
func (c *changes) asks(ctx context.Context, from, to engine.State, paths []string) ([]string, error) {
	var all []string
	for _, p := range paths {
		if c.isTest(p) {
			continue
		}
		now, is, err := c.repo.ReadFile(ctx, to.Commit, p)
		if err != nil {
			return nil, err
		}
		old, _, err := c.repo.ReadFile(ctx, from.Commit, p)
		if err != nil {
			return nil, err
		}
		if is {
			all = append(all, surroundings.Newly(p, old, now)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

package runner

import (
	"cmp"
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/pkg/edit"
)

// NotNew implements engine.Changes: what may be tidied is product code that the work itself
// has brought.
func (c *changes) NotNew(ctx context.Context, from engine.State, proposed []edit.Change) ([]event.Problem, error) {
	if c.base != "" {
		from.Commit = c.base
	}
	var problems []event.Problem
	for _, p := range proposed {
		path := cmp.Or(p.From, p.Path)
		before, existed, err := c.repo.ReadFile(ctx, from.Commit, path)
		if err != nil {
			return nil, err
		}
		why := ""
		switch {
		case c.isTest(p.Path) || c.isTest(path):
			why = "It is a test: tests are not tidied."
		case !existed: // the work's own file
		case p.Op == edit.Delete || p.Op == edit.Rename:
			why = "The file was there before the change: it stays where it is."
		case !keepsOld(string(before), string(p.Old), string(p.New)):
			why = "It changes lines that were there before the change: only new code is tidied."
		}
		if why != "" {
			problems = append(problems, event.Problem{Path: p.Path, Kind: event.KindProtected, Reason: why})
		}
	}
	return problems, nil
}

// keepsOld says that the lines which the work left as they were before it stand in
// tidied as well, in their order.
func keepsOld(before, worked, tidied string) bool {
	if before == worked {
		return tidied == worked // the work left this file alone
	}
	rest := strings.SplitAfter(tidied, "\n")
	for _, line := range left(before, worked) {
		for len(rest) > 0 && rest[0] != line {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			return false
		}
		rest = rest[1:]
	}
	return true
}

// left are the lines of before that stand in worked still.
func left(before, worked string) []string {
	var kept strings.Builder
	at := 0
	for _, e := range diff.Replacements(before, worked) {
		kept.WriteString(before[at:e.Start])
		at = e.End
	}
	kept.WriteString(before[at:])
	lines := strings.SplitAfter(kept.String(), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

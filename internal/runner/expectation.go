package runner

import (
	"bytes"
	"context"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
)

// expectation reads the test at the place where it failed: as it stood, or as the commit has it.
func (c *changes) expectation(ctx context.Context, commit string, at failure.Frame,
	stood bool) (*proof.Expectation, error) {
	g, err := c.guard(ctx)
	if err != nil {
		return nil, err
	}
	now, err := c.repo.History.Stored(ctx, commit, at.File)
	if err != nil || now == nil || !now.Mode.IsRegular() ||
		!g.TestFile(at.File) && !proof.TestLines(at.File, now.Data)[at.Line] {
		return nil, err
	}
	line := at.Line
	if stood {
		old, err := c.stood(ctx, at.File)
		if err != nil {
			return nil, err
		}
		if old != nil && !bytes.Equal(old.Data, now.Data) {
			if line = movedTo(old.Data, now.Data, line); line == 0 {
				return nil, nil
			}
		}
	}
	return &proof.Expectation{Path: at.File, Text: now.Data, Mode: now.Mode, Line: line}, nil
}

// movedTo returns the number of a line in another version of a file; 0 if it is not there, or more
// than once.
func movedTo(old, now []byte, line int) int {
	was, is := bytes.Split(old, []byte("\n")), bytes.Split(now, []byte("\n"))
	if line > len(was) {
		return 0
	}
	at := 0
	for i, l := range is {
		if !bytes.Equal(bytes.TrimSpace(l), bytes.TrimSpace(was[line-1])) {
			continue
		}
		if at > 0 {
			return 0
		}
		at = i + 1
	}
	return at
}

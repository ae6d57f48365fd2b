package runner

import (
	"bytes"
	"context"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/pkg/edit"
)

// Alter implements engine.Alterer.
func (o *oldTests) Alter(ctx context.Context, s engine.State, f event.Failure) ([]engine.Alteration, error) {
	g, err := o.tree.guard(ctx)
	if err != nil {
		return nil, err
	}
	for _, at := range append([]failure.Frame{{File: f.File, Line: f.Line}}, f.Frames...) {
		if at.Line <= 0 {
			continue
		}
		now, err := o.tree.repo.Stored(ctx, s.Commit, at.File)
		if err != nil {
			return nil, err
		}
		if now == nil || !now.Mode.IsRegular() || !g.TestFile(at.File) && !proof.TestLines(at.File, now.Data)[at.Line] {
			continue
		}
		old, err := o.stood(ctx, at.File)
		if err != nil {
			return nil, err
		}
		line := at.Line
		if old != nil && !bytes.Equal(old.Data, now.Data) {
			if line = movedTo(old.Data, now.Data, line); line == 0 {
				continue
			}
		}
		var out []engine.Alteration
		for _, a := range proof.Alterations(now.Data, line) {
			out = append(out, engine.Alteration{What: a.What, Change: edit.Change{
				Op: edit.Modify, Path: at.File, Old: now.Data, New: a.Text, Mode: now.Mode,
			}})
		}
		return out, nil
	}
	return nil, nil
}

// movedTo gives where a line stands in another version of a file; 0 where it does
// not, or more than once. A line that was added to the file is where it was said.
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

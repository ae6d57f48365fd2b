package runner

import (
	"bytes"
	"context"
	"errors"
	"time"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
)

// canary is the engine's Canary: it asks tests in a work tree of its own.
type canary struct {
	old    *oldTests
	prover *prover
}

// CanFail implements engine.Canary.
func (y canary) CanFail(ctx context.Context, s engine.State, shown []event.Failure, stood bool, suite time.Duration) (c event.Claim, err error) {
	trees := &proverTrees{p: y.prover, took: &suiteTime{}}
	defer func() { err = errors.Join(err, trees.Close()) }()
	t, err := trees.at(s.Commit)(ctx)
	if err != nil {
		return c, err
	}
	read := func(ctx context.Context, at failure.Frame) (*proof.Expectation, error) {
		return y.old.expectation(ctx, s.Commit, at, stood)
	}
	return proof.Canary{Read: read, Suite: suite}.Ask(ctx, t, shown)
}

// expectation reads what a test says at a commit where it failed: as it stood, or as the
// commit has it.
func (o *oldTests) expectation(ctx context.Context, commit string, at failure.Frame, stood bool) (*proof.Expectation, error) {
	g, err := o.tree.guard(ctx)
	if err != nil {
		return nil, err
	}
	now, err := o.tree.repo.Stored(ctx, commit, at.File)
	if err != nil || now == nil || !now.Mode.IsRegular() || !g.TestFile(at.File) && !proof.TestLines(at.File, now.Data)[at.Line] {
		return nil, err
	}
	line := at.Line
	if stood {
		old, err := o.stood(ctx, at.File)
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

// movedTo gives where a line is in another version of a file; 0 where it is not, or more
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

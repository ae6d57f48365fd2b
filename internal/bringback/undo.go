package bringback

import (
	"context"
	"errors"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/shellword"
	"github.com/booty-cli/booty/internal/snapshot"
)

// Undone reports what Undo did.
type Undone struct {
	// Restored is how many files it wrote or removed; 0 says that they were as before.
	Restored int
	// Commits is how many commits of the run it took off the branch.
	Commits int
}

// Undo gives the files that a run brought back what they held before, and takes the run's
// own commits off the branch that is checked out. It refuses, naming the files, where the
// user has changed one of them since. The caller holds the Lock.
func (c *Checkout) Undo(ctx context.Context, run string) (u Undone, err error) {
	restored, paths, err := c.undoFiles(ctx, run)
	if err != nil {
		return u, err
	}
	u.Restored = restored
	u.Commits, err = c.dropOwnCommits(ctx, run, paths)
	return u, err
}

// undoFiles restores the files. It reports how many it wrote or removed, and the paths of the
// record.
func (c *Checkout) undoFiles(ctx context.Context, run string) (restored int, paths []string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, err := c.recorded(c.store.Objects(), run)
	if err != nil {
		return 0, nil, err
	}
	if len(b.Files) > 0 && b.Worktree != c.id {
		return 0, nil, fault.New(fault.Refused, "git worktree list",
			"run %s was made in another work tree of this repository", run)
	}
	var moves []snapshot.Move
	var theirs []string
	for _, f := range b.Files {
		is, why := snapshot.OnDisk(c.root, f.Path, f.Before.Mode)
		switch {
		case why == "" && !is.Differs(f.Before.state()):
		case why == "" && !is.Differs(f.After.state()):
			moves = append(moves,
				snapshot.Move{Path: f.Path, Is: is, Want: f.Before.state(), Perm: f.Before.Perm, Named: true})
		default:
			theirs = append(theirs, f.Path)
		}
	}
	if len(theirs) > 0 {
		return 0, nil, fault.New(fault.Refused, "git stash push -- "+quoteAll(theirs)+" && booty undo "+run,
			"you changed files that run %s had changed: %s", run, git.Some(theirs))
	}
	c.step("undo: begun")
	if err := errors.Join(c.removeTemps(b), c.files.Apply(ctx, moves)); err != nil {
		return 0, nil, git.Classify("restore the files", err)
	}
	return len(moves), b.paths(), c.noteWritten(run)
}

// quoteAll gives paths as words of a shell command.
func quoteAll(paths []string) string {
	var words []string
	for _, p := range paths {
		if word, ok := shellword.Quote(p); ok {
			p = word
		}
		words = append(words, p)
	}
	return strings.Join(words, " ")
}

// Complete writes what a killed run had recorded and not yet written, and brings the index to
// its commit where that is on the branch. Files that are not as they were before stay. The
// caller holds the Lock.
func (c *Checkout) Complete(ctx context.Context, run string) error {
	paths, err := c.completeFiles(ctx, run)
	if err != nil || len(paths) == 0 {
		return err
	}
	_, head, err := c.store.Objects().Head()
	if err != nil || head == "" {
		return err
	}
	if _, own, err := c.beforeOwn(run, head); err != nil || own == 0 {
		return err
	}
	return c.index.Follow(ctx, paths, head)
}

// completeFiles writes the files, and gives the paths of the record; none where the run wrote
// nothing to this checkout.
func (c *Checkout) completeFiles(ctx context.Context, run string) ([]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, err := c.recorded(c.store.Objects(), run)
	if err != nil || b.Worktree != c.id {
		return nil, err
	}
	var moves []snapshot.Move
	for _, f := range b.Files {
		is, why := snapshot.OnDisk(c.root, f.Path, f.After.Mode)
		if f.Pending && why == "" && !is.Differs(f.Before.state()) && is.Differs(f.After.state()) {
			moves = append(moves, snapshot.Move{Path: f.Path, Is: is, Want: f.After.state(), Perm: f.Before.Perm})
		}
	}
	if err := errors.Join(c.removeTemps(b), c.files.Apply(ctx, moves)); err != nil {
		return nil, git.Classify("bring the result back", err)
	}
	return b.paths(), c.noteWritten(run)
}

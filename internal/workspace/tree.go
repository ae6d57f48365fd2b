package workspace

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/listing"
	"github.com/booty-cli/booty/internal/trees"
)

// AddTree makes a work tree of booty's own at a commit of the user's or a checkpoint, with the
// ignored files of the user's checkout. release frees its slot; what lies in it stays for the
// next user.
func (r *Repo) AddTree(ctx context.Context, commit string, o trees.Options) (w *Repo, release func() error, err error) {
	return r.addTree(ctx, commit, r.Home(), o)
}

// AddTreeBeside is AddTree for a tree beside this one, with its ignored files.
func (r *Repo) AddTreeBeside(ctx context.Context, commit string) (w *Repo, release func() error, err error) {
	return r.addTree(ctx, commit, r, trees.Options{Overlays: func() bool { return r.Tree != nil && r.Tree.Overlaid() }})
}

func (r *Repo) addTree(ctx context.Context, commit string, like *Repo, o trees.Options) (*Repo, func() error, error) {
	home := r.Home()
	if r == home { // else it was done for the tree beside which this one is made
		if err := r.Slots.Prepare(ctx, r.at.Git); err != nil {
			return nil, nil, err
		}
	}
	slot, err := r.Slots.Take(ctx)
	if err != nil {
		return nil, nil, git.Classify("make a separate work tree", err)
	}
	w := home.in(slot, r)
	if err := w.Tree.Fill(ctx, commit, like.source(), o); err != nil {
		if errors.Is(err, plumbing.ErrObjectNotFound) || git.ExitCode(err) == 128 { // git has not found one
			err = errors.Join(err, home.States.ForgetIndex())
		}
		return nil, nil, errors.Join(git.Classify("make a separate work tree", err), slot.Release())
	}
	return w, slot.Release, nil
}

// source is this work tree as one whose ignored files another gets.
func (r *Repo) source() trees.Source {
	s := trees.Source{At: r.at, Listing: r.Listing}
	if r.Tree != nil {
		s.Overlays = r.Tree.Overlays()
	}
	return s
}

// in is the work tree in a slot, as a repository to work with: its git directory is one
// of the store. What was set for like since it was opened holds for it, too.
func (r *Repo) in(s *trees.Slot, like *Repo) *Repo {
	w := &Repo{home: r, Slots: r.Slots, shared: r.shared, at: r.at}
	w.at.Root, w.at.GitDir, w.at.CommonDir, w.at.Own = s.Root, s.GitDir, r.at.Store.Path(), true
	w.at.Name, w.at.ID, w.at.Skip = filepath.Base(s.GitDir), "own/"+r.at.ID, nil
	w.at.Store = r.at.Store.ForTree(s.GitDir, s.Private())
	w.at.Git = like.at.Git
	w.at.Git.Dir, w.at.Git.Env = s.Root, pinned(w.at, r.at.Store.NoHooks())
	w.obeys = r.obeys.in(trees.Dirs{Root: s.Root, GitDir: s.GitDir, CommonDir: w.at.CommonDir})
	w.furnish(listing.OwnFiles{})
	w.Tree = trees.New(s, w.at, w.Listing, w.States)
	w.Hooks.Confine(like.Hooks.Starter())
	w.States.LimitFiles(like.States.FileLimit())
	return w
}

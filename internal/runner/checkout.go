package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/bringback"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/trees"
	"github.com/booty-cli/booty/internal/workspace"
)

// Apart returns the session in a work tree of booty's own for a job, and a function that frees it.
// A run's tree starts at a commit, a refine's as the checkout is now. A dry run of booty run starts
// no command and reads the checkout.
func Apart(ctx context.Context, s *Session, j *Job) (*Session, func() error, error) {
	if j.Refine {
		return apartAsIs(ctx, s, j)
	}
	if j.Options.DryRun {
		return s, func() error { return nil }, nil
	}
	commit, err := begins(ctx, s, *j)
	if err != nil {
		return nil, nil, err
	}
	if err := tellDirty(ctx, s); err != nil {
		return nil, nil, err
	}
	return inOwnTree(ctx, s, commit)
}

// apartAsIs makes a tree that begins as the checkout is.
func apartAsIs(ctx context.Context, s *Session, j *Job) (*Session, func() error, error) {
	family, n := j.ID, 0
	if j.Again != nil {
		family = j.ID + snapshot.ResumeStates
		var err error
		if n, err = s.Repo.Records.NextState(family); err != nil {
			return nil, nil, err
		}
		if err := lastRead(ctx, s, j.Again, j.ID, n); err != nil {
			return nil, nil, err
		}
	} else if err := noneHalfBroughtBack(ctx, s); err != nil {
		return nil, nil, err
	}
	var err error
	if j.Options.DryRun {
		j.Read, err = lookAtCheckout(ctx, s)
	} else {
		err = locked(ctx, s.Repo, "reading the checkout", func() error {
			j.Read, err = s.Repo.States.Snapshot(ctx, family, n, "the checkout as it was read")
			return err
		})
	}
	if err != nil {
		return nil, nil, err
	}
	reportLeftOut(s, j.Read)
	had := s.Repo.Slots.Any()
	there, release, err := inOwnTree(ctx, s, j.Read.Commit)
	if err != nil || had || !j.Options.DryRun {
		return there, release, err
	}
	return there, func() error { // a dry run leaves nothing behind
		err := release()
		_, e := s.Repo.Slots.Drop(context.WithoutCancel(ctx), 0)
		return errors.Join(err, e)
	}, nil
}

// noneHalfBroughtBack refuses to begin where a refine was stopped in the middle of its writing.
func noneHalfBroughtBack(ctx context.Context, s *Session) error {
	runs, err := s.Journal.Runs(ctx, journal.Filter{Repo: s.Home, Limit: 100})
	if err != nil {
		return err
	}
	for _, r := range runs {
		if r.Kind != "refine" || r.Undone {
			continue
		}
		half, err := s.Repo.Results.Interrupted(ctx, r.ID)
		if err != nil {
			return err
		}
		if half {
			return fault.New(fault.Refused,
				"booty resume "+r.ID+" writes the rest, booty undo "+r.ID+" takes it back",
				"run %s was stopped while it wrote its result to the checkout", r.ID)
		}
	}
	return nil
}

// lookAtCheckout records the checkout with its uncommitted and untracked files, for commands
// that keep no record of their own.
func lookAtCheckout(ctx context.Context, s *Session) (cp snapshot.Checkpoint, err error) {
	err = locked(ctx, s.Repo, "reading the checkout", func() error {
		cp, err = s.Repo.States.Look(ctx)
		return err
	})
	return cp, err
}

// locked does what only one booty may do in a checkout at once.
func locked(ctx context.Context, repo *workspace.Repo, what string, do func() error) error {
	l, err := repo.Lock(ctx, what)
	if err != nil {
		return err
	}
	return errors.Join(do(), l.Unlock())
}

// inOwnTree makes a work tree of booty's own at a commit or a checkpoint.
func inOwnTree(ctx context.Context, s *Session, commit string) (*Session, func() error, error) {
	w, release, err := s.Repo.AddTree(ctx, commit, trees.Options{Overlays: s.overlays})
	if err != nil {
		return nil, nil, err
	}
	for _, l := range w.Tree.LeftOut() {
		s.Say("booty: left out of the work tree, too large to copy here: %s (%s)", l.Path, sizeText(l.Size))
	}
	return s.In(w), release, nil
}

// overlays reports whether large ignored directories can be overlays here.
func (s *Session) overlays() bool {
	support := sandbox.Mounts(s.Repo.StateDir())
	if support.Why != "" {
		s.Log.Debug("large ignored directories are copied into the work tree", "why", support.Why)
	}
	return support.Overlay
}

// begins returns the commit that the job's tree starts at.
func begins(ctx context.Context, s *Session, j Job) (string, error) {
	switch {
	case j.Again != nil:
		return j.Again.at.commit, nil
	case j.Shared != nil && j.Shared.From != "":
		return s.Repo.History.Resolve(ctx, j.Shared.From)
	}
	branch, head, err := s.Repo.Head(ctx)
	if err != nil {
		return "", err
	}
	if head == "" && j.Base == "" {
		return "", fault.New(fault.Git, "git add -A && git commit -m start",
			"branch %s has no commit yet to start from", branch)
	}
	return s.Repo.History.Resolve(ctx, cmp.Or(j.Base, "HEAD"))
}

// tellDirty says that the user's uncommitted changes are no part of the run.
func tellDirty(ctx context.Context, s *Session) error {
	dirty, err := InTheWay(ctx, s)
	dirty = slices.DeleteFunc(dirty, isSettings) // they are read as they are in the checkout
	if err != nil || len(dirty) == 0 {
		return err
	}
	s.Say("booty: uncommitted changes are not part of the run: %s", report.Some(dirty))
	return nil
}

// InTheWay lists what differs from the commit, except settings that booty init has just written.
func InTheWay(ctx context.Context, s *Session) ([]string, error) {
	entries, err := s.Repo.Listing.Status(ctx)
	if err != nil {
		return nil, err
	}
	var dirty []string
	for _, e := range entries {
		if e.Untracked() && (isSettings(e.Path) || s.Repo.Listing.OwnFiles().Has(e.Path)) {
			continue
		}
		dirty = append(dirty, e.Path)
	}
	return dirty, nil
}

// handOver sets the run's branch in the user's repository to a commit.
func (t *tree) handOver(ctx context.Context, commit string) error {
	home, isNew, wanted := t.repo.Home(), t.tip == "", t.branch
	err := home.Branches.HandOver(ctx, t.job.ID, commit, t.branch, t.tip)
	for try := 0; t.job.Unnamed && isNew && try < 10 && errors.Is(err, bringback.ErrBranchExists); try++ {
		t.branch = freeBranch(ctx, home.History, t.branch) // another one was faster
		err = home.Branches.HandOver(ctx, t.job.ID, commit, t.branch, t.tip)
	}
	if err != nil {
		return fmt.Errorf("keep the run's work: %w", err)
	}
	if t.branch != wanted {
		t.say("branch %s was created by somebody else meanwhile: the work is on %s", wanted, t.branch)
	}
	t.tip = commit
	return nil
}

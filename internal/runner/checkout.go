package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/sandbox"
	"github.com/booty-cli/booty/internal/workspace"
)

// Apart is the session in a work tree of booty's own for a job, and what frees that
// again. A dry run, a refine and a run in place stay in the checkout.
func Apart(ctx context.Context, s *Session, j Job) (*Session, func() error, error) {
	none := func() error { return nil }
	if !j.ownTree() {
		return s, none, nil
	}
	commit, err := begins(ctx, s, j)
	if err != nil {
		return nil, nil, err
	}
	if err := tellDirty(ctx, s); err != nil {
		return nil, nil, err
	}
	return inOwnTree(ctx, s, commit)
}

// inOwnTree makes a work tree of booty's own at a commit.
func inOwnTree(ctx context.Context, s *Session, commit string) (*Session, func() error, error) {
	state := s.Repo.StateDir()
	support := sandbox.Mounts(state)
	if support.Why != "" {
		s.Say("booty: %s: ignored files are copied into the run's work tree", support.Why)
	}
	w, release, err := s.Repo.AddTree(ctx, commit, workspace.TreeOptions{Overlays: support.Overlay})
	if err != nil {
		return nil, nil, err
	}
	return s.In(w), func() error { return release(context.WithoutCancel(ctx)) }, nil
}

// ownTree says that the job is done in a tree of booty's own.
func (j Job) ownTree() bool { return !j.Refine && !j.Options.InPlace && !j.Options.DryRun }

// begins gives the commit that the job's tree is made at.
func begins(ctx context.Context, s *Session, j Job) (string, error) {
	switch {
	case j.Again != nil:
		return j.Again.at.commit, nil
	case j.Shared != nil && j.Shared.From != "":
		return s.Repo.Resolve(ctx, j.Shared.From)
	}
	branch, head, err := s.Repo.Head(ctx)
	if err != nil {
		return "", err
	}
	if head == "" && j.Base == "" {
		return "", fault.New(fault.Git, "git add -A && git commit -m start", "branch %s has no commit yet to start from", branch)
	}
	return s.Repo.Resolve(ctx, cmp.Or(j.Base, "HEAD"))
}

// tellDirty says that the user's uncommitted changes are no part of the run.
func tellDirty(ctx context.Context, s *Session) error {
	dirty, err := InTheWay(ctx, s)
	if err != nil || len(dirty) == 0 {
		return err
	}
	s.Say("booty: uncommitted changes are not part of the run: %s", report.Some(dirty))
	return nil
}

// CleanTree refuses to work in the checkout where tracked files are changed.
func CleanTree(ctx context.Context, s *Session) error {
	if err := Unblock(ctx, s); err != nil {
		return err
	}
	entries, err := s.Repo.Status(ctx)
	if err != nil {
		return err
	}
	var dirty []string
	for _, e := range entries {
		if !e.Untracked() {
			dirty = append(dirty, e.Path)
		}
	}
	if len(dirty) == 0 {
		return nil
	}
	return fault.New(fault.Refused, "leave out --in-place to work beside them; or: git stash",
		"with --in-place, tracked files must have no uncommitted changes: %s", report.Some(dirty))
}

// InTheWay lists what differs from the commit, but for settings that booty
// init has just written.
func InTheWay(ctx context.Context, s *Session) ([]string, error) {
	entries, err := s.Repo.Status(ctx)
	if err != nil {
		return nil, err
	}
	var dirty []string
	for _, e := range entries {
		if e.Untracked() && (isSettings(e.Path) || s.Repo.IsOutput(e.Path)) {
			continue
		}
		dirty = append(dirty, e.Path)
	}
	return dirty, nil
}

// Unblock looks for a run that was killed in the checkout. One whose branch was left
// by hand is forgotten; else the way out is told.
func Unblock(ctx context.Context, s *Session) error {
	st, err := s.Repo.Interrupted(ctx)
	if err != nil || st == nil {
		return err
	}
	branch, _, err := s.Repo.Head(ctx)
	if err != nil {
		return err
	}
	if st.Origin.RunBranch == "" || branch != st.Origin.RunBranch {
		s.Say("booty: run %s was interrupted here; booty resume %s continues it, booty undo %s takes it back", st.Run,
			st.Run, st.Run)
		return s.Repo.ClearState(ctx)
	}
	return fault.New(fault.Refused, "booty resume "+st.Run+", or booty undo "+st.Run,
		"run %s was interrupted and left the checkout on its branch %s", st.Run, branch)
}

// handOver sets the run's branch in the user's repository to a commit.
func (t *tree) handOver(ctx context.Context, commit string) error {
	home := t.repo.Home()
	err := t.onFreeBranch(ctx, home, t.tip == "", func() error { return home.HandOver(ctx, commit, t.branch, t.tip) })
	if err != nil {
		return fmt.Errorf("keep the run's work: %w", err)
	}
	t.tip = commit
	return nil
}

// onFreeBranch does something with the run's branch, and once more with the next free name
// where another booty was faster.
func (t *tree) onFreeBranch(ctx context.Context, repo *workspace.Repo, isNew bool, do func() error) error {
	err := do()
	for try := 0; t.job.Unnamed && isNew && try < 10 && errors.Is(err, workspace.ErrBranchExists); try++ {
		t.branch = freeBranch(ctx, repo, t.branch)
		err = do()
	}
	return err
}

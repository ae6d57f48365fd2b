package runner

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/syntax"
)

// tree is the engine's Workspace over a work tree of booty's own. The dry run of booty run
// alone reads the checkout instead; it writes nothing.
type tree struct {
	origin
	job Job
	// shared says how the work is published; zero if it stays here.
	shared Shared
	name   string // of the repository, for people
	// branch is the run's, baseName what people call what it begins at.
	branch, baseName string
	// redact replaces secrets: files are shown to the model, and commits are
	// described, without them.
	redact func(string) string
	// trailers go below the commit's message.
	trailers []string
	// notify is given lines for the user; may be nil.
	notify func(string)
	// syntax asks interpreters about what a proposal leaves; may be nil.
	syntax *syntax.Checker

	// conflicts are the paths in which the merge failed, pending those with their sides,
	// settled those that were settled; resettled says that the run begins at those.
	conflicts []string
	pending   []commit.ConflictText
	settled   []string
	resettled bool

	// baseCommit is what the run's branch begins at, onto what its next commit is
	// put on: that, or a later commit of the user's on the branch. tip is where the
	// user's branch is, "" while it is not there.
	baseCommit, onto, tip string
	// states are those of other families than the run's own, by commit.
	states map[string]snapshot.Checkpoint
	// alike are paths that were given content of the same length since the last Restore.
	alike []string
	left  bool
}

// existing reports whether the branch is there and continued.
func (t *tree) existing() bool { return t.shared.From != "" && t.shared.Exists }

// Prepare implements engine.Workspace.
func (t *tree) Prepare(ctx context.Context) (engine.Start, error) {
	switch {
	case t.job.Refine:
		return t.prepareRefine(ctx)
	case !t.job.Options.DryRun:
		return t.prepareOwn(ctx)
	}
	branch, head, err := t.repo.Head(ctx)
	t.start = engine.State{Commit: head, Tree: head}
	t.current = t.start
	return engine.Start{State: t.start, Repo: t.name, Branch: branch, Base: branch}, err
}

// prepareOwn begins in a tree of booty's own, which is at the run's base already.
func (t *tree) prepareOwn(ctx context.Context) (engine.Start, error) {
	_, base, err := t.repo.Head(ctx)
	if err != nil {
		return engine.Start{}, err
	}
	if err := t.repo.Tree.NameBranch(ctx, t.branch); err != nil {
		return engine.Start{}, err
	}
	if t.existing() {
		t.tip = base
		if err := t.repo.Home().Branches.Note(t.job.ID, t.branch, "", base); err != nil {
			return engine.Start{}, err
		}
	}
	if base, err = t.bringBase(ctx, base); err != nil {
		return engine.Start{}, err
	}
	cp, err := t.repo.States.Snapshot(ctx, t.job.ID, 0, "before the run")
	if err != nil {
		return engine.Start{}, err
	}
	t.baseCommit, t.onto, t.start = base, base, stateOf(cp)
	t.current = t.start
	if t.baseName == "" {
		if t.baseName, _, err = t.repo.Home().Head(ctx); err != nil {
			return engine.Start{}, err
		}
	}
	return engine.Start{State: t.start, Repo: t.name, Branch: t.branch, Base: t.baseName, BaseCommit: base},
		nil
}

// bringBase merges the newest base into earlier work and returns the resulting commit. Work in
// conflict with the base continues with the conflicts unresolved.
func (t *tree) bringBase(ctx context.Context, tip string) (string, error) {
	if t.job.oldCommit() == "" {
		return tip, nil
	}
	m, err := t.repo.Committer.Merge(ctx, t.job.oldCommit(), "Merge "+t.shared.BaseName+" into "+t.branch)
	if err != nil {
		return "", err
	}
	if len(m.Conflicts) == 0 {
		return m.Commit, nil
	}
	if t.pending, err = t.repo.Committer.ConflictTexts(ctx, m.Conflicts); err != nil {
		return "", err
	}
	for _, c := range m.Conflicts {
		t.conflicts = append(t.conflicts, c.Path)
	}
	return tip, t.repo.Committer.AbortMerge(ctx)
}

// Restore implements engine.Workspace.
func (t *tree) Restore(ctx context.Context, s engine.State) error {
	if err := anotherSecond(ctx, t.repo.Root(), t.alike); err != nil {
		return err
	}
	t.alike = nil
	if err := t.repo.States.Restore(ctx, t.checkpoint(s)); err != nil {
		return err
	}
	t.current = s
	return nil
}

// Leave implements engine.Workspace.
func (t *tree) Leave(context.Context) error {
	if t.left || t.job.Options.DryRun {
		return nil
	}
	t.left = true
	return t.repo.Tree.ForgetBranch()
}

func (t *tree) checkpoint(s engine.State) snapshot.Checkpoint {
	if cp, ok := t.states[s.Commit]; ok {
		return cp
	}
	return snapshot.Checkpoint{Run: t.job.ID, N: s.N, Commit: s.Commit, Tree: s.Tree}
}

// remember makes a state of another family one that checkpoint finds.
func (t *tree) remember(cp snapshot.Checkpoint) {
	if t.states == nil {
		t.states = map[string]snapshot.Checkpoint{}
	}
	t.states[cp.Commit] = cp
}

func (t *tree) say(format string, args ...any) {
	if t.notify != nil {
		t.notify(fmt.Sprintf(format, args...))
	}
}

func stateOf(cp snapshot.Checkpoint) engine.State {
	return engine.State{N: cp.N, Commit: cp.Commit, Tree: cp.Tree}
}

package engine

import (
	"context"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/pkg/edit"
)

// worktree is the tree of the work. It knows which state its files are in.
type worktree struct {
	reporter
	workspace Workspace
	// at is that state, empty while it is unknown. It is ahead of Memory.Current during an attempt.
	at State
}

// apply writes changes and keeps the state as number n.
func (t *worktree) apply(ctx context.Context, n int, changes []edit.Change) (State, error) {
	t.at = State{}
	s, err := t.workspace.Apply(ctx, n, changes)
	if err != nil {
		return s, err
	}
	t.at = s
	return s, nil
}

// write applies an attempt's proposal: the state becomes the attempt's.
func (t *worktree) write(ctx context.Context, a Attempt, p Proposal) (Attempt, error) {
	s, err := t.apply(ctx, a.N, p.Changes)
	if err != nil {
		return a, err
	}
	changed := files(p.Changes)
	t.emit(event.EditsApplied{Attempt: a.N, Summary: p.Summary, Said: inOneLine(a.Prose, maxSaid),
		Files: changed})
	for _, note := range p.Notes {
		t.notice("warning", note)
	}
	a.State, a.Files = s, mergeFiles(a.Files, changed)
	return a, nil
}

// restore restores a state.
func (t *worktree) restore(ctx context.Context, s State) error {
	t.at = State{}
	if err := t.workspace.Restore(ctx, s); err != nil {
		return err
	}
	t.at = s
	return nil
}

// goTo restores a state, unless the tree is in it already.
func (t *worktree) goTo(ctx context.Context, s State) error {
	if t.at == s {
		return nil
	}
	return t.restore(ctx, s)
}

// keepFixed makes what a fix_command did to the named paths part of state s.
func (t *worktree) keepFixed(ctx context.Context, s State, named []string) (State, error) {
	now, fixed, err := t.workspace.KeepFixed(ctx, s, named)
	if err != nil || len(fixed) == 0 {
		return s, err
	}
	t.at = now
	t.notice("info", "fixed by fix_command: "+list(fixed))
	return now, nil
}

// afterChecks restores what the checks changed, and reports it. Lock files that they wrote become
// part of the state.
func (t *worktree) afterChecks(ctx context.Context, s State, named []string) (State, []string, error) {
	now, locks, putBack, err := t.workspace.AfterChecks(context.WithoutCancel(ctx), s, named)
	if err != nil {
		return s, nil, err
	}
	if len(locks) > 0 {
		t.at = now
		t.notice("info", "written by tools after their manifest: "+list(locks))
	}
	if len(putBack) > 0 {
		t.notice("info", "the checks changed "+list(putBack)+": kept out of the commit")
	}
	return now, locks, nil
}

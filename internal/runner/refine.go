package runner

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/bringback"
	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/snapshot"
)

// prepareRefine begins in a tree of booty's own, which is as the checkout was read.
func (t *tree) prepareRefine(ctx context.Context) (engine.Start, error) {
	t.start = stateOf(t.job.Read)
	t.current = t.start
	return engine.Start{State: t.start, Repo: t.name, Branch: t.job.Read.Branch, Base: t.job.Read.Branch},
		t.onReadBranch(ctx)
}

// onReadBranch makes the tree be on the branch that the checkout was on.
func (t *tree) onReadBranch(ctx context.Context) error {
	t.branch, t.onto = t.job.Read.Branch, t.job.Read.Head
	if t.branch == "" || t.job.Options.DryRun {
		return nil
	}
	return t.repo.Tree.NameBranch(ctx, t.branch)
}

// keepRefine brings a state into the checkout, and commits it where that is asked for.
func (t *tree) keepRefine(ctx context.Context, s engine.State, k engine.Keep) (commit string, err error) {
	if t.shared.Drafts || t.job.Options.Commit && k.Green {
		if commit, err = t.keep(ctx, s, k); err != nil {
			return "", t.notCommitted(ctx, s, k, err)
		}
	}
	if commit != "" { // its hooks may have changed files, as formatters do
		if s, _, err = t.intoState(ctx, s, k.Paths, "with what the hooks made of it"); err != nil {
			return "", err
		}
	}
	home := t.repo.Home()
	err = locked(ctx, home, "bringing a result back", func() error {
		got, err := home.Results.BringBack(ctx, t.job.ID, t.job.Read, t.checkpoint(s))
		if err != nil {
			return err
		}
		if len(got.Merged) > 0 {
			t.say("you changed %s meanwhile: merged with your changes; booty check tests the result",
				report.Some(got.Merged))
		}
		if len(got.Conflicts) > 0 {
			return t.inConflict(ctx, s, k, got.Conflicts)
		}
		if commit == "" {
			return nil
		}
		return t.takeCommit(ctx, commit, got)
	})
	return commit, err
}

// takeCommit puts the commit of a refine on the branch that is checked out.
func (t *tree) takeCommit(ctx context.Context, commit string, got bringback.Result) error {
	err := t.repo.Home().Results.TakeCommit(ctx, commit, t.job.Read.Branch, t.job.Read.Head, got.Written)
	if errors.Is(err, bringback.ErrMovedMeanwhile) {
		return fault.New(fault.Git, "git diff, then git commit",
			"%w: its changes are in the checkout, not committed", err)
	}
	return err
}

// inConflict keeps a result on a branch of its own, beside what the user wrote meanwhile.
func (t *tree) inConflict(ctx context.Context, s engine.State, k engine.Keep, paths []string) error {
	branch, err := t.setAside(ctx, s, k)
	if err != nil {
		return err
	}
	return fault.New(fault.Exhausted, "git diff "+branch+" -- "+paths[0],
		"%s: %w; yours is kept, and the whole result is on branch %s", report.Some(paths), engine.ErrConflict, branch)
}

// setAside makes a branch of a state, without the repository's hooks.
func (t *tree) setAside(ctx context.Context, s engine.State, k engine.Keep) (string, error) {
	changes, err := t.repo.Compare.Changes(ctx, t.job.Read.Commit, s.Commit)
	if err != nil {
		return "", err
	}
	commit, err := t.repo.Commits.Paths(ctx, t.job.Read.Head, s.Commit, commit.Options{
		Message: t.message(k), Trailers: t.trailers, Paths: changedAmong(changes, k.Paths)})
	if err != nil {
		return "", err
	}
	if commit == "" {
		return "", errors.New("the result conflicts, and there is nothing of it to commit")
	}
	branch := freeBranch(ctx, t.repo.Home().History, "booty/refine-"+t.job.ID)
	return branch, t.repo.Home().Branches.HandOver(ctx, t.job.ID, commit, branch, "")
}

// lastRead sets what a resumed refine knew of the checkout. If it was killed while its result was
// brought back, that is completed first.
func lastRead(ctx context.Context, s *Session, again *Again, run string, next int) (err error) {
	if again.Run.Undone {
		return nil
	}
	if again.brought, err = s.Repo.Results.Wrote(ctx, run); err != nil {
		return err
	}
	if again.brought {
		if err := locked(ctx, s.Repo, "bringing a result back",
			func() error { return s.Repo.Results.Complete(ctx, run) }); err != nil {
			return err
		}
	}
	if next > 1 {
		again.read, err = s.Repo.Records.Checkpoint(ctx, run+snapshot.ResumeStates, next-1)
		return err
	}
	again.read, err = s.Repo.Records.Checkpoint(ctx, run, 0)
	return err
}

// resumeRefine resumes a refine from the files of the checkout as they are now. If they are as it
// read or left them, it continues from its last state.
func (t *tree) resumeRefine(ctx context.Context, m *engine.Memory, again *Again) error {
	if err := t.onReadBranch(ctx); err != nil {
		return err
	}
	now := t.job.Read
	t.remember(now)
	if now.Branch != m.Start.Branch {
		t.say("the checkout is on %s now, not on %s: going on there", nameOf(now.Branch, now.Head),
			nameOf(m.Start.Branch, ""))
		m.Start.Branch, m.Start.Base = now.Branch, now.Branch
	}
	if now.Tree == again.read.Tree || now.Tree == m.Current.Tree {
		return t.Restore(ctx, m.Current)
	}
	last := again.read.Commit // as the checkout was when the user took over
	if again.brought || last == "" {
		last = m.Current.Commit
	}
	changes, err := t.repo.Compare.Changes(ctx, last, now.Commit)
	if err != nil {
		return err
	}
	t.goOn(m, now, changes)
	return nil
}

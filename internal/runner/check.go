package runner

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// Checked is the result of Check.
type Checked struct {
	// Nothing says that nothing is staged, so there is nothing to check.
	Nothing bool
	Verdict engine.Verdict
}

// CheckOptions are the options of Check, besides the settings.
type CheckOptions struct {
	// Staged checks what is staged instead of the files as they are.
	Staged bool
	// Setup runs setup_command even if its inputs did not change.
	Setup bool
}

// Check runs setup, gates and tests as a run would, in a tree of booty's own. It records only that
// setup succeeded, for later runs, too. If the checks fail, the error says so.
func Check(ctx context.Context, s *Session, o CheckOptions, show Show) (c Checked, err error) {
	run := "check-" + journal.NewRunID()
	commit, err := checked(ctx, s, o.Staged)
	if err != nil || commit == "" {
		return Checked{Nothing: err == nil}, err
	}
	there, done, err := inOwnTree(ctx, s, commit)
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, done()) }()
	b := newWorktreeChecks(there, run, show, Options{DryRun: true, Setup: o.Setup})
	defer func() { err = errors.Join(err, b.Close()) }()
	defer prune(ctx, s)
	c.Verdict, err = runChecks(ctx, b, there.Repo, commit)
	if ctx.Err() != nil {
		return c, fault.New(fault.Interrupted, "", "interrupted")
	}
	if err == nil {
		err = judged(c.Verdict)
	}
	return c, err
}

// checked records what is to be checked and gives the commit, "" for nothing.
func checked(ctx context.Context, s *Session, staged bool) (string, error) {
	if staged {
		return s.Repo.Commits.Staged(ctx, s.Getenv("GIT_INDEX_FILE"))
	}
	cp, err := lookAtCheckout(ctx, s)
	reportLeftOut(s, cp)
	return cp.Commit, err
}

// runChecks runs setup, gates and tests in a tree of a commit; nothing is fixed.
func runChecks(ctx context.Context, b *worktreeChecks, tree *workspace.Repo,
	commit string) (engine.Verdict, error) {
	c, err := b.checksOf(ctx, tree)
	if err != nil {
		return engine.Verdict{}, err
	}
	c.asItIs()
	tell := func(e event.CheckFinished) { b.show.Events.Handle(e) }
	v, err := c.Setup(ctx, tell)
	switch {
	case err != nil:
		return v, err
	case !v.Green && v.Environment == "":
		return v, v.SetupError("")
	case !v.Green:
		return v, nil
	}
	v, err = c.Verify(ctx, engine.VerifyInput{Report: tell, Full: true, Twice: true})
	if err == nil && v.Green && len(v.Silent) > 0 && b.s.Settings.TestCount != "off" {
		v, err = heardAlone(ctx, b, tree, engine.State{Commit: commit}, v)
	}
	return v.Unchanged(), err
}

// heardAlone asks of a tree that passes whether the commands that counted nothing run tests.
func heardAlone(ctx context.Context, b *worktreeChecks, repo *workspace.Repo, s engine.State,
	v engine.Verdict) (engine.Verdict, error) {
	b.show.Progress("the test command counted no test: trying whether it runs any")
	c := &changes{origin: &origin{repo: repo, cfg: b.s.Settings.Config, start: s}}
	g, err := c.guard(ctx)
	if err != nil {
		return v, err
	}
	c.isTest = g.IsTest
	t, err := (&secondTrees{s: b.s.In(repo), checks: b}).Open(ctx, s.Commit, engine.TreeOptions{})
	if err != nil {
		return v, err
	}
	uncounted, why, err := proof.UncountedInCopy(ctx, t, v.Silent, func(ctx context.Context, texts bool) ([]edit.Change, int, error) {
		return c.Spoiled(ctx, s, nil, texts)
	})
	err = errors.Join(err, t.Close())
	if err != nil || len(uncounted) == 0 {
		return v, err
	}
	return v.WithoutCount(uncounted, why), nil
}

// judged turns a verdict into what check ends with.
func judged(v engine.Verdict) error {
	switch {
	case v.Green:
		return nil
	case v.Held == engine.HeldUncounted:
		return v.CountError()
	case v.Environment != "":
		return fault.New(fault.Environment, v.Hint, "the checks cannot run here: %s", v.Environment)
	}
	return fault.New(fault.Exhausted, "booty refine makes failing checks pass", "the checks fail")
}

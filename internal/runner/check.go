package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/workspace"
)

// Checked is what the checks say of a tree, without a model.
type Checked struct {
	// Nothing says that nothing is staged: there is nothing to check.
	Nothing bool
	Verdict engine.Verdict
}

// CheckOptions are what is asked of the checks beside the settings.
type CheckOptions struct {
	// Staged checks what is staged, in a work tree of its own.
	Staged bool
	// Setup runs setup_command though nothing has changed.
	Setup bool
}

// Check runs setup, gates and tests as a run would, and keeps no record of it but
// that setup succeeded, which runs know as well. The error is the checks' own where they fail.
func Check(ctx context.Context, s *Session, o CheckOptions, show Show) (c Checked, err error) {
	b := newWorktreeChecks(s, "check-"+journal.NewRunID(), show, Options{DryRun: true, Setup: o.Setup})
	b.closing(func() error { return os.RemoveAll(filepath.Join(s.Journal.Dir(), "runs", b.run)) })
	defer func() { err = errors.Join(err, b.Close()) }()
	tree, put, err := checkedTree(ctx, s, o.Staged)
	if err != nil || tree == nil {
		return Checked{Nothing: err == nil}, err
	}
	defer func() { err = errors.Join(err, put(context.WithoutCancel(ctx))) }()
	c.Verdict, err = runChecks(ctx, b, tree)
	if ctx.Err() != nil {
		return c, fault.New(fault.Interrupted, "", "interrupted")
	}
	if err == nil {
		err = judged(c.Verdict)
	}
	return c, err
}

// checkedTree gives what is to be checked, nil for nothing, and what puts the
// tree in order afterwards.
func checkedTree(ctx context.Context, s *Session, staged bool) (*workspace.Repo, func(context.Context) error, error) {
	if staged {
		w, cleanup, any, err := s.Repo.AddStaged(ctx, s.Getenv("GIT_INDEX_FILE"))
		if err != nil || !any {
			return nil, nil, err
		}
		return w, cleanup, nil
	}
	return s.Repo, func(context.Context) error { return nil }, nil
}

// runChecks runs setup, gates and tests; nothing is fixed.
func runChecks(ctx context.Context, b *worktreeChecks, tree *workspace.Repo) (engine.Verdict, error) {
	c, err := b.checksOf(ctx, tree)
	if err != nil {
		return engine.Verdict{}, err
	}
	c.asItIs()
	tell := func(e event.CheckFinished) { b.show.Events.Handle(e) }
	v, err := c.Setup(ctx, tell)
	if err != nil || !v.Green {
		return v, err
	}
	v, err = c.Verify(ctx, engine.VerifyInput{Report: tell, Full: true, Twice: true})
	if err == nil && v.Green && len(v.Silent) > 0 && b.s.Settings.TestCount != "off" {
		v, err = heardAlone(ctx, b, tree, v)
	}
	return v.Unchanged(), err
}

// heardAlone asks of a tree that passes whether the commands that counted nothing run tests.
func heardAlone(ctx context.Context, b *worktreeChecks, repo *workspace.Repo, v engine.Verdict) (engine.Verdict, error) {
	b.show.Progress("the test command counted no test: trying whether it runs any")
	cp, err := repo.Snapshot(ctx, b.run, 0, "checked")
	if err != nil {
		return v, err
	}
	b.closing(func() error { return repo.Forget(context.WithoutCancel(ctx), b.run) })
	s := engine.State{Commit: cp.Commit}
	g, err := (&tree{repo: repo, cfg: b.s.Settings.Config, start: s}).guard(ctx)
	if err != nil {
		return v, err
	}
	uncounted, why, err := (&beside{s: b.s.In(repo), checks: b, isTest: g.IsTest}).Probe(ctx, s, v.Silent)
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
	case v.ConfigError != "":
		return fault.New(fault.Usage, "fix the command in .booty.yml; booty init --check tries it", "%s", v.ConfigError)
	case v.Environment != "":
		return fault.New(fault.Environment, v.Hint, "the checks cannot run here: %s", v.Environment)
	}
	return fault.New(fault.Exhausted, "booty refine makes failing checks pass", "the checks fail")
}

package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/syntax"
	"github.com/booty-cli/booty/internal/workspace"
)

// tree is the engine's Workspace over a work tree: one of booty's own, or the user's
// checkout. In the checkout only files that proposals name are written, each only while
// it is as it was last seen, and nothing else is ever put back.
type tree struct {
	job Job
	// shared is how the work stands to what others see, zero where it stays here.
	shared Shared
	repo   *workspace.Repo
	cfg    config.Config
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
	pending   []workspace.ConflictText
	settled   []string
	resettled bool

	origin workspace.Origin // in the checkout
	// baseCommit is what the run's branch begins at, onto what its next commit is
	// put on: that, or a later commit of the user's on the branch. tip is where the
	// user's branch is, "" while it is not there.
	baseCommit, onto, tip string
	// theirs are the paths that the user changed since the run began.
	theirs []string
	// states are those of other families than the run's own, by commit.
	states  map[string]workspace.Checkpoint
	start   engine.State
	current engine.State
	own     map[string]bool
	// alike are paths that were given content of the same length since the last Restore.
	alike []string
	// seen is the checkout as it was last looked at; fresh are the paths that the user
	// changed while the last reply was waited for.
	seen  workspace.Checkpoint
	fresh []string
	left  bool
}

// existing reports whether the branch is there and gone on with.
func (t *tree) existing() bool { return t.shared.From != "" && t.shared.Exists }

// inCheckout says that the user's own files are worked on.
func (t *tree) inCheckout() bool { return !t.repo.IsOwn() }

// Prepare implements engine.Workspace.
func (t *tree) Prepare(ctx context.Context) (engine.Start, error) {
	branch, head, err := t.repo.Head(ctx)
	if err != nil {
		return engine.Start{}, err
	}
	if t.job.Options.DryRun {
		t.start = engine.State{Commit: head, Tree: head}
		t.current = t.start
		return engine.Start{State: t.start, Repo: t.name, Branch: branch, Base: branch}, nil
	}
	if !t.inCheckout() {
		return t.prepareOwn(ctx)
	}
	cp, err := t.repo.Snapshot(ctx, t.job.ID, 0, "before the run")
	if err != nil {
		return engine.Start{}, err
	}
	t.reportLarge()
	t.origin = workspace.Origin{Branch: branch, Commit: head, Start: cp}
	t.saw(cp)
	if !t.job.Refine {
		return t.startBranch(ctx, branch, head)
	}
	t.start = stateOf(cp)
	t.current = t.start
	return engine.Start{State: t.start, Repo: t.name, Branch: branch, Base: branch},
		t.repo.SaveState(ctx, t.state("prepared"))
}

// prepareOwn begins in a tree of booty's own, which is at the run's base already.
func (t *tree) prepareOwn(ctx context.Context) (engine.Start, error) {
	_, base, err := t.repo.Head(ctx)
	if err != nil {
		return engine.Start{}, err
	}
	if err := t.repo.NameBranch(ctx, t.branch); err != nil {
		return engine.Start{}, err
	}
	if t.existing() {
		t.tip = base
	}
	if base, err = t.bringBase(ctx, base); err != nil {
		return engine.Start{}, err
	}
	cp, err := t.repo.Snapshot(ctx, t.job.ID, 0, "before the run")
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
	return engine.Start{State: t.start, Repo: t.name, Branch: t.branch, Base: t.baseName, BaseCommit: base}, nil
}

func (t *tree) state(step string) workspace.State {
	command := "run"
	if t.job.Refine {
		command = "refine"
	}
	return workspace.State{Run: t.job.ID, Command: command, Step: step, Origin: t.origin, Last: t.current.N}
}

// startBranch goes to the run's branch in the checkout. A base other than what was
// checked out has a tree of its own, recorded beside the run's checkpoints.
func (t *tree) startBranch(ctx context.Context, branch, head string) (engine.Start, error) {
	base := t.job.Base
	if base == "" {
		base = head
	}
	baseCommit, err := t.repo.Resolve(ctx, base)
	if err != nil {
		return engine.Start{}, err
	}
	at := baseCommit
	if t.existing() {
		at = ""
	}
	var origin workspace.Origin
	err = t.onFreeBranch(ctx, t.repo, true, func() (err error) {
		origin, err = t.repo.StartBranch(ctx, t.branch, at, t.state("start branch"))
		return err
	})
	if err != nil {
		return engine.Start{}, err
	}
	t.origin = origin
	if baseCommit, err = t.bringBase(ctx, baseCommit); err != nil {
		return engine.Start{}, err
	}
	t.baseCommit, t.onto, t.start = baseCommit, baseCommit, stateOf(origin.Start)
	if baseCommit != head {
		other, err := t.repo.Snapshot(ctx, t.job.ID+workspace.BaseStates, 0, "the base of the run")
		if err != nil {
			return engine.Start{}, err
		}
		t.start = stateOf(other)
		t.saw(other)
	}
	t.current = t.start
	if t.baseName == "" {
		t.baseName = branch
	}
	return engine.Start{State: t.start, Repo: t.name, Branch: t.branch, Base: t.baseName, BaseCommit: baseCommit}, nil
}

// bringBase merges the newest base into earlier work and gives the commit that
// stands then. Work in conflict with the base is gone on with as it is.
func (t *tree) bringBase(ctx context.Context, tip string) (string, error) {
	if t.job.oldCommit() == "" {
		return tip, nil
	}
	m, err := t.repo.Merge(ctx, t.job.oldCommit(), "Merge "+t.shared.BaseName+" into "+t.branch)
	if err != nil {
		return "", err
	}
	if len(m.Conflicts) == 0 {
		return m.Commit, nil
	}
	if t.pending, err = t.repo.ConflictTexts(ctx, m.Conflicts); err != nil {
		return "", err
	}
	for _, c := range m.Conflicts {
		t.conflicts = append(t.conflicts, c.Path)
	}
	return tip, t.repo.AbortMerge(ctx)
}

// Restore implements engine.Workspace.
func (t *tree) Restore(ctx context.Context, s engine.State) error {
	if err := anotherSecond(ctx, t.repo.Root(), t.alike); err != nil {
		return err
	}
	t.alike = nil
	if !t.inCheckout() {
		if err := t.repo.Restore(ctx, t.checkpoint(s)); err != nil {
			return err
		}
		t.current = s
		return nil
	}
	theirs, err := t.repo.BringBack(ctx, t.job.ID, t.checkpoint(s))
	if err != nil {
		return err
	}
	if len(theirs) > 0 {
		t.say("you changed %s; left as it is", report.Some(theirs))
	}
	t.current = s
	return t.lookAgain(ctx, "after going back")
}

// Leave implements engine.Workspace.
func (t *tree) Leave(ctx context.Context) error {
	if t.left || t.job.Options.DryRun {
		return nil
	}
	t.left = true
	if !t.inCheckout() {
		return t.repo.ForgetBranch(ctx)
	}
	// What resume compares the checkout with.
	if _, err := t.record(ctx, "as the run left it"); err != nil {
		return err
	}
	if !t.job.Refine {
		if err := t.repo.Return(ctx, t.origin, t.job.ID); err != nil {
			return errors.Join(err, t.repo.ClearState(ctx))
		}
		if !t.existing() && t.baseCommit != "" {
			// Without a commit of its own the branch says nothing.
			if err := t.repo.DropBranch(ctx, t.branch, t.baseCommit); err != nil {
				return err
			}
		}
	}
	return t.repo.ClearState(ctx)
}

func (t *tree) checkpoint(s engine.State) workspace.Checkpoint {
	if cp, ok := t.states[s.Commit]; ok {
		return cp
	}
	return workspace.Checkpoint{Run: t.job.ID, N: s.N, Commit: s.Commit, Tree: s.Tree}
}

// remember makes a state of another family one that checkpoint finds.
func (t *tree) remember(cp workspace.Checkpoint) {
	if t.states == nil {
		t.states = map[string]workspace.Checkpoint{}
	}
	t.states[cp.Commit] = cp
}

func (t *tree) say(format string, args ...any) {
	if t.notify != nil {
		t.notify(fmt.Sprintf(format, args...))
	}
}

func stateOf(cp workspace.Checkpoint) engine.State {
	return engine.State{N: cp.N, Commit: cp.Commit, Tree: cp.Tree}
}

// atHome sees that the checkout is still on the branch of the work before a commit is
// made there: another branch is not for booty to change.
func (t *tree) atHome(ctx context.Context) error {
	if !t.inCheckout() {
		return nil
	}
	want := t.branch
	if t.job.Refine {
		want = t.origin.Branch
	}
	branch, commit, err := t.repo.Head(ctx)
	if err != nil || branch == want {
		return err
	}
	if branch == "" {
		branch = commit
	}
	return fault.New(fault.Refused, "git switch "+want+" && booty resume "+t.job.ID,
		"the checkout was switched to %s during the run; nothing more is done there", branch)
}

package work

import (
	"context"
	"errors"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/syntax"
	"github.com/booty-cli/booty/internal/workspace"
)

// tree is the engine's Workspace over a checkout.
type tree struct {
	repo *workspace.Repo
	cfg  config.Config
	run  string
	name string // of the repository, for people
	// inPlace is refine: no branch, no clean tree needed, new files of the
	// checks stay. commit makes a green result a commit there too.
	inPlace, commit bool
	// allow are globs of files that may be touched whatever the settings say.
	allow []string
	// drafts makes what still fails a commit in place, too: a draft shows it.
	drafts bool
	// branch is the wanted one; base what it begins at, "" for HEAD.
	branch, base string
	// baseName is what people call the base.
	baseName string
	// redact replaces secrets: files are shown to the model, and commits are
	// described, without them.
	redact func(string) string
	// trailers go below the commit's message.
	trailers []string
	// notify is given lines for the user; may be nil.
	notify func(string)
	// unnamed says that nobody asked for this very name of a branch.
	unnamed bool
	// existing says that the branch is there and gone on with.
	existing bool
	// merge is brought into earlier work before it is gone on with; mergeName is
	// what people call it.
	merge, mergeName string
	// syntax asks interpreters about what a proposal leaves; may be nil.
	syntax *syntax.Checker
	// conflicts are the paths in which that failed, pending those with their sides,
	// settled those that were settled.
	conflicts []string
	pending   []workspace.ConflictText
	settled   []string
	// resettled says that the run begins at a base whose conflicts were settled.
	resettled bool
	// subject, where set, puts a summary into the form of a commit's subject.
	subject func(summary string) string

	// home is the branch that the work is done on.
	home   string
	origin workspace.Origin
	// baseCommit is what the run's branch begins at, onto what its next commit is
	// put on: that, or a later commit of the user's on the branch.
	baseCommit, onto string
	// met is what a resumed run found, nil where it works in a tree of its own;
	// theirs are the paths that the user changed between.
	met    *workspace.Met
	theirs []string
	// states are those of other families than the run's own, by commit.
	states  map[string]workspace.Checkpoint
	start   engine.State
	current engine.State
	own     map[string]bool
	// swapped are the paths of tests that are in the tree as they stood.
	swapped []string
	// large are files that are too large to be recorded, as last seen.
	large  map[string]workspace.Large
	strays int
	// fresh are the paths that someone else changed, in place, while the last reply
	// was waited for; rest is the tree with the new files that the checks left in
	// it, nil where there are none.
	fresh []string
	rest  *workspace.Checkpoint
	left  bool
}

// Prepare implements engine.Workspace.
func (t *tree) Prepare(ctx context.Context) (engine.Start, error) {
	branch, head, err := t.repo.Head(ctx)
	if err != nil {
		return engine.Start{}, err
	}
	cp, err := t.repo.Snapshot(ctx, t.run, 0, "before the run")
	if err != nil {
		return engine.Start{}, err
	}
	t.reportLarge()
	t.origin, t.home = workspace.Origin{Branch: branch, Commit: head, Start: cp}, branch
	if t.inPlace {
		t.start = stateOf(cp)
		t.current = t.start
		if err := t.repo.SaveState(ctx, t.state("prepared")); err != nil {
			return engine.Start{}, err
		}
		return engine.Start{State: t.start, Repo: t.name, Branch: branch, Base: branch}, nil
	}
	return t.startBranch(ctx, cp, branch, head)
}

func (t *tree) state(step string) workspace.State {
	command := "run"
	if t.inPlace {
		command = "refine"
	}
	return workspace.State{Run: t.run, Command: command, Step: step, Origin: t.origin, Last: t.current.N}
}

// startBranch goes to the run's branch. A base other than what was checked
// out has a tree of its own, recorded beside the run's checkpoints.
func (t *tree) startBranch(ctx context.Context, cp workspace.Checkpoint, branch, head string) (engine.Start, error) {
	base := t.base
	if base == "" {
		base = head
	}
	baseCommit, err := t.repo.Resolve(ctx, base)
	if err != nil {
		return engine.Start{}, err
	}
	at := baseCommit
	if t.existing {
		at = ""
	}
	origin, err := t.repo.StartBranch(ctx, t.branch, at, t.state("start branch"))
	for try := 0; t.unnamed && try < 10 && errors.Is(err, workspace.ErrBranchExists); try++ {
		// Another booty, in another work tree, was faster.
		t.branch = freeBranch(ctx, t.repo, t.branch)
		origin, err = t.repo.StartBranch(ctx, t.branch, at, t.state("start branch"))
	}
	if err != nil {
		return engine.Start{}, err
	}
	t.origin, t.home = origin, t.branch
	if baseCommit, err = t.bringBase(ctx, baseCommit); err != nil {
		return engine.Start{}, err
	}
	t.baseCommit, t.onto = baseCommit, baseCommit
	t.start = stateOf(cp)
	if baseCommit != head {
		other, err := t.repo.Snapshot(ctx, t.run+workspace.BaseStates, 0, "the base of the run")
		if err != nil {
			return engine.Start{}, err
		}
		t.start = stateOf(other)
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
	if t.merge == "" {
		return tip, nil
	}
	m, err := t.repo.Merge(ctx, t.merge, "Merge "+t.mergeName+" into "+t.branch)
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

// atHome sees that the checkout is still on the branch of the work: someone
// may have switched it by hand, and that branch is not for booty to change.
func (t *tree) atHome(ctx context.Context) error {
	branch, commit, err := t.repo.Head(ctx)
	if err != nil || branch == t.home {
		return err
	}
	if branch == "" {
		branch = commit
	}
	return fault.New(fault.Refused, "finish there, switch back, then: booty resume "+t.run,
		"the checkout was switched to %s during the run; nothing more is changed in it", branch)
}

// Restore implements engine.Workspace.
func (t *tree) Restore(ctx context.Context, s engine.State) error {
	if err := t.atHome(ctx); err != nil {
		return err
	}
	if err := t.keepTheirs(ctx); err != nil {
		return err
	}
	if err := anotherSecond(ctx, t.repo.Root(), t.swapped); err != nil {
		return err
	}
	t.swapped = nil
	if err := t.repo.Restore(ctx, t.checkpoint(s)); err != nil {
		return err
	}
	t.current, t.rest = s, nil
	return nil
}

// Leave implements engine.Workspace.
func (t *tree) Leave(ctx context.Context) error {
	if t.left {
		return nil
	}
	t.left = true
	if t.inPlace {
		// What undo and resume compare with.
		if err := t.repo.Leave(ctx, t.run); err != nil {
			return err
		}
		return t.repo.ClearState(ctx)
	}
	if stays, err := t.staysForTheirs(ctx); err != nil || stays {
		return err
	}
	kept, err := t.repo.Return(ctx, t.origin)
	if err != nil {
		return err
	}
	if kept != "" && t.notify != nil {
		t.notify("files that nothing else holds were kept in " + kept)
	}
	if !t.existing && t.baseCommit != "" {
		// Without a commit of its own the branch says nothing: reenter makes it again.
		if err := t.repo.DropBranch(ctx, t.branch, t.baseCommit); err != nil {
			return err
		}
	}
	return t.repo.ClearState(ctx)
}

func (t *tree) checkpoint(s engine.State) workspace.Checkpoint {
	if cp, ok := t.states[s.Commit]; ok {
		return cp
	}
	run := t.run
	if s == t.start && !t.inPlace && t.start.Commit != t.origin.Start.Commit {
		run += workspace.BaseStates
		if t.resettled {
			run = t.run + workspace.SettledStates
		}
	}
	return workspace.Checkpoint{Run: run, N: s.N, Commit: s.Commit, Tree: s.Tree}
}

func stateOf(cp workspace.Checkpoint) engine.State {
	return engine.State{N: cp.N, Commit: cp.Commit, Tree: cp.Tree}
}

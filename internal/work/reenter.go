package work

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
)

// reenter takes a run up again from the tree as it is now. Where that is what
// the run left, the last finished step is gone on with; where the user has
// changed it, m is made to go on from there.
func (t *tree) reenter(ctx context.Context, m *engine.Memory, old lastEnd) error {
	if err := t.recall(ctx, m); err != nil {
		return err
	}
	if t.inPlace {
		return t.reenterInPlace(ctx, m, old)
	}
	return t.reenterBranch(ctx, m, old)
}

// lastEnd is how the run ended when it was at work last.
type lastEnd struct {
	// killed is what it left under way; nil where it ended by itself.
	killed *workspace.State
	// commit is the one that it made, "" for none.
	commit string
}

// recall fills in what the tree knew of the run.
func (t *tree) recall(ctx context.Context, m *engine.Memory) error {
	began, err := t.repo.Checkpoint(ctx, t.run, 0)
	if err != nil {
		return err
	}
	t.start, t.current, t.baseCommit = m.Start.State, m.Current, m.Start.BaseCommit
	t.origin.Start, t.home, t.onto, t.theirs = began, m.Start.Branch, t.baseCommit, m.Theirs
	settled, err := t.repo.Checkpoint(ctx, t.run+workspace.SettledStates, 0)
	t.resettled = err == nil && settled.Commit == t.start.Commit
	t.states = map[string]workspace.Checkpoint{}
	met, err := t.repo.Resumes(ctx, t.run)
	if err != nil {
		return err
	}
	from, err := t.repo.GoneOnFrom(ctx, t.run)
	if err != nil {
		return err
	}
	for _, cp := range slices.Concat(met, from) {
		t.states[cp.Commit] = cp
	}
	if set, err := t.repo.Checkpoints(ctx, t.run+workspace.StrayStates); err == nil && len(set) > 0 {
		t.strays = set[len(set)-1].N // those before the interruption stay
	}
	changes, err := t.repo.Changes(ctx, began.Commit, t.current.Commit)
	if err != nil {
		return err
	}
	t.own = map[string]bool{}
	for _, c := range changes {
		if (c.Op == "create" || c.Op == "rename") && !slices.Contains(t.theirs, c.Path) {
			t.own[c.Path] = true
		}
	}
	return nil
}

// reenterInPlace takes a refine up again.
func (t *tree) reenterInPlace(ctx context.Context, m *engine.Memory, old lastEnd) error {
	d, err := t.repo.Differs(ctx, t.run, t.checkpoint(m.Current))
	if err != nil {
		return err
	}
	t.reportLarge()
	left, ended, err := t.repo.Left(ctx, t.run)
	if err != nil {
		return err
	}
	t.origin = workspace.Origin{Branch: t.met.Branch, Commit: t.met.Head, Start: t.met.Checkpoint}
	if err := t.moved(ctx, m); err != nil {
		return err
	}
	if err := t.repo.SaveState(ctx, t.state("resume")); err != nil {
		return err
	}
	asLeft := ended && left.Tree == t.met.Tree
	switch {
	case len(d.Own)+len(d.Theirs) == 0:
		return nil
	case old.killed != nil && len(d.Theirs) == 0:
		return t.Restore(ctx, m.Current)
	case old.killed == nil && asLeft && len(existing(d.Theirs)) == 0: // but for what the checks left
		return t.repo.PutBack(ctx, t.checkpoint(m.Current), d.Own, true)
	}
	t.goOn(m, t.met.Checkpoint, d)
	return nil
}

// existing leaves out files that were not there before.
func existing(changes []workspace.Change) []workspace.Change {
	return slices.DeleteFunc(slices.Clone(changes), func(c workspace.Change) bool { return c.Op == "create" })
}

// moved takes note of a branch or commit that the user has gone to since.
func (t *tree) moved(ctx context.Context, m *engine.Memory) error {
	seen, err := t.repo.Seen(ctx, t.run, t.met.Head, t.met)
	if t.met.Branch != m.Start.Branch {
		t.say("the checkout is on %s now, not on %s: going on there", nameOf(t.met.Branch, t.met.Head),
			nameOf(m.Start.Branch, ""))
		m.Start.Branch, m.Start.Base, t.home = t.met.Branch, t.met.Branch, t.met.Branch
	} else if t.met.Foreign && !seen {
		t.say("commits were made since, and stay: %s is at %s", nameOf(t.met.Branch, "HEAD"),
			t.met.Head[:min(len(t.met.Head), 10)])
	}
	return err
}

func nameOf(branch, otherwise string) string {
	if branch != "" {
		return branch
	}
	if otherwise == "" {
		return "a commit without a branch"
	}
	return otherwise[:min(len(otherwise), 10)]
}

// goOn makes the run go on from a tree that the user has changed.
func (t *tree) goOn(m *engine.Memory, from workspace.Checkpoint, d workspace.Differences) {
	names := t.takeIn(from, d)
	if len(names) > 0 {
		t.say("changed since, kept and in view: %s", report.Some(names))
	} else {
		t.say("the files are not as the run left them: going on from them as they are")
	}
	m.GoOnFrom(stateOf(from), names, d.Own, t.inPlace)
	t.start, t.current, t.theirs = m.Start.State, m.Current, m.Theirs
}

func (t *tree) say(format string, args ...any) {
	if t.notify != nil {
		t.notify(fmt.Sprintf(format, args...))
	}
}

// reenterBranch takes a run up again on its own branch, with all commits that
// were made there since.
func (t *tree) reenterBranch(ctx context.Context, m *engine.Memory, old lastEnd) error {
	here := t.met != nil && t.met.Branch == t.branch
	switch {
	case here && old.killed != nil && old.killed.Origin.Start.Commit != "":
		t.origin = old.killed.Origin
	case !here && t.met != nil: // where the user is now, the run ends
		t.origin.Start = t.met.Checkpoint
	}
	at, err := t.tip(ctx, old)
	if err != nil {
		return err
	}
	if t.origin, err = t.repo.StartBranch(ctx, t.branch, at.base, t.state("resume")); err != nil {
		return err
	}
	d, err := t.repo.Differs(ctx, t.run, t.checkpoint(m.Current))
	if err != nil {
		return err
	}
	clean, err := t.repo.Clean(ctx)
	if err != nil {
		return err
	}
	if m.Baseline == nil && t.merge != "" && !at.foreign && (clean || len(d.Theirs) == 0) {
		return t.bringAgain(ctx, m, clean)
	}
	if at.foreign && !at.seen {
		t.say("branch %s has commits made since: they stay", t.branch)
	}
	if len(d.Own)+len(d.Theirs) == 0 {
		return nil
	}
	if !at.foreign && len(d.Theirs) == 0 && (old.killed != nil || clean || !here) {
		return t.Restore(ctx, m.Current)
	}
	if here {
		t.goOn(m, t.met.Checkpoint, d)
		return nil
	}
	from, err := t.repo.SnapshotFrom(ctx, t.run)
	if err != nil {
		return err
	}
	t.goOn(m, from, d)
	return nil
}

// bringAgain brings the base into earlier work where a kill came before that was
// done and checked: what is in conflict is settled then, as at the first time.
func (t *tree) bringAgain(ctx context.Context, m *engine.Memory, clean bool) error {
	if !clean {
		if err := t.Restore(ctx, m.Current); err != nil {
			return err
		}
	}
	_, tip, err := t.repo.Head(ctx)
	if err != nil {
		return err
	}
	commit, err := t.bringBase(ctx, tip)
	if err != nil || commit == m.Start.BaseCommit {
		return err
	}
	cp, err := t.repo.Snapshot(ctx, t.run+workspace.SettledStates, 0, "the base of the run, its conflicts settled")
	if err != nil {
		return err
	}
	t.baseCommit, t.onto, t.start, t.resettled = commit, commit, stateOf(cp), true
	t.current, m.Start.State, m.Start.BaseCommit, m.Current = t.start, t.start, commit, t.start
	return nil
}

// branchTip is where a resumed run's branch stands.
type branchTip struct {
	// base is what the branch is made at, "" where it is there.
	base string
	// foreign says that its last commit is not the run's, seen that an earlier
	// resume has told so.
	foreign, seen bool
}

// tip looks at the branch, and sees to it that the run's next commit is put on
// the user's commits there, and takes the place of its own alone.
func (t *tree) tip(ctx context.Context, old lastEnd) (branchTip, error) {
	tip, err := t.repo.Resolve(ctx, "refs/heads/"+t.branch)
	if err != nil {
		return branchTip{base: t.baseCommit}, nil //nolint:nilerr // it is gone, or was never more than its base
	}
	if tip == t.baseCommit {
		return branchTip{}, nil
	}
	own := tip == old.commit
	if !own && old.killed != nil {
		if own, err = t.repo.MadeBy(t.run, tip, t.baseCommit); err != nil {
			return branchTip{}, err
		}
	}
	if !own && old.commit == "" && !t.existing { // made just before a kill, perhaps
		if own, err = t.repo.CommitMentions(ctx, tip, TrailerRun+": "+t.run); err != nil {
			return branchTip{}, err
		}
	}
	if !own {
		t.onto = tip
		seen, err := t.repo.Seen(ctx, t.run, tip, t.met)
		return branchTip{foreign: true, seen: seen}, err
	}
	if t.onto, err = t.repo.Resolve(ctx, tip+"^"); err != nil {
		return branchTip{}, err
	}
	return branchTip{}, nil
}

// startOf is the state against which a proposal's edit of a path is judged:
// what the user wrote since the run began is not the model's to undo.
func (t *tree) startOf(path string) engine.State {
	if slices.Contains(t.theirs, path) {
		return t.current
	}
	return t.start
}

// uncommitted lists what of the user's changes no commit holds: tracked files,
// and those that git does not know.
func (t *tree) uncommitted(ctx context.Context) (tracked, untracked []string, err error) {
	if len(t.theirs) == 0 {
		return nil, nil, nil
	}
	entries, err := t.repo.Status(ctx)
	for _, e := range entries {
		switch {
		case !slices.Contains(t.theirs, e.Path):
		case e.Untracked():
			untracked = append(untracked, e.Path)
		default:
			tracked = append(tracked, e.Path)
		}
	}
	return tracked, untracked, err
}

// staysForTheirs keeps the checkout on the run's branch where the user has
// changes there that no commit holds. New files need not stay for that: they
// lie in the way of nothing, and are left where they are.
func (t *tree) staysForTheirs(ctx context.Context) (bool, error) {
	tracked, untracked, err := t.uncommitted(ctx)
	if err != nil {
		return false, err
	}
	if len(tracked) > 0 {
		t.say("the checkout stays on %s, where %s is changed and not committed", t.branch, report.Some(tracked))
		return true, t.repo.ClearState(ctx)
	}
	t.origin.Spare = untracked
	return false, nil
}

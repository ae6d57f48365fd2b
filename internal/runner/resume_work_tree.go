package runner

import (
	"context"
	"maps"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/snapshot"
)

// resume takes a run up again: from the state that it had last, or from commits that the
// user has made on its branch since; a refine from the files as they are now.
func (t *tree) resume(ctx context.Context, m *engine.Memory, again *Again) error {
	if err := t.recallRun(ctx, m); err != nil {
		return err
	}
	if t.job.Refine {
		return t.resumeRefine(ctx, m, again)
	}
	return t.resumeOwn(ctx, m, again.at)
}

// recallRun fills in what the tree knew of the run.
func (t *tree) recallRun(ctx context.Context, m *engine.Memory) error {
	began, err := t.repo.Records.Checkpoint(ctx, t.job.ID, 0)
	if err != nil {
		return err
	}
	t.start, t.current, t.baseCommit = m.Start.State, m.Current, m.Start.BaseCommit
	t.onto, t.theirs = t.baseCommit, m.Theirs
	settled, err := t.repo.Records.Checkpoint(ctx, t.job.ID+snapshot.SettledStates, 0)
	t.resettled = err == nil && settled.Commit == t.start.Commit
	for _, family := range []string{snapshot.SettledStates, snapshot.ResumeStates} {
		if list, err := t.repo.Records.Checkpoints(ctx, t.job.ID+family); err == nil {
			for _, cp := range list {
				t.remember(cp)
			}
		}
	}
	changes, err := t.repo.Compare.Changes(ctx, began.Commit, t.current.Commit)
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

// resumeOwn takes a run up again in a tree of booty's own, which is at the tip.
func (t *tree) resumeOwn(ctx context.Context, m *engine.Memory, at branchTip) error {
	t.tip, t.onto = at.user, at.onto
	if err := t.repo.Tree.NameBranch(ctx, t.branch); err != nil {
		return err
	}
	if !at.foreign {
		if m.Baseline == nil && t.job.oldCommit() != "" {
			return t.bringAgain(ctx, m)
		}
		return t.Restore(ctx, m.Current)
	}
	family := t.job.ID + snapshot.ResumeStates
	n, err := t.repo.Records.NextState(family)
	if err != nil {
		return err
	}
	cp, err := t.repo.States.Snapshot(ctx, family, n, "the branch as it was continued")
	if err != nil {
		return err
	}
	t.remember(cp)
	changes, err := t.repo.Compare.Changes(ctx, m.Current.Commit, cp.Commit)
	if err != nil {
		return err
	}
	t.say("branch %s has commits made since: they stay", t.branch)
	t.goOn(m, cp, changes)
	return nil
}

// bringAgain brings the base into earlier work where a kill came before that was
// done and checked: what is in conflict is settled then, as at the first time.
func (t *tree) bringAgain(ctx context.Context, m *engine.Memory) error {
	_, tip, err := t.repo.Head(ctx)
	if err != nil {
		return err
	}
	commit, err := t.bringBase(ctx, tip)
	if err != nil || commit == m.Start.BaseCommit {
		return err
	}
	cp, err := t.repo.States.Snapshot(ctx, t.job.ID+snapshot.SettledStates, 0,
		"the base of the run, its conflicts settled")
	if err != nil {
		return err
	}
	t.remember(cp)
	t.baseCommit, t.onto, t.start, t.resettled = commit, commit, stateOf(cp), true
	t.current, m.Start.State, m.Start.BaseCommit, m.Current = t.start, t.start, commit, t.start
	return nil
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

// goOn continues the run from a tree that the user has changed.
func (t *tree) goOn(m *engine.Memory, from snapshot.Checkpoint, changes []snapshot.Change) {
	var names []string
	for _, c := range changes {
		names = append(names, c.Path)
		delete(t.own, c.Path)
	}
	t.say("changed since, kept and shown to the model: %s", report.Some(names))
	m.GoOnFrom(stateOf(from), names, t.job.Refine)
	t.start, t.current, t.theirs = m.Start.State, m.Current, m.Theirs
}

// branchTip is the tip of a run's branch when it is resumed.
type branchTip struct {
	// commit is the commit that a tree is made at. user is the tip of the user's branch, "" if it
	// does not exist; onto is the parent of the next commit.
	commit, user, onto string
	// foreign says that its last commit is not the run's.
	foreign bool
}

// tipOf examines the branch of a resumed run, so that the run's next commit goes on top of the
// user's commits there and replaces only its own. A branch whose tip neither this run made, nor the
// user on top of this run's commits, is the user's: the run gets another name.
func tipOf(ctx context.Context, s *Session, j *Job) (branchTip, error) {
	base := j.Again.Memory.Start.BaseCommit
	at := branchTip{commit: base, onto: base}
	handed, err := s.Repo.Branches.HandedOver(j.ID)
	if err != nil {
		return at, err
	}
	if _, ok := handed[j.Branch]; !ok && len(handed) > 0 {
		j.Branch = slices.Sorted(maps.Keys(handed))[len(handed)-1]
	}
	tip, err := s.Repo.History.Resolve(ctx, "refs/heads/"+j.Branch)
	if err != nil {
		return at, nil //nolint:nilerr // it is gone, or was never made
	}
	own := handed[j.Branch]
	if done := j.Again.Run.Commit; done != "" {
		own = append(own, done)
	}
	switch on, err := standsOn(ctx, s, tip, own); {
	case err != nil:
		return at, err
	case on == tip && tip == base:
		at.user = tip
		return at, nil
	case on == tip:
		at.user = tip
		at.onto, err = s.Repo.History.Resolve(ctx, tip+"^")
		return at, err
	case on != "":
		return branchTip{commit: tip, user: tip, onto: tip, foreign: true}, nil
	}
	theirs := j.Branch
	j.Branch, j.Unnamed = freeBranch(ctx, s.Repo.History, j.Branch), true
	s.Say("booty: branch %s is not this run's: its work will be on %s", theirs, j.Branch)
	return at, nil
}

// standsOn returns the commit of own that is the tip or an ancestor of it; "" if there is none.
func standsOn(ctx context.Context, s *Session, tip string, own []string) (string, error) {
	if slices.Contains(own, tip) {
		return tip, nil
	}
	for _, commit := range own {
		if ok, err := s.Repo.History.Contains(ctx, tip, commit); ok || err != nil {
			return commit, err
		}
	}
	return "", nil
}

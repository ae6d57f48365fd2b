package workspace

import (
	"context"
	"errors"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// The families of checkpoints that stand beside those of a run, each named by
// the run and its suffix.
const (
	// BaseStates hold the tree of a base other than what was checked out.
	BaseStates = "-base"
	// SettledStates hold a base whose conflicts were settled.
	SettledStates = "-settled"
	// StrayStates hold what was put back after the checks.
	StrayStates = "-strays"
	// resumeStates hold what a run found when it was taken up again, from 1. They
	// descend from all states that the run had until then.
	resumeStates = "-resume"
	// fromStates hold the trees that a run was gone on from, where that was not
	// what it found: the tip of its own branch.
	fromStates = "-from"
)

// ownRun is the run that a family of checkpoints belongs to.
func ownRun(name string) string {
	run, _, _ := strings.Cut(name, "-")
	return run
}

// Beside tells whether a name of Runs is that of states beside a run's own.
func Beside(name string) bool { return ownRun(name) != name }

// Met is what a run found when it was taken up again.
type Met struct {
	Checkpoint
	Branch, Head string
	// Foreign says that the run neither found nor made the commit at HEAD.
	Foreign bool
}

// Meet records the work tree as it is before a run is taken up again, with what
// is staged and where HEAD is. Undo goes back to it.
func (r *Repo) Meet(ctx context.Context, run string) (Met, error) {
	var m Met
	own, err := r.Checkpoints(ctx, run)
	if err != nil {
		return m, err
	}
	met, err := r.Resumes(ctx, run)
	if err != nil {
		return m, err
	}
	after := []string{lastAttempt(own).Commit}
	planned, err := r.store().ref(plannedRef(run))
	if err != nil {
		return m, err
	}
	if planned != "" {
		after = append(after, planned)
	}
	if m.Branch, m.Head, err = r.Head(ctx); err != nil {
		return m, err
	}
	if m.Foreign, err = r.foreignHead(ctx, run, own, m.Head); err != nil {
		return m, err
	}
	onOwn, err := r.onOwnBranch(run, own, met, m.Branch)
	if err != nil {
		return m, err
	}
	m.Checkpoint, err = r.Snapshot(ctx, run+resumeStates, next(met), "as run "+run+" was taken up again",
		SnapshotOptions{After: after, foreign: m.Foreign, own: onOwn})
	return m, err
}

// onOwnBranch tells whether a branch is one that a run made to work on.
func (r *Repo) onOwnBranch(run string, own, met []Checkpoint, branch string) (bool, error) {
	st := r.store()
	for _, cp := range met {
		if m, _, err := r.readMeta(st, cp); err != nil || m.Branch == branch {
			return m.Own, err
		}
	}
	began, _, err1 := r.readMeta(st, own[0])
	worked, _, err2 := r.readMeta(st, lastAttempt(own))
	state, err3 := r.readState()
	if err := errors.Join(err1, err2, err3); err != nil || branch == "" || branch == began.Branch {
		return false, err
	}
	return branch == worked.Branch || state != nil && state.Run == run && state.Origin.RunBranch == branch, nil
}

func next(list []Checkpoint) int {
	if len(list) == 0 {
		return 1
	}
	return list[len(list)-1].N + 1
}

// SnapshotFrom records the tree of a run's own branch as it is gone on from.
func (r *Repo) SnapshotFrom(ctx context.Context, run string) (Checkpoint, error) {
	list, err := r.family(ctx, run+fromStates)
	if err != nil {
		return Checkpoint{}, err
	}
	return r.Snapshot(ctx, run+fromStates, next(list), "what run "+run+" was gone on from")
}

// foreignHead tells whether HEAD is at a commit that a run neither found nor made.
func (r *Repo) foreignHead(_ context.Context, run string, own []Checkpoint, head string) (bool, error) {
	began := ""
	for i, cp := range own {
		m, _, err := r.readMeta(r.store(), cp)
		if err != nil {
			return false, err
		}
		if m.Head == head {
			return false, nil
		}
		if i == 0 {
			began = m.Head
		}
	}
	made, err := r.MadeBy(run, head, began)
	return !made, err
}

// Seen tells whether a run found HEAD at a commit when it was taken up again
// before the meeting m.
func (r *Repo) Seen(ctx context.Context, run, commit string, m *Met) (bool, error) {
	met, err := r.Resumes(ctx, run)
	if err != nil {
		return false, err
	}
	from, err := r.GoneOnFrom(ctx, run)
	if err != nil {
		return false, err
	}
	for _, cp := range append(met, from...) {
		if m != nil && cp.Ref() == m.Ref() { // two of one second may be the same commit
			continue
		}
		if x, _, err := r.readMeta(r.store(), cp); err == nil && x.Head == commit {
			return true, nil
		}
	}
	return false, nil
}

// MadeBy tells whether a killed run made a commit, on parent where that was
// not recorded any more.
func (r *Repo) MadeBy(run, hash, parent string) (bool, error) {
	state, err := r.readState()
	return err == nil && state != nil && state.Run == run && r.ownCommit(state, hash, parent), err
}

// Resumes lists what a run found each time it was taken up again, in order.
func (r *Repo) Resumes(ctx context.Context, run string) ([]Checkpoint, error) {
	return r.family(ctx, run+resumeStates)
}

// GoneOnFrom lists the trees of its own branch that a run was gone on from.
func (r *Repo) GoneOnFrom(ctx context.Context, run string) ([]Checkpoint, error) {
	return r.family(ctx, run+fromStates)
}

// family is Checkpoints where there may be none.
func (r *Repo) family(ctx context.Context, name string) ([]Checkpoint, error) {
	runs, err := r.Runs(ctx)
	if err != nil {
		return nil, err
	}
	var list []Checkpoint
	for _, x := range runs {
		if x.Run != name {
			continue
		}
		for _, n := range x.Numbers {
			cp, err := r.Checkpoint(ctx, x.Run, n)
			if n > 0 && errors.Is(err, plumbing.ErrObjectNotFound) {
				continue // a command that may write to the git directory has removed it
			}
			if err != nil {
				return nil, err
			}
			list = append(list, cp)
		}
	}
	return list, nil
}

// lastAttempt is the last state of the run itself, not one of its end.
func lastAttempt(own []Checkpoint) Checkpoint {
	last := own[0]
	for _, cp := range own {
		if cp.N < leftN {
			last = cp
		}
	}
	return last
}

// Left is the tree as a run left it, recorded at its end; ok is false where it
// was killed before.
func (r *Repo) Left(ctx context.Context, run string) (cp Checkpoint, ok bool, err error) {
	own, err := r.Checkpoints(ctx, run)
	if err != nil {
		return Checkpoint{}, false, err
	}
	last := own[len(own)-1]
	return last, last.N >= leftN, nil
}

// Leave records the tree as a run leaves it: what is changed afterwards is the
// user's.
func (r *Repo) Leave(ctx context.Context, run string) error {
	own, err := r.Checkpoints(ctx, run)
	if err != nil {
		return err
	}
	_, err = r.Snapshot(ctx, run, max(leftN, own[len(own)-1].N+1), "as the run left it",
		SnapshotOptions{After: []string{lastAttempt(own).Commit}})
	return err
}

package workspace

import (
	"context"
	"errors"
	"slices"

	"github.com/booty-cli/booty/internal/fault"
)

// Undo puts the work tree back to a checkpoint of a run: to what was before an
// attempt's successor, or, as UndoTarget has it, to what was before the run or
// its last resume, then with the index and the branch. It refuses, naming the
// files, where something of the user's would go; what an interrupted run or
// undo left half done is recorded instead, and put back.
func (r *Repo) Undo(ctx context.Context, run string, target Checkpoint) error {
	all, err := r.Checkpoints(ctx, run)
	if err != nil {
		return err
	}
	m, _, err := r.readMeta(r.store(), target)
	if err != nil {
		return err
	}
	if m.Worktree != "" && m.Worktree != r.worktreeID() {
		return fault.New(fault.Refused, "git worktree list, then booty -C there undo "+run,
			"run %s was made in another work tree of this repository", run)
	}
	if err := r.EndOwnMerge(ctx); err != nil {
		return err
	}
	u := undoing{run: run, target: target, began: all[0], last: all[len(all)-1], meta: m, whole: target.N == 0 ||
		target.Run != run}
	plan, err := r.planHead(ctx, u)
	if err != nil {
		return err
	}
	earlier, err := r.readState()
	if err != nil {
		return err
	}
	if err := r.beginUndo(ctx, u); err != nil {
		return err
	}
	// The index goes with the commit that it was made for.
	index := plan.move && plan.ahead == "" || m.Head == plan.head
	if err := r.Restore(ctx, target, RestoreOptions{Index: index}); err != nil {
		return err
	}
	if plan.move {
		if err := r.undoHead(ctx, plan, m); err != nil {
			return err
		}
	}
	if !u.whole && earlier != nil && earlier.Command != "undo" {
		return r.SaveState(ctx, *earlier) // the interrupted run is still to be ended
	}
	return r.ClearState(ctx)
}

// undoing is what is to be undone.
type undoing struct {
	run    string
	target Checkpoint
	// began and last are the first and the last state of the run.
	began, last Checkpoint
	meta        meta // of the target
	// whole says that the index and the branch go back, too.
	whole bool
}

// AsBefore tells whether the checkout is on the branch, at the commit and with
// the files of a checkpoint: then there is nothing to take back.
func (r *Repo) AsBefore(ctx context.Context, cp Checkpoint) (bool, error) {
	m, _, err := r.readMeta(r.store(), cp)
	if err != nil || m.Worktree != "" && m.Worktree != r.worktreeID() {
		return false, err
	}
	state, err := r.readState()
	if err != nil || state != nil {
		return false, err
	}
	branch, head, err := r.Head(ctx)
	if err != nil || branch != m.Branch || head != m.Head {
		return false, err
	}
	diff, err := r.Since(ctx, cp)
	return err == nil && len(diff) == 0, err
}

// beginUndo sees that nothing gets lost by the undo, and says that it is under way.
func (r *Repo) beginUndo(ctx context.Context, u undoing) error {
	state, err := r.readState()
	if err != nil {
		return err
	}
	if state != nil && state.Run != u.run {
		return fault.New(fault.Refused, "booty undo "+state.Run+", or booty resume "+state.Run,
			"%s %s was interrupted in this work tree; end it first", state.Command, state.Run)
	}
	branch, _, err := r.Head(ctx)
	if err != nil {
		return err
	}
	// A run on a branch of its own that is not checked out any more: what lies
	// here was made by someone else, however the run ended.
	killed := state != nil && (state.Origin.RunBranch == "" || state.Origin.RunBranch == branch)
	if err := r.refuseTheirs(ctx, u, killed); err != nil {
		return err
	}
	if killed {
		if _, _, err := r.keepStrays(ctx, u.run); err != nil {
			return err
		}
	}
	if err := r.keepStaged(ctx, u.run); err != nil {
		return err
	}
	if state == nil {
		state = &State{Run: u.run, Origin: Origin{Branch: u.meta.Branch, Commit: u.meta.Head, Start: u.target},
			Last: u.last.N}
	}
	state.Command, state.Step = "undo", "begun"
	return r.SaveState(ctx, *state)
}

// refuseTheirs refuses where the undo would take a change of the user's.
func (r *Repo) refuseTheirs(ctx context.Context, u undoing, killed bool) error {
	theirs, err := r.inTheWay(ctx, u.run, u.target, killed)
	if err != nil || len(theirs) == 0 {
		return classify("look at the work tree", err)
	}
	keep := "keep them first (git stash -u, or commit)"
	if u.target.Run == u.run {
		if met, err := r.Resumes(ctx, u.run); err == nil && len(met) > 0 {
			return fault.New(fault.Refused, keep+"; booty undo "+u.run+" goes back to the tree at the last resume, which has them",
				"changed by you since run %s: %s", u.run, someOf(theirs))
		}
	}
	return fault.New(fault.Refused, keep+", or look at the recorded state: git show "+u.target.Ref(),
		"changed since run %s ended: %s", u.run, someOf(theirs))
}

// keepStaged records the index as it is before an undo: what was staged since
// the run is then found under refs/booty/<run>/meta/undone.
func (r *Repo) keepStaged(ctx context.Context, run string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	st := r.store()
	tree, m, err := r.saveMeta(ctx, st)
	if err != nil {
		return err
	}
	commit, err := r.commitObject(st, tree, mustJSON(m), m.Head)
	if err != nil {
		return err
	}
	return r.updateRefs(ctx, refChange{refRoot + run + "/meta/undone", commit, ""})
}

// undoPlan is what happens to HEAD.
type undoPlan struct {
	branch, head string // now
	move         bool
	reset        bool // the branch itself goes back
	// tip is the commit of the starting branch where it has moved since: work
	// tree and index follow it, so that the commits made there stay in both.
	tip string
	// ahead is the commit that the branch gone to has now, where that is not the
	// target's: it stays, and the index becomes its.
	ahead string
}

// planHead decides about HEAD: back to the starting branch from the run's own,
// back on the same branch over the run's own commits, on to the run's own where
// the run was taken up again, and never elsewhere.
func (r *Repo) planHead(ctx context.Context, u undoing) (undoPlan, error) {
	branch, head, err := r.Head(ctx)
	if err != nil {
		return undoPlan{}, err
	}
	m := u.meta
	o := undoPlan{branch: branch, head: head}
	if branch == m.Branch && head == m.Head || !u.whole {
		return o, nil
	}
	state, err := r.readState()
	if err != nil {
		return o, err
	}
	st := r.store()
	lastMeta, _, err1 := r.readMeta(st, u.last)
	beganMeta, _, err2 := r.readMeta(st, u.began)
	if err := errors.Join(err1, err2); err != nil {
		return o, err
	}
	met, err := r.resumedAfter(ctx, u.run, u.target)
	if err != nil {
		return o, err
	}
	foreign := slices.ContainsFunc(met, func(x meeting) bool { return x.meta.Foreign })
	gone := slices.ContainsFunc(met, func(x meeting) bool { return x.meta.Branch == branch && !x.meta.Own })
	killed := state != nil && state.Run == u.run
	ownBranch := lastMeta.Branch != m.Branch && branch == lastMeta.Branch && !gone || killed &&
		state.Origin.RunBranch == branch && branch != m.Branch
	switch {
	case ownBranch:
		o.move = true
		return r.planReturn(o, m, u.run, state)
	case branch == m.Branch && !foreign && (head == lastMeta.Head || killed && r.ownCommit(state, head, m.Head)):
		o.move, o.reset = true, true
	case branch == m.Branch:
		return o, fault.New(fault.Refused, "take them back first: git reset --soft "+nameOf("", m.Head),
			"%s has commits that run %s did not make", nameOf(branch, head), u.run)
	case branch == beganMeta.Branch && m.Own:
		o.move = true
		if tip, err := st.ref("refs/heads/" + m.Branch); err != nil || tip != m.Head {
			o.ahead = tip
			return o, err
		}
	default:
		return o, fault.New(fault.Refused, "go back first: git switch "+nameOf(m.Branch, m.Head),
			"the checkout is on %s now, which run %s did not leave it on", nameOf(branch, head), u.run)
	}
	return o, nil
}

// planReturn looks whether the starting branch is still where the run found
// it: with its old tree under a newer tip, the user's commits would look taken
// back. A run that was cut short must be freed all the same: there the tree
// follows the tip.
func (r *Repo) planReturn(o undoPlan, m meta, run string, state *State) (undoPlan, error) {
	if m.Branch == "" {
		return o, nil
	}
	tip, err := r.store().ref("refs/heads/" + m.Branch)
	if err != nil || tip == m.Head {
		return o, err
	}
	switch {
	case tip == "":
		return o, fault.New(fault.Refused, "make it again first: git branch "+m.Branch+" "+nameOf("", m.Head),
			"branch %s, where run %s began, is gone", m.Branch, run)
	case state != nil && state.Run == run:
		o.tip = tip
		return o, nil
	}
	return o, fault.New(fault.Refused, "git switch "+m.Branch+" goes there and keeps them",
		"%s has commits that run %s did not make", m.Branch, run)
}

func (r *Repo) undoHead(ctx context.Context, o undoPlan, m meta) error {
	// Before HEAD: a kill in between leaves an undo that can be done again.
	if o.tip != "" {
		if _, err := r.git.run(ctx, call{args: []string{"read-tree", "-m", "-u", m.Head, o.tip}}); err != nil {
			return fault.New(fault.Refused, "git status",
				"branch %s has moved since, and the work tree cannot follow it: %w", m.Branch, err)
		}
	}
	r.step("undo: before HEAD")
	if o.reset && m.Branch != "" {
		if m.Head == "" {
			return r.updateRefs(ctx, refChange{"refs/heads/" + m.Branch, "", o.head})
		}
		return r.updateRefs(ctx, refChange{"refs/heads/" + m.Branch, m.Head, o.head})
	}
	if err := r.pointHead(ctx, Origin{Branch: m.Branch, Commit: m.Head}); err != nil || o.ahead == "" {
		return err
	}
	_, err := r.git.run(ctx, call{args: []string{"read-tree", o.ahead}})
	return err
}

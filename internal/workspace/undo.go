package workspace

import (
	"context"
	"maps"
	"slices"

	"github.com/booty-cli/booty/internal/fault"
)

// Undo puts the work tree back to checkpoint n of a run, 0 being the state
// before it, with the index and, for 0, the branch. It refuses, naming the
// files, where something was changed after the run's last checkpoint; what an
// interrupted run or undo left half done is recorded instead, and put back.
func (r *Repo) Undo(ctx context.Context, run string, n int) error {
	if err := checkRun(run); err != nil {
		return err
	}
	if err := r.mendStart(ctx, run); err != nil {
		return classify("look at the state before the run", err)
	}
	target, err := r.Checkpoint(ctx, run, n)
	if err != nil {
		return err
	}
	all, err := r.Checkpoints(ctx, run)
	if err != nil {
		return err
	}
	last := all[len(all)-1]
	m, _, err := r.readMeta(r.store(), target)
	if err != nil {
		return err
	}
	if m.Worktree != "" && m.Worktree != r.worktreeID() {
		return fault.New(fault.Refused, "git worktree list, then booty -C there undo "+run,
			"run %s was made in another work tree of this repository", run)
	}
	plan, err := r.planHead(ctx, target, last, m)
	if err != nil {
		return err
	}
	earlier, err := r.readState()
	if err != nil {
		return err
	}
	if err := r.beginUndo(ctx, target, all, m); err != nil {
		return err
	}
	// The index goes with the commit that it was made for.
	if err := r.Restore(ctx, target, RestoreOptions{Index: plan.move || m.Head == plan.head}); err != nil {
		return err
	}
	if plan.move {
		if err := r.undoHead(ctx, plan, m); err != nil {
			return err
		}
	}
	if n > 0 && earlier != nil && earlier.Command != "undo" {
		return r.SaveState(ctx, *earlier) // the interrupted run is still to be ended
	}
	return r.ClearState(ctx)
}

// AsBefore tells whether the checkout is on the branch, at the commit and with
// the files that it had before a run: then there is nothing to take back.
func (r *Repo) AsBefore(ctx context.Context, run string) (bool, error) {
	if err := r.mendStart(ctx, run); err != nil {
		return false, err
	}
	cp, err := r.Checkpoint(ctx, run, 0)
	if err != nil {
		return false, err
	}
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
func (r *Repo) beginUndo(ctx context.Context, target Checkpoint, all []Checkpoint, m meta) error {
	state, err := r.readState()
	if err != nil {
		return err
	}
	if state != nil && state.Run != target.Run {
		return fault.New(fault.Refused, "booty undo "+state.Run+", or booty resume "+state.Run,
			"%s %s was interrupted in this work tree; end it first", state.Command, state.Run)
	}
	branch, _, err := r.Head(ctx)
	if err != nil {
		return err
	}
	// A run on a branch of its own that is not checked out any more: what lies
	// here was made by someone else, however the run ended.
	elsewhere := state != nil && state.Origin.RunBranch != "" && state.Origin.RunBranch != branch
	if state == nil || elsewhere {
		if err := r.unchangedSince(ctx, target, all); err != nil {
			return err
		}
	} else if _, err := r.keepStrays(ctx, target.Run); err != nil {
		return err
	}
	if err := r.keepStaged(ctx, target.Run); err != nil {
		return err
	}
	if state == nil {
		state = &State{Run: target.Run, Origin: Origin{Branch: m.Branch, Commit: m.Head, Start: target}, Last: all[len(all)-1].N}
	}
	state.Command, state.Step = "undo", "begun"
	return r.SaveState(ctx, *state)
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

// unchangedSince refuses where the work tree holds something that no checkpoint
// of the run does: a later change of the user's.
func (r *Repo) unchangedSince(ctx context.Context, target Checkpoint, all []Checkpoint) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.openShadow(ctx)
	if err != nil {
		return err
	}
	changed, err := r.against(ctx, s, target)
	if err != nil {
		return err
	}
	for _, cp := range slices.Backward(all) {
		if len(changed) == 0 {
			return nil
		}
		differs, err := r.against(ctx, s, cp)
		if err != nil {
			return err
		}
		maps.DeleteFunc(changed, func(path string, _ pair) bool {
			_, still := differs[path]
			return !still
		})
	}
	if len(changed) == 0 {
		return nil
	}
	return fault.New(fault.Refused, "keep them first (git stash -u, or commit), or look at the recorded state: git show "+target.Ref(),
		"changed since run %s ended: %s", target.Run, someOf(slices.Sorted(maps.Keys(changed))))
}

// undoPlan is what happens to HEAD.
type undoPlan struct {
	branch, head string // now
	move         bool
	reset        bool // the branch itself goes back
	// tip is the commit of the starting branch where it has moved since: work
	// tree and index follow it, so that the commits made there stay in both.
	tip string
}

// planHead decides about HEAD: back to the starting branch from the run's own,
// back on the same branch over the run's own commits, and never elsewhere.
func (r *Repo) planHead(ctx context.Context, target, last Checkpoint, m meta) (undoPlan, error) {
	branch, head, err := r.Head(ctx)
	if err != nil {
		return undoPlan{}, err
	}
	o := undoPlan{branch: branch, head: head}
	if branch == m.Branch && head == m.Head || target.N != 0 {
		return o, nil
	}
	state, err := r.readState()
	if err != nil {
		return o, err
	}
	lastMeta, _, err := r.readMeta(r.store(), last)
	if err != nil {
		return o, err
	}
	ownBranch := lastMeta.Branch != m.Branch && branch == lastMeta.Branch ||
		state != nil && state.Run == target.Run && state.Origin.RunBranch == branch && branch != m.Branch
	switch {
	case ownBranch:
		o.move = true
		return r.planReturn(o, m, target.Run, state)
	case branch == m.Branch && (head == lastMeta.Head || state != nil && state.Run == target.Run && r.ownCommit(state, head, m.Head)):
		o.move, o.reset = true, true
	case branch == m.Branch:
		return o, fault.New(fault.Refused, "take them back first: git reset --soft "+nameOf("", m.Head),
			"%s has commits that run %s did not make", nameOf(branch, head), target.Run)
	default:
		return o, fault.New(fault.Refused, "go back first: git switch "+nameOf(m.Branch, m.Head),
			"the checkout is on %s now, which run %s did not leave it on", nameOf(branch, head), target.Run)
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
			return fault.New(fault.Refused, "git status", "branch %s has moved since, and the work tree cannot follow it: %w", m.Branch, err)
		}
	}
	r.step("undo: before HEAD")
	if o.reset && m.Branch != "" {
		if m.Head == "" {
			return r.updateRefs(ctx, refChange{"refs/heads/" + m.Branch, "", o.head})
		}
		return r.updateRefs(ctx, refChange{"refs/heads/" + m.Branch, m.Head, o.head})
	}
	return r.pointHead(ctx, Origin{Branch: m.Branch, Commit: m.Head})
}

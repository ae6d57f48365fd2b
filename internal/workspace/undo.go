package workspace

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
)

// Undo gives the files that a run wrote in this checkout the state of a checkpoint
// again, and takes the run's own commit, or its branch, away from HEAD. It refuses,
// naming the files, where the user has changed one of them since; all other files are
// not looked at. already reports that there was nothing to take back.
func (r *Repo) Undo(ctx context.Context, run string, target Checkpoint) (already bool, err error) {
	m, err := r.metaOf(target)
	if err != nil {
		return false, err
	}
	if m.Worktree != r.checkoutID() {
		return false, fault.New(fault.Refused, "git worktree list", "run %s was made in another work tree of this repository", run)
	}
	state, err := r.Interrupted(ctx)
	if err != nil {
		return false, err
	}
	if state != nil && state.Run != run {
		return false, fault.New(fault.Refused, "booty undo "+state.Run,
			"%s %s was interrupted in this work tree; end it first", state.Command, state.Run)
	}
	if state != nil && state.Origin.RunBranch != "" && r.merging() {
		if err := r.AbortMerge(ctx); err != nil { // the run was killed while it brought the base in
			return false, err
		}
	}
	plan, err := r.planHead(ctx, run, target, m, state)
	if err != nil {
		return false, err
	}
	r.step("undo: begun")
	moved, theirs, err := r.backTo(ctx, run, target, backOptions{tree: plan.from, theirs: target.N == 0})
	if err != nil {
		return false, err
	}
	if len(theirs) > 0 {
		return false, fault.New(fault.Refused, "git stash push -- "+quoteAll(theirs)+" && booty undo "+run,
			"you changed files that run %s had changed: %s", run, someOf(theirs))
	}
	if target.N == 0 && m.Head != "" && (plan.back || plan.reset || state != nil) {
		// A commit of the run's may have been half made: its entries are in the index.
		past, err := r.statesOf(ctx, run)
		if err == nil && len(past.written) > 0 {
			err = r.follow(ctx, slices.Collect(maps.Keys(past.written)), m.Head)
		}
		if err != nil {
			return false, err
		}
	}
	if err := r.undoHead(ctx, plan, m); err != nil {
		return false, err
	}
	return moved == 0 && state == nil && !plan.back && !plan.reset, r.ClearState(ctx)
}

// undoPlan is what happens to HEAD.
type undoPlan struct {
	branch, head string // now
	// back says that HEAD goes back to the branch where the run began, reset that the
	// branch itself goes back over the run's own commit.
	back, reset bool
	// from is the commit whose files go with it; "" where HEAD stays.
	from string
}

// planHead decides about HEAD: back to the starting branch from the run's own, back on
// the same branch over the run's own commit, and never elsewhere.
func (r *Repo) planHead(ctx context.Context, run string, target Checkpoint, m meta, state *State) (undoPlan, error) {
	branch, head, err := r.Head(ctx)
	if err != nil {
		return undoPlan{}, err
	}
	p := undoPlan{branch: branch, head: head}
	if branch == m.Branch && head == m.Head || target.N > 0 {
		return p, nil
	}
	began, err := r.Checkpoint(ctx, run, 0)
	if err != nil {
		return p, err
	}
	if state != nil && state.Origin.RunBranch == branch && branch != m.Branch && began.Commit == target.Commit {
		p.back, p.from = true, head
		return p, nil
	}
	made, err := r.madeBy(run, head, m.Head)
	if err != nil {
		return p, err
	}
	if branch == m.Branch && made {
		p.reset = true
	}
	return p, nil // else the commits are the user's, and the files alone go back
}

// madeBy reports whether a commit, and all between it and parent, are the run's own.
func (r *Repo) madeBy(run, hash, parent string) (bool, error) {
	st := r.store()
	for range maxOwnCommits {
		if hash == "" || parent == "" {
			return false, nil
		}
		c, err := st.commit(hash)
		if err != nil || len(c.ParentHashes) == 0 || !strings.Contains(c.Message, "\nBooty-Run: "+run+"\n") {
			return false, err
		}
		if hash = c.ParentHashes[0].String(); hash == parent {
			return true, nil
		}
	}
	return false, nil
}

// maxOwnCommits bounds how many commits a run makes: the change, and one of tests.
const maxOwnCommits = 4

func (r *Repo) undoHead(ctx context.Context, p undoPlan, m meta) error {
	switch {
	case p.back:
		return r.pointHead(ctx, Origin{Branch: m.Branch, Commit: m.Head}, p.head, m.Head)
	case !p.reset:
		return nil
	}
	if err := r.moveIndex(ctx, p.head, m.Head); err != nil {
		return fault.New(fault.Refused, "git reset --soft "+nameOf("", m.Head), "take the commit of the run back: %w", err)
	}
	r.step("undo: before HEAD")
	if _, err := r.git.run(ctx, call{args: []string{"update-ref", "-m", "booty: undo", "HEAD", m.Head,
		p.head}}); err != nil {
		return fault.New(fault.Git, "git reset --soft "+nameOf("", m.Head), "take the commit of the run back: %w", err)
	}
	return nil
}

// HasWritten reports whether a run wrote anything in this checkout.
func (r *Repo) HasWritten(ctx context.Context, run string) bool {
	list, err := r.family(ctx, run)
	if err != nil || len(list) == 0 {
		return false
	}
	m, err := r.metaOf(list[0])
	if err != nil || m.Worktree != r.checkoutID() {
		return false
	}
	return slices.ContainsFunc(list, func(cp Checkpoint) bool {
		m, err := r.metaOf(cp)
		return err == nil && len(m.Written) > 0
	})
}

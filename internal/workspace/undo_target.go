package workspace

import (
	"context"
	"errors"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// inTheWay lists the paths of the work tree that going back to a checkpoint of
// a run would take from the user: what no state of the run has, and what the
// user had changed when the run was taken up again after that checkpoint. With
// killed, whatever else lies there is taken for what the kill left.
func (r *Repo) inTheWay(ctx context.Context, run string, target Checkpoint, killed bool) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.openShadow(ctx)
	if err != nil {
		return nil, err
	}
	diff, err := r.against(ctx, s, target)
	if err != nil || len(diff) == 0 {
		return nil, err
	}
	all, err := r.allStates(ctx, run)
	if err != nil {
		return nil, err
	}
	later, err := r.resumedAfter(ctx, run, target)
	if err != nil {
		return nil, err
	}
	var list []string
	for path, p := range diff {
		mine := false
		for _, m := range later {
			if mine, err = m.holds(path, p.is); err != nil || mine {
				break
			}
		}
		if err != nil {
			return nil, err
		}
		if !mine && !killed {
			known, err := all.have(path, p.is)
			if err != nil {
				return nil, err
			}
			mine = !known
		}
		if mine {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list, nil
}

// allStates are all that is recorded of a run, what it found and left included.
func (r *Repo) allStates(ctx context.Context, run string) (states, error) {
	own, err := r.ownStates(ctx, run)
	if err != nil {
		return own, err
	}
	list, err := r.Checkpoints(ctx, run)
	if err != nil {
		return own, err
	}
	met, err := r.Resumes(ctx, run)
	if err != nil {
		return own, err
	}
	st := r.store()
	for _, cp := range append(list, met...) {
		tree, err := st.tree(cp.Tree)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		if err != nil {
			return own, err
		}
		own.trees = append(own.trees, tree)
	}
	return own, nil
}

// meeting is what a run found when it was taken up again, and the states that
// it had made until then.
type meeting struct {
	found  *object.Tree
	before states
	meta   meta
}

// holds tells whether a path was the user's at the meeting, and what lies there
// now is not what booty had made before it.
func (m meeting) holds(path string, is fileState) (bool, error) {
	then, err := m.before.st.stateIn(m.found, path)
	if err != nil {
		return false, err
	}
	booty, err := m.before.have(path, then)
	if err != nil || booty {
		return false, err
	}
	booty, err = m.before.have(path, is)
	return !booty, err
}

// resumedAfter gives the meetings that came after a checkpoint was made.
func (r *Repo) resumedAfter(ctx context.Context, run string, target Checkpoint) ([]meeting, error) {
	met, err := r.Resumes(ctx, run)
	if err != nil {
		return nil, err
	}
	st := r.store()
	var list []meeting
	var before states
	for _, cp := range met {
		parents, err := st.parents(cp.Commit)
		if err != nil {
			return nil, err
		}
		until, err := st.statesOf(parents...)
		if err != nil {
			return nil, err
		}
		before = states{st, append(before.trees, until.trees...), append(before.files, until.files...)}
		after := cp.N > target.N
		if target.Run == run {
			if after, err = st.descends(cp.Commit, target.Commit); err != nil {
				return nil, err
			}
		}
		if !after {
			continue
		}
		tree, err := st.tree(cp.Tree)
		if err != nil {
			return nil, err
		}
		m, _, err := r.readMeta(st, cp)
		if err != nil {
			return nil, err
		}
		list = append(list, meeting{tree, before, m})
	}
	return list, nil
}

// descends tells whether a commit of booty's descends from another.
func (s store) descends(commit, from string) (bool, error) {
	next := []string{commit}
	for seen := map[string]bool{}; len(next) > 0; {
		hash := next[0]
		next = next[1:]
		if hash == from {
			return true, nil
		}
		if seen[hash] {
			continue
		}
		seen[hash] = true
		c, err := s.commit(hash)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue // a command that may write to the git directory has removed it
		}
		if err != nil {
			return false, err
		}
		if c.Committer.Email != ownEmail {
			continue
		}
		for _, p := range c.ParentHashes {
			next = append(next, p.String())
		}
	}
	return false, nil
}

// UndoTarget is where Undo goes back to where nobody names an attempt: the
// tree at the last resume, else the one before the run. A run that was killed on
// a branch of its own, and found nothing there of the user's, has nothing to go
// back to but its start.
func (r *Repo) UndoTarget(ctx context.Context, run string) (Checkpoint, error) {
	start, err := r.UndoAttempt(ctx, run, 0)
	if err != nil {
		return start, err
	}
	met, err := r.Resumes(ctx, run)
	if err != nil || len(met) == 0 {
		return start, err
	}
	last := met[len(met)-1]
	st := r.store()
	found, _, err := r.readMeta(st, last)
	if err != nil || !found.Own {
		return last, err
	}
	parents, err := st.parents(last.Commit)
	if err != nil {
		return start, err
	}
	before, err := st.statesOf(parents...)
	if err != nil {
		return start, err
	}
	list, err := st.compare(ctx, start.Tree, last.Tree)
	if err != nil {
		return start, err
	}
	for _, c := range list {
		own, err := before.have(c.Path, c.is)
		if err != nil || !own {
			return last, err
		}
	}
	return start, nil
}

// UndoAttempt is the state that an attempt left, 0 being the one before the run.
func (r *Repo) UndoAttempt(ctx context.Context, run string, n int) (Checkpoint, error) {
	if err := checkRun(run); err != nil {
		return Checkpoint{}, err
	}
	if err := r.mendStart(ctx, run); err != nil {
		return Checkpoint{}, classify("look at the state before the run", err)
	}
	return r.Checkpoint(ctx, run, n)
}

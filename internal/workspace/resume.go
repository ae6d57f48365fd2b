package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
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
	// FromStates hold the trees that a run was gone on from, where that was not
	// what it found: the tip of its own branch.
	FromStates = "-from"
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
	list, err := r.family(ctx, run+FromStates)
	if err != nil {
		return Checkpoint{}, err
	}
	return r.Snapshot(ctx, run+FromStates, next(list), "what run "+run+" was gone on from")
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
		if m != nil && cp.Commit == m.Commit {
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
	return r.family(ctx, run+FromStates)
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

// Differences says what differs in the work tree from a checkpoint, and whose
// it is.
type Differences struct {
	// Own are paths that are as some state of the run has them.
	Own []string
	// Theirs are all others.
	Theirs []Change
}

// Differs compares the work tree with a checkpoint of a run.
func (r *Repo) Differs(ctx context.Context, run string, cp Checkpoint) (Differences, error) {
	var d Differences
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.openShadow(ctx)
	if err != nil {
		return d, classify("look at the work tree", err)
	}
	diff, err := r.against(ctx, s, cp)
	if err != nil {
		return d, classify("look at the work tree", err)
	}
	known, err := r.ownStates(ctx, run)
	if err != nil {
		return d, err
	}
	for _, path := range slices.Sorted(maps.Keys(diff)) {
		p := diff[path]
		own, err := known.have(path, p.is)
		if err != nil {
			return d, err
		}
		if own {
			d.Own = append(d.Own, path)
			continue
		}
		d.Theirs = append(d.Theirs, changeOf(path, p))
	}
	return d, nil
}

func changeOf(path string, p pair) Change {
	c := Change{Path: path, Op: "modify"}
	if !p.was.present() {
		c.Op = "create"
	} else if !p.is.present() {
		c.Op = "delete"
	}
	return c
}

// states are trees that booty made, and files that it was about to write.
type states struct {
	st    store
	trees []*object.Tree
	files []map[string]fileState
}

// have tells whether a path was so in one of the states.
func (s states) have(path string, is fileState) (bool, error) {
	for _, files := range s.files {
		if f, ok := files[path]; ok && (!f.present() && !is.present() || f.hash == is.hash) {
			return true, nil
		}
	}
	for _, tree := range s.trees {
		was, err := s.st.stateIn(tree, path)
		if err != nil {
			return false, err
		}
		if !is.differs(was) {
			return true, nil
		}
	}
	return false, nil
}

// ownStates are all states that a run has made so far.
func (r *Repo) ownStates(ctx context.Context, run string) (states, error) {
	own, err := r.Checkpoints(ctx, run)
	if err != nil {
		return states{}, err
	}
	met, err := r.Resumes(ctx, run)
	if err != nil {
		return states{}, err
	}
	var from []string
	for _, cp := range own {
		if cp.N < leftN {
			from = append(from, cp.Commit)
		}
	}
	for _, suffix := range []string{BaseStates, SettledStates} {
		base, err := r.family(ctx, run+suffix)
		if err != nil {
			return states{}, err
		}
		for _, cp := range base {
			from = append(from, cp.Commit)
		}
	}
	st := r.store()
	for _, cp := range met {
		parents, err := st.parents(cp.Commit)
		if err != nil {
			return states{}, err
		}
		from = append(from, parents...)
	}
	planned, err := st.ref(plannedRef(run))
	if err != nil {
		return states{}, err
	}
	return st.statesOf(append(from, planned)...)
}

func (s store) parents(commit string) ([]string, error) {
	c, err := s.commit(commit)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, p := range c.ParentHashes {
		list = append(list, p.String())
	}
	return list, nil
}

// statesOf gives the states that commits of booty's hold, with all that they
// descend from, up to the user's own commits.
func (s store) statesOf(commits ...string) (states, error) {
	out := states{st: s}
	seen := map[string]bool{"": true}
	for len(commits) > 0 {
		hash := commits[0]
		commits = commits[1:]
		if seen[hash] {
			continue
		}
		seen[hash] = true
		c, err := s.commit(hash)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue // a command that may write to the git directory has removed it
		}
		if err != nil {
			return out, err
		}
		if c.Committer.Email != ownEmail {
			continue
		}
		if files, ok := plannedFiles(c.Message); ok {
			out.files = append(out.files, files)
			continue
		}
		tree, err := c.Tree()
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			continue
		}
		if err != nil {
			return out, fmt.Errorf("read a state of the run: %w", err)
		}
		out.trees = append(out.trees, tree)
		for _, p := range c.ParentHashes {
			commits = append(commits, p.String())
		}
	}
	return out, nil
}

// Intended is a file that is about to be written.
type Intended struct {
	Path string
	Mode fs.FileMode
	// Data is nil where the file goes away.
	Data []byte
	Gone bool
}

func plannedRef(run string) string { return refRoot + run + "/planned" }

// Intend records what a proposal is about to write, so that after a kill in
// the middle its files are not taken for the user's.
func (r *Repo) Intend(ctx context.Context, run string, files []Intended) error {
	if err := checkRun(run); err != nil {
		return err
	}
	st := r.store()
	var list []rememberedFile
	for _, f := range files {
		x := rememberedFile{Path: f.Path}
		if !f.Gone {
			x.Mode, x.Hash = fileMode(f.Mode, modeFile), hashBlob(f.Data)
		}
		list = append(list, x)
	}
	tree, err := st.encode(&object.Tree{})
	if err != nil {
		return err
	}
	commit, err := r.commitObject(st, tree, mustJSON(list))
	if err != nil {
		return err
	}
	return r.updateRefs(ctx, refChange{plannedRef(run), commit, ""})
}

// plannedFiles reads what Intend wrote.
func plannedFiles(message string) (map[string]fileState, bool) {
	var list []rememberedFile
	if !strings.HasPrefix(message, "[") || json.Unmarshal([]byte(message), &list) != nil {
		return nil, false
	}
	files := map[string]fileState{}
	for _, f := range list {
		files[f.Path] = fileState{f.Mode, f.Hash}
	}
	return files, true
}

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

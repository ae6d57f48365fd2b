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

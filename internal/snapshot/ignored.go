package snapshot

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"github.com/booty-cli/booty/internal/git"
)

// Ignored tells which of the paths git ignores: those that a commit would lack.
// Tracked files are never among them, nor is what the commit that is checked out holds.
func (r *Recorder) Ignored(ctx context.Context, paths []string) ([]string, error) {
	st := r.at.Store.Objects()
	_, head, err := st.Head()
	if err != nil || head == "" {
		return r.askIgnored(ctx, paths)
	}
	tree, err := st.Tree(head)
	if err != nil {
		return nil, err
	}
	var unknown []string
	for _, path := range paths {
		if state, err := st.Entry(tree, path); err != nil || !state.Present() ||
			ThroughSymlink(r.at.Root, path) {
			unknown = append(unknown, path)
		}
	}
	return r.askIgnored(ctx, unknown)
}

// askIgnored asks git about the paths whose answer is not known.
func (r *Recorder) askIgnored(ctx context.Context, paths []string) ([]string, error) {
	var ask, ignored []string
	read := map[string][]fs.FileInfo{}
	for _, path := range paths {
		read[path] = r.at.readForIgnored(path)
		switch is, known := r.ignoring.get(path, read[path]); {
		case !known:
			ask = append(ask, path)
		case is:
			ignored = append(ignored, path)
		}
	}
	said, err := r.at.Git.Ignored(ctx, ask)
	if err != nil {
		return nil, err
	}
	for _, path := range ask {
		r.ignoring.put(path, read[path], slices.Contains(said, path))
	}
	return append(ignored, said...), nil
}

// Remember records ignored files that an edit is about to change, so that Undo
// brings them back too. To be called before the edit; what a run remembered
// first stays.
func (r *Recorder) Remember(_ context.Context, run string, paths []string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := CheckRun(run); err != nil {
		return err
	}
	st := r.at.Store.Objects()
	known, err := r.records.Remembered(st, run)
	if err != nil {
		return err
	}
	added := false
	for _, path := range paths {
		if _, ok := known[path]; ok {
			continue
		}
		state, err := r.files.Keep(path)
		if err != nil {
			return err
		}
		known[path], added = state, true
	}
	if !added {
		return nil
	}
	return git.Classify("record ignored files", r.records.saveRemembered(st, run, known))
}

// rememberedFile is a line in the commit message that lists ignored files.
type rememberedFile struct {
	Path string `json:"path"`
	Mode uint32 `json:"mode"` // 0: there was none
	Hash string `json:"hash,omitempty"`
}

// Remembered gives the ignored files that a run keeps, and their state before.
func (r Records) Remembered(st git.Objects, run string) (map[string]git.Entry, error) {
	known := map[string]git.Entry{}
	commit, err := st.Ref(ignoredRef(run))
	if err != nil || commit == "" {
		return known, err
	}
	c, err := st.Commit(commit)
	if err != nil {
		return nil, err
	}
	var list []rememberedFile
	if err := json.Unmarshal([]byte(c.Message), &list); err != nil {
		return nil, fmt.Errorf("read the list of ignored files of run %s: %w", run, err)
	}
	for _, f := range list {
		known[f.Path] = git.Entry{Mode: f.Mode, Hash: f.Hash}
	}
	return known, nil
}

// saveRemembered writes the list; a tree beside it keeps the blobs alive.
func (r Records) saveRemembered(st git.Objects, run string, known map[string]git.Entry) error {
	var list []rememberedFile
	var hashes []string
	for path, state := range known {
		list = append(list, rememberedFile{path, state.Mode, state.Hash})
		if state.Present() {
			hashes = append(hashes, state.Hash)
		}
	}
	tree, err := st.KeepBlobs(hashes)
	if err != nil {
		return err
	}
	commit, err := r.Commit(st, tree, mustJSON(list))
	if err != nil {
		return err
	}
	return r.store.SetRef(ignoredRef(run), commit)
}

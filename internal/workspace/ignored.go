package workspace

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/git"
)

// Ignored tells which of the paths git ignores: those that a commit would lack.
// Tracked files are never among them, nor is what the commit that is checked out holds.
func (r *Repo) Ignored(ctx context.Context, paths []string) ([]string, error) {
	_, head, err := r.Head(ctx)
	if err != nil || head == "" {
		return r.askIgnored(ctx, paths)
	}
	st := r.objects()
	tree, err := st.Tree(head)
	if err != nil {
		return nil, err
	}
	var unknown []string
	for _, path := range paths {
		if state, err := stateIn(st, tree, path); err != nil || !state.present() ||
			throughSymlink(r.root, path) {
			unknown = append(unknown, path)
		}
	}
	return r.askIgnored(ctx, unknown)
}

// askIgnored asks git about the paths whose answer is not known.
func (r *Repo) askIgnored(ctx context.Context, paths []string) ([]string, error) {
	var ask, ignored []string
	read := map[string][]fs.FileInfo{}
	for _, path := range paths {
		read[path] = r.readForIgnored(path)
		switch is, known := r.ignoring.get(path, read[path]); {
		case !known:
			ask = append(ask, path)
		case is:
			ignored = append(ignored, path)
		}
	}
	said, err := r.checkIgnore(ctx, ask)
	if err != nil {
		return nil, err
	}
	for _, path := range ask {
		r.ignoring.put(path, read[path], slices.Contains(said, path))
	}
	return append(ignored, said...), nil
}

func (r *Repo) checkIgnore(ctx context.Context, paths []string, flags ...string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	var in strings.Builder
	for _, path := range paths {
		in.WriteString("./" + path + "\x00") // else a leading colon would be magic
	}
	out, err := r.git.Run(ctx, git.Call{
		Args:  append([]string{"check-ignore", "-z", "--stdin"}, flags...),
		Stdin: strings.NewReader(in.String()),
	})
	if err != nil && git.ExitCode(err) != 1 { // 1: none is ignored
		return nil, fmt.Errorf("ask git which files it ignores: %w", err)
	}
	ignored := git.SplitNul(out)
	for i, path := range ignored {
		ignored[i] = strings.TrimPrefix(path, "./")
	}
	return ignored, nil
}

// Remember records ignored files that an edit is about to change, so that Undo
// brings them back too. To be called before the edit; what a run remembered
// first stays.
func (r *Repo) Remember(_ context.Context, run string, paths []string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := checkRun(run); err != nil {
		return err
	}
	st := r.objects()
	known, err := r.remembered(st, run)
	if err != nil {
		return err
	}
	added := false
	for _, path := range paths {
		if _, ok := known[path]; ok {
			continue
		}
		state, err := r.keepBytes(path)
		if err != nil {
			return err
		}
		known[path], added = state, true
	}
	if !added {
		return nil
	}
	return git.Classify("record ignored files", r.saveRemembered(st, run, known))
}

// keepBytes stores a file as it lies on disk and gives its state.
func (r *Repo) keepBytes(path string) (fileState, error) {
	state, why := stateOf(r.root, path, 0)
	if why != "" {
		return fileState{}, fmt.Errorf("record %s: %s", path, why)
	}
	if !state.present() {
		return state, nil
	}
	data, err := readState(r.root, path, state)
	if err != nil {
		return fileState{}, fmt.Errorf("record %s: %w", path, err)
	}
	if state.hash, err = r.objects().PutBlob(data); err != nil {
		return fileState{}, fmt.Errorf("record %s: %w", path, err)
	}
	return state, nil
}

// rememberedFile is a line in the commit message that lists ignored files.
type rememberedFile struct {
	Path string `json:"path"`
	Mode uint32 `json:"mode"` // 0: there was none
	Hash string `json:"hash,omitempty"`
}

// remembered gives the ignored files that a run keeps, and their state before.
func (r *Repo) remembered(st git.Objects, run string) (map[string]fileState, error) {
	known := map[string]fileState{}
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
		known[f.Path] = fileState{f.Mode, f.Hash}
	}
	return known, nil
}

// saveRemembered writes the list; a tree beside it keeps the blobs alive.
func (r *Repo) saveRemembered(st git.Objects, run string, known map[string]fileState) error {
	var list []rememberedFile
	var hashes []string
	for path, state := range known {
		list = append(list, rememberedFile{path, state.mode, state.hash})
		if state.present() {
			hashes = append(hashes, state.hash)
		}
	}
	tree, err := blobTree(st, hashes)
	if err != nil {
		return err
	}
	commit, err := r.commitObject(st, tree, mustJSON(list))
	if err != nil {
		return err
	}
	return r.setRef(ignoredRef(run), commit)
}

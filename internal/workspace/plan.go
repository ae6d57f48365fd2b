package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/shellword"
)

// Intended is a file that is about to be written.
type Intended struct {
	Path string
	Mode fs.FileMode
	// Data is nil where the file goes away.
	Data []byte
	Gone bool
}

// Plan records what a proposal makes of a state, as checkpoint n of a run, before it
// is written: after a kill in the middle each file is as one of the two has it.
func (r *Repo) Plan(ctx context.Context, run string, n int, from Checkpoint, files []Intended,
	message string) (Checkpoint, error) {
	if err := checkRun(run); err != nil {
		return Checkpoint{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	st := r.objects()
	m, err := r.metaOf(from)
	if err != nil {
		return Checkpoint{}, err
	}
	if m.Branch, m.Head, err = r.Head(ctx); err != nil {
		return Checkpoint{}, err
	}
	tree, err := st.Tree(from.Tree)
	if err != nil {
		return Checkpoint{}, err
	}
	changes := map[string]fileState{}
	for _, f := range files {
		if f.Gone {
			changes[f.Path] = fileState{}
			continue
		}
		hash, err := st.PutBlob(f.Data)
		if err != nil {
			return Checkpoint{}, err
		}
		was, err := stateIn(st, tree, f.Path)
		if err != nil {
			return Checkpoint{}, err
		}
		mode := fileMode(f.Mode, was.mode)
		if was.mode == modeSymlink {
			mode = was.mode
		}
		changes[f.Path] = fileState{mode, hash}
	}
	hash, err := treeWith(st, tree, changes)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("record a proposal: %w", err)
	}
	cp, err := r.keepCheckpoint(st, Checkpoint{Run: run, N: n, Tree: hash, Unsaved: from.Unsaved}, message, m)
	return cp, git.Classify("record a proposal", err)
}

// treeWith writes a tree that is another one but for some paths.
func treeWith(s git.Objects, tree *object.Tree, changes map[string]fileState) (string, error) {
	here, below := map[string]fileState{}, map[string]map[string]fileState{}
	for path, state := range changes {
		if dir, rest, deeper := strings.Cut(path, "/"); deeper {
			if below[dir] == nil {
				below[dir] = map[string]fileState{}
			}
			below[dir][rest] = state
		} else {
			here[path] = state
		}
	}
	entries := map[string]object.TreeEntry{}
	if tree != nil {
		for _, e := range tree.Entries {
			entries[e.Name] = e
		}
	}
	for name, state := range here {
		delete(entries, name)
		if state.present() {
			entries[name] = object.TreeEntry{Name: name, Mode: filemode.FileMode(state.mode),
				Hash: hashOf(state.hash)}
		}
	}
	for name, inside := range below {
		var sub *object.Tree
		if e, ok := entries[name]; ok && e.Mode == filemode.Dir {
			var err error
			if sub, err = object.GetTree(s, e.Hash); err != nil {
				return "", err
			}
		}
		hash, err := treeWith(s, sub, inside)
		if err != nil {
			return "", err
		}
		if delete(entries, name); hash != emptyTree {
			entries[name] = object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: hashOf(hash)}
		}
	}
	out := &object.Tree{Entries: slices.Collect(maps.Values(entries))}
	slices.SortFunc(out.Entries, compareNames)
	return s.Put(out)
}

// ChangedSince names those of the paths that are not as a checkpoint has them.
func (r *Repo) ChangedSince(_ context.Context, cp Checkpoint, paths []string) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	moves, err := r.movesOf(cp, paths)
	var names []string
	for _, m := range moves {
		names = append(names, m.path)
	}
	return names, git.Classify("look at the work tree", err)
}

func hashOf(name string) plumbing.Hash { return plumbing.NewHash(name) }

// emptyTree is the name of a directory with nothing in it, which git does not keep.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// compareNames orders the entries of a tree as git does: a directory as if its name
// ended in a slash.
func compareNames(a, b object.TreeEntry) int {
	name := func(e object.TreeEntry) string {
		if e.Mode == filemode.Dir {
			return e.Name + "/"
		}
		return e.Name
	}
	return strings.Compare(name(a), name(b))
}

// quoteAll gives paths as words of a shell command.
func quoteAll(paths []string) string {
	var words []string
	for _, p := range paths {
		if word, ok := shellword.Quote(p); ok {
			p = word
		}
		words = append(words, p)
	}
	return strings.Join(words, " ")
}

// Intent gives files as they are now, for Plan.
func (r *Repo) Intent(paths []string) ([]Intended, error) {
	var list []Intended
	for _, path := range paths {
		is, why := stateOf(r.root, path, 0)
		if why != "" {
			return nil, fmt.Errorf("record %s: %s", path, why)
		}
		f := Intended{Path: path, Gone: !is.present()}
		if is.present() {
			data, err := readState(r.root, path, is)
			if err != nil {
				return nil, fmt.Errorf("record %s: %w", path, err)
			}
			f.Data, f.Mode = data, 0o644
			if is.mode == modeExec {
				f.Mode = 0o755
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// NextState is the first number that no state of a family has, from 1.
func (r *Repo) NextState(family string) (int, error) {
	for n := 1; ; n++ {
		ref, err := r.own.Ref(checkpointRef(family, n))
		if err != nil || ref == "" {
			return n, err
		}
	}
}

package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"strings"

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
	st := r.own.Objects()
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
	changes := map[string]git.Entry{}
	for _, f := range files {
		if f.Gone {
			changes[f.Path] = git.Entry{}
			continue
		}
		hash, err := st.PutBlob(f.Data)
		if err != nil {
			return Checkpoint{}, err
		}
		was, err := st.Entry(tree, f.Path)
		if err != nil {
			return Checkpoint{}, err
		}
		mode := fileMode(f.Mode, was.Mode)
		if was.Mode == git.ModeSymlink {
			mode = was.Mode
		}
		changes[f.Path] = git.Entry{Mode: mode, Hash: hash}
	}
	hash, err := st.TreeWith(tree, changes)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("record a proposal: %w", err)
	}
	cp, err := r.keepCheckpoint(st, Checkpoint{Run: run, N: n, Tree: hash, Unsaved: from.Unsaved}, message, m)
	return cp, git.Classify("record a proposal", err)
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
		f := Intended{Path: path, Gone: !is.Present()}
		if is.Present() {
			data, err := readState(r.root, path, is)
			if err != nil {
				return nil, fmt.Errorf("record %s: %w", path, err)
			}
			f.Data, f.Mode = data, 0o644
			if is.Mode == git.ModeExec {
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

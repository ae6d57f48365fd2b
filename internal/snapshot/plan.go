package snapshot

import (
	"context"
	"fmt"
	"io/fs"

	"github.com/booty-cli/booty/internal/git"
)

// Plan records what a proposal makes of a state, as checkpoint n of a run, before it
// is written: after a kill in the middle each file is as one of the two has it.
func (r *Recorder) Plan(_ context.Context, run string, n int, from Checkpoint, files []Intended,
	message string) (Checkpoint, error) {
	if err := CheckRun(run); err != nil {
		return Checkpoint{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	st := r.at.Store.Objects()
	m, err := r.records.meta(from)
	if err != nil {
		return Checkpoint{}, err
	}
	if m.Branch, m.Head, err = r.at.Store.Objects().Head(); err != nil {
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
	cp, err := r.records.keep(st, Checkpoint{Run: run, N: n, Tree: hash, Unsaved: from.Unsaved}, message, m)
	return cp, git.Classify("record a proposal", err)
}

// Intended is a file that is about to be written.
type Intended struct {
	Path string
	Mode fs.FileMode
	// Data is nil where the file goes away.
	Data []byte
	Gone bool
}

// Intent gives files as they are now, for Plan.
func (r *Recorder) Intent(paths []string) ([]Intended, error) {
	var list []Intended
	for _, path := range paths {
		is, why := OnDisk(r.at.Root, path, 0)
		if why != "" {
			return nil, fmt.Errorf("record %s: %s", path, why)
		}
		f := Intended{Path: path, Gone: !is.Present()}
		if is.Present() {
			data, err := ReadDisk(r.at.Root, path, is)
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

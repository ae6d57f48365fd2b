package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// IsOutput says that a path is a file that booty itself writes: its output, as with a
// shell's "booty refine >log", or its state, where that lies below the checkout, as in a
// home directory that is a repository. It is no part of the work: not recorded, not shown
// to a model, not put back, not removed.
func (r *Repo) IsOutput(path string) bool {
	if r.inState(path) {
		return true
	}
	if len(r.outputs) == 0 {
		return false
	}
	info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(path)))
	return err == nil && slices.ContainsFunc(r.outputs,
		func(o fs.FileInfo) bool { return os.SameFile(o, info) })
}

// inState reports whether a path is, or is in, booty's state directory.
func (r *Repo) inState(path string) bool {
	rest, ok := strings.CutPrefix(path, r.stateBelow)
	return r.stateBelow != "" && ok && (rest == "" || rest[0] == '/')
}

// isState reports whether a path of the file system is booty's state directory.
func (r *Repo) isState(path string) bool {
	return r.stateBelow != "" && path == filepath.Join(r.root, filepath.FromSlash(r.stateBelow))
}

// findState notes where the state directory lies in the checkout.
func (r *Repo) findState() {
	dir := r.stateDir
	if dir == "" {
		return
	}
	// It may not be there yet: its nearest parent says where it will be.
	for parent, rest := dir, ""; ; parent, rest = filepath.Dir(parent),
		filepath.Join(filepath.Base(parent), rest) {
		if real, err := filepath.EvalSymlinks(parent); err == nil {
			dir = filepath.Join(real, rest)
			break
		}
		if filepath.Dir(parent) == parent {
			break
		}
	}
	root, err := filepath.EvalSymlinks(r.root)
	if err != nil {
		return
	}
	if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) && rel != "." {
		r.stateBelow = filepath.ToSlash(rel)
	}
}

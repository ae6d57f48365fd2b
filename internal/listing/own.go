package listing

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// OwnFiles are the files in a checkout that booty itself writes: its output, as with a
// shell's "booty refine >log", and its state, where that lies below the checkout, as in a
// home directory that is a repository. They are no part of the work: not recorded, not shown
// to a model, not put back, not removed. A tree of booty's own has none.
type OwnFiles struct {
	root    string
	outputs []fs.FileInfo
	// stateBelow is the state directory as a slash path below root, "" where it is not below it.
	stateBelow string
}

// OwnFilesIn are those in the checkout at root.
func OwnFilesIn(root, stateDir string, outputs []fs.FileInfo) OwnFiles {
	return OwnFiles{root: root, outputs: outputs, stateBelow: below(root, stateDir)}
}

// None reports whether there can be no such file.
func (o OwnFiles) None() bool { return len(o.outputs) == 0 && o.stateBelow == "" }

// Has reports whether a path is one of them.
func (o OwnFiles) Has(path string) bool {
	if o.inState(path) {
		return true
	}
	if len(o.outputs) == 0 {
		return false
	}
	info, err := os.Lstat(filepath.Join(o.root, filepath.FromSlash(path)))
	return err == nil && slices.ContainsFunc(o.outputs,
		func(output fs.FileInfo) bool { return os.SameFile(output, info) })
}

// inState reports whether a path is, or is in, booty's state directory.
func (o OwnFiles) inState(path string) bool {
	rest, ok := strings.CutPrefix(path, o.stateBelow)
	return o.stateBelow != "" && ok && (rest == "" || rest[0] == '/')
}

// IsStateDir reports whether a path of the file system is booty's state directory.
func (o OwnFiles) IsStateDir(path string) bool {
	return o.stateBelow != "" && path == filepath.Join(o.root, filepath.FromSlash(o.stateBelow))
}

// below gives a state directory as a slash path below root, "" where it is not below it.
func below(root, dir string) string {
	if dir == "" {
		return ""
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
	root, err := filepath.EvalSymlinks(root)
	if err != nil {
		return ""
	}
	if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) && rel != "." {
		return filepath.ToSlash(rel)
	}
	return ""
}

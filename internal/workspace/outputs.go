package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// IsOutput says that a path is a file that booty itself writes its output to, as a
// shell does with "booty refine >log". It is no part of the work: not recorded, not
// put back, not removed.
func (r *Repo) IsOutput(path string) bool {
	if len(r.outputs) == 0 {
		return false
	}
	info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(path)))
	return err == nil && slices.ContainsFunc(r.outputs, func(o fs.FileInfo) bool { return os.SameFile(o, info) })
}

// sortOutputs takes booty's own output out of what a scan is to look at.
func (r *Repo) sortOutputs(raw map[string]pair, others []string) []string {
	if len(r.outputs) == 0 {
		return others
	}
	for path := range raw {
		if r.IsOutput(path) {
			delete(raw, path)
		}
	}
	return slices.DeleteFunc(others, r.IsOutput)
}

//go:build !linux

package workspace

import (
	"os"
	"path/filepath"
)

// stampOf describes an entry without following links.
func stampOf(path string) stamp {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{mode: uint32(info.Mode()), size: info.Size(), data: info.ModTime().UnixNano()}
}

// stampAll describes entries.
func stampAll(root string, list []watched, out []stamp) {
	for i, f := range list {
		out[i] = stampOf(filepath.Join(root, filepath.FromSlash(f.path)))
	}
}

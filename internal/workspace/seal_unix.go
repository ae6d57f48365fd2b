//go:build unix

package workspace

import (
	"io/fs"
	"syscall"
)

// fileID tells files apart, whatever they are called.
type fileID struct{ dev, ino uint64 }

func idOf(info fs.FileInfo) fileID {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return fileID{}
	}
	return fileID{uint64(st.Dev), st.Ino} //nolint:unconvert // signed on some systems
}

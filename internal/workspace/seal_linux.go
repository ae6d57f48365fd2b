package workspace

import (
	"io/fs"
	"syscall"
	"time"
)

// changed is when a file was changed last, which nobody can set at will.
func changed(info fs.FileInfo) time.Time {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(int64(st.Ctim.Sec), int64(st.Ctim.Nsec)) //nolint:unconvert // narrower on some systems
	}
	return info.ModTime()
}

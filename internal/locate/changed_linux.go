package locate

import (
	"io/fs"
	"syscall"
)

// changeTime is when a file, or what is known of it, last changed.
func changeTime(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ctim.Nano()
	}
	return 0
}

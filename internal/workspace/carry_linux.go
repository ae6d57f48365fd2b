package workspace

import (
	"os"

	"golang.org/x/sys/unix"
)

// shareBytes makes one file a copy of another that takes no space of its own, where the
// file system knows how.
func shareBytes(from, to *os.File) bool {
	return unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) == nil
}

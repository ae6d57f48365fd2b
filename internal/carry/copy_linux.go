package carry

import (
	"errors"
	"io"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// shareBytes makes one file a copy of another that takes no space of its own, where the
// file system knows how.
func shareBytes(from, to *os.File) bool {
	return unix.IoctlFileClone(int(to.Fd()), int(from.Fd())) == nil
}

// copyBytes copies a file of a size. Holes stay holes.
func copyBytes(from, to *os.File, size int64) error {
	if shareBytes(from, to) {
		return nil
	}
	for at := int64(0); at < size; {
		start, err := unix.Seek(int(from.Fd()), at, unix.SEEK_DATA)
		if errors.Is(err, unix.ENXIO) {
			break // nothing but a hole is left
		}
		if err != nil {
			start = at // this file system knows no holes
		}
		end, err := unix.Seek(int(from.Fd()), start, unix.SEEK_HOLE)
		if err != nil {
			end = size
		}
		if end = min(end, size); end <= start {
			break
		}
		if _, err := io.Copy(io.NewOffsetWriter(to, start),
			io.NewSectionReader(from, start, end-start)); err != nil {
			return err
		}
		at = end
	}
	return to.Truncate(size)
}

// Allocated is how many bytes a file takes on the disk.
func Allocated(info os.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Blocks * 512
	}
	return info.Size()
}

//go:build !windows

package edit

import (
	"errors"
	"os"
	"syscall"
)

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// syncDir makes renames in dir last through a power cut. File systems that
// cannot do that say so, which is no reason to undo the write.
func syncDir(root *os.Root, dir string) {
	d, err := root.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	_ = d.Sync()
}

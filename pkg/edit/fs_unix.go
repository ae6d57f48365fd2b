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
func syncDir(root Writer, dir string) {
	d, err := root.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return
	}
	defer d.Close()
	_ = d.Sync()
}

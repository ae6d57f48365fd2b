//go:build !windows

package edit

import (
	"errors"
	"os"
	"syscall"
)

func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// syncDir makes renames in dir durable. It ignores file systems that do not support that.
func syncDir(root Writer, dir string) {
	d, err := root.OpenFile(dir, os.O_RDONLY, 0)
	if err != nil {
		return
	}
	defer d.Close()
	_ = d.Sync()
}

//go:build !windows

package journal

import (
	"errors"

	"golang.org/x/sys/unix"
)

// exists reports whether there is a process of that number, ours or not.
func exists(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}

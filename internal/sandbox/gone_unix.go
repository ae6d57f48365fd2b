//go:build unix

package sandbox

import (
	"errors"

	"golang.org/x/sys/unix"
)

// gone tells whether no process has this number any more.
func gone(pid int) bool { return errors.Is(unix.Kill(pid, 0), unix.ESRCH) }

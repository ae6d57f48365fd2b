package edit

import (
	"errors"
	"syscall"
)

// errorPathNotFound is the Windows error for a parent that is missing or a file.
const errorPathNotFound = syscall.Errno(3)

func isNotDir(err error) bool { return errors.Is(err, errorPathNotFound) }

// syncDir does nothing: Windows cannot flush a directory.
func syncDir(Writer, string) {}

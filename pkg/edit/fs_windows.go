package edit

import (
	"errors"
	"syscall"
)

// errorPathNotFound is what Windows says when a parent of a path is missing or a file.
const errorPathNotFound = syscall.Errno(3)

func isNotDir(err error) bool { return errors.Is(err, errorPathNotFound) }

// syncDir does nothing: Windows cannot flush a directory.
func syncDir(Writer, string) {}

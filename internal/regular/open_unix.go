//go:build unix

package regular

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// nonBlocking has the open of a named pipe return at once.
const nonBlocking = syscall.O_NONBLOCK | syscall.O_NOCTTY

// refused says of a socket, which cannot be opened at all, what it is.
func refused(path string, err error) error {
	if errors.Is(err, syscall.ENXIO) {
		return &fs.PathError{Op: "read", Path: path, Err: fmt.Errorf("it is %s: %w", Kind(fs.ModeSocket), ErrNotRegular)}
	}
	return err
}

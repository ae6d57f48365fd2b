//go:build unix

package atomicfile

import (
	"errors"
	"os"
	"syscall"
)

// Sync makes a file's bytes, or a directory's names, last. File systems
// that cannot do it for directories say EINVAL.
func Sync(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

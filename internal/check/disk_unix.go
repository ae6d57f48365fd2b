//go:build unix

package check

import "golang.org/x/sys/unix"

// freeSpace returns the room that the user has on the file system of dir, in bytes.
func freeSpace(dir string) (uint64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return uint64(s.Bavail) * uint64(s.Bsize), nil //nolint:unconvert // the types differ from system to system
}

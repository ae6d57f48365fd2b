//go:build unix

package sandbox

import "golang.org/x/sys/unix"

// mayWrite tells whether the user may write to path, or make it.
func mayWrite(path string) bool { return unix.Access(nearest(path), unix.W_OK) == nil }

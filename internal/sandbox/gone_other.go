//go:build !unix

package sandbox

import "os"

// gone tells whether no process has this number any more.
func gone(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	_ = p.Release()
	return false
}

//go:build unix

package check

import "os/exec"

// shell is the command line in the system's shell.
func shell(command string) *exec.Cmd {
	return exec.Command("/bin/sh", "-c", command) //nolint:noctx // proc ends it, with its whole tree
}

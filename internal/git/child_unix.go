//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// OwnGroup puts cmd and what it starts into a process group of its own, which
// is asked to end when the context does.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
}

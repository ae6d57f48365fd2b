package check

import (
	"os"
	"os/exec"
	"syscall"
)

// shell is the command line in the system's shell, which reads it as it is: the
// usual quoting of arguments would change it.
func shell(command string) *exec.Cmd {
	name := os.Getenv("ComSpec")
	if name == "" {
		name = "cmd.exe"
	}
	cmd := exec.Command(name) //nolint:noctx // proc ends it, with its whole tree
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /D /S /C "` + command + `"`}
	return cmd
}

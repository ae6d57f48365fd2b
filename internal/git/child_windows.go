package git

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// OwnGroup keeps Ctrl-C of the console away from cmd.
func OwnGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

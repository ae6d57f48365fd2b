package workspace

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownGroup keeps Ctrl-C of the console away from cmd.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

package journal

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// startOf tells when a process began; empty where the system does not say.
func startOf(pid int) string {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil || k == nil {
		return ""
	}
	t := k.Proc.P_starttime
	return fmt.Sprintf("%d.%06d", t.Sec, t.Usec)
}

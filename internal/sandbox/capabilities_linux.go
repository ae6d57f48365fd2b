package sandbox

import (
	"fmt"
	"slices"

	"golang.org/x/sys/unix"
)

// kept are the capabilities that commands of root keep: those that package
// managers and tests of servers need. Not among them is whatever leads past the
// rules of the sandbox: mounts, devices, other processes' memory and environment.
var kept = []uintptr{
	unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL, unix.CAP_SETGID,
	unix.CAP_SETUID,
	unix.CAP_SETPCAP, unix.CAP_NET_BIND_SERVICE, unix.CAP_NET_RAW, unix.CAP_AUDIT_WRITE, unix.CAP_SETFCAP,
}

// dropCapabilities gives up all others, for good: also what a program of root, or
// one with capabilities of its own, would get back. A command that is free keeps
// what it would have outside.
func dropCapabilities(free bool) error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil &&
		err != unix.EINVAL {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	if free {
		return nil
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&head, &data[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	var mask [2]uint32
	for _, c := range kept {
		mask[c/32] |= 1 << (c % 32)
	}
	if data[0].Effective&(1<<unix.CAP_SETPCAP) != 0 { // an ordinary user has none to lose
		for c := uintptr(0); c <= 63; c++ {
			if slices.Contains(kept, c) {
				continue
			}
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && err != unix.EINVAL {
				return fmt.Errorf("drop capabilities: %w", err)
			}
		}
	}
	for i := range data {
		data[i].Effective &= mask[i]
		data[i].Permitted &= mask[i]
		data[i].Inheritable = 0
	}
	if err := unix.Capset(&head, &data[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// canDenyMounts says that a program can be run as in a container with the usual rules here.
const canDenyMounts = runtime.GOARCH == "amd64"

// withoutMounts becomes the program that its arguments name, as in a container with the usual
// rules (Docker's default profile): no new namespaces, no mounts.
func withoutMounts() {
	runtime.LockOSThread() // a filter is the thread's
	err := unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_SYS_ADMIN, 0, 0, 0)
	if err == nil || errors.Is(err, unix.EPERM) { // as an ordinary user there is nothing to drop
		err = denyMounts()
	}
	path := ""
	if err == nil {
		path, err = exec.LookPath(os.Args[1])
	}
	if err == nil {
		err = syscall.Exec(path, os.Args[1:], os.Environ())
	}
	fmt.Fprintln(os.Stderr, "nomounts:", err)
	os.Exit(125)
}

// denyMounts installs a filter of system calls.
func denyMounts() error {
	const (
		load, equal, anyBit, answer = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K,
			unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, unix.BPF_RET | unix.BPF_K
		refused, unknown, allowed = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM), unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS), unix.SECCOMP_RET_ALLOW
		namespaces                = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER |
			unix.CLONE_NEWPID | unix.CLONE_NEWNET
		// As linux/amd64 numbers them; other architectures skip the tests.
		cloneCall, clone3Call = 56, 435
	)
	filter := []unix.SockFilter{{Code: load}}                                    // the number of the call
	for _, call := range []uint32{272, 165, 166, 308, 155, 430, 428, 429, 432} { // unshare, mount, umount2, setns, pivot_root, fsopen …
		filter = append(filter, unix.SockFilter{Code: equal, Jf: 1, K: call}, unix.SockFilter{Code: answer, K: refused})
	}
	filter = append(filter,
		unix.SockFilter{Code: equal, Jf: 1, K: clone3Call}, unix.SockFilter{Code: answer, K: unknown},
		unix.SockFilter{Code: equal, Jf: 3, K: cloneCall}, unix.SockFilter{Code: load, K: 16}, // its first argument
		unix.SockFilter{Code: anyBit, Jf: 1, K: namespaces}, unix.SockFilter{Code: answer, K: refused},
		unix.SockFilter{Code: answer, K: allowed})
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0)
}

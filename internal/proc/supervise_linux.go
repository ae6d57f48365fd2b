package proc

import (
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ourselves is how this program starts itself: by the running image, which
// stays right when the file is replaced meanwhile.
func ourselves() (path string, args []string, err error) {
	return "/proc/self/exe", []string{os.Args[0]}, nil
}

// live starts the command on a thread that lasts as long as the supervisor:
// the kernel sends the parent-death signal when the parent's thread ends.
func (w *ward) live(s spec, attr *syscall.ProcAttr, started chan<- error) {
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		started <- os.NewSyscallError("prctl", err)
		return
	}
	attr.Sys.Setpgid = true
	attr.Sys.Pdeathsig = syscall.SIGKILL
	pid, err := syscall.ForkExec(s.Path, s.Args, attr)
	w.pid = pid
	// After the start: what is not dumpable cannot set up a user namespace. The
	// command has no business with the process that looks after it.
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	if err != nil {
		err = &os.PathError{Op: "exec", Path: s.Path, Err: err}
	}
	started <- err
	if err == nil {
		w.reap()
	}
	select {} // keep the thread
}

// done: as the subreaper of the tree, having no child means that none lives.
func (w *ward) done() bool {
	select {
	case <-w.empty:
		return true
	default:
		return false
	}
}

// settled is done, given the moment that the kernel needs to say so: most
// commands leave nothing behind, and should not pay for a look at all processes.
func (w *ward) settled() bool {
	select {
	case <-w.empty:
		return true
	case <-time.After(2 * time.Millisecond):
		return false
	}
}

// tree is whatever descends from this process.
func (w *ward) tree() []int {
	self := os.Getpid()
	return find(func(all []info) map[int]bool {
		return addDescendants(all, map[int]bool{self: true})
	})
}

// namespaces are those that the command starts in, as far as os/exec's
// attributes can say it.
type namespaces struct {
	Cloneflags uintptr
	UID, GID   []syscall.SysProcIDMap
	Ambient    []uintptr
}

func namespacesOf(a *syscall.SysProcAttr) *namespaces {
	if a == nil || a.Cloneflags == 0 {
		return nil
	}
	return &namespaces{Cloneflags: a.Cloneflags, UID: a.UidMappings, GID: a.GidMappings,
		Ambient: a.AmbientCaps}
}

func (n *namespaces) attributes() *syscall.SysProcAttr {
	if n == nil {
		return new(syscall.SysProcAttr)
	}
	return &syscall.SysProcAttr{Cloneflags: n.Cloneflags, UidMappings: n.UID, GidMappings: n.GID,
		AmbientCaps: n.Ambient}
}

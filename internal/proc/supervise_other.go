//go:build unix && !linux

package proc

import (
	"os"
	"syscall"
)

func ourselves() (path string, args []string, err error) {
	path, err = os.Executable()
	return path, []string{os.Args[0]}, err
}

// live starts the command. There is no subreaper here: orphans go to init, and
// are found by their mark.
func (w *ward) live(s spec, attr *syscall.ProcAttr, started chan<- error) {
	attr.Sys = &syscall.SysProcAttr{Setpgid: true}
	pid, err := syscall.ForkExec(s.Path, s.Args, attr)
	w.pid = pid
	if err != nil {
		err = &os.PathError{Op: "exec", Path: s.Path, Err: err}
	}
	started <- err
	if err == nil {
		w.reap()
	}
}

func (w *ward) done() bool { return len(w.tree()) == 0 }

func (w *ward) settled() bool { return w.done() }

func (w *ward) tree() []int {
	in := find(func(all []info) map[int]bool { return members(all, w.pid, w.mark) })
	// The supervisor carries the command's environment but for the mark of
	// nesting; it is never among its own wards (see find).
	return in
}

// enterNamespaces: there are no namespaces here.
func enterNamespaces(_, _ *syscall.SysProcAttr) bool { return false }

// Dumpable does something that needs nothing more here.
func Dumpable(do func() error) error { return do() }

func (w *ward) signal(sig syscall.Signal) { signalAll(w.tree(), sig) }

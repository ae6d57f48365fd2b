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
func (w *ward) live(p Program, prepare Prepare, started chan<- error) {
	err := w.begin(p, prepare, &syscall.SysProcAttr{Setpgid: true})
	started <- err
	if err == nil {
		w.reap()
	}
}

func hideMemory() {}

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

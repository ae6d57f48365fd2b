package proc

import (
	"os"
	"runtime"
	"sync"
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
//
// It is never the first thread. The command inherits what prepare did to the thread, and may
// signal processes with the same restrictions; for the kernel, those of a process are
// those of its first thread.
func (w *ward) live(p Program, prepare Prepare, started chan<- error) {
	runtime.LockOSThread()
	if unix.Gettid() == os.Getpid() {
		go w.live(p, prepare, started)
		select {} // keep the first thread from it
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		started <- os.NewSyscallError("prctl", err)
		return
	}
	err := w.begin(p, prepare, &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL})
	started <- err
	if err == nil {
		w.reap()
	}
	select {} // keep the thread
}

// hideMemory keeps the command out of the supervisor's memory.
func hideMemory() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }

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

// signal reaches all that lives, and what is forked meanwhile where no other process can be
// in sight.
func (w *ward) signal(sig syscall.Signal) {
	if w.first {
		_ = syscall.Kill(-1, sig) // nobody is left, or not ours: nothing to be done
		return
	}
	signalAll(w.tree(), sig)
}

// tree is whatever descends from this process.
func (w *ward) tree() []int {
	self := os.Getpid()
	return find(func(all []info) map[int]bool {
		return addDescendants(all, map[int]bool{self: true})
	})
}

// enterNamespaces has the supervisor start in the namespaces that the command asks for. With one of
// processes it is the first process there: its end is that of all others, and none of them
// reaches a process outside.
func enterNamespaces(sup *syscall.SysProcAttr, asked *syscall.SysProcAttr) (first bool) {
	if asked == nil || asked.Cloneflags == 0 {
		return false
	}
	sup.Cloneflags, sup.AmbientCaps = asked.Cloneflags, asked.AmbientCaps
	sup.UidMappings, sup.GidMappings = asked.UidMappings, asked.GidMappings
	return asked.Cloneflags&unix.CLONE_NEWPID != 0
}

// dumpable counts those who need this process to be dumpable.
var dumpable struct {
	sync.Mutex
	n int
}

// Dumpable does something that a process which hides its memory cannot: set up a user
// namespace for another. It hides its memory again after that.
func Dumpable(do func() error) error {
	dumpable.Lock()
	if dumpable.n == 0 {
		if was, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || was != 0 {
			dumpable.Unlock()
			return do()
		}
		_ = unix.Prctl(unix.PR_SET_DUMPABLE, 1, 0, 0, 0)
	}
	dumpable.n++
	dumpable.Unlock()
	defer func() {
		dumpable.Lock()
		defer dumpable.Unlock()
		if dumpable.n--; dumpable.n == 0 {
			_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
		}
	}()
	return do()
}

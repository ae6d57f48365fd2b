package journal

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// A process gives up all its locks of a file with the first descriptor of it
// that it closes: SQLite's, of another open journal, among them.
func TestOpeningAgainKeepsTheLocksOfTheFirst(t *testing.T) {
	t.Parallel()
	first := open(t, Options{})
	start(t, first, Run{})
	f, err := os.Open(filepath.Join(first.Dir(), "booty.db"))
	must(t, err)
	t.Cleanup(func() { _ = f.Close() }) // last, for the reason above
	locked := func() bool {
		l := unix.Flock_t{Type: unix.F_WRLCK}
		must(t, unix.FcntlFlock(f.Fd(), unix.F_OFD_GETLK, &l))
		return l.Type != unix.F_UNLCK
	}
	if !locked() {
		t.Fatal("an open journal holds no lock, so there is nothing to see")
	}
	must(t, open(t, Options{Dir: first.Dir()}).Close())
	if !locked() {
		t.Error("the lock was given up")
	}
}

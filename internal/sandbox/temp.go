package sandbox

import (
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"github.com/booty-cli/booty/internal/atomicfile"
)

// tempDir is where temporary directories are made: not below the view, where the work tree
// would hide them.
func tempDir(view string) string {
	if dir := os.TempDir(); runtime.GOOS == "windows" || !inside(resolve(dir), view) {
		return dir
	}
	return "/tmp"
}

// makeTemp makes a temporary directory of a plan. Its name tells a later booty whose it
// is: those of this machine whose booty was killed are removed first.
func makeTemp(in string, path *string) error {
	prefix := "tmp-" + machine() + "-"
	old, _ := filepath.Glob(filepath.Join(in, prefix+"*"))
	for _, dir := range old {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
		if pid, err := strconv.Atoi(owner); err == nil && pid > 0 && gone(pid) {
			_ = atomicfile.RemoveAll(dir) // another user's stays
		}
	}
	dir, err := os.MkdirTemp(in, fmt.Sprintf("%s%d-", prefix, os.Getpid()))
	if err == nil {
		*path = resolve(dir)
	}
	return err
}

// machine is a short name of this machine: containers may share a temporary
// directory, but not the numbers of processes.
func machine() string {
	host, _ := os.Hostname()
	h := fnv.New32a()
	_, _ = h.Write([]byte(host))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

// gone reports whether no process has this number any more.
func gone(pid int) bool {
	p, err := os.FindProcess(pid)
	return err != nil || errors.Is(p.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

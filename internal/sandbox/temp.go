package sandbox

import (
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// makeTemp makes the temporary directory of a plan. Its name tells a later booty whose it
// is: those of this machine whose booty was killed are removed first.
func makeTemp() (string, error) {
	prefix := "tmp-" + machine() + "-"
	old, _ := filepath.Glob(filepath.Join(os.TempDir(), prefix+"*"))
	for _, dir := range old {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
		if pid, err := strconv.Atoi(owner); err == nil && pid > 0 && gone(pid) {
			_ = removeAll(dir) // another user's stays
		}
	}
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", prefix, os.Getpid()))
}

// machine is a short name of this machine: containers may share a temporary
// directory, but not the numbers of processes.
func machine() string {
	host, _ := os.Hostname()
	h := fnv.New32a()
	_, _ = h.Write([]byte(host))
	return strconv.FormatUint(uint64(h.Sum32()), 36)
}

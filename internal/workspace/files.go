package workspace

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// writeAtomic replaces a file: a reader sees the old or the new bytes, also
// after a power loss. Its permission bits become mode.
func writeAtomic(path string, data []byte, mode fs.FileMode) error {
	return write(path, data, 0o600, mode)
}

// writeFresh is writeAtomic with the permission bits that any new file gets:
// most, less what the umask takes away.
func writeFresh(path string, data []byte, most fs.FileMode) error {
	return write(path, data, most, 0)
}

// tempPattern names files while they are written.
const tempPattern = ".booty-*.tmp"

// tempName names a file while this process writes it: after a kill it may be left.
func tempName() string { return tempOf(os.Getpid()) }

func tempOf(pid int) string { return strings.Replace(tempPattern, "*", strconv.Itoa(pid), 1) }

// isTemp reports whether a file of booty's own was left behind by a write.
func isTemp(name string) bool {
	ok, _ := path.Match(tempPattern, name)
	return ok
}

func write(path string, data []byte, create, chmod fs.FileMode) error {
	tmp := filepath.Join(filepath.Dir(path), tempName())
	if err := removeFile(tmp); err != nil {
		return err
	}
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, create)
	if err != nil {
		return err
	}
	defer func() { _ = removeFile(tmp) }()
	_, err = f.Write(data)
	if chmod != 0 {
		err = errors.Join(err, f.Chmod(chmod))
	}
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return err
	}
	return syncPath(filepath.Dir(path))
}

// removeFile removes a file, if it is there.
func removeFile(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func sortRemotes(list []Remote) {
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i].Name, list[j].Name
		if (a == "origin") != (b == "origin") {
			return a == "origin"
		}
		return a < b
	})
}

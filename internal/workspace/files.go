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

// tempPattern is what files are named while they are written, here and by package edit.
const tempPattern = ".booty-*.tmp"

// tempName names a file while it is written. After a kill it may be left; scan
// knows it by its name.
func tempName() string { return strings.Replace(tempPattern, "*", strconv.Itoa(os.Getpid()), 1) }

// isTemp tells whether a slash path is a file that a write left behind, be it
// a restore's or that of a proposal's edits.
func isTemp(p string) bool {
	ok, _ := path.Match(tempPattern, path.Base(p))
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

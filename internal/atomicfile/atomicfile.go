// Package atomicfile replaces files whole: a path and its new content come in, and a reader
// sees the old content or the new, also after a crash or a power loss. What a killed process
// leaves behind has a name that IsTemp knows. It never makes folders and never follows a
// symbolic link at the path itself. Remove and RemoveAll take away what may not be there.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Write replaces a file or makes it. Its permission bits become mode.
func Write(path string, data []byte, mode fs.FileMode) error {
	return write(path, data, 0o600, mode)
}

// Keep writes content to path unless it is there already.
func Keep(path, content string) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == content {
		return nil
	}
	return Write(path, []byte(content), 0o644)
}

// Remove removes a file, if it is there.
func Remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// WriteFresh is Write with the permission bits that any new file gets: most, less what the
// umask takes away.
func WriteFresh(path string, data []byte, most fs.FileMode) error {
	return write(path, data, most, 0)
}

// Symlink makes a symbolic link, over what may be at the path.
func Symlink(target, path string) error {
	tmp := tempName(path)
	if err := os.Symlink(target, tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, path); err != nil {
		_ = os.Remove(tmp)
		return err
	}
	return Sync(filepath.Dir(path))
}

// IsTemp reports whether a file's base name is one that Write gives a file while it writes it.
func IsTemp(name string) bool {
	ok, _ := path.Match(".booty-*.tmp", name)
	return ok
}

// RemoveTemps removes from a directory what a process that was killed had not written to its
// end.
func RemoveTemps(dir string, pid int) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), fmt.Sprintf(".booty-%d-", pid)) && IsTemp(e.Name()) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

func tempName(path string) string {
	return filepath.Join(filepath.Dir(path), fmt.Sprintf(".booty-%d-%08x.tmp", os.Getpid(), rand.Uint32()))
}

func write(path string, data []byte, create, chmod fs.FileMode) error {
	tmp := tempName(path)
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, create)
	if err != nil {
		return err
	}
	defer os.Remove(tmp) // fails once renamed
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
	return Sync(filepath.Dir(path))
}

// RemoveAll removes a directory with all in it, also where directories in it may not
// be written, as some package caches make them.
func RemoveAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

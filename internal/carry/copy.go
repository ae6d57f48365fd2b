package carry

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Likeness describes a file or directory by names, sizes and times, so that a later
// look reports whether it was changed. Of a large directory only the upper two levels
// are read: package managers leave their mark there.
func Likeness(path string, skip func(string) bool) (like string, large bool, err error) {
	sum := sha256.New()
	entries, bytes := 0, int64(0)
	var errLarge = errors.New("large")
	note := func(name string, info fs.FileInfo) {
		fmt.Fprintf(sum, "%s\x00%d\x00%d\x00%o\x00", name, info.Size(), info.ModTime().UnixNano(),
			info.Mode())
	}
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read cannot be copied either
		}
		if skip(p) {
			return leave(d)
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // gone meanwhile
		}
		rel, _ := filepath.Rel(path, p)
		note(rel, info)
		if entries++; info.Mode().IsRegular() {
			bytes += info.Size()
		}
		if entries > smallEntries || bytes > smallBytes {
			return errLarge
		}
		return nil
	})
	if !errors.Is(err, errLarge) {
		return hex.EncodeToString(sum.Sum(nil)[:16]), false, err
	}
	sum.Reset()
	for _, pattern := range []string{"", "*", "*/*"} {
		found, _ := filepath.Glob(filepath.Join(path, pattern)) // the patterns are right
		for _, p := range found {
			if info, err := os.Lstat(p); err == nil {
				note(p, info)
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), true, nil
}

// Copy copies a file or a directory with its links, modes and times; where the file
// system can, the bytes are shared until one side writes. What may not be read is left out,
// and so are sockets, pipes, devices and the directories to skip.
func Copy(from, to string, skip func(string) bool) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	var dirs []func() error // their times and modes, once they are filled
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(from, p)
		if relErr != nil {
			return relErr
		}
		if err != nil {
			if d != nil && d.IsDir() && errors.Is(err, fs.ErrPermission) {
				return fs.SkipDir // not for the checks either
			}
			return err
		}
		if skip(p) {
			return leave(d)
		}
		target := filepath.Join(to, rel)
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case info.IsDir():
			dirs = append(dirs, func() error {
				return errors.Join(os.Chmod(target, info.Mode().Perm()),
					os.Chtimes(target, info.ModTime(), info.ModTime()))
			})
			return os.MkdirAll(target, 0o700)
		case info.Mode()&fs.ModeSymlink != 0:
			link, err := os.Readlink(p)
			if err != nil {
				return err
			}
			return os.Symlink(link, target)
		case info.Mode().IsRegular():
			return copyOne(p, target, info)
		}
		return nil
	})
	for _, finish := range slices.Backward(dirs) {
		err = errors.Join(err, finish())
	}
	return err
}

// leave goes past a file, or past a directory with all in it.
func leave(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// copyOne copies a file, unless it may not be read or is gone.
func copyOne(from, to string, info fs.FileInfo) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = copyBytes(in, out, info.Size())
	return errors.Join(err, out.Chmod(info.Mode().Perm()), out.Close(),
		os.Chtimes(to, info.ModTime(), info.ModTime()))
}

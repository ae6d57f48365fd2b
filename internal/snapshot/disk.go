package snapshot

import (
	"context"
	"crypto/sha1" //nolint:gosec // git's own object names
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/regular"
)

// OnDisk reads a path from disk; why says what keeps it from being read.
// had is its mode in the index: where the file system has no executable bit,
// it decides.
func OnDisk(root, path string, had uint32) (is git.Entry, why string) {
	full := filepath.Join(root, filepath.FromSlash(path))
	info, err := os.Lstat(full)
	if err != nil || ThroughSymlink(root, path) {
		return git.Entry{}, "" // also where a parent is a file or a link now
	}
	switch {
	case info.Mode().IsRegular() && info.Size() > maxHashed:
		return git.Entry{}, fmt.Sprintf("larger than %d GiB", maxHashed>>30)
	case info.Mode().IsRegular():
		h, err := hashFile(context.Background(), full, info.Size())
		if err != nil {
			return git.Entry{}, "cannot be read: " + err.Error()
		}
		return git.Entry{Mode: fileMode(info.Mode(), had), Hash: h}, ""
	case info.Mode()&os.ModeSymlink != 0:
		target, err := os.Readlink(full)
		if err != nil {
			return git.Entry{}, "cannot be read: " + err.Error()
		}
		return git.Entry{Mode: git.ModeSymlink, Hash: hashBlob([]byte(filepath.ToSlash(target)))}, ""
	case info.IsDir():
		return git.Entry{}, ""
	}
	return git.Entry{}, "neither file, directory nor symbolic link"
}

// ThroughSymlink reports whether a directory on the way to path is a link.
func ThroughSymlink(root, path string) bool {
	for i := range len(path) {
		if path[i] != '/' {
			continue
		}
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path[:i])))
		if err == nil && info.Mode()&os.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// maxHashed bounds the files that are read to the end: a command may leave one of holes that
// is larger than any disk.
const maxHashed = 1 << 30

func hashFile(ctx context.Context, path string, size int64) (string, error) {
	f, err := regular.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	defer context.AfterFunc(ctx, func() { _ = f.Close() })()
	h := sha1.New() //nolint:gosec // git's own object names
	fmt.Fprintf(h, "blob %d\x00", size)
	n, err := io.Copy(h, f)
	if err != nil {
		return "", err
	}
	if n != size {
		return "", fmt.Errorf("it is being written to")
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func hashBlob(data []byte) string {
	h := sha1.New() //nolint:gosec // git's own object names
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// ReadDisk reads the bytes that a state's hash is of.
func ReadDisk(root, path string, state git.Entry) ([]byte, error) {
	full := filepath.Join(root, filepath.FromSlash(path))
	if state.Mode == git.ModeSymlink {
		target, err := os.Readlink(full)
		return []byte(filepath.ToSlash(target)), err
	}
	return os.ReadFile(full)
}

// PermOf gives the permissions of a regular file, 0 where there is none.
func PermOf(root, path string) fs.FileMode {
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Mode().Perm()
}

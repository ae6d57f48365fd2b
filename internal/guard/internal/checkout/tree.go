package checkout

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"unicode"

	"github.com/booty-cli/booty/internal/regular"
)

// Kind is the type of a path in the checkout; links are not followed.
type Kind int

// The types of a path.
const (
	Absent Kind = iota
	File
	Dir
	Symlink
	Submodule
	// Other is a device, a pipe or a junction, which cannot be written to.
	Other
)

// Tree gives facts about the checkout. Paths are relative, with forward slashes.
type Tree interface {
	Kind(path string) (Kind, error)
	// CaseFold reports whether names that differ only in case are the same file.
	CaseFold() bool
	ReadFile(path string) ([]byte, error)
	// Link returns the target of a symbolic link, with forward slashes.
	Link(path string) (string, error)
	// List returns the entries of a directory, or none if it does not exist.
	List(dir string) ([]string, error)
}

type dirTree struct {
	root     string
	caseFold func() bool
	modules  func() map[string]bool
}

// DirTree is the checkout in a directory.
func DirTree(root string) Tree {
	t := &dirTree{root: root}
	t.caseFold = sync.OnceValue(func() bool { return foldsCase(root) })
	t.modules = sync.OnceValue(func() map[string]bool {
		return submodules(filepath.Join(root,
			".gitmodules"))
	})
	return t
}

func (t *dirTree) Kind(path string) (Kind, error) {
	info, err := os.Lstat(t.at(path))
	switch {
	case errors.Is(err, fs.ErrNotExist), isNotDir(err):
		if t.modules()[path] {
			return Submodule, nil
		}
		return Absent, nil
	case err != nil:
		return Absent, fmt.Errorf("look at %s: %w", path, err)
	}
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return File, nil
	case mode.IsDir():
		// A work tree inside the work tree is foreign, registered or not.
		if _, err := os.Lstat(filepath.Join(t.at(path), ".git")); err == nil || t.modules()[path] {
			return Submodule, nil
		}
		return Dir, nil
	case mode&fs.ModeSymlink != 0:
		return Symlink, nil
	}
	return Other, nil
}

func (t *dirTree) CaseFold() bool { return t.caseFold() }

func (t *dirTree) ReadFile(path string) ([]byte, error) {
	b, err := regular.Read(t.at(path), regular.MaxSize)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return b, nil
}

func (t *dirTree) Link(path string) (string, error) {
	to, err := os.Readlink(t.at(path))
	if err != nil {
		return "", fmt.Errorf("follow %s: %w", path, err)
	}
	return filepath.ToSlash(to), nil
}

func (t *dirTree) List(dir string) ([]string, error) {
	entries, err := os.ReadDir(t.at(dir))
	if errors.Is(err, fs.ErrNotExist) || isNotDir(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", dir, err)
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, nil
}

func (t *dirTree) at(path string) string { return filepath.Join(t.root, filepath.FromSlash(path)) }

// isNotDir reports the error of looking below a file.
func isNotDir(err error) bool { return errors.Is(err, syscall.ENOTDIR) }

// foldsCase asks the file system: an entry of the root in the other case is either the same
// file or a different one.
func foldsCase(root string) bool {
	entries, err := os.ReadDir(root)
	if err != nil {
		return false
	}
	for _, e := range entries {
		swapped := strings.Map(swapCase, e.Name())
		if swapped == e.Name() {
			continue
		}
		a, errA := os.Lstat(filepath.Join(root, e.Name()))
		b, errB := os.Lstat(filepath.Join(root, swapped))
		if errA != nil {
			continue
		}
		return errB == nil && os.SameFile(a, b)
	}
	return false
}

func swapCase(r rune) rune {
	switch {
	case r > unicode.MaxASCII:
		return r
	case unicode.IsUpper(r):
		return unicode.ToLower(r)
	}
	return unicode.ToUpper(r)
}

// submodules reads the registered paths, for submodules that are not checked out.
func submodules(file string) map[string]bool {
	paths := map[string]bool{}
	text, err := regular.Read(file, regular.MaxSize)
	if err != nil {
		return paths
	}
	for s := bufio.NewScanner(bytes.NewReader(text)); s.Scan(); {
		key, value, ok := strings.Cut(s.Text(), "=")
		if ok && strings.TrimSpace(key) == "path" {
			paths[strings.Trim(strings.TrimSpace(value), `"`)] = true
		}
	}
	return paths
}

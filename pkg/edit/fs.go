package edit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// FS is what [Resolve] needs of a file system. Paths are relative and use
// forward slashes; an absent file gives an error that is [fs.ErrNotExist], and
// one that a symbolic link leads out of the root to, [ErrOutside].
//
// It may be a [Lister] and [Rooted] as well.
type FS interface {
	Stat(path string) (fs.FileInfo, error)
	ReadFile(path string) ([]byte, error)
}

// ErrOutside says that a path is not one inside the root.
var ErrOutside = errors.New("is not a path inside the repository")

var errLink = fmt.Errorf("%w: a symbolic link on the way leads out", ErrOutside)

// DirFS is the directory root as an [FS]. Nothing outside root can be read
// through it, by no path and no symbolic link.
func DirFS(root string) FS { return dirFS(root) }

type dirFS string

// Root implements [Rooted].
func (d dirFS) Root() string {
	abs, err := filepath.Abs(string(d))
	if err != nil {
		return string(d)
	}
	return filepath.ToSlash(abs)
}

// mostFiles bounds the list of files; in a larger tree some are not in it.
const mostFiles = 50_000

// Files implements [Lister]. Git's own files, and packages that are installed,
// are left out.
func (d dirFS) Files() ([]string, error) {
	var out []string
	err := fs.WalkDir(os.DirFS(string(d)), ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read is not in the list
		case e.IsDir() && (e.Name() == ".git" || e.Name() == "node_modules"):
			return fs.SkipDir
		case len(out) == mostFiles:
			return fs.SkipAll
		case e.Type().IsRegular():
			out = append(out, p)
		}
		return nil
	})
	if err != nil {
		return out, fmt.Errorf("list %s: %w", string(d), err)
	}
	return out, nil
}

func (d dirFS) Stat(path string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", string(d), err)
	}
	defer root.Close()
	info, err := root.Stat(path)
	return info, outside(err)
}

func (d dirFS) ReadFile(path string) ([]byte, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", string(d), err)
	}
	defer root.Close()
	data, err := root.ReadFile(path)
	return data, outside(err)
}

// outside names the errors of [os.Root] itself, which it gives no name to:
// whatever the system refuses has a number.
func outside(err error) error {
	var at *fs.PathError
	var number syscall.Errno
	if errors.As(err, &at) && !errors.As(err, &number) && !errors.Is(err, fs.ErrNotExist) &&
		!errors.Is(err, fs.ErrClosed) {
		return errLink
	}
	return err
}

// absent tells whether err says that there is no such file, which includes a
// path that leads through something that is no directory.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || isNotDir(err)
}

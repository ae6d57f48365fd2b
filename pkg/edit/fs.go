package edit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/text/unicode/norm"

	"github.com/booty-cli/booty/internal/regular"
)

// ErrOutside means that a path is not inside the root.
var ErrOutside = errors.New("is not a path inside the repository")

var errLink = fmt.Errorf("%w: a symbolic link on the way leads out", ErrOutside)

// Lister is a file system that can list its regular files faster than a walk, or that has
// more than it lists. The list is used to guess what a wrong path means.
type Lister interface {
	fs.FS
	Files() ([]string, error)
}

// Rooted is a file system that knows its root: absolute paths below it count as relative
// ones.
type Rooted interface {
	fs.FS
	// Root returns the absolute path of the root, with forward slashes.
	Root() string
}

// DirFS returns the directory root as a file system for [Parse] and [Resolve]. Unlike with
// [os.DirFS], no symbolic link leads out of it; such a link fails with [ErrOutside].
func DirFS(root string) fs.FS { return dirFS(root) }

type dirFS string

// Root implements [Rooted].
func (d dirFS) Root() string {
	abs, err := filepath.Abs(string(d))
	if err != nil {
		return string(d)
	}
	return filepath.ToSlash(abs)
}

func (d dirFS) Open(name string) (fs.File, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", string(d), err)
	}
	defer root.Close()
	open := regular.OpenIn
	if info, err := root.Stat(name); err == nil && info.IsDir() {
		open = (*os.Root).Open
	}
	f, err := open(root, name)
	if err != nil {
		return nil, outside(err)
	}
	return f, nil
}

// Stat implements [fs.StatFS]. It also works for a file that cannot be opened.
func (d dirFS) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", string(d), err)
	}
	defer root.Close()
	info, err := root.Stat(name)
	return info, outside(err)
}

// outside recognizes errors of [os.Root] itself, which have no name: errors of the system
// have a number.
func outside(err error) error {
	var at *fs.PathError
	var number syscall.Errno
	if errors.As(err, &at) && !errors.Is(err, regular.ErrNotRegular) && !errors.As(err, &number) &&
		!errors.Is(err, fs.ErrNotExist) &&
		!errors.Is(err, fs.ErrClosed) {
		return errLink
	}
	return err
}

// absent reports whether err means that there is no such file, including a path through
// something that is not a directory.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || isNotDir(err)
}

// files queries a file system and caches the results.
type files struct {
	fsys   fs.FS
	texts  map[string]string
	list   []string
	listed bool
}

func newFiles(fsys fs.FS) *files { return &files{fsys: fsys, texts: make(map[string]string)} }

func (f *files) stat(p string) (fs.FileInfo, error) {
	if f.fsys == nil || !fs.ValidPath(p) {
		return nil, fs.ErrNotExist
	}
	info, err := fs.Stat(f.fsys, p)
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", p, err)
	}
	return info, nil
}

func (f *files) exists(p string) bool {
	_, err := f.stat(p)
	return err == nil
}

// there reports whether a regular file is at p.
func (f *files) there(p string) bool {
	info, err := f.stat(p)
	return err == nil && info.Mode().IsRegular()
}

// text returns the content of a file named in a reply, "" if it cannot be read.
func (f *files) text(p string) (string, bool) {
	p = f.twin(path.Clean(p))
	s, ok := f.texts[p]
	if !ok && f.there(p) {
		if data, err := fs.ReadFile(f.fsys, p); err == nil {
			s, ok = string(data), true
			f.texts[p] = s
		}
	}
	return s, ok
}

// contains reports whether a file contains a text.
func (f *files) contains(p, text string) bool {
	s, ok := f.text(p)
	return ok && strings.Contains(squeezed(s), squeezed(text))
}

// folder reports whether a path is a folder of the tree.
func (f *files) folder(p string) bool {
	if f.fsys == nil {
		return false
	}
	st, err := fs.Stat(f.fsys, p)
	return err == nil && st.IsDir()
}

// mostFiles bounds the list of files; a larger tree is listed in part.
const mostFiles = 50_000

// names lists the regular files once, without git's own and installed packages.
func (f *files) names() []string {
	if f.listed || f.fsys == nil {
		return f.list
	}
	f.listed = true
	if l, ok := f.fsys.(Lister); ok {
		f.list, _ = l.Files() // without a list there are only fewer guesses
		return f.list
	}
	_ = fs.WalkDir(f.fsys, ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil //nolint:nilerr // //nolint:nilerr // unreadable files are not listed
		case e.IsDir() && (e.Name() == ".git" || e.Name() == "node_modules"):
			return fs.SkipDir
		case len(f.list) == mostFiles:
			return fs.SkipAll
		case e.Type().IsRegular():
			f.list = append(f.list, p)
		}
		return nil
	})
	return f.list
}

// twin returns a path in the Unicode form used by the file system: an accented name can be
// written in two ways, and the reply may use the other one.
func (f *files) twin(p string) string {
	if norm.NFC.IsNormalString(p) && norm.NFD.IsNormalString(p) || !fs.ValidPath(p) || f.exists(p) {
		return p
	}
	dir := "."
	for _, part := range strings.Split(p, "/") {
		next := path.Join(dir, part)
		if !f.exists(next) && f.fsys != nil {
			entries, err := fs.ReadDir(f.fsys, dir)
			if err != nil {
				entries = nil
			}
			for _, e := range entries {
				if norm.NFC.String(e.Name()) == norm.NFC.String(part) {
					next = path.Join(dir, e.Name())
				}
			}
		}
		dir = next
	}
	return dir
}

package edit

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/booty-cli/booty/internal/regular"
)

// ErrChanged means that a file is not, or no longer, as the change expects.
var ErrChanged = errors.New("the file has changed since it was read")

// Writer is what [Apply] needs of a directory. [os.Root] implements it; no path and no
// symbolic link leads out of one.
type Writer interface {
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	ReadFile(name string) ([]byte, error)
	Readlink(name string) (string, error)
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Mkdir(name string, perm fs.FileMode) error
	Symlink(old, name string) error
	Rename(old, name string) error
	Remove(name string) error
}

// Apply writes changes below root, all or nothing: on an error it restores everything
// already written and returns the error. Each file is replaced in one step, so a reader
// sees the old content or the new, never a part. If a path is a symbolic link inside root,
// the file it points to is written and the link stays. A file whose bytes are not
// Change.Old fails with [ErrChanged] before anything is written. Directories that a
// deletion leaves empty are removed, since git cannot see them.
func Apply(root Writer, changes []Change) error {
	w := &writer{root: root}
	vacated := make(map[string]bool)
	for _, c := range changes {
		switch c.Op {
		case Delete:
			vacated[c.Path] = true
		case Rename:
			vacated[c.From] = true
		}
	}
	for _, c := range changes {
		if err := w.check(c, vacated); err != nil {
			return err
		}
	}
	if err := w.all(changes); err != nil {
		if undo := w.rollback(); undo != nil {
			return errors.Join(err, fmt.Errorf("put the files back: %w", undo))
		}
		return err
	}
	return nil
}

// writer remembers how to undo each step, latest last.
type writer struct {
	root Writer
	undo []func() error
}

func (w *writer) rollback() error {
	var errs []error
	for i := len(w.undo) - 1; i >= 0; i-- {
		if err := w.undo[i](); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// check compares a file with the Old of its change. Paths that other changes vacate may be
// taken.
func (w *writer) check(c Change, vacated map[string]bool) error {
	for _, p := range []string{c.Path, c.From} {
		if p != "" && !fs.ValidPath(p) || p == "." {
			return fmt.Errorf("apply %q: %w", p, fs.ErrInvalid)
		}
	}
	from := c.Path
	switch c.Op {
	case Create:
		if _, err := w.root.Lstat(c.Path); err == nil {
			if vacated[c.Path] {
				return nil
			}
			return fmt.Errorf("create %s: %w", c.Path, ErrChanged)
		} else if !absent(err) {
			return fmt.Errorf("create %s: %w", c.Path, err)
		}
		return nil
	case Rename:
		from = c.From
	case Modify, Delete:
	default:
		return fmt.Errorf("apply %s: unknown operation %q", c.Path, c.Op)
	}
	now, err := w.read(from)
	if err != nil {
		return fmt.Errorf("%s %s: %w", c.Op, from, err)
	}
	if !bytes.Equal(now, c.Old) {
		return fmt.Errorf("%s %s: %w", c.Op, from, ErrChanged)
	}
	return nil
}

// read reads a regular file: the open of a named pipe would never come back.
func (w *writer) read(name string) ([]byte, error) {
	if info, err := w.root.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is %s: %w", regular.Kind(info.Mode()), regular.ErrNotRegular)
	}
	return w.root.ReadFile(name)
}

// all removes first and creates afterwards, so that one change can vacate a path and
// another take it, as when two files swap names.
func (w *writer) all(changes []Change) error {
	parked := make(map[string]string) // temporary names of renamed files, by old path
	var emptied []string
	for _, c := range changes {
		switch c.Op {
		case Delete:
			if err := w.remove(c.Path); err != nil {
				return fmt.Errorf("delete %s: %w", c.Path, err)
			}
			emptied = append(emptied, path.Dir(c.Path))
		case Rename:
			wait := temporary(c.From)
			if err := w.move(c.From, wait); err != nil {
				return fmt.Errorf("rename %s: %w", c.From, err)
			}
			parked[c.From] = wait
			emptied = append(emptied, path.Dir(c.From))
		}
	}
	for _, c := range changes {
		if err := w.put(c, parked[c.From]); err != nil {
			return fmt.Errorf("%s %s: %w", c.Op, c.Path, err)
		}
	}
	for _, dir := range emptied {
		w.prune(dir)
	}
	return nil
}

func (w *writer) put(c Change, parked string) error {
	if c.Op == Delete {
		return nil
	}
	// Also for an existing file: the file system may hold others than the disk.
	if err := w.mkdir(path.Dir(c.Path)); err != nil {
		return err
	}
	if c.Op != Rename {
		return w.write(c.Path, c.New, c.Mode, c.Old)
	}
	if _, err := w.root.Lstat(c.Path); err == nil {
		return fs.ErrExist
	}
	if err := w.move(parked, c.Path); err != nil || bytes.Equal(c.Old, c.New) {
		return err
	}
	return w.write(c.Path, c.New, c.Mode, c.Old)
}

// write replaces one file; old == nil means that it must not exist.
func (w *writer) write(name string, data []byte, mode fs.FileMode, old []byte) error {
	target, err := w.target(name)
	if err != nil {
		return err
	}
	info, err := w.root.Lstat(target)
	switch {
	case err == nil && info.IsDir():
		return errors.New("is a directory")
	case err == nil:
		was := info.Mode().Perm()
		if mode == 0 {
			mode = was
		}
		w.undo = append(w.undo, func() error { return w.replace(target, old, was) })
	case absent(err):
		w.undo = append(w.undo, func() error { return ignoreAbsent(w.root.Remove(target)) })
	default:
		return err
	}
	return w.replace(target, data, mode)
}

// replace writes a temporary file next to the target, syncs and renames it. Mode 0 leaves
// the permissions to the umask.
func (w *writer) replace(target string, data []byte, mode fs.FileMode) error {
	tmp := temporary(target)
	f, err := w.root.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && mode != 0 {
		err = f.Chmod(mode.Perm())
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = w.root.Rename(tmp, target)
	}
	if err != nil {
		_ = w.root.Remove(tmp)
		return err
	}
	syncDir(w.root, path.Dir(target))
	return nil
}

// target follows a symbolic link at the end of name. Links in parent directories are
// followed by [os.Root], which lets none lead out.
func (w *writer) target(name string) (string, error) {
	for range 40 {
		info, err := w.root.Lstat(name)
		if absent(err) {
			return name, nil
		}
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			return name, nil
		}
		if _, err := w.root.Stat(name); err != nil {
			return "", err
		}
		link, err := w.root.Readlink(name)
		if err != nil {
			return "", err
		}
		// Not cleaned as text: "link/.." means what the system says it means.
		name = path.Dir(name) + "/" + filepath.ToSlash(link)
	}
	return "", errors.New("too many symbolic links")
}

// move renames, and creates the directory first if needed.
func (w *writer) move(from, to string) error {
	if err := w.root.Rename(from, to); err != nil {
		return err
	}
	w.undo = append(w.undo, func() error { return w.root.Rename(to, from) })
	syncDir(w.root, path.Dir(to))
	return nil
}

// remove deletes a file or link by moving it aside, so that undo can restore the very same
// file.
func (w *writer) remove(name string) error {
	info, err := w.root.Lstat(name)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		link, err := w.root.Readlink(name)
		if err != nil {
			return err
		}
		w.undo = append(w.undo, func() error { return w.root.Symlink(link, name) })
	} else {
		data, err := w.read(name)
		if err != nil {
			return err
		}
		w.undo = append(w.undo, func() error { return w.replace(name, data, info.Mode().Perm()) })
	}
	if err := w.root.Remove(name); err != nil {
		w.undo = w.undo[:len(w.undo)-1]
		return err
	}
	syncDir(w.root, path.Dir(name))
	return nil
}

// mkdir creates a directory and its parents, and remembers those it created.
func (w *writer) mkdir(dir string) error {
	if dir == "." {
		return nil
	}
	if info, err := w.root.Stat(dir); err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is not a directory", dir)
		}
		return nil
	}
	if err := w.mkdir(path.Dir(dir)); err != nil {
		return err
	}
	if err := w.root.Mkdir(dir, 0o777); err != nil {
		return err
	}
	w.undo = append(w.undo, func() error { return w.root.Remove(dir) })
	return nil
}

// prune removes empty directories from dir upwards. It comes last, when nothing can fail
// any more; an error only means that one stays.
func (w *writer) prune(dir string) {
	for dir != "." {
		info, err := w.root.Lstat(dir)
		if err == nil && (!info.IsDir() || w.root.Remove(dir) != nil) {
			return
		}
		if err != nil && !absent(err) {
			return
		}
		dir = path.Dir(dir)
	}
}

// temporary returns a new name in the same directory. Git does not ignore it, so it must
// not outlive Apply; only a kill leaves one.
func temporary(name string) string {
	return path.Dir(name) + "/.booty-" + rand.Text()[:12] + ".tmp"
}

func ignoreAbsent(err error) error {
	if absent(err) {
		return nil
	}
	return err
}

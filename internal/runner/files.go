package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/booty-cli/booty/pkg/edit"
)

// A sparse checkout leaves files out of the work tree that the repository has.
// An edit of such a file is one of a file that exists: it is read from the
// checkpoint that the run stands at, and written to the disk.

// recorded reads a file of the state that the run stands at.
type recorded func(name string) ([]byte, bool)

// recorded gives nothing but in a sparse checkout.
func (t *tree) recorded(ctx context.Context) recorded {
	_, err := os.Stat(filepath.Join(t.repo.GitDir(), "info", "sparse-checkout"))
	if err != nil || t.current.Commit == "" {
		return func(string) ([]byte, bool) { return nil, false }
	}
	return func(name string) ([]byte, bool) {
		data, ok, err := t.repo.ReadFile(ctx, t.current.Commit, name)
		return data, ok && err == nil
	}
}

// notOnDisk refuses to delete and rename what is only recorded.
func notOnDisk(root string, changes []edit.Change) []edit.Problem {
	var problems []edit.Problem
	for _, c := range changes {
		name := c.Path
		if c.Op == edit.Rename {
			name = c.From
		} else if c.Op != edit.Delete {
			continue
		}
		if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name))); errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, edit.Problem{Path: name, Reason: "it is not in this sparse checkout, so it cannot be deleted or renamed here: leave it, or change its content"})
		}
	}
	return problems
}

// treeFS are the files on disk, and those that are only recorded.
type treeFS struct {
	fs.FS
	recorded recorded
	// list names the files, faster than a walk.
	list func() ([]string, error)
}

// Files implements edit.Lister.
func (f treeFS) Files() ([]string, error) { return f.list() }

func (f treeFS) Open(name string) (fs.File, error) {
	file, err := f.FS.Open(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return file, err
	}
	if data, ok := f.recorded(name); ok {
		return &recordedFile{Reader: bytes.NewReader(data), name: path.Base(name)}, nil
	}
	return nil, err
}

func (f treeFS) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(f.FS, name)
	if !errors.Is(err, fs.ErrNotExist) {
		return info, err
	}
	if data, ok := f.recorded(name); ok {
		return &recordedFile{Reader: bytes.NewReader(data), name: path.Base(name)}, nil
	}
	return nil, err
}

// Root implements edit.Rooted.
func (f treeFS) Root() string {
	if r, ok := f.FS.(edit.Rooted); ok {
		return r.Root()
	}
	return ""
}

// shown are the files that a reply is read against.
func (t *tree) shown(ctx context.Context) shownFS {
	list := func() ([]string, error) { return t.repo.Files(ctx) }
	return shownFS{FS: treeFS{edit.DirFS(t.repo.Root()), t.recorded(ctx), list}, redact: t.redact}
}

// recordedFile is a file that is not on disk, and what is known of it.
type recordedFile struct {
	*bytes.Reader
	name string
}

func (f *recordedFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *recordedFile) Close() error               { return nil }
func (f *recordedFile) Name() string               { return f.name }
func (f *recordedFile) Mode() fs.FileMode          { return 0o644 }
func (f *recordedFile) ModTime() time.Time         { return time.Time{} }
func (f *recordedFile) IsDir() bool                { return false }
func (f *recordedFile) Sys() any                   { return nil }

// writer writes below a root; what is only recorded has the bytes recorded.
type writer struct {
	*os.Root
	recorded recorded
}

func (w writer) ReadFile(name string) ([]byte, error) {
	data, err := w.Root.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && w.recorded != nil {
		if data, ok := w.recorded(name); ok {
			return data, nil
		}
	}
	return data, err
}

// applyIn writes changes below a directory, all or none. Files that are only
// recorded may be changed where recorded is given.
func applyIn(dir string, changes []edit.Change, recorded recorded) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("open the work tree: %w", err)
	}
	defer root.Close()
	return edit.Apply(writer{root, recorded}, changes)
}

// alike lists files whose new content is as long as the old.
func alike(changes []edit.Change) []string {
	var list []string
	for _, c := range changes {
		if c.Op == edit.Modify && len(c.Old) == len(c.New) {
			list = append(list, c.Path)
		}
	}
	return list
}

// anotherSecond waits until what is written has another time than the files have:
// caches such as Python's tell two versions apart by second and size alone.
func anotherSecond(ctx context.Context, root string, paths []string) error {
	var newest int64
	for _, p := range paths {
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(p))); err == nil {
			newest = max(newest, info.ModTime().Unix())
		}
	}
	now := time.Now()
	if len(paths) == 0 || now.Unix() > newest || newest > now.Unix()+1 { // a time to come is nobody's to wait for
		return nil
	}
	t := time.NewTimer(time.Unix(newest+1, 0).Sub(now))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

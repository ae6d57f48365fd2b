package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/pkg/edit"
)

// A sparse checkout leaves files of the repository out of the work tree. They can be edited all the
// same: a file is read from the run's current checkpoint and written to the disk.

// recorded reads a file of the run's current state.
type recorded func(name string) ([]byte, bool)

// recorded returns nil except in a sparse checkout.
func (t *tree) recorded(ctx context.Context) recorded {
	_, err := os.Stat(filepath.Join(t.repo.GitDir(), "info", "sparse-checkout"))
	if err != nil || t.current.Commit == "" {
		return func(string) ([]byte, bool) { return nil, false }
	}
	return func(name string) ([]byte, bool) {
		data, ok, err := t.repo.History.ReadFile(ctx, t.current.Commit, name)
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
			problems = append(problems,
				edit.Problem{Path: name,
					Reason: "it is not in this sparse checkout, so it cannot be deleted or renamed here: leave it, or change its content"})
		}
	}
	return problems
}

// shownFS are the files as the model saw them: those on disk, and those that are only
// recorded, with marks in place of secrets.
type shownFS struct {
	fs.FS
	redact func(string) string
	// raw are those that are read as they are.
	raw map[string]bool
	// recorded may be nil, as may list, which names the files faster than a walk.
	recorded recorded
	list     func() ([]string, error)
}

// shown are the files that a reply is read against.
func (t *tree) shown(ctx context.Context) shownFS {
	list := func() ([]string, error) { return t.repo.Listing.Files(ctx) }
	return shownFS{FS: edit.DirFS(t.repo.Root()), recorded: t.recorded(ctx), list: list, redact: t.redact}
}

// bytes returns a file without marks.
func (f shownFS) bytes(name string) ([]byte, error) {
	data, err := fs.ReadFile(f.FS, name)
	if errors.Is(err, fs.ErrNotExist) && f.recorded != nil {
		if data, ok := f.recorded(name); ok {
			return data, nil
		}
	}
	return data, err
}

// ReadFile implements fs.ReadFileFS.
func (f shownFS) ReadFile(name string) ([]byte, error) {
	data, err := f.bytes(name)
	if err != nil || f.raw[name] {
		return data, err
	}
	return []byte(f.redact(string(data))), nil
}

// Stat implements fs.StatFS.
func (f shownFS) Stat(name string) (fs.FileInfo, error) {
	info, err := fs.Stat(f.FS, name)
	if errors.Is(err, fs.ErrNotExist) && f.recorded != nil {
		if data, ok := f.recorded(name); ok {
			return recordedInfo{path.Base(name), int64(len(data))}, nil
		}
	}
	return info, err
}

// Files implements edit.Lister.
func (f shownFS) Files() ([]string, error) {
	if f.list == nil {
		return nil, nil
	}
	return f.list()
}

// Root implements edit.Rooted.
func (f shownFS) Root() string {
	if r, ok := f.FS.(edit.Rooted); ok {
		return r.Root()
	}
	return ""
}

// recordedInfo is what is known of a file that is not on disk.
type recordedInfo struct {
	name string
	size int64
}

func (i recordedInfo) Name() string     { return i.name }
func (i recordedInfo) Size() int64      { return i.size }
func (recordedInfo) Mode() fs.FileMode  { return 0o644 }
func (recordedInfo) ModTime() time.Time { return time.Time{} }
func (recordedInfo) IsDir() bool        { return false }
func (recordedInfo) Sys() any           { return nil }

// writer writes below a root; what is only recorded has the bytes recorded.
type writer struct {
	*os.Root
	recorded recorded
}

func (w writer) ReadFile(name string) ([]byte, error) {
	data, err := regular.ReadIn(w.Root, name, regular.MaxSize)
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

// anotherSecond waits until writes get another time than the files have: caches such as Python's
// distinguish two versions only by second and size.
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

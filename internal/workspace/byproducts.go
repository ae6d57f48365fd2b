package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Kept are the tracked files of a work tree that differ from the index, as
// they were before a command ran. It uses nothing of booty's own, so that it
// needs no lock.
type Kept struct {
	r     *Repo
	files map[string]keptFile
}

type keptFile struct {
	data []byte
	mode fs.FileMode
	gone bool
}

// KeepTracked remembers what tracked files hold.
func (r *Repo) KeepTracked(ctx context.Context) (*Kept, error) {
	paths, err := r.modified(ctx)
	if err != nil {
		return nil, err
	}
	k := &Kept{r: r, files: map[string]keptFile{}}
	for _, path := range paths {
		info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			k.files[path] = keptFile{gone: true}
		case err != nil:
			return nil, fmt.Errorf("look at %s: %w", path, err)
		case info.Mode().IsRegular():
			data, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(path)))
			if err != nil {
				return nil, fmt.Errorf("read %s: %w", path, err)
			}
			k.files[path] = keptFile{data: data, mode: info.Mode().Perm()}
		}
	}
	return k, nil
}

// modified lists the tracked files that differ from the index.
func (r *Repo) modified(ctx context.Context) ([]string, error) {
	entries, err := r.Status(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, e := range entries {
		if !e.Untracked() && !e.Submodule && e.XY[1] != '.' {
			paths = append(paths, e.Path)
		}
	}
	return paths, nil
}

// PutBack gives tracked files that were changed since their bytes back, and
// names them. What is new is left.
func (k *Kept) PutBack(ctx context.Context) ([]string, error) {
	now, err := k.r.modified(ctx)
	if err != nil {
		return nil, err
	}
	var changed, clean []string
	for _, path := range now {
		if _, ok := k.files[path]; !ok {
			clean = append(clean, path)
		}
	}
	for path, f := range k.files {
		full := filepath.Join(k.r.root, filepath.FromSlash(path))
		data, err := os.ReadFile(full)
		switch {
		case f.gone && errors.Is(err, fs.ErrNotExist), !f.gone && err == nil && bytes.Equal(data, f.data):
			continue
		case f.gone:
			err = removeFile(full)
		default:
			err = errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), writeAtomic(full, f.data, f.mode))
		}
		if err != nil {
			return changed, fmt.Errorf("put back %s: %w", path, err)
		}
		changed = append(changed, path)
	}
	if len(clean) > 0 {
		in := strings.NewReader(strings.Join(clean, "\x00") + "\x00")
		if _, err := k.r.git.run(ctx, call{args: []string{"checkout-index", "--force", "-z", "--stdin"},
			stdin: in}); err != nil {
			return changed, fmt.Errorf("put back what the checks changed: %w", err)
		}
	}
	changed = append(changed, clean...)
	slices.Sort(changed)
	return changed, nil
}

// AddStaged is AddWorktree at what is staged. staged is false where that is
// what HEAD has. In a hook of git's, index is what GIT_INDEX_FILE names: with
// git commit -a, what is to be committed is staged there and not in the index.
func (r *Repo) AddStaged(ctx context.Context, index string) (w *Repo, cleanup func(context.Context) error, staged bool, err error) {
	if err := r.makeOwnDir(); err != nil {
		return nil, nil, false, err
	}
	index, err = r.copyOfIndex(ctx, r.hookIndex(index))
	if err != nil || index == "" {
		return nil, nil, false, err
	}
	defer func() { _ = removeFile(index) }()
	env := []string{"GIT_INDEX_FILE=" + index}
	entries, err := r.status(ctx, env...)
	if err != nil {
		return nil, nil, false, err
	}
	for _, e := range entries {
		if e.Conflict {
			return nil, nil, false, fmt.Errorf("look at what is staged: %s is in conflict", e.Path)
		}
		staged = staged || !e.Untracked() && e.XY[0] != '.'
	}
	if !staged {
		return nil, nil, false, nil
	}
	out, err := r.git.run(ctx, call{args: []string{"write-tree"}, env: env})
	if err != nil {
		return nil, nil, true, fmt.Errorf("look at what is staged: %w", err)
	}
	tree := strings.TrimSpace(string(out))
	_, head, err := r.Head(ctx)
	if err != nil {
		return nil, nil, true, err
	}
	args := []string{"-c", "user.name=booty", "-c", "user.email=staged@localhost", "commit-tree", "-m",
		"what is staged", tree}
	if head != "" {
		args = append(args, "-p", head)
	}
	commit, err := r.git.text(ctx, args...)
	if err != nil {
		return nil, nil, true, fmt.Errorf("look at what is staged: %w", err)
	}
	w, cleanup, err = r.AddWorktree(ctx, commit)
	return w, cleanup, true, err
}

// hookIndex is the index that a hook was given, where it is one of this
// checkout's git directory, else the checkout's own.
func (r *Repo) hookIndex(given string) string {
	if given != "" {
		if !filepath.IsAbs(given) {
			given = filepath.Join(r.root, given)
		}
		dir, err := filepath.EvalSymlinks(filepath.Dir(given))
		own, err2 := filepath.EvalSymlinks(r.gitDir)
		if err == nil && err2 == nil && dir == own {
			return given
		}
	}
	return r.indexPath()
}

package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Kind is what lies at a path of the work tree.
type Kind string

// The kinds that a guard tells apart.
const (
	kindAbsent    Kind = "absent"
	kindFile      Kind = "file"
	kindDir       Kind = "dir"
	kindSymlink   Kind = "symlink"
	kindSubmodule Kind = "submodule" // or another repository inside
	kindOther     Kind = "other"     // socket, pipe, device
)

// Kind tells what lies at a slash path. A path through a symbolic link is a
// symlink, one inside a submodule is a submodule.
func (r *Repo) Kind(path string) (Kind, error) {
	path = strings.Trim(filepath.ToSlash(filepath.Clean(filepath.FromSlash(path))), "/")
	parts := strings.Split(path, "/")
	for i := range parts {
		full := filepath.Join(r.root, filepath.FromSlash(strings.Join(parts[:i+1], "/")))
		info, err := os.Lstat(full)
		switch {
		case errors.Is(err, os.ErrNotExist):
			return kindAbsent, nil
		case err != nil:
			if i > 0 {
				return kindAbsent, nil // a parent is no directory
			}
			return "", fmt.Errorf("look at %s: %w", path, err)
		case info.Mode()&os.ModeSymlink != 0:
			return kindSymlink, nil
		case info.IsDir():
			if _, err := os.Lstat(filepath.Join(full, ".git")); err == nil && full != r.root {
				return kindSubmodule, nil
			}
			if i == len(parts)-1 {
				return kindDir, nil
			}
		case i < len(parts)-1:
			return kindAbsent, nil // below a file there is nothing
		case info.Mode().IsRegular():
			return kindFile, nil
		default:
			return kindOther, nil
		}
	}
	return kindDir, nil
}

// CaseInsensitive reports whether names that differ in case alone are one file
// here, by the file system itself.
func (r *Repo) CaseInsensitive() bool {
	a, err := os.Stat(filepath.Join(r.gitDir, "HEAD"))
	if err != nil {
		return false
	}
	b, err := os.Stat(filepath.Join(r.gitDir, "hEAD"))
	return err == nil && os.SameFile(a, b)
}

// Submodules lists the submodules that HEAD's index names.
func (r *Repo) Submodules(ctx context.Context) ([]string, error) {
	return r.gitlinks(ctx)
}

// gitlinks lists the repositories inside that the index names.
func (r *Repo) gitlinks(ctx context.Context, env ...string) ([]string, error) {
	out, err := r.git.run(ctx, call{args: []string{"ls-files", "-s", "-z"}, env: env})
	if err != nil {
		return nil, fmt.Errorf("list submodules: %w", err)
	}
	var list []string
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if bytes.HasPrefix(entry, []byte("160000 ")) {
			_, path, _ := bytes.Cut(entry, []byte{'\t'})
			list = append(list, string(path))
		}
	}
	return list, nil
}

// HasSubmodules reports whether the repository has submodules.
func (r *Repo) HasSubmodules(ctx context.Context) (bool, error) {
	list, err := r.Submodules(ctx)
	return len(list) > 0, err
}

// HasLFS reports whether any tracked file goes through Git LFS.
func (r *Repo) HasLFS(ctx context.Context) (bool, error) {
	out, err := r.git.run(ctx, call{args: []string{"ls-files", "-z", "--cached"}})
	if err != nil || len(out) == 0 {
		return false, err
	}
	out, err = r.git.run(ctx, call{args: []string{"check-attr", "-z", "--stdin", "filter"}, stdin: bytes.NewReader(out)})
	if err != nil {
		return false, fmt.Errorf("read git attributes: %w", err)
	}
	return bytes.Contains(out, []byte("\x00filter\x00lfs\x00")), nil
}

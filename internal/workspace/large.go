package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/booty-cli/booty/internal/git"
)

// Large is an untracked file that is too large to be recorded.
type Large struct {
	Path string
	Size int64
}

// LimitFiles leaves untracked files above a size out of checkpoints: they are
// not read, not put back, and not removed. 0 is no limit.
func (r *Repo) LimitFiles(size int64) { r.maxFile = size }

// LargeFiles are those that the last look at the work tree left out.
func (r *Repo) LargeFiles() []Large {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []Large
	for _, l := range r.large {
		list = append(list, l)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list
}

// TooLarge reports whether a path is an untracked file that is not recorded.
func (r *Repo) TooLarge(ctx context.Context, path string) (bool, error) {
	if _, ok := r.oversized(path); !ok {
		return false, nil
	}
	tracked, err := r.git.Tracked(ctx, []string{path})
	return err == nil && !tracked[path], err
}

// oversized looks at a file's size alone.
func (r *Repo) oversized(path string) (Large, bool) {
	if r.maxFile <= 0 {
		return Large{}, false
	}
	info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(path)))
	if err != nil || !info.Mode().IsRegular() || info.Size() <= r.maxFile {
		return Large{}, false
	}
	return Large{path, info.Size()}, true
}

// sortLarge takes the untracked files above the limit out of what a scan is to
// look at. They may be in the shadow's index, from when they were smaller.
func (r *Repo) sortLarge(ctx context.Context, d *drift, raw map[string]git.Pair,
	others []string) ([]string, error) {
	r.large = map[string]Large{}
	if r.maxFile <= 0 {
		return others, nil
	}
	leave := func(l Large) {
		r.large[l.Path] = l
		d.unsaved = append(d.unsaved, Unsaved{l.Path, fmt.Sprintf("larger than %d bytes", r.maxFile)})
	}
	others = slices.DeleteFunc(others, func(path string) bool {
		l, ok := r.oversized(path)
		if ok {
			leave(l)
		}
		return ok
	})
	var grown []string
	for path := range raw {
		if _, ok := r.oversized(path); ok {
			grown = append(grown, path)
		}
	}
	tracked, err := r.git.Tracked(ctx, grown)
	if err != nil {
		return nil, err
	}
	for _, path := range grown {
		if l, ok := r.oversized(path); ok && !tracked[path] {
			leave(l)
			delete(raw, path)
		}
	}
	return others, nil
}

package snapshot

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
func (r *Recorder) LimitFiles(size int64) { r.maxFile = size }

// FileLimit is the size that LimitFiles was given.
func (r *Recorder) FileLimit() int64 { return r.maxFile }

// LargeFiles are those that the last look at the work tree left out.
func (r *Recorder) LargeFiles() []Large {
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
func (r *Recorder) TooLarge(ctx context.Context, path string) (bool, error) {
	if _, ok := oversized(r.at.Root, path, r.maxFile); !ok {
		return false, nil
	}
	tracked, err := r.at.Git.Tracked(ctx, []string{path})
	return err == nil && !tracked[path], err
}

// oversized looks at a file's size alone.
func oversized(root, path string, limit int64) (Large, bool) {
	if limit <= 0 {
		return Large{}, false
	}
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil || !info.Mode().IsRegular() || info.Size() <= limit {
		return Large{}, false
	}
	return Large{path, info.Size()}, true
}

// leaveLarge takes the untracked files above the limit out of what a scan is to
// look at. They may be in the shadow's index, from when they were smaller.
func (d *drift) leaveLarge(ctx context.Context, at Place, limit int64, raw map[string]git.Pair,
	others []string) ([]string, error) {
	d.large = map[string]Large{}
	if limit <= 0 {
		return others, nil
	}
	leave := func(l Large) {
		d.large[l.Path] = l
		d.unsaved = append(d.unsaved, Unsaved{l.Path, fmt.Sprintf("larger than %d bytes", limit)})
	}
	others = slices.DeleteFunc(others, func(path string) bool {
		l, ok := oversized(at.Root, path, limit)
		if ok {
			leave(l)
		}
		return ok
	})
	var grown []string
	for path := range raw {
		if _, ok := oversized(at.Root, path, limit); ok {
			grown = append(grown, path)
		}
	}
	tracked, err := at.Git.Tracked(ctx, grown)
	if err != nil {
		return nil, err
	}
	for _, path := range grown {
		if l, ok := oversized(at.Root, path, limit); ok && !tracked[path] {
			leave(l)
			delete(raw, path)
		}
	}
	return others, nil
}

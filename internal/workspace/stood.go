package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// Stood are files that git ignores, as they were at one moment: no state that is
// recorded holds them, and yet tests may pass because of one.
type Stood struct {
	r     *Repo
	files []watched
}

// maxStood bounds how many ignored files are looked at.
const maxStood = 20000

// Stood takes the ignored files as they are, but for those that apart tells by
// their name or that of a directory they are in.
func (r *Repo) Stood(ctx context.Context, apart func(name string) bool) (*Stood, error) {
	out, err := r.git.run(ctx, call{args: []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard",
		"--directory"}})
	if err != nil {
		return nil, fmt.Errorf("look at ignored files: %w", err)
	}
	s := &Stood{r: r}
	for _, p := range splitNul(out) {
		_ = filepath.WalkDir(filepath.Join(r.root, filepath.FromSlash(p)), func(full string, d fs.DirEntry, err error) error {
			rel, relErr := filepath.Rel(r.root, full)
			if err != nil || relErr != nil {
				return nil //nolint:nilerr // what cannot be looked at cannot be compared
			}
			rel = filepath.ToSlash(rel)
			switch {
			case len(s.files) >= maxStood:
				return filepath.SkipAll
			case isApart(rel, apart) && d.IsDir():
				return filepath.SkipDir
			case !d.IsDir() && !isApart(rel, apart):
				s.files = append(s.files, watched{path: rel, was: stampOf(full)})
			}
			return nil
		})
	}
	return s, nil
}

func isApart(p string, apart func(string) bool) bool {
	for name := range strings.SplitSeq(p, "/") {
		if apart(name) {
			return true
		}
	}
	return false
}

// Changed lists what was written or removed since, and forgets it.
func (s *Stood) Changed() []string {
	now := make([]stamp, len(s.files))
	stampAll(s.r.root, s.files, now)
	var list []string
	kept := s.files[:0]
	for i, f := range s.files {
		if now[i] != f.was && !now[i].linkedSince(f.was) {
			list = append(list, path.Clean(f.path))
			continue
		}
		kept = append(kept, f)
	}
	s.files = kept
	return list
}

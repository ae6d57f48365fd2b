package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/carry"
)

// IgnoredLike gives what git ignores in a tree of booty's own, whole directories as one, with
// what each looks like: names, sizes and times.
func (r *Repo) IgnoredLike(ctx context.Context) (map[string]string, error) {
	paths, err := r.ignoredPaths(ctx)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, p := range paths {
		like, _, err := carry.Likeness(filepath.Join(r.root, filepath.FromSlash(p)), r.ownFiles.isState)
		if err != nil {
			return nil, fmt.Errorf("look at %s: %w", p, err)
		}
		all[p] = like
	}
	return all, nil
}

// CopyIgnored puts ignored files of another tree in place of those of this one: copies, that
// share bytes where the file system can. false says that there are some that are no files
// of the tree's own, but overlays that only commands see.
func (r *Repo) CopyIgnored(from *Repo, paths []string) (copied bool, err error) {
	for _, tree := range []*Repo{r, from} {
		for _, o := range tree.Overlays() {
			rel, err := filepath.Rel(tree.root, o.Target)
			if err != nil {
				return false, err
			}
			for _, p := range paths {
				if within(filepath.ToSlash(rel), p) || within(p, filepath.ToSlash(rel)) {
					return false, nil
				}
			}
		}
	}
	for _, p := range paths {
		target := filepath.Join(r.root, filepath.FromSlash(p))
		err := errors.Join(atomicfile.RemoveAll(target), os.MkdirAll(filepath.Dir(target), 0o755))
		if err == nil {
			err = carry.Copy(filepath.Join(from.root, filepath.FromSlash(p)), target, from.ownFiles.isState)
		}
		if err != nil {
			return false, fmt.Errorf("copy %s to another tree: %w", p, err)
		}
	}
	return true, nil
}

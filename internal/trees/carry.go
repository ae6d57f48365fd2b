package trees

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/carry"
	"github.com/booty-cli/booty/internal/git"
)

// carried is what was brought into this tree of booty's own.
func (t *Tree) carried() carry.Tree { return carry.Tree{Root: t.at.Root, Beside: t.slot.dir} }

// Overlays are the directories of this tree that commands are to see as overlays.
func (t *Tree) Overlays() []carry.Overlay {
	if !t.overlaid {
		return nil
	}
	return t.carried().Overlays()
}

// Overlaid reports whether ignored directories may be overlays in this tree.
func (t *Tree) Overlaid() bool { return t.overlaid }

// bringIgnored gives the tree the ignored files that it is to have.
func (t *Tree) bringIgnored(ctx context.Context, from Source, o Options) error {
	if o.Bare {
		return t.dropCarried(ctx)
	}
	return t.carry(ctx, from, o.Overlays)
}

// carry brings the ignored files of another tree, and the contents of its submodules,
// up to date in this one.
func (t *Tree) carry(ctx context.Context, from Source, overlays func() bool) error {
	paths, err := from.Listing.Ignored(ctx)
	if err != nil {
		return err
	}
	source := carry.Source{Root: from.At.Root, Paths: paths, Untracked: map[string]bool{},
		Overlays: from.Overlays, Skip: from.Listing.OwnFiles().IsStateDir}
	for _, path := range from.Listing.TooLarge() {
		source.Untracked[path] = true
	}
	var tracked map[string]filemode.FileMode
	if len(paths) > 0 || !t.carried().Empty() {
		if tracked, err = t.trackedNames(ctx); err != nil {
			return err
		}
	}
	left, err := t.carried().Bring(ctx, source, tracked, func() bool {
		t.overlaid = overlays != nil && overlays()
		return t.overlaid
	})
	t.leftOut = append(t.leftOut, left...)
	return err
}

// trackedNames gives the files of this tree's commit and their directories, with their modes.
func (t *Tree) trackedNames(ctx context.Context) (map[string]filemode.FileMode, error) {
	list, err := t.at.Git.IndexEntries(ctx)
	names := make(map[string]filemode.FileMode, len(list))
	for _, e := range list {
		names[e.Path] = filemode.FileMode(e.Mode)
		for dir := path.Dir(e.Path); dir != "." && names[dir] == 0; dir = path.Dir(dir) {
			names[dir] = filemode.Dir
		}
	}
	return names, err
}

// LeftOut are the ignored files and directories that are too large to be copied into this
// tree.
func (t *Tree) LeftOut() []carry.TooLarge { return t.leftOut }

// dropCarried removes all that was brought along and built: the tree is what git knows.
func (t *Tree) dropCarried(ctx context.Context) error {
	if err := t.carried().Forget(); err != nil {
		return err
	}
	_, err := t.at.Git.Run(ctx, git.Call{Args: []string{"clean", "--quiet", "--force", "--force", "-d", "-x"}})
	return err
}

// IgnoredLike gives what git ignores in the tree, whole directories as one, with
// what each looks like: names, sizes and times.
func (t *Tree) IgnoredLike(ctx context.Context) (map[string]string, error) {
	paths, err := t.listing.Ignored(ctx)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, p := range paths {
		like, _, err := carry.Likeness(filepath.Join(t.at.Root, filepath.FromSlash(p)), t.listing.OwnFiles().IsStateDir)
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
func (t *Tree) CopyIgnored(from *Tree, paths []string) (copied bool, err error) {
	for _, tree := range []*Tree{t, from} {
		for _, o := range tree.Overlays() {
			rel, err := filepath.Rel(tree.at.Root, o.Target)
			if err != nil {
				return false, err
			}
			for _, p := range paths {
				if git.Within(filepath.ToSlash(rel), p) || git.Within(p, filepath.ToSlash(rel)) {
					return false, nil
				}
			}
		}
	}
	for _, p := range paths {
		target := filepath.Join(t.at.Root, filepath.FromSlash(p))
		err := errors.Join(atomicfile.RemoveAll(target), os.MkdirAll(filepath.Dir(target), 0o755))
		if err == nil {
			err = carry.Copy(filepath.Join(from.at.Root, filepath.FromSlash(p)), target, from.listing.OwnFiles().IsStateDir)
		}
		if err != nil {
			return false, fmt.Errorf("copy %s to another tree: %w", p, err)
		}
	}
	return true, nil
}

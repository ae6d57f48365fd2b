package workspace

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/booty-cli/booty/internal/carry"
	"github.com/booty-cli/booty/internal/git"
)

// carried is what was brought into this tree of booty's own.
func (r *Repo) carried() carry.Tree { return carry.Tree{Root: r.root, Beside: r.slot.dir} }

// Overlays are the directories of this tree that commands are to see as overlays.
func (r *Repo) Overlays() []carry.Overlay {
	if r.slot == nil || !r.overlaid {
		return nil
	}
	return r.carried().Overlays()
}

// carry brings the ignored files of another tree, and the contents of its submodules,
// up to date in this one.
func (r *Repo) carry(ctx context.Context, from *Repo, overlays func() bool) error {
	paths, err := from.ignoredPaths(ctx)
	if err != nil {
		return err
	}
	source := carry.Source{Root: from.root, Paths: paths, Untracked: map[string]bool{},
		Overlays: from.Overlays(), Skip: from.ownFiles.isState}
	for _, l := range from.States.LargeFiles() {
		source.Untracked[l.Path] = true
	}
	var tracked map[string]filemode.FileMode
	if len(paths) > 0 || !r.carried().Empty() {
		if tracked, err = r.trackedNames(ctx); err != nil {
			return err
		}
	}
	left, err := r.carried().Bring(ctx, source, tracked, func() bool {
		r.overlaid = overlays != nil && overlays()
		return r.overlaid
	})
	r.leftOut = append(r.leftOut, left...)
	return err
}

// ignoredPaths lists what git ignores, whole directories as one, and submodules.
func (r *Repo) ignoredPaths(ctx context.Context) ([]string, error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard",
		"--directory"}})
	if err != nil {
		return nil, fmt.Errorf("list ignored files: %w", err)
	}
	links, err := r.submodules(ctx)
	if err != nil {
		return nil, err
	}
	list := slices.Clone(links)
	for _, l := range r.States.LargeFiles() { // untracked, and in no state of the checkout
		list = append(list, l.Path)
	}
	for _, path := range git.SplitNul(out) {
		if path = strings.TrimSuffix(path, "/"); path != "" && path != ".git" && !r.ownFiles.has(path) {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// trackedNames gives the files of this tree's commit and their directories, with their modes.
func (r *Repo) trackedNames(ctx context.Context) (map[string]filemode.FileMode, error) {
	list, err := r.git.IndexEntries(ctx)
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
func (r *Repo) LeftOut() []carry.TooLarge { return r.leftOut }

// dropCarried removes all that was brought along and built: the tree is what git knows.
func (r *Repo) dropCarried(ctx context.Context) error {
	if err := r.carried().Forget(); err != nil {
		return err
	}
	_, err := r.git.Run(ctx, git.Call{Args: []string{"clean", "--quiet", "--force", "--force", "-d", "-x"}})
	return err
}

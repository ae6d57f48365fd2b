package workspace

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/git"
)

// submodules lists the repositories inside that the index names, as of the first call: no
// proposal changes them.
func (r *Repo) submodules(ctx context.Context) ([]string, error) {
	r.asked.Lock()
	defer r.asked.Unlock()
	if r.links != nil {
		return r.links, nil
	}
	out, err := r.git.Run(ctx, git.Call{Args: []string{"ls-files", "-s", "-z"}})
	if err != nil {
		return nil, fmt.Errorf("list submodules: %w", err)
	}
	list := []string{}
	for entry := range bytes.SplitSeq(out, []byte{0}) {
		if bytes.HasPrefix(entry, []byte("160000 ")) {
			_, path, _ := bytes.Cut(entry, []byte{'\t'})
			list = append(list, string(path))
		}
	}
	r.links = list
	return list, nil
}

// Files names the files of the work tree that git tracks or would track, as slash paths
// below its root; a tracked file that is gone is among them.
func (r *Repo) Files(ctx context.Context) ([]string, error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard",
		"--deduplicate"}})
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", r.root, err)
	}
	return slices.DeleteFunc(git.SplitNul(out), r.ownFiles.inState), nil
}

// Status lists what differs from HEAD, as git status does; booty's own state is left out.
func (r *Repo) Status(ctx context.Context) ([]git.StatusEntry, error) { return r.status(ctx) }

func (r *Repo) status(ctx context.Context, env ...string) ([]git.StatusEntry, error) {
	list, err := r.git.Status(ctx, env...)
	return slices.DeleteFunc(list,
		func(e git.StatusEntry) bool { return e.Untracked() && r.ownFiles.inState(e.Path) }), err
}

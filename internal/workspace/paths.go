package workspace

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"slices"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/snapshot"
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
	return slices.DeleteFunc(git.SplitNul(out), r.inState), nil
}

// Ignored tells which of the paths git ignores: those that a commit would lack.
// Tracked files are never among them, nor is what the commit that is checked out holds.
func (r *Repo) Ignored(ctx context.Context, paths []string) ([]string, error) {
	_, head, err := r.Head(ctx)
	if err != nil || head == "" {
		return r.askIgnored(ctx, paths)
	}
	st := r.own.Objects()
	tree, err := st.Tree(head)
	if err != nil {
		return nil, err
	}
	var unknown []string
	for _, path := range paths {
		if state, err := st.Entry(tree, path); err != nil || !state.Present() ||
			snapshot.ThroughSymlink(r.root, path) {
			unknown = append(unknown, path)
		}
	}
	return r.askIgnored(ctx, unknown)
}

// askIgnored asks git about the paths whose answer is not known.
func (r *Repo) askIgnored(ctx context.Context, paths []string) ([]string, error) {
	var ask, ignored []string
	read := map[string][]fs.FileInfo{}
	for _, path := range paths {
		read[path] = r.readForIgnored(path)
		switch is, known := r.ignoring.get(path, read[path]); {
		case !known:
			ask = append(ask, path)
		case is:
			ignored = append(ignored, path)
		}
	}
	said, err := r.git.Ignored(ctx, ask)
	if err != nil {
		return nil, err
	}
	for _, path := range ask {
		r.ignoring.put(path, read[path], slices.Contains(said, path))
	}
	return append(ignored, said...), nil
}

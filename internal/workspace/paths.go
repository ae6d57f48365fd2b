package workspace

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/booty-cli/booty/internal/git"
)

// caseInsensitive reports whether names that differ in case alone are one file
// here, by the file system itself.
func (r *Repo) caseInsensitive() bool {
	a, err := os.Stat(filepath.Join(r.gitDir, "HEAD"))
	if err != nil {
		return false
	}
	b, err := os.Stat(filepath.Join(r.gitDir, "hEAD"))
	return err == nil && os.SameFile(a, b)
}

// submodules lists the repositories inside that the index names, as of the first call: no
// proposal changes them.
func (r *Repo) submodules(ctx context.Context) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
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

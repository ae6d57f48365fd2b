package workspace

import (
	"context"
	"fmt"
)

// Files names the files of the work tree that git tracks or would track, as slash paths
// below its root; a tracked file that is gone is among them.
func (r *Repo) Files(ctx context.Context) ([]string, error) {
	out, err := r.git.run(ctx, call{args: []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard",
		"--deduplicate"}})
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", r.root, err)
	}
	return splitNul(out), nil
}

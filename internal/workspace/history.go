package workspace

import (
	"context"
	"strconv"
	"strings"
)

// PastCommit is a commit as the history tells it: the message and the paths
// that it changed.
type PastCommit struct {
	Message string
	Paths   []string
}

// History gives the newest n commits before HEAD that are no merges, newest
// first. A repository without one has none.
func (r *Repo) History(ctx context.Context, n int) ([]PastCommit, error) {
	if _, head, err := r.Head(ctx); err != nil || head == "" {
		return nil, err
	}
	out, err := r.git.run(ctx, call{args: []string{
		"-c", "log.showSignature=false", "log", "-z", "-n", strconv.Itoa(n), "--no-merges", "--no-renames",
		"--no-ext-diff", "--no-color",
		"--name-only", "--format=%x01%B%x02", "HEAD", "--",
	}})
	if err != nil {
		return nil, err
	}
	var past []PastCommit
	for entry := range strings.SplitSeq(string(out), "\x01") {
		message, paths, ok := strings.Cut(entry, "\x02")
		if !ok {
			continue
		}
		c := PastCommit{Message: strings.TrimSpace(message)}
		for path := range strings.SplitSeq(paths, "\x00") {
			if path = strings.TrimPrefix(path, "\n"); path != "" {
				c.Paths = append(c.Paths, path)
			}
		}
		past = append(past, c)
	}
	return past, nil
}

package workspace

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/git"
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
	out, err := r.git.Run(ctx, git.Call{Args: []string{
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

// Messages gives those of the commits of a branch that its base does not have, oldest first,
// merges left out.
func (r *Repo) Messages(ctx context.Context, base, tip string) (messages []string, err error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"-c", "log.showSignature=false", "log", "-z", "--reverse", "--no-merges", "--no-color",
		"--format=%B", tip, "^" + base, "--"}, Env: r.own.Lend()})
	if err != nil {
		return nil, fmt.Errorf("read the messages of the commits up to %s: %w", tip, err)
	}
	for m := range strings.SplitSeq(string(out), "\x00") {
		if m = strings.TrimSpace(m); m != "" {
			messages = append(messages, m)
		}
	}
	return messages, nil
}

// MergeBase gives the newest commit that is part of both histories.
func (r *Repo) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"merge-base", a, b}, Env: r.own.Lend()})
	if err != nil {
		return "", fmt.Errorf("look for the common history of %s and %s: %w", a, b, err)
	}
	return lastLine(out), nil
}

// FirstBeyond gives the oldest commit of a branch that its base does not have, merges left
// out; "" where there is none.
func (r *Repo) FirstBeyond(ctx context.Context, base, tip string) (string, error) {
	out, err := r.git.Run(ctx,
		git.Call{Args: []string{"rev-list", "--no-merges", "--topo-order", tip, "^" + base}})
	if err != nil {
		return "", fmt.Errorf("look at what %s holds: %w", tip, err)
	}
	return lastLine(out), nil
}

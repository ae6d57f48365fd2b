package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// PastCommit is a commit as the history tells it: the message and the paths
// that it changed.
type PastCommit struct {
	Message string
	Paths   []string
}

// Past gives the newest n commits before HEAD that are no merges, newest
// first. A repository without one has none.
func (r Reader) Past(ctx context.Context, n int) ([]PastCommit, error) {
	if _, head, err := r.store.Objects().Head(); err != nil || head == "" {
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
func (r Reader) Messages(ctx context.Context, base, tip string) (messages []string, err error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"-c", "log.showSignature=false", "log", "-z", "--reverse", "--no-merges", "--no-color",
		"--format=%B", tip, "^" + base, "--"}, Env: r.store.Lend()})
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
func (r Reader) MergeBase(ctx context.Context, a, b string) (string, error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"merge-base", a, b}, Env: r.store.Lend()})
	if err != nil {
		return "", fmt.Errorf("look for the common history of %s and %s: %w", a, b, err)
	}
	return git.LastLine(out), nil
}

// FirstBeyond gives the oldest commit of a branch that its base does not have, merges left
// out; "" where there is none.
func (r Reader) FirstBeyond(ctx context.Context, base, tip string) (string, error) {
	out, err := r.git.Run(ctx,
		git.Call{Args: []string{"rev-list", "--no-merges", "--topo-order", tip, "^" + base}})
	if err != nil {
		return "", fmt.Errorf("look at what %s holds: %w", tip, err)
	}
	return git.LastLine(out), nil
}

// Contains reports whether all of a branch's history is in that of commit. A tip
// that is not known here is in nothing.
func (r Reader) Contains(ctx context.Context, commit, tip string) (bool, error) {
	_, err := r.git.Run(ctx, git.Call{Args: []string{"merge-base", "--is-ancestor", tip, commit},
		Env: r.store.Lend()})
	var g *git.Error
	if errors.As(err, &g) && (g.ExitCode == 1 || g.ExitCode == 128) {
		return false, nil
	}
	return err == nil, err
}

// OthersOn lists the authors of commits in base..tip that lack the trailer by
// which booty marks its own, merges left out.
func (r Reader) OthersOn(ctx context.Context, base, tip, trailer string) ([]string, error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"log", "-z", "--no-show-signature",
		"--format=%an <%ae>%x01%(trailers:key=" + trailer + ",valueonly)",
		"--no-merges", tip, "^" + base}, Env: r.store.Lend()})
	if err != nil {
		return nil, fault.New(fault.Git, "", "list the commits of %s: %w", tip, err)
	}
	var others []string
	for _, entry := range git.SplitNul(out) {
		who, mark, _ := strings.Cut(entry, "\x01")
		if strings.TrimSpace(mark) == "" && !slices.Contains(others, who) {
			others = append(others, who)
		}
	}
	return others, nil
}

// CommitSaying finds the newest commit before tip, or tip, whose message has a
// line, and its first parent; "" where there is none.
func (r Reader) CommitSaying(ctx context.Context, tip, line string) (commit, parent string, err error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"log", "-1", "--no-show-signature", "--fixed-strings",
		"--grep=" + line, "--format=%H %P", tip}, Env: r.store.Lend()})
	if err != nil {
		return "", "", fmt.Errorf("look for a commit: %w", err)
	}
	f := strings.Fields(string(out))
	if len(f) < 2 {
		return "", "", nil
	}
	return f[0], f[1], nil
}

// Trailer gives the value of a line at the end of a commit's message.
func (r Reader) Trailer(ctx context.Context, commit, key string) (string, error) {
	c, err := r.store.Objects().Commit(commit)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(c.Message) {
		if rest, ok := strings.CutPrefix(line, key+": "); ok {
			return strings.TrimSpace(rest), ctx.Err()
		}
	}
	return "", ctx.Err()
}

// BeforeOwn gives the commit that has a path as it was before commits with a trailer
// touched it on the way from base to tip: tip where none did; else the newest commit
// that touches it and lacks the trailer, or has the other one; else base.
func (r Reader) BeforeOwn(ctx context.Context, base, tip, trailer, other, path string) (string, error) {
	value := func(key string) string { return "%(trailers:key=" + key + ",valueonly)" }
	out, err := r.git.Run(ctx, git.Call{Args: []string{"log", "-z", "--no-show-signature",
		"--format=%H%x01" + value(trailer) + "%x01" + value(other), "--no-merges", tip, "^" + base, "--", path}, Env: r.store.Lend()})
	if err != nil {
		return "", fault.New(fault.Git, "", "list the commits of %s: %w", tip, err)
	}
	before, own := base, false
	for _, entry := range git.SplitNul(out) {
		parts := strings.SplitN(entry, "\x01", 3)
		if len(parts) < 3 {
			continue
		}
		theirs := strings.TrimSpace(parts[1]) == "" || strings.TrimSpace(parts[2]) != ""
		if own = own || !theirs; theirs && before == base {
			before = strings.TrimSpace(parts[0])
		}
	}
	if !own {
		return tip, nil
	}
	return before, nil
}

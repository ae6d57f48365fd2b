package snapshot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// Comparer tells how two recorded states differ. Each is the name of a checkpoint, a commit or
// a tree; the work tree is not looked at.
type Comparer struct {
	store *store.Access
	git   git.Client // runs in the store

	mu sync.Mutex
	// compared are the two states that changes is between.
	compared [2]string
	changes  []Change
}

// Change is how one path differs between two states.
type Change struct {
	Path string
	// From is the old path of a rename.
	From string
	// Op is create, modify, delete or rename.
	Op string
	// Added and Removed count lines; both are 0 for a binary file.
	Added, Removed int
	Binary         bool
}

// Changes lists what differs from state a to state b, sorted by path. A file that went and
// came with the same bytes was renamed. The last answer is kept: several ask for the same one after the other.
func (c *Comparer) Changes(ctx context.Context, a, b string) ([]Change, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.compared != [2]string{a, b} {
		list, err := c.compare(ctx, a, b)
		if err != nil {
			return nil, err
		}
		c.compared, c.changes = [2]string{a, b}, list
	}
	return slices.Clone(c.changes), nil
}

// Renames are the files that one commit has under other names than another, by their old names:
// those of which at least half is the same.
func (c *Comparer) Renames(ctx context.Context, a, b string) (map[string]string, error) {
	out, err := c.diffTree(ctx, a, b, nil, "--name-status", "-z", "--find-renames=50%", "--diff-filter=R")
	if err != nil {
		return nil, err
	}
	renames := map[string]string{}
	for f := git.SplitNul(out); len(f) >= 3; f = f[3:] { // "R087", the old name, the new
		renames[f[1]] = f[2]
	}
	return renames, nil
}

func (c *Comparer) compare(ctx context.Context, a, b string) ([]Change, error) {
	out, err := c.diffTree(ctx, a, b, nil, "--raw", "--numstat", "-z", "--find-renames=100%")
	if err != nil {
		return nil, err
	}
	fields := git.SplitNul(out)
	next := func() (f string) {
		if len(fields) > 0 {
			f, fields = fields[0], fields[1:]
		}
		return f
	}
	list, at := []Change{}, map[string]int{}
	for len(fields) > 0 {
		f := next()
		if head, isRaw := strings.CutPrefix(f, ":"); isRaw { // modes, hashes, status
			ch := Change{Op: map[byte]string{'A': "create", 'D': "delete",
				'R': "rename"}[head[strings.LastIndexByte(head, ' ')+1]]}
			if ch.Op == "" {
				ch.Op = "modify"
			}
			if ch.Op == "rename" {
				ch.From = next()
			}
			ch.Path = next()
			at[ch.Path] = len(list)
			list = append(list, ch)
			continue
		}
		counts := strings.SplitN(f, "\t", 3) // added, removed, path
		if len(counts) < 3 {
			return nil, fmt.Errorf("read git's list of changes: odd entry %q", f)
		}
		path := counts[2]
		if path == "" { // renamed
			_, path = next(), next()
		}
		i, ok := at[path]
		if !ok {
			return nil, fmt.Errorf("read git's list of changes: odd entry %q", f)
		}
		if list[i].Binary = counts[0] == "-"; !list[i].Binary {
			added, err1 := strconv.Atoi(counts[0])
			removed, err2 := strconv.Atoi(counts[1])
			if err := errors.Join(err1, err2); err != nil {
				return nil, fmt.Errorf("read git's list of changes: %w", err)
			}
			list[i].Added, list[i].Removed = added, removed
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list, nil
}

// Diff gives the difference from state a to state b as a unified diff. With paths it
// shows these files alone.
func (c *Comparer) Diff(ctx context.Context, a, b string, paths ...string) (string, error) {
	out, err := c.diffTree(ctx, a, b, paths, "--patch", "--find-renames=100%")
	var text strings.Builder
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "index ") { // names of objects say nothing to a reader
			text.WriteString(line)
		}
	}
	return text.String(), err
}

// diffTree has git compare two states.
func (c *Comparer) diffTree(ctx context.Context, a, b string, paths []string, args ...string) ([]byte, error) {
	if err := c.store.Make(); err != nil {
		return nil, err
	}
	args = slices.Concat([]string{"--literal-pathspecs", "-c", "core.quotePath=false", "diff-tree", "-r",
		"--patience",
		"--no-ext-diff", "--no-textconv", "--ignore-submodules=none"}, args, []string{a, b, "--"}, paths)
	out, err := c.git.Run(ctx, git.Call{Args: args})
	return out, git.Classify("compare two states", err)
}

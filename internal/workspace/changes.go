package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/booty-cli/booty/internal/git"
)

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

// Changes lists what differs from state a to state b, each the name of a checkpoint, a
// commit or a tree, sorted by path. A file that went and came with the same bytes was
// renamed. The last answer is kept: several ask for the same one after the other.
func (r *Repo) Changes(ctx context.Context, a, b string) ([]Change, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.compared != [2]string{a, b} {
		list, err := r.compare(ctx, a, b)
		if err != nil {
			return nil, err
		}
		r.compared, r.changes = [2]string{a, b}, list
	}
	return slices.Clone(r.changes), nil
}

// Renames are the files that one commit has under other names than another, by their old names:
// those of which at least half is the same.
func (r *Repo) Renames(ctx context.Context, a, b string) (map[string]string, error) {
	out, err := r.diffTree(ctx, a, b, nil, "--name-status", "-z", "--find-renames=50%", "--diff-filter=R")
	if err != nil {
		return nil, err
	}
	renames := map[string]string{}
	for f := git.SplitNul(out); len(f) >= 3; f = f[3:] { // "R087", the old name, the new
		renames[f[1]] = f[2]
	}
	return renames, nil
}

func (r *Repo) compare(ctx context.Context, a, b string) ([]Change, error) {
	out, err := r.diffTree(ctx, a, b, nil, "--raw", "--numstat", "-z", "--find-renames=100%")
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
			c := Change{Op: map[byte]string{'A': "create", 'D': "delete",
				'R': "rename"}[head[strings.LastIndexByte(head, ' ')+1]]}
			if c.Op == "" {
				c.Op = "modify"
			}
			if c.Op == "rename" {
				c.From = next()
			}
			c.Path = next()
			at[c.Path] = len(list)
			list = append(list, c)
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
func (r *Repo) Diff(ctx context.Context, a, b string, paths ...string) (string, error) {
	out, err := r.diffTree(ctx, a, b, paths, "--patch", "--find-renames=100%")
	var text strings.Builder
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, "index ") { // names of objects say nothing to a reader
			text.WriteString(line)
		}
	}
	return text.String(), err
}

// pairs gives each path that differs between two states.
func (r *Repo) pairs(ctx context.Context, a, b string) (map[string]git.Pair, error) {
	out, err := r.diffTree(ctx, a, b, nil, "--raw", "-z", "--no-abbrev", "--no-renames")
	if err != nil {
		return nil, err
	}
	return git.ParseRaw(out)
}

// diffTree has git compare two states.
func (r *Repo) diffTree(ctx context.Context, a, b string, paths []string, args ...string) ([]byte, error) {
	if err := r.own.Make(); err != nil {
		return nil, err
	}
	args = slices.Concat([]string{"--literal-pathspecs", "-c", "core.quotePath=false", "diff-tree", "-r",
		"--patience",
		"--no-ext-diff", "--no-textconv", "--ignore-submodules=none"}, args, []string{a, b, "--"}, paths)
	out, err := r.own.Git(r.git).Run(ctx, git.Call{Args: args})
	return out, git.Classify("compare two states", err)
}

// Since lists what differs in the work tree from a checkpoint now: by stat
// data, so that only files that look changed are read. Lines are not counted.
func (r *Repo) Since(ctx context.Context, cp Checkpoint) ([]Change, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.openShadow(ctx)
	if err != nil {
		return nil, git.Classify("look at the work tree", err)
	}
	diff, err := r.against(ctx, s, cp)
	if err != nil {
		return nil, git.Classify("look at the work tree", err)
	}
	var list []Change
	for path, p := range diff {
		list = append(list, changeOf(path, p))
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list, nil
}

func changeOf(path string, p git.Pair) Change {
	c := Change{Path: path, Op: "modify"}
	if !p.Was.Present() {
		c.Op = "create"
	} else if !p.Is.Present() {
		c.Op = "delete"
	}
	return c
}

// PutBack gives the named paths the state of a checkpoint again, for what the
// checks changed. Files that the checkpoint does not know are removed only
// where removeUntracked says so. Other paths stay as they are.
func (r *Repo) PutBack(ctx context.Context, cp Checkpoint, paths []string, removeUntracked bool) error {
	if len(paths) == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	some, err := r.movesOf(cp, paths)
	if err != nil {
		return git.Classify("put files back", err)
	}
	some = slices.DeleteFunc(some, func(m move) bool { return !removeUntracked && !m.want.Present() })
	return git.Classify("put files back", r.apply(ctx, some))
}

// movesOf lists what differs from a checkpoint among some paths, which needs
// no look at the rest of the tree.
func (r *Repo) movesOf(cp Checkpoint, paths []string) ([]move, error) {
	st := r.own.Objects()
	tree, err := st.Tree(cp.Tree)
	if err != nil {
		return nil, err
	}
	known, err := r.remembered(st, cp.Run)
	if err != nil {
		return nil, err
	}
	var list []move
	for _, path := range paths {
		want, err := st.Entry(tree, path)
		if err != nil {
			return nil, err
		}
		before, named := known[path]
		if named && !want.Present() {
			want = before
		}
		is, why := stateOf(r.root, path, want.Mode)
		if why == "" && want.Mode != git.ModeGitlink && want.Mode != uint32(filemode.Dir) && is.Differs(want) {
			list = append(list, move{path: path, is: is, want: want, named: named})
		}
	}
	return list, nil
}

// Uncommitted gives those of some paths of which a state of the checkout has something else
// than a commit. A filter, or how lines end, makes the bytes of a clean file differ from its
// commit: what git would store of them is compared.
func (r *Repo) Uncommitted(ctx context.Context, commit, state string, paths []string) ([]string, error) {
	pairs, err := r.pairs(ctx, commit, state)
	if err != nil {
		return nil, err
	}
	st := r.own.Objects()
	var list []string
	for _, path := range paths {
		p, differs := pairs[path]
		if !differs {
			continue
		}
		if p.Was.Mode == p.Is.Mode && p.Is.Mode != git.ModeSymlink {
			data, err := st.Blob(p.Is.Hash)
			if err != nil {
				return nil, err
			}
			hash, err := r.git.Run(ctx,
				git.Call{Args: []string{"hash-object", "--stdin", "--path", path}, Stdin: bytes.NewReader(data),
					Programs: true})
			if err != nil {
				return nil, git.Classify("compare "+path+" with its commit", err)
			}
			if strings.TrimSpace(string(hash)) == p.Was.Hash {
				continue
			}
		}
		list = append(list, path)
	}
	return list, nil
}

package workspace

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"slices"
	"sort"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/booty-cli/booty/internal/diff"
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

// change is a Change with what it is between.
type change struct {
	Change
	was, is fileState
}

// Changes lists what differs from state a to state b, each a checkpoint, a
// commit or a tree.
func (r *Repo) Changes(ctx context.Context, a, b string) ([]Change, error) {
	st := r.store()
	list, err := st.compare(ctx, a, b)
	if err != nil {
		return nil, classify("compare two states", err)
	}
	out := make([]Change, 0, len(list))
	for _, c := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		old, now, err := st.sides(c)
		if err != nil {
			return nil, err
		}
		if c.Binary = isBinary(old) || isBinary(now); !c.Binary {
			c.Added, c.Removed = countLines(old, now)
		}
		out = append(out, c.Change)
	}
	return out, nil
}

// Diff gives the difference from state a to state b as a unified diff. With paths it
// shows these files alone.
func (r *Repo) Diff(ctx context.Context, a, b string, paths ...string) (string, error) {
	st := r.store()
	list, err := st.compare(ctx, a, b)
	if err != nil {
		return "", classify("compare two states", err)
	}
	var out strings.Builder
	for _, c := range list {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if len(paths) > 0 && !slices.Contains(paths, c.Path) && !slices.Contains(paths, c.From) {
			continue
		}
		old, now, err := st.sides(c)
		if err != nil {
			return "", err
		}
		writeDiff(&out, c, old, now)
	}
	return out.String(), nil
}

// compare lists what differs between two states, sorted by path; a file that
// went and came with the same bytes was renamed.
func (s store) compare(ctx context.Context, a, b string) ([]change, error) {
	found, err := s.pairs(ctx, a, b)
	if err != nil {
		return nil, err
	}
	var list []change
	for path, p := range found {
		c := change{Change: Change{Path: path, Op: "modify"}, was: p.was, is: p.is}
		if !c.was.present() {
			c.Op = "create"
		} else if !c.is.present() {
			c.Op = "delete"
		}
		list = append(list, c)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return pairRenames(list), nil
}

// pairs gives each path that differs between two states.
func (s store) pairs(ctx context.Context, a, b string) (map[string]pair, error) {
	from, err := s.tree(a)
	if err != nil {
		return nil, err
	}
	to, err := s.tree(b)
	if err != nil {
		return nil, err
	}
	w := treeWalk{store: s, found: map[string]pair{}}
	if err := w.compare(ctx, "", from, to); err != nil {
		return nil, fmt.Errorf("compare %s with %s: %w", a, b, err)
	}
	return w.found, nil
}

// treeWalk compares two trees, entering only directories that differ. (go-git's
// own comparison opens every directory of both: 150 ms for 30,000 files.)
type treeWalk struct {
	store store
	found map[string]pair
}

func (w treeWalk) compare(ctx context.Context, prefix string, a, b *object.Tree) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	type both struct{ a, b object.TreeEntry }
	entries := map[string]both{}
	if a != nil {
		for _, e := range a.Entries {
			entries[e.Name] = both{a: e}
		}
	}
	if b != nil {
		for _, e := range b.Entries {
			x := entries[e.Name]
			x.b = e
			entries[e.Name] = x
		}
	}
	for name, e := range entries {
		if e.a.Hash == e.b.Hash && e.a.Mode == e.b.Mode {
			continue
		}
		path := prefix + name
		was, subA, err := w.entry(e.a)
		if err != nil {
			return err
		}
		is, subB, err := w.entry(e.b)
		if err != nil {
			return err
		}
		if was.differs(is) {
			w.found[path] = pair{was, is}
		}
		if subA != nil || subB != nil {
			if err := w.compare(ctx, path+"/", subA, subB); err != nil {
				return err
			}
		}
	}
	return nil
}

// entry gives a tree entry's state, or the tree that it is.
func (w treeWalk) entry(e object.TreeEntry) (fileState, *object.Tree, error) {
	switch e.Mode {
	case filemode.Empty:
		return fileState{}, nil, nil
	case filemode.Dir:
		t, err := object.GetTree(w.store, e.Hash)
		return fileState{}, t, err
	}
	mode := uint32(e.Mode)
	if e.Mode == filemode.Deprecated { // in trees of old programs; the index has it so
		mode = modeFile
	}
	return fileState{mode, e.Hash.String()}, nil, nil
}

func pairRenames(list []change) []change {
	gone := map[fileState]int{}
	for i, c := range list {
		if c.Op == "delete" {
			gone[c.was] = i
		}
	}
	drop := map[int]bool{}
	for i, c := range list {
		if j, ok := gone[c.is]; ok && c.Op == "create" {
			list[i].Op, list[i].From, list[i].was = "rename", list[j].Path, c.is
			drop[j] = true
			delete(gone, c.is)
		}
	}
	var out []change
	for i, c := range list {
		if !drop[i] {
			out = append(out, c)
		}
	}
	return out
}

// sides reads both contents of a change; those of a submodule are its commits.
func (s store) sides(c change) (old, now []byte, err error) {
	if old, err = s.side(c.was); err != nil {
		return nil, nil, err
	}
	if c.was.hash == c.is.hash {
		return old, old, nil
	}
	now, err = s.side(c.is)
	return old, now, err
}

func (s store) side(f fileState) ([]byte, error) {
	switch f.mode {
	case modeAbsent:
		return nil, nil
	case modeGitlink:
		return []byte("Subproject commit " + f.hash + "\n"), nil
	}
	return s.blob(f.hash)
}

// isBinary looks for a NUL near the start, as git does.
func isBinary(data []byte) bool {
	return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0
}

// bigText bounds what is compared line by line.
const bigText = 4 << 20

// countLines counts the lines that a change adds and takes away.
func countLines(old, now []byte) (added, removed int) {
	if bytes.Equal(old, now) {
		return 0, 0
	}
	if len(old)+len(now) > bigText || len(old) == 0 || len(now) == 0 {
		return lines(now), lines(old)
	}
	return diff.Count(old, now)
}

func lines(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// writeDiff writes one file's part of a unified diff with git's headers.
func writeDiff(out *strings.Builder, c change, old, now []byte) {
	from := cmp.Or(c.From, c.Path)
	fmt.Fprintf(out, "diff --git a/%s b/%s\n", from, c.Path)
	oldName, newName := "a/"+from, "b/"+c.Path
	switch {
	case c.Op == "create":
		fmt.Fprintf(out, "new file mode %o\n", c.is.mode)
		oldName = "/dev/null"
	case c.Op == "delete":
		fmt.Fprintf(out, "deleted file mode %o\n", c.was.mode)
		newName = "/dev/null"
	case c.Op == "rename":
		fmt.Fprintf(out, "rename from %s\nrename to %s\n", c.From, c.Path)
	case c.was.mode != c.is.mode:
		fmt.Fprintf(out, "old mode %o\nnew mode %o\n", c.was.mode, c.is.mode)
	}
	switch {
	case bytes.Equal(old, now):
	case isBinary(old) || isBinary(now):
		fmt.Fprintf(out, "Binary files %s and %s differ\n", oldName, newName)
	case len(old)+len(now) > bigText:
		fmt.Fprintf(out, "Files %s and %s differ (too big to show)\n", oldName, newName)
	default:
		before, after := string(old), string(now)
		// The edits come from the same two texts, so they are consistent.
		text, _ := udiff.ToUnified(oldName, newName, before, diff.Replacements(before, after), udiff.DefaultContextLines)
		out.WriteString(text)
	}
}

// Since lists what differs in the work tree from a checkpoint now: by stat
// data, so that only files that look changed are read. Lines are not counted.
func (r *Repo) Since(ctx context.Context, cp Checkpoint) ([]Change, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.openShadow(ctx)
	if err != nil {
		return nil, classify("look at the work tree", err)
	}
	diff, err := r.against(ctx, s, cp)
	if err != nil {
		return nil, classify("look at the work tree", err)
	}
	var list []Change
	for path, p := range diff {
		list = append(list, changeOf(path, p))
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list, nil
}

func changeOf(path string, p pair) Change {
	c := Change{Path: path, Op: "modify"}
	if !p.was.present() {
		c.Op = "create"
	} else if !p.is.present() {
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
		return classify("put files back", err)
	}
	some = slices.DeleteFunc(some, func(m move) bool { return !removeUntracked && !m.want.present() })
	return classify("put files back", r.apply(ctx, some))
}

// movesOf lists what differs from a checkpoint among some paths, which needs
// no look at the rest of the tree.
func (r *Repo) movesOf(cp Checkpoint, paths []string) ([]move, error) {
	st := r.store()
	tree, err := st.tree(cp.Tree)
	if err != nil {
		return nil, err
	}
	known, err := r.remembered(st, cp.Run)
	if err != nil {
		return nil, err
	}
	m, err := r.metaOf(cp)
	if err != nil {
		m = meta{} // only unusual permission bits are lost with it
	}
	var list []move
	for _, path := range paths {
		want, err := st.stateIn(tree, path)
		if err != nil {
			return nil, err
		}
		before, named := known[path]
		if named && !want.present() {
			want = before
		}
		is, why := stateOf(r.root, path, want.mode)
		if why == "" && want.mode != modeGitlink && want.mode != uint32(filemode.Dir) && is.differs(want) {
			list = append(list, move{path, is, want, fs.FileMode(m.Modes[path]), named})
		}
	}
	return list, nil
}

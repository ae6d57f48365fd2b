package workspace

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/booty-cli/booty/internal/shellword"
)

// In the user's checkout booty writes only files that a proposal names, and only over
// what it knows: the state that it saw last, or one of its own. Everything else there
// is the user's.

// Intended is a file that is about to be written.
type Intended struct {
	Path string
	Mode fs.FileMode
	// Data is nil where the file goes away.
	Data []byte
	Gone bool
}

// Plan records what a proposal makes of a state, as checkpoint n of a run, before it
// is written: after a kill in the middle each file is as one of the two has it.
func (r *Repo) Plan(ctx context.Context, run string, n int, from Checkpoint, files []Intended, message string) (Checkpoint, error) {
	if err := checkRun(run); err != nil {
		return Checkpoint{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	st := r.store()
	m, err := r.metaOf(from)
	if err != nil {
		return Checkpoint{}, err
	}
	if m.Branch, m.Head, err = r.Head(ctx); err != nil {
		return Checkpoint{}, err
	}
	tree, err := st.tree(from.Tree)
	if err != nil {
		return Checkpoint{}, err
	}
	changes := map[string]fileState{}
	m.Written = map[string]fs.FileMode{}
	for _, f := range files {
		m.Written[f.Path] = 0
		if info, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(f.Path))); err == nil && info.Mode().IsRegular() {
			m.Written[f.Path] = info.Mode().Perm()
		}
		if f.Gone {
			changes[f.Path] = fileState{}
			continue
		}
		hash, err := st.keep(f.Data)
		if err != nil {
			return Checkpoint{}, err
		}
		was, err := st.stateIn(tree, f.Path)
		if err != nil {
			return Checkpoint{}, err
		}
		mode := fileMode(f.Mode, was.mode)
		if was.mode == modeSymlink {
			mode = was.mode
		}
		changes[f.Path] = fileState{mode, hash}
	}
	hash, err := st.treeWith(tree, changes)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("record a proposal: %w", err)
	}
	cp, err := r.keepCheckpoint(st, Checkpoint{Run: run, N: n, Tree: hash, Unsaved: from.Unsaved}, message, m)
	return cp, classify("record a proposal", err)
}

// treeWith writes a tree that is another one but for some paths.
func (s store) treeWith(tree *object.Tree, changes map[string]fileState) (string, error) {
	here, below := map[string]fileState{}, map[string]map[string]fileState{}
	for path, state := range changes {
		if dir, rest, deeper := strings.Cut(path, "/"); deeper {
			if below[dir] == nil {
				below[dir] = map[string]fileState{}
			}
			below[dir][rest] = state
		} else {
			here[path] = state
		}
	}
	entries := map[string]object.TreeEntry{}
	if tree != nil {
		for _, e := range tree.Entries {
			entries[e.Name] = e
		}
	}
	for name, state := range here {
		delete(entries, name)
		if state.present() {
			entries[name] = object.TreeEntry{Name: name, Mode: filemode.FileMode(state.mode), Hash: hashOf(state.hash)}
		}
	}
	for name, inside := range below {
		var sub *object.Tree
		if e, ok := entries[name]; ok && e.Mode == filemode.Dir {
			var err error
			if sub, err = object.GetTree(s, e.Hash); err != nil {
				return "", err
			}
		}
		hash, err := s.treeWith(sub, inside)
		if err != nil {
			return "", err
		}
		if delete(entries, name); hash != emptyTree {
			entries[name] = object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: hashOf(hash)}
		}
	}
	out := &object.Tree{Entries: slices.Collect(maps.Values(entries))}
	slices.SortFunc(out.Entries, compareNames)
	return s.encode(out)
}

// backOptions say more of what backTo does.
type backOptions struct {
	// tree is a commit whose differences from the target are brought back, too: that of
	// the branch which the checkout goes away from.
	tree string
	// theirs brings a file back as the user had it when the run met it last, where the user
	// had changed it since the run began.
	theirs bool
	// partly brings back the others where the user has changed some files.
	partly bool
}

// backTo gives the files that a run has written the state of a checkpoint again, each
// where it is as some state of the run has it. Where one is not, the user has changed
// it: nothing is written then, and these are given.
func (r *Repo) backTo(ctx context.Context, run string, target Checkpoint, o backOptions) (moved int, theirs []string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	moves, theirs, err := r.backMoves(ctx, run, target, o)
	if err != nil || len(theirs) > 0 && !o.partly {
		return 0, theirs, classify("look at the work tree", err)
	}
	return len(moves), theirs, classify("restore the work tree", r.applyAll(ctx, moves))
}

// backMoves lists what backTo does.
func (r *Repo) backMoves(ctx context.Context, run string, target Checkpoint, o backOptions) (list []move, theirs []string, err error) {
	st := r.store()
	past, err := r.statesOf(ctx, run)
	if err != nil {
		return nil, nil, err
	}
	want, err := st.tree(target.Tree)
	if err != nil {
		return nil, nil, err
	}
	if o.tree != "" {
		from, err := st.tree(o.tree)
		if err != nil {
			return nil, nil, err
		}
		between, err := r.pairs(ctx, o.tree, target.Tree)
		if err != nil {
			return nil, nil, err
		}
		past.own = append(past.own, from)
		for path := range between {
			if _, known := past.written[path]; !known {
				past.written[path] = 0
			}
		}
	}
	known, err := r.remembered(st, run)
	if err != nil {
		return nil, nil, err
	}
	for _, path := range slices.Sorted(maps.Keys(past.written)) {
		to, err := st.stateIn(want, path)
		if err != nil {
			return nil, nil, err
		}
		before, named := known[path]
		if named && !to.present() {
			to = before
		}
		if o.theirs {
			if to, err = st.lastOfUser(path, to, past.own, past.met); err != nil {
				return nil, nil, err
			}
		}
		is, why := stateOf(r.root, path, to.mode)
		if why != "" || to.mode == modeGitlink || to.mode == uint32(filemode.Dir) || !is.differs(to) {
			continue
		}
		own, err := st.holds(slices.Concat(past.own, past.met), path, is)
		if err != nil {
			return nil, nil, err
		}
		if !own && (!named || is.differs(before)) {
			theirs = append(theirs, path)
			continue
		}
		list = append(list, move{path, is, to, past.written[path], named})
	}
	return list, theirs, nil
}

// holds reports whether one of the trees has a path as it is.
func (s store) holds(trees []*object.Tree, path string, is fileState) (bool, error) {
	for _, tree := range trees {
		was, err := s.stateIn(tree, path)
		if err != nil {
			return false, err
		}
		if !is.differs(was) {
			return true, nil
		}
	}
	return false, nil
}

// lastOfUser gives a path as the run met it last in a state that is none of its own;
// otherwise where it never did.
func (s store) lastOfUser(path string, otherwise fileState, own, met []*object.Tree) (fileState, error) {
	for _, tree := range slices.Backward(met) {
		was, err := s.stateIn(tree, path)
		if err != nil {
			return was, err
		}
		if booty, err := s.holds(own, path, was); err != nil || !booty {
			return was, err
		}
	}
	return otherwise, nil
}

// withEarlier gives the trees of a checkpoint and of all before it, those included that
// another of the same number has replaced.
func (s store) withEarlier(commit string) (trees []*object.Tree, err error) {
	for commit != "" {
		c, err := s.commit(commit)
		if err != nil || c.Committer.Email != ownEmail {
			return trees, err
		}
		tree, err := c.Tree()
		if err != nil {
			return trees, fmt.Errorf("read a state of the run: %w", err)
		}
		trees, commit = append(trees, tree), ""
		if len(c.ParentHashes) > 0 {
			commit = c.ParentHashes[0].String()
		}
	}
	return trees, nil
}

// past is what a run did in this checkout: the trees of its own states, those of the
// checkout as it met it, in order, and the paths that it has written.
type past struct {
	own, met []*object.Tree
	written  map[string]fs.FileMode
}

func (r *Repo) statesOf(ctx context.Context, run string) (past, error) {
	st := r.store()
	p := past{written: map[string]fs.FileMode{}}
	for _, name := range []string{run, run + BaseStates, run + SettledStates, run + ResumeStates} {
		list, err := r.family(ctx, name)
		if err != nil {
			return p, err
		}
		for _, cp := range list {
			m, err := r.metaOf(cp)
			if err != nil {
				return p, err
			}
			p.written = m.with(p.written)
			if name != run+ResumeStates {
				continue
			}
			tree, err := st.tree(cp.Tree)
			if err != nil {
				return p, err
			}
			p.met = append(p.met, tree)
		}
		if len(list) > 0 && name != run+ResumeStates {
			trees, err := st.withEarlier(list[len(list)-1].Commit)
			if err != nil {
				return p, err
			}
			p.own = append(p.own, trees...)
		}
	}
	return p, nil
}

// BringBack gives the files that a run has written the state of a checkpoint again,
// but for those that the user has changed since, which it names.
func (r *Repo) BringBack(ctx context.Context, run string, target Checkpoint) (theirs []string, err error) {
	_, theirs, err = r.backTo(ctx, run, target, backOptions{partly: true})
	return theirs, err
}

// ChangedSince names those of the paths that are not as a checkpoint has them.
func (r *Repo) ChangedSince(_ context.Context, cp Checkpoint, paths []string) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	moves, err := r.movesOf(cp, paths)
	var names []string
	for _, m := range moves {
		names = append(names, m.path)
	}
	return names, classify("look at the work tree", err)
}

func hashOf(name string) plumbing.Hash { return plumbing.NewHash(name) }

// emptyTree is the name of a directory with nothing in it, which git does not keep.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// compareNames orders the entries of a tree as git does: a directory as if its name
// ended in a slash.
func compareNames(a, b object.TreeEntry) int {
	name := func(e object.TreeEntry) string {
		if e.Mode == filemode.Dir {
			return e.Name + "/"
		}
		return e.Name
	}
	return strings.Compare(name(a), name(b))
}

// quoteAll gives paths as words of a shell command.
func quoteAll(paths []string) string {
	var words []string
	for _, p := range paths {
		if word, ok := shellword.Quote(p); ok {
			p = word
		}
		words = append(words, p)
	}
	return strings.Join(words, " ")
}

// Intent gives files as they are now, for Plan.
func (r *Repo) Intent(paths []string) ([]Intended, error) {
	var list []Intended
	for _, path := range paths {
		is, why := stateOf(r.root, path, 0)
		if why != "" {
			return nil, fmt.Errorf("record %s: %s", path, why)
		}
		f := Intended{Path: path, Gone: !is.present()}
		if is.present() {
			data, err := readState(r.root, path, is)
			if err != nil {
				return nil, fmt.Errorf("record %s: %w", path, err)
			}
			f.Data, f.Mode = data, 0o644
			if is.mode == modeExec {
				f.Mode = 0o755
			}
		}
		list = append(list, f)
	}
	return list, nil
}

// NextState is the first number that no state of a family has, from 1.
func (r *Repo) NextState(family string) (int, error) {
	for n := 1; ; n++ {
		ref, err := r.sideRef(checkpointRef(family, n))
		if err != nil || ref == "" {
			return n, err
		}
	}
}

package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"syscall"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// Restore makes the work tree exactly that of a checkpoint: changed files get
// their bytes and modes back, deleted ones return, ones made since go. Files
// that are right already are not written; ignored files stay. It is for trees of
// booty's own: in the user's checkout BringBack touches only what a run has written.
func (r *Repo) Restore(ctx context.Context, cp Checkpoint) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	moves, err := r.moves(ctx, cp)
	if err == nil {
		err = r.apply(ctx, moves)
	}
	return git.Classify("restore the work tree", err)
}

// restoreAndAnchor is Restore for a tree that is brought to one checkpoint after the other: the
// shadow's index follows, so that the next look at the files is a matter of their stat data.
func (r *Repo) restoreAndAnchor(ctx context.Context, cp Checkpoint) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return git.Classify("restore the work tree", r.restoreIndexed(ctx, cp))
}

func (r *Repo) restoreIndexed(ctx context.Context, cp Checkpoint) error {
	s, err := r.openShadow(ctx)
	if err != nil {
		return err
	}
	d, err := r.scan(ctx, s)
	if err != nil {
		return err
	}
	differs, err := r.againstDrift(ctx, s, cp, d)
	if err != nil {
		return err
	}
	moves := movesOfPairs(differs)
	if len(moves)+len(d.changed)+len(d.touched) == 0 && r.anchored(s) == cp.Tree {
		return nil
	}
	if err := errors.Join(atomicfile.Remove(s.anchor()), r.apply(ctx, moves)); err != nil {
		return err
	}
	if err := s.readTree(ctx, cp.Tree, moves, d); err != nil {
		return err
	}
	ref := store.TreeRefs + r.home.slotID(r.slot)
	if err := r.own.SetRef(ref, cp.Commit); err != nil {
		return err
	}
	return atomicfile.Keep(s.anchor(), ref+" "+cp.Commit+" "+cp.Tree+"\n")
}

// readTree makes the shadow's index that of a tree, with the stat data of files that were
// written or touched.
func (s *shadow) readTree(ctx context.Context, tree string, moves []move, d *drift) error {
	if _, err := s.git.Run(ctx, git.Call{Args: []string{"read-tree", "-i", "-m", tree}}); err != nil {
		return fmt.Errorf("follow the restored files: %w", err)
	}
	var paths bytes.Buffer
	for _, m := range moves {
		if m.want.Present() {
			paths.WriteString(m.path + "\x00")
		}
	}
	for _, path := range d.touched {
		paths.WriteString(path + "\x00")
	}
	if paths.Len() == 0 {
		return nil
	}
	_, err := s.git.Run(ctx, git.Call{Args: []string{"update-index", "--add", "--remove", "--replace", "-z",
		"--stdin"}, Stdin: &paths})
	return err
}

// move is what one path must become.
type move struct {
	path string
	is   git.Entry // on disk
	want git.Entry
	perm fs.FileMode // that it had once, 0 if that is not known
	// named is true for an ignored file that the run remembered.
	named bool
}

// moves lists what differs between the work tree and a checkpoint. r.mu is held.
func (r *Repo) moves(ctx context.Context, cp Checkpoint) ([]move, error) {
	s, err := r.openShadow(ctx)
	if err != nil {
		return nil, err
	}
	now, err := r.against(ctx, s, cp)
	return movesOfPairs(now), err
}

func movesOfPairs(differs map[string]git.Pair) []move {
	var list []move
	for path, p := range differs {
		list = append(list, move{path: path, is: p.Is, want: p.Was})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].path < list[j].path })
	return list
}

// spareIgnored takes ignored files off the list of what would be removed: they
// were not recorded because they are ignored, not because they were absent.
func (r *Repo) spareIgnored(ctx context.Context, list []move) ([]move, error) {
	var gone []string
	for _, m := range list {
		if !m.named && !m.want.Present() {
			gone = append(gone, m.path)
		}
	}
	ignored, err := r.git.Ignored(ctx, gone, "--no-index") // by the patterns alone: the shadow's index may hold them
	if err != nil || len(ignored) == 0 {
		return list, err
	}
	spared := map[string]bool{}
	for _, path := range ignored {
		spared[path] = true
	}
	return slices.DeleteFunc(list, func(m move) bool { return !m.want.Present() && spared[m.path] }), nil
}

// against compares the work tree with a checkpoint: was is the checkpoint's
// state, is that on disk. r.mu is held.
func (r *Repo) against(ctx context.Context, s *shadow, cp Checkpoint) (map[string]git.Pair, error) {
	d, err := r.scan(ctx, s)
	if err != nil {
		return nil, err
	}
	return r.againstDrift(ctx, s, cp, d)
}

// againstDrift is against once the work tree was compared with the shadow's index.
func (r *Repo) againstDrift(ctx context.Context, s *shadow, cp Checkpoint,
	d *drift) (map[string]git.Pair, error) {
	all := map[string]git.Pair{}
	if r.anchored(s) != cp.Tree {
		var err error
		if all, err = s.indexSince(ctx, cp.Tree); err != nil {
			return nil, fmt.Errorf("compare with checkpoint %d: %w", cp.N, err)
		}
		maps.DeleteFunc(all, func(_ string,
			p git.Pair) bool {
			return p.Was.Mode == git.ModeGitlink || p.Is.Mode == git.ModeGitlink
		})
		for path, p := range all {
			if _, seen := d.changed[path]; seen {
				continue
			}
			if _, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(path))); !p.Is.Present() ||
				err != nil {
				// Not in the index, and not listed as new: absent, or ignored by now. Or in
				// the index, and left out by a sparse checkout.
				p.Is, _ = stateOf(r.root, path, p.Was.Mode)
				all[path] = p
			}
		}
	}
	for path, p := range d.changed {
		if c, ok := all[path]; ok {
			p.Was = c.Was
		}
		all[path] = p
	}
	unsaved := append(slices.Clone(d.unsaved), cp.Unsaved...)
	if m, err := r.metaOf(cp); err == nil {
		unsaved = append(unsaved, m.Unsaved...)
	}
	for _, u := range unsaved {
		delete(all, u.Path)
	}
	maps.DeleteFunc(all, func(_ string, p git.Pair) bool { return !p.Is.Differs(p.Was) })
	return all, nil
}

// indexSince is how the shadow's index differs from a tree.
func (s *shadow) indexSince(ctx context.Context, tree string) (map[string]git.Pair, error) {
	out, err := s.git.Run(ctx, git.Call{Args: []string{"diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames",
		"--ignore-submodules=all", tree}})
	if err != nil {
		return nil, err
	}
	return git.ParseRaw(out)
}

// apply makes the moves: the ignore rules first, since they decide what may
// be removed; then what goes, so that a file can take the place of a
// directory; then what comes.
func (r *Repo) apply(ctx context.Context, list []move) error {
	var rules, rest []move
	for _, m := range list {
		if path.Base(m.path) == ".gitignore" {
			rules = append(rules, m)
		} else {
			rest = append(rest, m)
		}
	}
	if err := r.applyAll(ctx, rules); err != nil {
		return err
	}
	rest, err := r.spareIgnored(ctx, rest)
	if err != nil {
		return err
	}
	return r.applyAll(ctx, rest)
}

func (r *Repo) applyAll(ctx context.Context, list []move) error {
	for _, m := range slices.Backward(list) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.want.Present() {
			continue
		}
		r.step("restore: before removing " + m.path)
		if err := r.remove(m); err != nil {
			return restoreFault(m.path, err)
		}
	}
	st := r.own.Objects()
	for _, m := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !m.want.Present() {
			continue
		}
		r.step("restore: before writing " + m.path)
		if err := r.bring(st, m); err != nil {
			return restoreFault(m.path, err)
		}
	}
	return nil
}

// errMeanwhile stops a restore that would overwrite what was just written.
var errMeanwhile = errors.New("it was changed meanwhile, by an editor perhaps")

// asSeen checks that a path is still what the list of moves was made from.
func (r *Repo) asSeen(m move) error {
	if is, why := stateOf(r.root, m.path, m.is.Mode); why != "" || is.Differs(m.is) {
		return errMeanwhile
	}
	return nil
}

func restoreFault(path string, err error) error {
	kind, hint := fault.Refused, "make it writable, then run the same command again"
	if errors.Is(err, context.Canceled) {
		return err
	}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		kind, hint = fault.Environment, "free some disk space, then run the same command again"
	case errors.Is(err, plumbing.ErrObjectNotFound):
		kind, hint = fault.Git, "run the same command again: it reads the checkout anew"
	}
	return fault.New(kind, hint, "put back %s: %w", path, err)
}

// remove takes a file away, and the directories that it leaves empty.
func (r *Repo) remove(m move) error {
	p := m.path
	full := filepath.Join(r.root, filepath.FromSlash(p))
	if throughSymlink(r.root, p) {
		return nil
	}
	if info, err := os.Lstat(full); err != nil || info.IsDir() {
		return nil //nolint:nilerr // gone already
	}
	if err := r.asSeen(m); err != nil {
		return err
	}
	if err := atomicfile.Remove(full); err != nil {
		return err
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if os.Remove(filepath.Join(r.root, filepath.FromSlash(dir))) != nil {
			break // not empty
		}
	}
	return nil //nolint:nilerr // what cannot be removed holds something
}

// bring writes a file as it must be, beside it first.
func (r *Repo) bring(st git.Objects, m move) error {
	full := filepath.Join(r.root, filepath.FromSlash(m.path))
	if throughSymlink(r.root, m.path) {
		return errors.New("a directory on the way to it is a symbolic link now")
	}
	if err := r.asSeen(m); err != nil {
		return err
	}
	perm := m.perm
	if perm != 0 {
		perm = withExec(perm, m.want.Mode)
	}
	info, err := os.Lstat(full) // nil where there is none
	switch {
	case err == nil && info.IsDir():
		if err := os.Remove(full); err != nil {
			return errors.New("a directory with ignored files is in its place")
		}
	case err == nil && info.Mode().IsRegular() && perm == 0:
		perm = withExec(info.Mode().Perm(), m.want.Mode)
	}
	if perm != 0 && err == nil && info.Mode().IsRegular() && m.is.Hash == m.want.Hash &&
		m.want.Mode != git.ModeSymlink {
		return os.Chmod(full, perm)
	}
	data, err := st.Blob(m.want.Hash)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	if m.want.Mode == git.ModeSymlink {
		return atomicfile.Symlink(filepath.FromSlash(string(data)), full)
	}
	if perm == 0 {
		err = atomicfile.WriteFresh(full, data, withExec(0o777, m.want.Mode))
	} else {
		err = atomicfile.Write(full, data, perm)
	}
	if err != nil || r.slot == nil || info == nil {
		return err
	}
	// Python tells two versions of a file apart by second and size alone.
	if next := info.ModTime().Add(time.Second); next.Unix() > time.Now().Unix() {
		return os.Chtimes(full, next, next)
	}
	return nil
}

func withExec(perm fs.FileMode, mode uint32) fs.FileMode {
	if mode == git.ModeExec {
		return perm | perm>>2&0o111
	}
	return perm &^ 0o111
}

// readState reads the bytes that a state's hash is of.
func readState(root, path string, state git.Entry) ([]byte, error) {
	full := filepath.Join(root, filepath.FromSlash(path))
	if state.Mode == git.ModeSymlink {
		target, err := os.Readlink(full)
		return []byte(filepath.ToSlash(target)), err
	}
	return os.ReadFile(full)
}

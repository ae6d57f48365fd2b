package snapshot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/booty-cli/booty/internal/git"
)

// Restore makes the work tree exactly that of a checkpoint: changed files get
// their bytes and modes back, deleted ones return, ones made since go. Files
// that are right already are not written; ignored files stay. It is for trees of
// booty's own: in the user's checkout package bringback touches only what a run has written.
func (r *Recorder) Restore(ctx context.Context, cp Checkpoint) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	moves, err := r.moves(ctx, cp)
	if err == nil {
		err = r.files.applyRulesFirst(ctx, moves)
	}
	return git.Classify("restore the work tree", err)
}

// RestoreIndexed is Restore for a tree that is brought to one checkpoint after the other: the
// shadow's index follows, so that the next look at the files is a matter of their stat data.
func (r *Recorder) RestoreIndexed(ctx context.Context, cp Checkpoint) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return git.Classify("restore the work tree", r.restoreIndexed(ctx, cp))
}

func (r *Recorder) restoreIndexed(ctx context.Context, cp Checkpoint) error {
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
	moves, there := movesOfPairs(differs), s.tree() == cp.Tree
	if len(moves)+len(d.changed)+len(d.touched) == 0 && there && s.seeded == "" {
		return nil // the index stands for a checkpoint on record already
	}
	if err := errors.Join(s.unanchor(), r.files.applyRulesFirst(ctx, moves)); err != nil {
		return err
	}
	if !there {
		if err := s.readTree(ctx, cp.Tree); err != nil {
			return err
		}
	}
	if err := s.refresh(ctx, moves, d); err != nil {
		return err
	}
	return s.standFor(cp)
}

// moves lists what differs between the work tree and a checkpoint. r.mu is held.
func (r *Recorder) moves(ctx context.Context, cp Checkpoint) ([]Move, error) {
	s, err := r.openShadow(ctx)
	if err != nil {
		return nil, err
	}
	now, err := r.against(ctx, s, cp)
	return movesOfPairs(now), err
}

func movesOfPairs(differs map[string]git.Pair) []Move {
	var list []Move
	for path, p := range differs {
		list = append(list, Move{Path: path, Is: p.Is, Want: p.Was})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Path < list[j].Path })
	return list
}

// against compares the work tree with a checkpoint: was is the checkpoint's
// state, is that on disk. r.mu is held.
func (r *Recorder) against(ctx context.Context, s *shadow, cp Checkpoint) (map[string]git.Pair, error) {
	d, err := r.scan(ctx, s)
	if err != nil {
		return nil, err
	}
	return r.againstDrift(ctx, s, cp, d)
}

// againstDrift is against once the work tree was compared with the shadow's index.
func (r *Recorder) againstDrift(ctx context.Context, s *shadow, cp Checkpoint,
	d *drift) (map[string]git.Pair, error) {
	all := map[string]git.Pair{}
	if s.tree() != cp.Tree {
		var err error
		if all, err = s.since(ctx, cp.Tree); err != nil {
			return nil, fmt.Errorf("compare with checkpoint %d: %w", cp.N, err)
		}
		maps.DeleteFunc(all, func(_ string, p git.Pair) bool {
			return p.Was.Mode == git.ModeGitlink || p.Is.Mode == git.ModeGitlink
		})
		for path, p := range all {
			if _, seen := d.changed[path]; seen {
				continue
			}
			if _, err := os.Lstat(filepath.Join(r.at.Root, filepath.FromSlash(path))); !p.Is.Present() ||
				err != nil {
				// Not in the index, and not listed as new: absent, or ignored by now. Or in
				// the index, and left out by a sparse checkout.
				p.Is, _ = OnDisk(r.at.Root, path, p.Was.Mode)
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
	if m, err := r.records.meta(cp); err == nil {
		unsaved = append(unsaved, m.Unsaved...)
	}
	for _, u := range unsaved {
		delete(all, u.Path)
	}
	maps.DeleteFunc(all, func(_ string, p git.Pair) bool { return !p.Is.Differs(p.Was) })
	return all, nil
}

// Since lists what differs in the work tree from a checkpoint now: by stat
// data, so that only files that look changed are read. Lines are not counted.
func (r *Recorder) Since(ctx context.Context, cp Checkpoint) ([]Change, error) {
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

// ChangedSince names those of the paths that are not as a checkpoint has them.
func (r *Recorder) ChangedSince(_ context.Context, cp Checkpoint, paths []string) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	moves, err := r.movesOf(cp, paths)
	var names []string
	for _, m := range moves {
		names = append(names, m.Path)
	}
	return names, git.Classify("look at the work tree", err)
}

// PutBack gives the named paths the state of a checkpoint again, for what the
// checks changed. Files that the checkpoint does not know are removed only
// where removeUntracked says so. Other paths stay as they are.
func (r *Recorder) PutBack(ctx context.Context, cp Checkpoint, paths []string, removeUntracked bool) error {
	if len(paths) == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	some, err := r.movesOf(cp, paths)
	if err != nil {
		return git.Classify("put files back", err)
	}
	some = slices.DeleteFunc(some, func(m Move) bool { return !removeUntracked && !m.Want.Present() })
	return git.Classify("put files back", r.files.applyRulesFirst(ctx, some))
}

// movesOf lists what differs from a checkpoint among some paths, which needs
// no look at the rest of the tree.
func (r *Recorder) movesOf(cp Checkpoint, paths []string) ([]Move, error) {
	st := r.at.Store.Objects()
	tree, err := st.Tree(cp.Tree)
	if err != nil {
		return nil, err
	}
	known, err := r.records.Remembered(st, cp.Run)
	if err != nil {
		return nil, err
	}
	var list []Move
	for _, path := range paths {
		want, err := st.Entry(tree, path)
		if err != nil {
			return nil, err
		}
		before, named := known[path]
		if named && !want.Present() {
			want = before
		}
		is, why := OnDisk(r.at.Root, path, want.Mode)
		if why == "" && want.Mode != git.ModeGitlink && want.Mode != uint32(filemode.Dir) && is.Differs(want) {
			list = append(list, Move{Path: path, Is: is, Want: want, Named: named})
		}
	}
	return list, nil
}

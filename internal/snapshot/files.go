package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// Files writes and removes files of a work tree as states have them. Where a file is not any
// more what it was seen as, nothing is written.
type Files struct {
	root  string
	store *store.Access
	git   git.Client
	// later gives a file that is written anew a later second than it had.
	later bool
	step  func(name string)
}

// Move is what one path must become.
type Move struct {
	Path string
	Is   git.Entry // on disk
	Want git.Entry
	Perm fs.FileMode // that it had once, 0 if that is not known
	// Named is true for an ignored file that the run remembered.
	Named bool
}

// applyRulesFirst makes the moves, the ignore rules first, since they decide what may be
// removed.
func (f Files) applyRulesFirst(ctx context.Context, list []Move) error {
	var rules, rest []Move
	for _, m := range list {
		if path.Base(m.Path) == ".gitignore" {
			rules = append(rules, m)
		} else {
			rest = append(rest, m)
		}
	}
	if err := f.Apply(ctx, rules); err != nil {
		return err
	}
	rest, err := f.spareIgnored(ctx, rest)
	if err != nil {
		return err
	}
	return f.Apply(ctx, rest)
}

// Apply makes the moves: what goes first, so that a file can take the place of a directory;
// then what comes.
func (f Files) Apply(ctx context.Context, list []Move) error {
	for _, m := range slices.Backward(list) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.Want.Present() {
			continue
		}
		f.step("restore: before removing " + m.Path)
		if err := f.remove(m); err != nil {
			return restoreFault(m.Path, err)
		}
	}
	st := f.store.Objects()
	for _, m := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !m.Want.Present() {
			continue
		}
		f.step("restore: before writing " + m.Path)
		if err := f.bring(st, m); err != nil {
			return restoreFault(m.Path, err)
		}
	}
	return nil
}

// ErrMeanwhile stops a restore that would overwrite what was just written.
var ErrMeanwhile = errors.New("it was changed meanwhile, by an editor perhaps")

// spareIgnored takes ignored files off the list of what would be removed: they
// were not recorded because they are ignored, not because they were absent.
func (f Files) spareIgnored(ctx context.Context, list []Move) ([]Move, error) {
	var gone []string
	for _, m := range list {
		if !m.Named && !m.Want.Present() {
			gone = append(gone, m.Path)
		}
	}
	ignored, err := f.git.Ignored(ctx, gone, "--no-index") // by the patterns alone: the shadow's index may hold them
	if err != nil || len(ignored) == 0 {
		return list, err
	}
	spared := map[string]bool{}
	for _, path := range ignored {
		spared[path] = true
	}
	return slices.DeleteFunc(list, func(m Move) bool { return !m.Want.Present() && spared[m.Path] }), nil
}

// asSeen checks that a path is still what the list of moves was made from.
func (f Files) asSeen(m Move) error {
	if is, why := OnDisk(f.root, m.Path, m.Is.Mode); why != "" || is.Differs(m.Is) {
		return ErrMeanwhile
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
func (f Files) remove(m Move) error {
	p := m.Path
	full := filepath.Join(f.root, filepath.FromSlash(p))
	if ThroughSymlink(f.root, p) {
		return nil
	}
	if info, err := os.Lstat(full); err != nil || info.IsDir() {
		return nil //nolint:nilerr // gone already
	}
	if err := f.asSeen(m); err != nil {
		return err
	}
	if err := atomicfile.Remove(full); err != nil {
		return err
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if os.Remove(filepath.Join(f.root, filepath.FromSlash(dir))) != nil {
			break // not empty
		}
	}
	return nil //nolint:nilerr // what cannot be removed holds something
}

// bring writes a file as it must be, beside it first.
func (f Files) bring(st git.Objects, m Move) error {
	full := filepath.Join(f.root, filepath.FromSlash(m.Path))
	if ThroughSymlink(f.root, m.Path) {
		return errors.New("a directory on the way to it is a symbolic link now")
	}
	if err := f.asSeen(m); err != nil {
		return err
	}
	perm := m.Perm
	if perm != 0 {
		perm = withExec(perm, m.Want.Mode)
	}
	info, err := os.Lstat(full) // nil where there is none
	switch {
	case err == nil && info.IsDir():
		if err := os.Remove(full); err != nil {
			return errors.New("a directory with ignored files is in its place")
		}
	case err == nil && info.Mode().IsRegular() && perm == 0:
		perm = withExec(info.Mode().Perm(), m.Want.Mode)
	}
	if perm != 0 && err == nil && info.Mode().IsRegular() && m.Is.Hash == m.Want.Hash &&
		m.Want.Mode != git.ModeSymlink {
		return os.Chmod(full, perm)
	}
	data, err := st.Blob(m.Want.Hash)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	if m.Want.Mode == git.ModeSymlink {
		return atomicfile.Symlink(filepath.FromSlash(string(data)), full)
	}
	if perm == 0 {
		err = atomicfile.WriteFresh(full, data, withExec(0o777, m.Want.Mode))
	} else {
		err = atomicfile.Write(full, data, perm)
	}
	if err != nil || !f.later || info == nil {
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

// Keep stores a file as it lies on disk and gives its state.
func (f Files) Keep(path string) (git.Entry, error) {
	state, why := OnDisk(f.root, path, 0)
	if why != "" {
		return git.Entry{}, fmt.Errorf("record %s: %s", path, why)
	}
	if !state.Present() {
		return state, nil
	}
	data, err := ReadDisk(f.root, path, state)
	if err != nil {
		return git.Entry{}, fmt.Errorf("record %s: %w", path, err)
	}
	if state.Hash, err = f.store.Objects().PutBlob(data); err != nil {
		return git.Entry{}, fmt.Errorf("record %s: %w", path, err)
	}
	return state, nil
}

package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// A refine works in a tree of booty's own and writes to the user's checkout once, at its
// end: BringBack compares each file of its result with what the checkout had when it was
// read, and merges where the user has changed the file since. What it is about to write is
// recorded first, so that a kill in the middle can be completed and all of it be undone.

// BroughtBack reports what became of a result in the checkout.
type BroughtBack struct {
	// Written are the files that have the result now, Merged those among them that also
	// have what the user wrote meanwhile.
	Written, Merged []string
	// Conflicts are the files that were left as the user has them.
	Conflicts []string
}

// broughtBack is the record of what was brought back.
type broughtBack struct {
	// Worktree names the checkout, see checkoutID.
	Worktree string        `json:"worktree"`
	Files    []broughtFile `json:"files"`
	// Writers are the processes that wrote them: a killed one leaves a temporary file.
	Writers []int `json:"writers,omitempty"`
}

// broughtFile is a line in it.
type broughtFile struct {
	Path   string      `json:"path"`
	Before broughtSide `json:"before"`
	After  broughtSide `json:"after"`
	// Pending says that the file is not known to be written yet.
	Pending bool `json:"pending,omitempty"`
}

// broughtSide is a file before or after.
type broughtSide struct {
	Mode uint32 `json:"mode"` // 0: there is none
	Hash string `json:"hash,omitempty"`
	// Perm are the permissions that it had, 0 where it was not there.
	Perm fs.FileMode `json:"perm,omitempty"`
}

func (s broughtSide) state() git.Entry { return git.Entry{Mode: s.Mode, Hash: s.Hash} }

// broughtRef keeps the record of what a run brought back.
func broughtRef(run string) string { return store.RunRefs + ownRun(run) + "/brought" }

// bringTries is how often the checkout is compared anew where a file changed in between.
const bringTries = 5

// BringBack gives the checkout's files what result has and read, the checkout as the run
// read it, has not. The caller holds the Lock.
func (r *Repo) BringBack(ctx context.Context, run string, read, result Checkpoint) (BroughtBack, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out BroughtBack
	for try := 1; ; try++ {
		moves, now, err := r.movesBack(ctx, run, read, result)
		if err != nil {
			return out, git.Classify("compare the checkout with the result", err)
		}
		if err := r.recordBrought(run, moves); err != nil {
			return out, git.Classify("record what is brought back", err)
		}
		r.step("bring back: recorded")
		err = r.applyAll(ctx, moves)
		if errors.Is(err, errMeanwhile) && try < bringTries {
			continue
		}
		if err == nil {
			err = r.noteWritten(run)
		}
		return now, git.Classify("bring the result back", err)
	}
}

// movesBack lists what is to be written. r.mu is held.
func (r *Repo) movesBack(ctx context.Context, run string,
	read, result Checkpoint) ([]move, BroughtBack, error) {
	var out BroughtBack
	st := r.own.Objects()
	changed, err := r.pairs(ctx, read.Tree, result.Tree)
	if err != nil {
		return nil, out, err
	}
	ignored, err := r.remembered(st, run)
	if err != nil {
		return nil, out, err
	}
	skipped, err := r.skipped(ctx)
	if err != nil {
		return nil, out, err
	}
	var moves []move
	for _, path := range slices.Sorted(maps.Keys(changed)) {
		was, want := changed[path].Was, changed[path].Is
		if before, named := ignored[path]; named && !was.Present() {
			was = before // git ignores it: no state of the checkout has it
		}
		is, why := stateOf(r.root, path, want.Mode)
		m := move{path: path, is: is, want: want, perm: permOf(r.root, path)}
		switch {
		case why != "" || throughSymlink(r.root, path):
			out.Conflicts = append(out.Conflicts, path)
			continue
		case !is.Differs(want):
			continue
		case !is.Present() && slices.Contains(skipped, path): // nobody has removed it
		case is.Differs(was):
			merged, err := r.mergeFile(ctx, st, path, is, was, want)
			if err != nil {
				return nil, out, err
			}
			if merged == "" {
				out.Conflicts = append(out.Conflicts, path)
				continue
			}
			m.want = git.Entry{Mode: is.Mode, Hash: merged}
			out.Merged = append(out.Merged, path)
		}
		moves = append(moves, m)
		out.Written = append(out.Written, path)
	}
	return moves, out, nil
}

// permOf gives the permissions of a regular file, 0 where there is none.
func permOf(root, path string) fs.FileMode {
	info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Mode().Perm()
}

// mergeFile merges what the user and the run made of a file, and gives the blob; "" where
// the two conflict, or one of them is no text file any more.
func (r *Repo) mergeFile(ctx context.Context, st git.Objects, path string,
	mine, base, theirs git.Entry) (string, error) {
	for _, s := range []git.Entry{mine, base, theirs} {
		if s.Mode != uint32(filemode.Regular) && s.Mode != git.ModeExec {
			return "", nil
		}
	}
	dir, err := os.MkdirTemp(r.own.Private(), "merge-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	data, err := readState(r.root, path, mine)
	if err != nil {
		return "", err
	}
	sides := map[string][]byte{"yours": data}
	for name, s := range map[string]git.Entry{"before": base, "booty": theirs} {
		if sides[name], err = st.Blob(s.Hash); err != nil {
			return "", err
		}
	}
	for name, data := range sides {
		if bytes.IndexByte(data, 0) >= 0 {
			return "", nil // binary
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return "", err
		}
	}
	out, err := r.git.Run(ctx, git.Call{Args: []string{"merge-file", "-p", "--quiet", filepath.Join(dir, "yours"),
		filepath.Join(dir, "before"), filepath.Join(dir, "booty")}})
	if err != nil {
		if code := git.ExitCode(err); code > 0 && code < 128 {
			return "", nil // that many conflicts
		}
		return "", fmt.Errorf("merge %s: %w", path, err)
	}
	return st.PutBlob(out)
}

// brought reads the record of a run, which is empty where it brought nothing back.
func (r *Repo) brought(st git.Objects, run string) (b broughtBack, err error) {
	if err := checkRun(run); err != nil {
		return b, err
	}
	commit, err := st.Ref(broughtRef(run))
	if err != nil || commit == "" {
		return b, err
	}
	c, err := st.Commit(commit)
	if err != nil {
		return b, err
	}
	if err := json.Unmarshal([]byte(c.Message), &b); err != nil {
		return b, fmt.Errorf("read what run %s brought back: %w", run, err)
	}
	return b, nil
}

// recordBrought adds moves to the record of a run. Where a file is as the run left it
// earlier, what it was before that stays on record.
func (r *Repo) recordBrought(run string, moves []move) error {
	if len(moves) == 0 {
		return nil
	}
	st := r.own.Objects()
	earlier, err := r.brought(st, run)
	if err != nil {
		return err
	}
	files := map[string]broughtFile{}
	for _, f := range earlier.Files {
		files[f.Path] = f
	}
	for i, m := range moves {
		if m.is.Present() {
			kept, err := r.keepBytes(m.path)
			if err != nil {
				return err
			}
			moves[i].is, m.is = kept, kept
		}
		f := broughtFile{Path: m.path, Before: broughtSide{m.is.Mode, m.is.Hash, m.perm}, Pending: true}
		if e, ok := files[m.path]; ok && !m.is.Differs(e.After.state()) {
			f.Before = e.Before
		}
		f.After = broughtSide{Mode: m.want.Mode, Hash: m.want.Hash}
		files[m.path] = f
	}
	now := broughtBack{Worktree: r.checkoutID(), Writers: earlier.Writers}
	if pid := os.Getpid(); !slices.Contains(now.Writers, pid) {
		now.Writers = append(now.Writers, pid)
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		now.Files = append(now.Files, files[path])
	}
	return r.keepBrought(st, run, now)
}

// noteWritten notes that no file on record waits to be written, so that none of them is
// written again where the user takes one back by hand.
func (r *Repo) noteWritten(run string) error {
	st := r.own.Objects()
	b, err := r.brought(st, run)
	if err != nil || !b.pending() {
		return err
	}
	for i := range b.Files {
		b.Files[i].Pending = false
	}
	return r.keepBrought(st, run, b)
}

// keepBrought writes the record of a run, and keeps the contents that it names.
func (r *Repo) keepBrought(st git.Objects, run string, b broughtBack) error {
	var hashes []string
	for _, f := range b.Files {
		for _, s := range []broughtSide{f.Before, f.After} {
			if s.Mode != 0 {
				hashes = append(hashes, s.Hash)
			}
		}
	}
	tree, err := st.KeepBlobs(hashes)
	if err != nil {
		return err
	}
	commit, err := r.commitObject(st, tree, mustJSON(b))
	if err != nil {
		return err
	}
	return r.own.SetRef(broughtRef(run), commit)
}

// HasBroughtBack reports whether a run wrote anything to the checkout.
func (r *Repo) HasBroughtBack(_ context.Context, run string) (bool, error) {
	b, err := r.brought(r.own.Objects(), run)
	return len(b.Files) > 0, err
}

// HalfBroughtBack reports whether a run was stopped while it wrote to this checkout.
func (r *Repo) HalfBroughtBack(_ context.Context, run string) (bool, error) {
	b, err := r.brought(r.own.Objects(), run)
	return b.Worktree == r.checkoutID() && b.pending(), err
}

func (b broughtBack) pending() bool {
	return slices.ContainsFunc(b.Files, func(f broughtFile) bool { return f.Pending })
}

// CompleteBringBack writes what a killed run had recorded and not yet written, and brings
// the index to its commit where that is on the branch. Files that are not as they were
// before stay. The caller holds the Lock.
func (r *Repo) CompleteBringBack(ctx context.Context, run string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	b, err := r.brought(r.own.Objects(), run)
	if err != nil || b.Worktree != r.checkoutID() {
		return err
	}
	var moves []move
	for _, f := range b.Files {
		is, why := stateOf(r.root, f.Path, f.After.Mode)
		if f.Pending && why == "" && !is.Differs(f.Before.state()) && is.Differs(f.After.state()) {
			moves = append(moves, move{path: f.Path, is: is, want: f.After.state(), perm: f.Before.Perm})
		}
	}
	if err := errors.Join(r.removeTemps(b), r.applyAll(ctx, moves)); err != nil {
		return git.Classify("bring the result back", err)
	}
	if err := r.noteWritten(run); err != nil {
		return err
	}
	_, head, err := r.Head(ctx)
	if err != nil || head == "" {
		return err
	}
	if _, own, err := r.beforeOwn(run, head); err != nil || own == 0 {
		return err
	}
	var paths []string
	for _, f := range b.Files {
		paths = append(paths, f.Path)
	}
	return r.follow(ctx, paths, head)
}

// removeTemps removes what a killed process had not written to its end, beside the files
// of its record.
func (r *Repo) removeTemps(b broughtBack) (err error) {
	dirs := map[string]bool{}
	for _, f := range b.Files {
		if !throughSymlink(r.root, f.Path) {
			dirs[filepath.Join(r.root, filepath.FromSlash(path.Dir(f.Path)))] = true
		}
	}
	for dir := range dirs {
		for _, pid := range b.Writers {
			err = errors.Join(err, atomicfile.RemoveTemps(dir, pid))
		}
	}
	return err
}

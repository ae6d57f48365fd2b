package workspace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// Checkpoint is a recorded state of the work tree.
type Checkpoint struct {
	Run    string
	N      int
	Commit string
	// Tree identifies the content: equal trees are equal states.
	Tree string
	// Branch and Head are what was checked out: "" for a detached HEAD, and for a branch
	// without a commit.
	Branch, Head string
	// Unsaved are paths that could not be recorded; Restore leaves them alone.
	Unsaved []Unsaved
}

// Ref is the reference that keeps the checkpoint.
func (c Checkpoint) Ref() string { return checkpointRef(c.Run, c.N) }

func checkpointRef(run string, n int) string { return store.RunRefs + run + "/" + strconv.Itoa(n) }

// ignoredRef keeps the ignored files that a run has written, as they were before.
func ignoredRef(run string) string { return store.RunRefs + ownRun(run) + "/ignored" }

// Snapshot records the work tree as checkpoint n of run. The user's index,
// HEAD and stash stay as they are. Checkpoint 0 is never overwritten.
func (r *Repo) Snapshot(ctx context.Context, run string, n int, message string) (Checkpoint, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := checkRun(run); err != nil {
		return Checkpoint{}, err
	}
	s, err := r.openShadow(ctx)
	if err != nil {
		return Checkpoint{}, git.Classify("record the state of the work tree", err)
	}
	cp, err := r.snapshot(ctx, s, run, n, message)
	return cp, git.Classify("record the state of the work tree", err)
}

// Look records the checkout, in the place of what the last Look recorded. That stays, so that
// the next one needs no more than what has changed since.
func (r *Repo) Look(ctx context.Context) (Checkpoint, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, err := r.openShadow(ctx)
	if err != nil {
		return Checkpoint{}, git.Classify("record the state of the work tree", err)
	}
	tree, m, err := r.recordTree(ctx, s, nil, true)
	if err != nil {
		return Checkpoint{}, git.Classify("record the state of the work tree", err)
	}
	cp := Checkpoint{Tree: tree, Branch: m.Branch, Head: m.Head, Unsaved: m.Unsaved}
	ref := store.TreeRefs + filepath.Base(r.checkoutDir())
	if cp.Commit, err = r.commitObject(r.own.Objects(), tree, "the checkout\n\n"+mustJSON(m), m.Head); err == nil {
		err = r.own.SetRef(ref, cp.Commit)
	}
	if err == nil {
		err = atomicfile.Keep(s.anchor(), ref+" "+cp.Commit+" "+tree+"\n")
	}
	return cp, git.Classify("record the state of the work tree", err)
}

func (r *Repo) snapshot(ctx context.Context, s *shadow, run string, n int,
	message string) (Checkpoint, error) {
	st := r.own.Objects()
	if n == 0 {
		if have, err := st.Ref(checkpointRef(run, 0)); err != nil || have != "" {
			return Checkpoint{}, errors.Join(err, fault.New(fault.Refused, "booty undo "+run,
				"the state before run %s is recorded already", run))
		}
	}
	known, err := r.remembered(st, run)
	if err != nil {
		return Checkpoint{}, err
	}
	var also []string // though git ignores them
	for path := range known {
		also = append(also, path)
	}
	tree, m, err := r.recordTree(ctx, s, also, n == 0 || r.home == nil)
	if err != nil {
		return Checkpoint{}, err
	}
	cp, err := r.keepCheckpoint(st, Checkpoint{Run: run, N: n, Tree: tree, Branch: m.Branch, Head: m.Head,
		Unsaved: m.Unsaved}, message, m)
	if err != nil {
		return Checkpoint{}, err
	}
	return cp, atomicfile.Keep(s.anchor(), cp.Ref()+" "+cp.Commit+" "+tree+"\n")
}

// recordTree records what lies on disk, with paths that git ignores; forced looks for those
// that it tracks all the same.
func (r *Repo) recordTree(ctx context.Context, s *shadow, also []string,
	forced bool) (tree string, m meta, err error) {
	if forced {
		list, err := r.forced(ctx, s)
		if err != nil {
			return "", m, err
		}
		also = append(also, list...)
	}
	tree, d, err := r.saveTree(ctx, s, also)
	if err != nil {
		return "", m, err
	}
	m = meta{Worktree: r.checkoutID(), Unsaved: d.unsaved}
	m.Branch, m.Head, err = r.Head(ctx)
	return tree, m, err
}

// keepCheckpoint writes the commit and the reference of a checkpoint.
func (r *Repo) keepCheckpoint(st git.Objects, cp Checkpoint, message string, m meta) (Checkpoint, error) {
	last, err := r.lastOf(st, cp)
	if err != nil {
		return cp, err
	}
	parents := []string{m.Head}
	if last != nil {
		parents = []string{last.Hash.String()}
	}
	if cp.Commit, err = r.commitObject(st, cp.Tree, message+"\n\n"+mustJSON(m), parents...); err != nil {
		return cp, err
	}
	r.step("snapshot: objects written")
	if err := r.own.SetRef(cp.Ref(), cp.Commit); err != nil {
		return cp, err
	}
	r.step("snapshot: reference written")
	return cp, nil
}

// lastOf gives the newest state of a run before a checkpoint, or the one that it takes
// the place of; nil where it is the first.
func (r *Repo) lastOf(st git.Objects, cp Checkpoint) (*object.Commit, error) {
	for k := cp.N; k >= 0; k-- {
		if k > maxNumbered && k < cp.N {
			k = maxNumbered
		}
		hash, err := st.Ref(checkpointRef(cp.Run, k))
		if err != nil {
			return nil, err
		}
		if hash != "" {
			return st.Commit(hash)
		}
	}
	return nil, nil
}

// maxNumbered bounds the numbers of attempts; leftN is above.
const maxNumbered = 99

// forced gives files that git tracks although it ignores them, and that the shadow's
// index does not know: they were staged, or came with a commit, since it was made.
func (r *Repo) forced(ctx context.Context, s *shadow) ([]string, error) {
	out, err := r.git.Run(ctx,
		git.Call{Args: []string{"ls-files", "-z", "--cached", "--ignored", "--exclude-standard"}})
	if err != nil {
		return nil, fmt.Errorf("look for tracked files that git ignores: %w", err)
	}
	paths := git.SplitNul(out)
	if len(paths) == 0 {
		return nil, nil
	}
	all, err := s.git.IndexEntries(ctx)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, e := range all {
		known[e.Path] = true
	}
	var unknown []string
	for _, path := range paths {
		if now, why := stateOf(r.root, path, 0); !known[path] && why == "" && now.Present() {
			unknown = append(unknown, path)
		}
	}
	return unknown, nil
}

// saveTree records what lies on disk, with paths that git ignores, and gives its tree.
func (r *Repo) saveTree(ctx context.Context, s *shadow, also []string) (string, *drift, error) {
	d, err := r.scan(ctx, s)
	if err != nil {
		return "", nil, err
	}
	beside := r.recordable(also, d)
	if len(d.changed)+len(d.touched)+len(beside) == 0 {
		if tree := r.anchored(s); tree != "" {
			return tree, d, nil
		}
	}
	r.step("snapshot: before the index")
	if err := atomicfile.Remove(s.anchor()); err != nil {
		return "", nil, err
	}
	if err := s.record(ctx, d, beside); err != nil {
		// Someone else writes too: a file may have become a directory since.
		if d, err = r.scan(ctx, s); err != nil {
			return "", nil, err
		}
		if err := s.record(ctx, d, r.recordable(also, d)); err != nil {
			return "", nil, err
		}
	}
	r.step("snapshot: index written")
	tree, err := s.git.Text(ctx, "write-tree", "--missing-ok")
	if err != nil {
		return "", nil, fmt.Errorf("record the work tree: %w", err)
	}
	return tree, d, nil
}

// recordable leaves out of also what cannot be recorded, and tells so.
func (r *Repo) recordable(also []string, d *drift) []string {
	var ok []string
	for _, path := range also {
		if _, changed := d.changed[path]; changed {
			continue
		}
		if _, why := stateOf(r.root, path, 0); why != "" {
			d.unsaved = append(d.unsaved, Unsaved{path, why})
			continue
		}
		ok = append(ok, path)
	}
	return ok
}

// ownEmail marks checkpoints: their files are the bytes on disk.
const ownEmail = "booty@localhost"

// commitObject makes a commit of booty's own; the user's identity is not needed.
func (r *Repo) commitObject(st git.Objects, tree, message string, parents ...string) (string, error) {
	sig := object.Signature{Name: "booty", Email: ownEmail, When: r.now().UTC()}
	c := &object.Commit{Author: sig, Committer: sig, Message: strings.TrimRight(message, "\n") + "\n",
		TreeHash: plumbing.NewHash(tree)}
	for _, p := range parents {
		if p != "" {
			c.ParentHashes = append(c.ParentHashes, plumbing.NewHash(p))
		}
	}
	return st.Put(c)
}

// Checkpoint finds checkpoint n of a run.
func (r *Repo) Checkpoint(_ context.Context, run string, n int) (Checkpoint, error) {
	if err := checkRun(run); err != nil {
		return Checkpoint{}, err
	}
	st := r.own.Objects()
	commit, err := st.Ref(checkpointRef(run, n))
	if err != nil {
		return Checkpoint{}, err
	}
	if commit == "" {
		return Checkpoint{}, fault.New(fault.Usage, "booty status lists the runs",
			"there is no recorded state %d of run %s in this repository", n, run)
	}
	c, err := st.Commit(commit)
	if err != nil {
		return Checkpoint{}, err
	}
	cp := Checkpoint{Run: run, N: n, Commit: commit, Tree: c.TreeHash.String()}
	if m, err := readMeta(c); err == nil {
		cp.Unsaved, cp.Branch, cp.Head = m.Unsaved, m.Branch, m.Head
	}
	return cp, nil
}

// checkRun refuses run ids that are no part of a reference's name.
func checkRun(run string) error {
	ok := run != "" && !strings.Contains(run, "..") && !strings.HasSuffix(run, ".lock") &&
		!strings.HasSuffix(run, ".")
	for i, c := range []byte(run) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && (i == 0 || c != '-' && c != '_' && c != '.') {
			ok = false
		}
	}
	if !ok {
		return fault.New(fault.Usage, "booty status lists the runs", "%q is not the id of a run", run)
	}
	return nil
}

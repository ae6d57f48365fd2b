package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"golang.org/x/sync/errgroup"

	"github.com/booty-cli/booty/internal/fault"
)

// Checkpoint is a recorded state of the work tree.
type Checkpoint struct {
	Run    string `json:"run"`
	N      int    `json:"n"`
	Commit string `json:"commit"`
	// Tree identifies the content: equal trees are equal states.
	Tree string `json:"tree"`
	// Unsaved are paths that could not be recorded; Restore leaves them alone.
	Unsaved []Unsaved `json:"unsaved,omitempty"`
}

// Ref is the reference that keeps the checkpoint.
func (c Checkpoint) Ref() string { return checkpointRef(c.Run, c.N) }

// SnapshotOptions say what else belongs to a checkpoint.
type SnapshotOptions struct {
	// Also are paths to record although git ignores them.
	Also []string
	// Since, where set, is a tree that the work tree was just seen to be, and
	// Only the paths that were written since, none of them ignored: then no look
	// at the rest is taken. What someone else changed meanwhile is seen by the
	// next look.
	Since string
	Only  []string
	// Alone records the paths of Only and nothing else, whatever else has
	// changed; where that cannot be done it is an error.
	Alone bool
	// After are commits that the checkpoint descends from; where empty, the
	// one numbered before it, or HEAD.
	After []string
	// foreign and own are those of meta.
	foreign, own bool
}

const refRoot = "refs/booty/"

func checkpointRef(run string, n int) string { return refRoot + run + "/" + strconv.Itoa(n) }
func metaRef(run string, n int) string       { return refRoot + run + "/meta/" + strconv.Itoa(n) }

// ignoredRef is one for a run and for what it found when it was taken up again.
func ignoredRef(run string) string {
	return refRoot + strings.TrimSuffix(run, resumeStates) + "/ignored"
}

// Snapshot records the work tree as checkpoint n of run. The user's index,
// HEAD and stash stay as they are. Checkpoint 0 is never overwritten.
func (r *Repo) Snapshot(ctx context.Context, run string, n int, message string, opts ...SnapshotOptions) (Checkpoint, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := checkRun(run); err != nil {
		return Checkpoint{}, err
	}
	s, err := r.openShadow(ctx)
	if err != nil {
		return Checkpoint{}, classify("record the state of the work tree", err)
	}
	var all SnapshotOptions
	for _, o := range opts {
		all.Also, all.Only = append(all.Also, o.Also...), append(all.Only, o.Only...)
		all.Since, all.Alone, all.After = o.Since, o.Alone, o.After
		all.foreign, all.own = o.foreign, o.own
	}
	cp, err := r.snapshot(ctx, s, run, n, message, all)
	return cp, classify("record the state of the work tree", err)
}

func (r *Repo) snapshot(ctx context.Context, s *shadow, run string, n int, message string, o SnapshotOptions) (Checkpoint, error) {
	st := r.store()
	if n == 0 {
		if have, err := st.ref(checkpointRef(run, 0)); err != nil || have != "" {
			return Checkpoint{}, errors.Join(err, fault.New(fault.Refused, "booty undo "+run,
				"the state before run %s is recorded already", run))
		}
	}
	known, err := r.remembered(st, run)
	if err != nil {
		return Checkpoint{}, err
	}
	for path := range known {
		o.Also = append(o.Also, path)
	}
	if n == 0 {
		forced, err := r.forced(ctx, s)
		if err != nil {
			return Checkpoint{}, err
		}
		o.Also = append(o.Also, forced...)
	}
	prev := r.anchorMeta(s)
	var kept, tree string
	var m meta
	var d *drift
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		kept, m, err = r.saveMeta(gctx, st)
		return err
	})
	g.Go(func() (err error) {
		tree, d, err = r.saveTree(gctx, s, prev, o)
		return err
	})
	if err := g.Wait(); err != nil {
		return Checkpoint{}, err
	}
	m.Unsaved, m.Foreign, m.Own = d.unsaved, o.foreign, o.own
	if m.Modes, err = r.permissions(ctx, s, prev, n == 0, d); err != nil {
		return Checkpoint{}, err
	}
	metaCommit, err := r.commitObject(st, kept, mustJSON(m), m.Head)
	if err != nil {
		return Checkpoint{}, err
	}
	parents := o.After
	if len(parents) == 0 {
		parents = []string{before(st, run, n, m.Head)}
	}
	commit, err := r.commitObject(st, tree, message, parents...)
	if err != nil {
		return Checkpoint{}, err
	}
	r.step("snapshot: objects written")
	cp := Checkpoint{Run: run, N: n, Commit: commit, Tree: tree, Unsaved: d.unsaved}
	if err := r.updateRefs(ctx, refChange{cp.Ref(), commit, ""}, refChange{metaRef(run, n), metaCommit, ""}); err != nil {
		return Checkpoint{}, err
	}
	r.step("snapshot: references written")
	if n == 0 {
		if err := r.keepSecond(ctx, cp, m.Head,
			map[string]string{cp.Ref(): commit, metaRef(run, n): metaCommit}); err != nil {
			return Checkpoint{}, err
		}
	}
	return cp, keepFile(s.anchor(), cp.Ref()+" "+commit+" "+tree+"\n")
}

// before gives the state of a run that state n comes after: the one before it, or head.
func before(st store, run string, n int, head string) string {
	for k := n - 1; k >= 0 && n < leftN; k-- { // attempts of other runs have numbers, too
		if prev, err := st.ref(checkpointRef(run, k)); err == nil && prev != "" {
			return prev
		}
	}
	return head
}

// forced gives files that git tracks although it ignores them, and that the shadow's
// index of an earlier run does not know: they came with a commit since. An index that
// is made anew has them from the user's.
func (r *Repo) forced(ctx context.Context, s *shadow) ([]string, error) {
	anchored := r.anchored(s)
	if anchored == "" {
		return nil, nil
	}
	out, err := r.git.run(ctx, call{args: []string{"ls-files", "-z", "--cached", "--ignored", "--exclude-standard"}})
	if err != nil {
		return nil, fmt.Errorf("look for tracked files that git ignores: %w", err)
	}
	paths := splitNul(out)
	if len(paths) == 0 {
		return nil, nil
	}
	st := r.store()
	tree, err := st.tree(anchored)
	if err != nil {
		return nil, err
	}
	var unknown []string
	for _, path := range paths {
		known, err := st.stateIn(tree, path)
		if err != nil {
			return nil, err
		}
		if now, why := stateOf(r.root, path, 0); !known.present() && why == "" && now.present() {
			unknown = append(unknown, path)
		}
	}
	return unknown, nil
}

// saveTree records what lies on disk and gives its tree. prev is what the
// checkpoint that the shadow's index stands for remembers.
func (r *Repo) saveTree(ctx context.Context, s *shadow, prev meta, o SnapshotOptions) (string, *drift, error) {
	d, err := r.glance(s, prev, o)
	if err == nil && d == nil {
		if o.Alone {
			return "", nil, fault.New(fault.Git, "", "booty's own index does not stand for the last state")
		}
		d, err = r.scan(ctx, s)
	}
	if err != nil {
		return "", nil, err
	}
	also := r.recordable(o.Also, d)
	if len(d.changed)+len(d.touched)+len(also) == 0 {
		tree := r.anchored(s)
		if x, err := s.read(); err == nil && tree == "" {
			tree = r.treeOfIndex(ctx, x)
		}
		if tree != "" {
			return tree, d, nil
		}
	}
	r.step("snapshot: before the index")
	if err := removeFile(s.anchor()); err != nil {
		return "", nil, err
	}
	if err := s.record(ctx, d, also); err != nil {
		if o.Alone {
			return "", nil, err
		}
		// Someone else writes too: a file may have become a directory since.
		if d, err = r.scan(ctx, s); err != nil {
			return "", nil, err
		}
		if err := s.record(ctx, d, r.recordable(o.Also, d)); err != nil {
			return "", nil, err
		}
	}
	r.step("snapshot: index written")
	tree, err := s.text(ctx, "write-tree", "--missing-ok")
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
func (r *Repo) commitObject(st store, tree, message string, parents ...string) (string, error) {
	sig := object.Signature{Name: "booty", Email: ownEmail, When: r.now().UTC()}
	c := &object.Commit{Author: sig, Committer: sig, Message: strings.TrimRight(message, "\n") + "\n",
		TreeHash: plumbing.NewHash(tree)}
	for _, p := range parents {
		if p != "" {
			c.ParentHashes = append(c.ParentHashes, plumbing.NewHash(p))
		}
	}
	return st.encode(c)
}

// Checkpoint finds checkpoint n of a run.
func (r *Repo) Checkpoint(_ context.Context, run string, n int) (Checkpoint, error) {
	if err := checkRun(run); err != nil {
		return Checkpoint{}, err
	}
	st := r.store()
	commit, err := st.ref(checkpointRef(run, n))
	if err != nil {
		return Checkpoint{}, err
	}
	if commit == "" {
		return Checkpoint{}, fault.New(fault.Usage, "booty status lists the runs",
			"there is no recorded state %d of run %s in this repository", n, run)
	}
	c, err := st.commit(commit)
	if err != nil {
		return Checkpoint{}, err
	}
	cp := Checkpoint{Run: run, N: n, Commit: commit, Tree: c.TreeHash.String()}
	if m, _, err := r.readMeta(st, cp); err == nil {
		cp.Unsaved = m.Unsaved
	}
	return cp, nil
}

// refChange sets a reference; old, where given, is what it must be now; a new
// of "" deletes it.
type refChange struct{ name, new, old string }

// updateRefs changes references, all or none, durably.
func (r *Repo) updateRefs(ctx context.Context, changes ...refChange) error {
	var in bytes.Buffer
	in.WriteString("start\x00")
	for _, c := range changes {
		switch {
		case c.new == "":
			fmt.Fprintf(&in, "delete %s\x00%s\x00", c.name, c.old)
		default:
			fmt.Fprintf(&in, "update %s\x00%s\x00%s\x00", c.name, c.new, c.old)
		}
	}
	in.WriteString("commit\x00")
	args := []string{"-c", "core.fsync=all", "update-ref", "-z", "--stdin"}
	if err := r.noteRefs(changes...); err != nil {
		return err
	}
	_, err := r.git.run(ctx, call{args: args, stdin: &in})
	if err != nil {
		return fmt.Errorf("write booty's references: %w", err)
	}
	return nil
}

// checkRun refuses run ids that are no part of a reference's name.
func checkRun(run string) error {
	ok := run != "" && !strings.Contains(run, "..") && !strings.HasSuffix(run, ".lock") && !strings.HasSuffix(run, ".")
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

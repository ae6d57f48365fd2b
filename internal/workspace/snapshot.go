package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
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

// meta is what a checkpoint remembers beside the bytes of the work tree.
type meta struct {
	// Worktree is the git directory of the work tree, relative to the common one.
	Worktree string            `json:"worktree"`
	Branch   string            `json:"branch"` // "" when HEAD was detached
	Head     string            `json:"head"`   // "" when the branch had no commit
	HasIdx   bool              `json:"index"`  // false where there was no index file
	Unsaved  []Unsaved         `json:"unsaved,omitempty"`
	Modes    map[string]uint32 `json:"modes,omitempty"`
	// Foreign says of a tree that a run found when it was taken up again: HEAD
	// was at a commit that the run had not made.
	Foreign bool `json:"foreign,omitempty"`
	// Own says of such a tree that it was found on the run's own branch.
	Own bool `json:"own,omitempty"`
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
		parents = []string{m.Head}
		for k := n - 1; k >= 0 && n < leftN; k-- { // attempts of other runs have numbers, too
			if prev, err := st.ref(checkpointRef(run, k)); err == nil && prev != "" {
				parents = []string{prev}
				break
			}
		}
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
		if err := r.keepSecond(ctx, cp, m.Head, map[string]string{cp.Ref(): commit, metaRef(run, n): metaCommit}); err != nil {
			return Checkpoint{}, err
		}
	}
	return cp, keepFile(s.anchor(), cp.Ref()+" "+commit+" "+tree+"\n")
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
	if tree := r.anchored(s); tree != "" && len(d.changed)+len(d.touched)+len(also) == 0 {
		return tree, d, nil
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

// saveMeta keeps the index file and what is staged, as a tree.
func (r *Repo) saveMeta(ctx context.Context, st store) (tree string, m meta, err error) {
	m.Worktree = r.worktreeID()
	if m.Branch, m.Head, err = r.Head(ctx); err != nil {
		return "", m, err
	}
	var t object.Tree
	add := func(name string, mode filemode.FileMode, hash string) {
		t.Entries = append(t.Entries, object.TreeEntry{Name: name, Mode: mode, Hash: plumbing.NewHash(hash)})
	}
	sum, err := r.indexSum()
	if err != nil {
		return "", m, err
	}
	if sum != "" && sum == r.keptSum {
		m.HasIdx = true
		return r.keptTree, m, nil
	}
	copied, err := r.indexCopy(ctx)
	if err != nil {
		return "", m, err
	}
	if copied != "" {
		defer func() { _ = removeFile(copied) }()
		m.HasIdx = true
		index, err := r.git.text(ctx, "-c", "core.fsync=all", "-c", "core.looseCompression=1", "hash-object", "-w", "--no-filters", "--", copied)
		if err != nil {
			return "", m, fmt.Errorf("keep the index: %w", err)
		}
		add("index", filemode.Regular, index)
		staged, err := r.stagedTree(ctx, copied)
		if err != nil {
			return "", m, err
		}
		add("staged", filemode.Dir, staged)
	}
	tree, err = st.encode(&t)
	if err == nil {
		r.keptSum, r.keptTree = sum, tree
	}
	return tree, m, err
}

// worktreeID tells the work trees of a repository apart, wherever it is moved.
func (r *Repo) worktreeID() string {
	rel, err := filepath.Rel(r.commonDir, r.gitDir)
	if err != nil {
		return r.gitDir
	}
	return filepath.ToSlash(rel)
}

// indexSum names the content of the user's index, "" where there is none.
func (r *Repo) indexSum() (string, error) {
	data, err := os.ReadFile(filepath.Join(r.gitDir, "index"))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the index: %w", err)
	}
	return hashBlob(data), nil
}

// stagedTree makes a tree that keeps every blob of an index. In a conflict
// there is no tree of it, so its three sides are kept side by side.
func (r *Repo) stagedTree(ctx context.Context, index string) (string, error) {
	env := []string{"GIT_INDEX_FILE=" + index}
	out, err := r.git.run(ctx, call{args: []string{"-c", "core.fsync=all", "write-tree", "--missing-ok"}, env: env})
	if err == nil {
		return strings.TrimSpace(string(out)), nil
	}
	out, listErr := r.git.run(ctx, call{args: []string{"ls-files", "--unmerged", "-z"}, env: env})
	if listErr != nil || len(out) == 0 {
		return "", fmt.Errorf("keep what is staged: %w", err)
	}
	var sides, drop bytes.Buffer
	for i, line := range splitNul(out) {
		entry, path, _ := strings.Cut(line, "\t")
		f := strings.Fields(entry)
		fmt.Fprintf(&sides, "%s %s 0\t.booty-conflict/%d\x00", f[0], f[1], i)
		fmt.Fprintf(&drop, "0 %s\t%s\x00", noObject, path)
	}
	drop.Write(sides.Bytes())
	if _, err := r.git.run(ctx, call{args: []string{"update-index", "-z", "--index-info"}, env: env, stdin: &drop}); err != nil {
		return "", fmt.Errorf("keep what is staged: %w", err)
	}
	out, err = r.git.run(ctx, call{args: []string{"-c", "core.fsync=all", "write-tree", "--missing-ok"}, env: env})
	if err != nil {
		return "", fmt.Errorf("keep what is staged: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}

// ownEmail marks checkpoints: their files are the bytes on disk.
const ownEmail = "booty@localhost"

// commitObject makes a commit of booty's own; the user's identity is not needed.
func (r *Repo) commitObject(st store, tree, message string, parents ...string) (string, error) {
	sig := object.Signature{Name: "booty", Email: ownEmail, When: r.now().UTC()}
	c := &object.Commit{Author: sig, Committer: sig, Message: strings.TrimRight(message, "\n") + "\n", TreeHash: plumbing.NewHash(tree)}
	for _, p := range parents {
		if p != "" {
			c.ParentHashes = append(c.ParentHashes, plumbing.NewHash(p))
		}
	}
	return st.encode(c)
}

// readMeta gives what a checkpoint remembers beside the bytes.
func (r *Repo) readMeta(st store, cp Checkpoint) (m meta, commit string, err error) {
	commit, err = st.ref(metaRef(cp.Run, cp.N))
	if err != nil || commit == "" {
		return m, "", errors.Join(err, fmt.Errorf("checkpoint %d of run %s has lost its record", cp.N, cp.Run))
	}
	c, err := st.commit(commit)
	if err != nil {
		return m, "", err
	}
	if err := json.Unmarshal([]byte(c.Message), &m); err != nil {
		return m, "", fmt.Errorf("read the record of checkpoint %d of run %s: %w", cp.N, cp.Run, err)
	}
	return m, commit, nil
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
		return Checkpoint{}, fault.New(fault.Usage, "booty status lists the runs", "there is no recorded state %d of run %s in this repository", n, run)
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

// mustJSON encodes plain data of this package, which cannot fail.
func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
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

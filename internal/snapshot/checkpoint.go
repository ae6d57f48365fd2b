package snapshot

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

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
func ignoredRef(run string) string { return store.RunRefs + RunOf(run) + "/ignored" }

// IsCheckpoint reports whether a commit is a checkpoint: its files are the bytes on disk.
func IsCheckpoint(c *object.Commit) bool { return c.Committer.Email == ownEmail }

// CheckpointAt is the checkpoint that a commit is, whatever run it was made for.
func CheckpointAt(c *object.Commit) (Checkpoint, error) {
	m, err := readMeta(c)
	return Checkpoint{Commit: c.Hash.String(), Tree: c.TreeHash.String(), Branch: m.Branch, Head: m.Head}, err
}

// meta is what a checkpoint remembers beside the bytes of the work tree. It stands in
// its commit's message.
type meta struct {
	// Worktree names the checkout, see Place.ID.
	Worktree string    `json:"worktree"`
	Branch   string    `json:"branch"` // "" when HEAD was detached
	Head     string    `json:"head"`   // "" when the branch had no commit
	Unsaved  []Unsaved `json:"unsaved,omitempty"`
}

// readMeta gives what a checkpoint's commit remembers beside the bytes.
func readMeta(c *object.Commit) (m meta, err error) {
	_, text, _ := strings.Cut(c.Message, "\n\n")
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, fmt.Errorf("read what checkpoint %s remembers: %w", c.Hash, err)
	}
	return m, nil
}

// meta is readMeta of a checkpoint.
func (r Records) meta(cp Checkpoint) (meta, error) {
	c, err := r.store.Objects().Commit(cp.Commit)
	if err != nil {
		return meta{}, err
	}
	return readMeta(c)
}

// mustJSON encodes plain data of this package, which cannot fail.
func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// keep writes the commit and the reference of a checkpoint.
func (r Records) keep(st git.Objects, cp Checkpoint, message string, m meta) (Checkpoint, error) {
	last, err := r.last(st, cp)
	if err != nil {
		return cp, err
	}
	parents := []string{m.Head}
	if last != nil {
		parents = []string{last.Hash.String()}
	}
	if cp.Commit, err = r.Commit(st, cp.Tree, message+"\n\n"+mustJSON(m), parents...); err != nil {
		return cp, err
	}
	r.step("snapshot: objects written")
	if err := r.store.SetRef(cp.Ref(), cp.Commit); err != nil {
		return cp, err
	}
	r.step("snapshot: reference written")
	return cp, nil
}

// last gives the newest state of a run before a checkpoint, or the one that it takes
// the place of; nil where it is the first.
func (r Records) last(st git.Objects, cp Checkpoint) (*object.Commit, error) {
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

// maxNumbered bounds the numbers of attempts. States that stand apart have numbers above.
const maxNumbered = 99

// ownEmail marks commits of booty's own.
const ownEmail = "booty@localhost"

// Commit makes a commit of booty's own; the user's identity is not needed.
func (r Records) Commit(st git.Objects, tree, message string, parents ...string) (string, error) {
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
func (r Records) Checkpoint(_ context.Context, run string, n int) (Checkpoint, error) {
	if err := CheckRun(run); err != nil {
		return Checkpoint{}, err
	}
	st := r.store.Objects()
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

// NextState is the first number that no state of a family has, from 1.
func (r Records) NextState(family string) (int, error) {
	for n := 1; ; n++ {
		ref, err := r.store.Ref(checkpointRef(family, n))
		if err != nil || ref == "" {
			return n, err
		}
	}
}

// CheckRun refuses run ids that are no part of a reference's name.
func CheckRun(run string) error {
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

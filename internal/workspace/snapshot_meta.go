package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

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
		data, err := os.ReadFile(copied)
		if err != nil {
			return "", m, fmt.Errorf("keep the index: %w", err)
		}
		index, err := st.keep(data)
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
	if x, err := readIndexFile(index); err == nil {
		if tree := r.treeOfIndex(ctx, x); tree != "" {
			return tree, nil
		}
	}
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
	if _, err := r.git.run(ctx, call{args: []string{"update-index", "-z", "--index-info"}, env: env,
		stdin: &drop}); err != nil {
		return "", fmt.Errorf("keep what is staged: %w", err)
	}
	out, err = r.git.run(ctx, call{args: []string{"-c", "core.fsync=all", "write-tree", "--missing-ok"}, env: env})
	if err != nil {
		return "", fmt.Errorf("keep what is staged: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
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

// mustJSON encodes plain data of this package, which cannot fail.
func mustJSON(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

package workspace

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/object"
)

// meta is what a checkpoint remembers beside the bytes of the work tree. It stands in
// its commit's message.
type meta struct {
	// Worktree names the checkout, see checkoutID.
	Worktree string    `json:"worktree"`
	Branch   string    `json:"branch"` // "" when HEAD was detached
	Head     string    `json:"head"`   // "" when the branch had no commit
	Unsaved  []Unsaved `json:"unsaved,omitempty"`
}

// checkoutID tells the checkouts of the user's, and booty's own trees, apart.
func (r *Repo) checkoutID() string {
	if r.home != nil && r.slot.lock != nil {
		return "own/" + r.home.worktreeID()
	}
	return r.Home().worktreeID()
}

// readMeta gives what a checkpoint's commit remembers beside the bytes.
func readMeta(c *object.Commit) (m meta, err error) {
	_, text, _ := strings.Cut(c.Message, "\n\n")
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return m, fmt.Errorf("read what checkpoint %s remembers: %w", c.Hash, err)
	}
	return m, nil
}

// metaOf is readMeta of a checkpoint.
func (r *Repo) metaOf(cp Checkpoint) (meta, error) {
	c, err := r.own.Objects().Commit(cp.Commit)
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

package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/git"
)

const (
	// RunRefs is where the references of runs begin, each with the run's name next.
	RunRefs = "refs/booty/"
	// TreeRefs keep what the indexes of work trees stand for: of a checkout that was looked
	// at, and of booty's own trees.
	TreeRefs = "refs/booty-trees/"
)

// Refs are the names of the references of runs.
func (s *Store) Refs() ([]string, error) {
	top := filepath.Join(s.Path(), filepath.FromSlash(RunRefs))
	var refs []string
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case !d.Type().IsRegular() || atomicfile.IsTemp(d.Name()):
			return nil
		}
		rel, err := filepath.Rel(s.Path(), path)
		refs = append(refs, filepath.ToSlash(rel))
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list booty's references: %w", err)
	}
	return refs, nil
}

// CopyRefs gives the store the user's branches and tags, for tools that
// describe a commit by them. References of booty's own are never packed there.
func (s *Store) CopyRefs(ctx context.Context, user git.Client) error {
	out, err := user.Run(ctx, git.Call{Args: []string{"for-each-ref", "--format=%(objectname) %(refname)",
		"refs/heads", "refs/remotes", "refs/tags"}})
	if err != nil {
		return fmt.Errorf("list the repository's references: %w", err)
	}
	return atomicfile.Keep(filepath.Join(s.Path(), "packed-refs"), "# pack-refs with: sorted \n"+string(out))
}

// SetRef sets a reference, durably.
func (s *Store) SetRef(name, commit string) error {
	path := filepath.Join(s.Path(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("record %s: %w", name, err)
	}
	if err := atomicfile.Write(path, []byte(commit+"\n"), 0o600); err != nil {
		return fmt.Errorf("record %s: %w", name, err)
	}
	return nil
}

// Ref gives what a reference points to, "" where there is none.
func (s *Store) Ref(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(s.Path(), filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	if hash := strings.TrimSpace(string(data)); plumbing.IsHash(hash) {
		return hash, nil
	}
	return "", fmt.Errorf("read %s: it is damaged", name)
}

// DropRef removes a reference, and the folders it leaves empty.
func (s *Store) DropRef(name string) error {
	path := filepath.Join(s.Path(), filepath.FromSlash(name))
	if err := atomicfile.Remove(path); err != nil {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	emptied := true
	for dir := filepath.Dir(path); emptied && filepath.Base(dir) != "booty" &&
		filepath.Base(dir) != "refs"; dir = filepath.Dir(dir) {
		emptied = os.Remove(dir) == nil
	}
	return nil
}

package commit

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/regular"
)

// ConflictText is a path in conflict with its sides. Nil sides are not there:
// deleted, or never made.
type ConflictText struct {
	Conflict
	Base, Ours, Theirs []byte
	// Merged is the file with git's markers, the base between the sides; empty
	// where one side has deleted it.
	Merged []byte
}

// ConflictTexts reads the sides of conflicts that a merge has left.
func (c *Committer) ConflictTexts(ctx context.Context, list []Conflict) ([]ConflictText, error) {
	var out []ConflictText
	for _, of := range list {
		t := ConflictText{Conflict: of}
		for stage, into := range map[string]*[]byte{"1": &t.Base, "2": &t.Ours, "3": &t.Theirs} {
			data, err := c.at.Git.Run(ctx, git.Call{Args: []string{"cat-file", "blob", ":" + stage + ":" + of.Path}})
			if err == nil {
				*into = append([]byte{}, data...)
			} else if ctx.Err() != nil {
				return nil, err
			}
		}
		if t.Ours != nil && t.Theirs != nil {
			if _, err := c.at.Git.Run(ctx, git.Call{Args: []string{"checkout", "--conflict=diff3", "--", of.Path},
				Programs: true, Write: []string{c.at.CommonDir, c.at.GitDir}}); err != nil {
				return nil, fmt.Errorf("show the conflict in %s: %w", of.Path, err)
			}
			data, err := regular.Read(filepath.Join(c.at.Root, filepath.FromSlash(of.Path)), regular.MaxSize)
			if err != nil {
				return nil, fmt.Errorf("show the conflict in %s: %w", of.Path, err)
			}
			t.Merged = data
		}
		out = append(out, t)
	}
	return out, nil
}

// TakeOurs writes this branch's side of paths in conflict into the work tree; a
// path that this side has deleted stays as the merge left it.
func (c *Committer) TakeOurs(ctx context.Context, list []ConflictText) error {
	for _, of := range list {
		if of.Ours == nil {
			continue
		}
		if _, err := c.at.Git.Run(ctx, git.Call{Args: []string{"checkout", "--ours", "--", of.Path}, Programs: true,
			Write: []string{c.at.CommonDir, c.at.GitDir}}); err != nil {
			return fmt.Errorf("take this branch's side of %s: %w", of.Path, err)
		}
	}
	return nil
}

package workspace

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

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
func (r *Repo) ConflictTexts(ctx context.Context, list []Conflict) ([]ConflictText, error) {
	var out []ConflictText
	for _, c := range list {
		t := ConflictText{Conflict: c}
		for stage, into := range map[string]*[]byte{"1": &t.Base, "2": &t.Ours, "3": &t.Theirs} {
			data, err := r.git.Run(ctx, git.Call{Args: []string{"cat-file", "blob", ":" + stage + ":" + c.Path}})
			if err == nil {
				*into = append([]byte{}, data...)
			} else if ctx.Err() != nil {
				return nil, err
			}
		}
		if t.Ours != nil && t.Theirs != nil {
			if _, err := r.git.Run(ctx, git.Call{Args: []string{"checkout", "--conflict=diff3", "--", c.Path},
				Programs: true, Write: []string{r.commonDir, r.gitDir}}); err != nil {
				return nil, fmt.Errorf("show the conflict in %s: %w", c.Path, err)
			}
			data, err := regular.Read(filepath.Join(r.root, filepath.FromSlash(c.Path)), regular.MaxSize)
			if err != nil {
				return nil, fmt.Errorf("show the conflict in %s: %w", c.Path, err)
			}
			t.Merged = data
		}
		out = append(out, t)
	}
	return out, nil
}

// TakeOurs writes this branch's side of paths in conflict into the work tree; a
// path that this side has deleted stays as the merge left it.
func (r *Repo) TakeOurs(ctx context.Context, list []ConflictText) error {
	for _, c := range list {
		if c.Ours == nil {
			continue
		}
		if _, err := r.git.Run(ctx, git.Call{Args: []string{"checkout", "--ours", "--", c.Path}, Programs: true,
			Write: []string{r.commonDir, r.gitDir}}); err != nil {
			return fmt.Errorf("take this branch's side of %s: %w", c.Path, err)
		}
	}
	return nil
}

// WouldConflict gives the paths in which a merge of two commits would end in
// conflict, without touching work tree or index. A git too old to tell gives none.
func (r *Repo) WouldConflict(ctx context.Context, ours, theirs string) ([]string, error) {
	ours, err1 := r.History.Resolve(ctx, ours)
	theirs, err2 := r.History.Resolve(ctx, theirs)
	if err := errors.Join(err1, err2, r.own.Make()); err != nil {
		return nil, err
	}
	out, err := r.own.Git(r.git).Run(ctx, git.Call{Args: []string{"merge-tree", "--write-tree", "--name-only", "--no-messages",
		"-z", ours, theirs}})
	switch {
	case err == nil, ctx.Err() == nil && git.ExitCode(err) > 1:
		return nil, ctx.Err()
	case git.ExitCode(err) != 1:
		return nil, fmt.Errorf("look whether %s merges: %w", theirs, err)
	}
	names := git.SplitNul(out)
	if len(names) < 2 {
		return nil, nil
	}
	var paths []string
	for _, p := range names[1:] { // the first is the tree
		if p = strings.TrimSpace(p); p != "" {
			paths = append(paths, p)
		}
	}
	return paths, nil
}

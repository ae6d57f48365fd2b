package commit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// Conflict is a path that a merge could not settle, and git's kind of it: UU,
// AA, DD, AU, UA, DU or UD.
type Conflict struct {
	Path string
	Kind string
}

// MergeResult is what a merge came to.
type MergeResult struct {
	// Commit is HEAD afterwards; with conflicts, as before.
	Commit string
	// Changed is false where everything was here already.
	Changed bool
	// Conflicts are left in the work tree with git's markers, to be settled and
	// committed, or given up with AbortMerge.
	Conflicts []Conflict
}

// Merge brings a commit into the current branch. Conflicts are a result, any
// other failure is an error, after which the branch is as before.
func (c *Committer) Merge(ctx context.Context, commit, message string) (MergeResult, error) {
	_, before, err := c.at.Store.Objects().Head()
	if err != nil {
		return MergeResult{}, err
	}
	if err := c.maker.CheckIdentity(ctx); err != nil {
		return MergeResult{}, err
	}
	args := []string{"merge", "--quiet", "--no-edit", "--no-stat", "--no-autostash", "--ff", "--commit",
		"--no-squash"}
	if message != "" {
		args = append(args, "-m", message)
	}
	c.at.Step("merge: before")
	_, err = c.at.Git.Run(ctx, git.Call{Args: append(args, "--", commit), Combined: true, Programs: true,
		Write: []string{c.at.CommonDir, c.at.GitDir}})
	if err != nil {
		return c.mergeFailed(ctx, commit, before, err)
	}
	c.at.Step("merge: made")
	_, now, err := c.at.Store.Objects().Head()
	return MergeResult{Commit: now, Changed: now != before}, err
}

func (c *Committer) mergeFailed(ctx context.Context, commit, before string, cause error) (MergeResult, error) {
	if git.ExitCode(cause) == 1 && c.merging() {
		entries, err := c.at.Git.Status(ctx)
		if err != nil {
			return MergeResult{}, err
		}
		var conflicts []Conflict
		for _, e := range entries {
			if e.Conflict {
				conflicts = append(conflicts, Conflict{e.Path, e.XY})
			}
		}
		if len(conflicts) > 0 {
			if err := c.NoteMerge(); err != nil {
				return MergeResult{}, err
			}
			return MergeResult{Commit: before, Changed: true, Conflicts: conflicts}, nil
		}
	}
	if c.merging() {
		if err := c.AbortMerge(context.WithoutCancel(ctx)); err != nil {
			return MergeResult{}, errors.Join(cause, err)
		}
	}
	said := git.Stderr(cause)
	switch {
	case errors.Is(cause, context.Canceled):
		return MergeResult{}, cause
	case strings.Contains(said, "would be overwritten"):
		return MergeResult{}, fault.New(fault.Refused, "move them away or commit them: git status",
			"merging %s would overwrite files: %s", short(commit), overwritten(said))
	case strings.Contains(said, "unrelated histories"):
		return MergeResult{}, fault.New(fault.Git, "check that --base names the right branch",
			"merge %s: no common history", short(commit))
	}
	return MergeResult{}, fault.New(fault.Git, "git status", "merge %s: %w", short(commit), cause)
}

// AbortMerge gives a merge in conflict up; the branch is as before it.
func (c *Committer) AbortMerge(ctx context.Context) error {
	if _, err := c.at.Git.Run(ctx, git.Call{Args: []string{"merge", "--abort"}, Programs: true,
		Write: []string{c.at.CommonDir, c.at.GitDir}}); err != nil {
		return fault.New(fault.Git, "git merge --abort", "abort the merge: %w", err)
	}
	c.mergeHead = ""
	return nil
}

// merging reports whether git left a merge for someone to end.
func (c *Committer) merging() bool {
	_, err := os.Stat(filepath.Join(c.at.GitDir, "MERGE_HEAD"))
	return err == nil
}

// overwritten gives the paths that git lists, indented by a tab.
func overwritten(said string) string {
	var paths []string
	for line := range strings.Lines(said) {
		if p, ok := strings.CutPrefix(line, "\t"); ok {
			paths = append(paths, strings.TrimSpace(p))
		}
	}
	return git.Some(paths)
}

// short is a commit's name as it stands in messages.
func short(commit string) string { return commit[:min(len(commit), 12)] }

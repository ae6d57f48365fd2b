package workspace

import (
	"context"
	"errors"
	"fmt"
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
func (r *Repo) Merge(ctx context.Context, commit, message string) (MergeResult, error) {
	_, before, err := r.Head(ctx)
	if err != nil {
		return MergeResult{}, err
	}
	if err := r.CheckIdentity(ctx); err != nil {
		return MergeResult{}, err
	}
	args := []string{"merge", "--quiet", "--no-edit", "--no-stat", "--no-autostash", "--ff", "--commit",
		"--no-squash"}
	if message != "" {
		args = append(args, "-m", message)
	}
	r.step("merge: before")
	_, err = r.git.Run(ctx, git.Call{Args: append(args, "--", commit), Combined: true, Programs: true,
		Write: []string{r.commonDir, r.gitDir}})
	if err != nil {
		return r.mergeFailed(ctx, commit, before, err)
	}
	r.step("merge: made")
	_, now, err := r.Head(ctx)
	return MergeResult{Commit: now, Changed: now != before}, err
}

func (r *Repo) mergeFailed(ctx context.Context, commit, before string, cause error) (MergeResult, error) {
	if git.ExitCode(cause) == 1 && r.merging() {
		entries, err := r.Status(ctx)
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
			if err := r.noteMerge(); err != nil {
				return MergeResult{}, err
			}
			return MergeResult{Commit: before, Changed: true, Conflicts: conflicts}, nil
		}
	}
	if r.merging() {
		if err := r.AbortMerge(context.WithoutCancel(ctx)); err != nil {
			return MergeResult{}, errors.Join(cause, err)
		}
	}
	said := git.Stderr(cause)
	switch {
	case errors.Is(cause, context.Canceled):
		return MergeResult{}, cause
	case strings.Contains(said, "would be overwritten"):
		return MergeResult{}, fault.New(fault.Refused, "move them away or commit them: git status",
			"merging %s would overwrite files: %s", nameOf("", commit), overwritten(said))
	case strings.Contains(said, "unrelated histories"):
		return MergeResult{}, fault.New(fault.Git, "check that --base names the right branch",
			"merge %s: no common history", nameOf("", commit))
	}
	return MergeResult{}, fault.New(fault.Git, "git status", "merge %s: %w", nameOf("", commit), cause)
}

// AbortMerge gives a merge in conflict up; the branch is as before it.
func (r *Repo) AbortMerge(ctx context.Context) error {
	if _, err := r.git.Run(ctx, git.Call{Args: []string{"merge", "--abort"}, Programs: true,
		Write: []string{r.commonDir, r.gitDir}}); err != nil {
		return fault.New(fault.Git, "git merge --abort", "abort the merge: %w", err)
	}
	r.mergeHead = ""
	return nil
}

// merging reports whether git left a merge for someone to end.
func (r *Repo) merging() bool {
	_, err := os.Stat(filepath.Join(r.gitDir, "MERGE_HEAD"))
	return err == nil
}

// MergeCommits merges two commits that are in no conflict, without touching a work
// tree, and gives the merge: ours is its first parent.
func (r *Repo) MergeCommits(ctx context.Context, ours, theirs, message string) (string, error) {
	if err := errors.Join(r.CheckIdentity(ctx), r.signable(), r.own.Make()); err != nil {
		return "", err
	}
	out, err := r.own.Git(r.git).Run(ctx,
		git.Call{Args: []string{"merge-tree", "--write-tree", "--no-messages", ours, theirs}})
	if err != nil {
		return "", fmt.Errorf("merge %s: %w", theirs, err)
	}
	return r.commitTree(ctx, strings.TrimSpace(string(out)), message, ours, theirs)
}

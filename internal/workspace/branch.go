package workspace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
)

// StartBranch goes to a new branch name at base (a commit or branch), or to
// the branch itself where it is there already and base is "". The tree must be
// clean; start is the checkpoint taken before. The origin it gives, also kept
// in state, leads back.
func (r *Repo) StartBranch(ctx context.Context, name, base string, state State) (Origin, error) {
	branch, commit, err := r.Head(ctx)
	if err != nil {
		return Origin{}, err
	}
	if commit == "" {
		return Origin{}, fault.New(fault.Git, "git add -A && git commit -m start",
			"branch %s has no commit yet to start from", branch)
	}
	origin := state.Origin
	if origin.Branch, origin.Commit, err = r.startedFrom(origin.Start, branch, commit); err != nil {
		return Origin{}, err
	}
	origin.RunBranch = name
	earlier, err := r.readState()
	if err != nil {
		return Origin{}, err
	}
	state.Origin, state.Step = origin, "start branch"
	if err := r.SaveState(ctx, state); err != nil {
		return Origin{}, err
	}
	r.step("branch: before the switch")
	args := []string{"switch", "--quiet", "--no-guess", "--recurse-submodules=no"}
	if base == "" {
		args = append(args, name)
	} else {
		args = append(args, "--no-track", "-c", name, base)
	}
	if branch != name {
		if err := r.noteBranch(ctx, name, base); err != nil {
			return origin, errors.Join(err, r.resetState(context.WithoutCancel(ctx), earlier))
		}
		if _, err := r.git.run(ctx, call{args: args, combined: true}); err != nil {
			return origin, errors.Join(r.switchFault(name, err), r.resetState(context.WithoutCancel(ctx), earlier))
		}
	}
	r.step("branch: switched")
	return origin, nil
}

// noteBranch notes the branch that is about to be made.
func (r *Repo) noteBranch(ctx context.Context, name, base string) error {
	if base == "" {
		return nil
	}
	at, err := r.Resolve(ctx, base)
	if err != nil {
		return err
	}
	return r.noteRefs(refChange{name: "refs/heads/" + name, new: at})
}

// ErrBranchExists means that the name of a new branch is taken.
var ErrBranchExists = errors.New("exists already")

// DropBranch removes a branch that is still at the commit it was made at and
// checked out nowhere; any other is left as it is.
func (r *Repo) DropBranch(ctx context.Context, name, at string) error {
	ref := "refs/heads/" + name
	tip, err := r.store().ref(ref)
	if err != nil || tip != at {
		return err
	}
	used, err := r.git.text(ctx, "for-each-ref", "--format=%(worktreepath)", ref)
	if err != nil || strings.TrimSpace(used) != "" {
		return err
	}
	return r.updateRefs(ctx, refChange{ref, "", at})
}

// CommitMentions tells whether a commit's message has a line.
func (r *Repo) CommitMentions(_ context.Context, hash, line string) (bool, error) {
	c, err := r.store().commit(hash)
	if err != nil {
		return false, err
	}
	return slices.Contains(strings.Split(c.Message, "\n"), line), nil
}

// resetState takes a state back that nothing came of.
func (r *Repo) resetState(ctx context.Context, earlier *State) error {
	if earlier == nil {
		return r.ClearState(ctx)
	}
	return r.SaveState(ctx, *earlier)
}

// startedFrom gives where HEAD was when the run began: its first checkpoint
// knows, also when the run is taken up again on its own branch.
func (r *Repo) startedFrom(start Checkpoint, branch, commit string) (string, string, error) {
	if start.Commit == "" {
		return branch, commit, nil
	}
	m, _, err := r.readMeta(r.store(), start)
	return m.Branch, m.Head, err
}

func (r *Repo) switchFault(name string, err error) error {
	said := stderrOf(err)
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case strings.Contains(said, "already exists"):
		return fault.New(fault.Git, "choose another with --branch, or delete it: git branch -D "+name, "branch %s %w",
			name, ErrBranchExists)
	case strings.Contains(said, "is already checked out") || strings.Contains(said, "is already used by"):
		return fault.New(fault.Git, "git worktree list", "branch %s is checked out in another work tree", name)
	case strings.Contains(said, "would be overwritten"):
		return fault.New(fault.Refused, "move them away or commit them: git status",
			"going to branch %s would overwrite files: %s", name, overwritten(said))
	case strings.Contains(said, "index.lock"):
		return fault.New(fault.Git, r.lockHint(),
			"go to branch %s: another git is at work, or left its index.lock behind", name)
	}
	return fault.New(fault.Git, "git status", "go to branch %s: %w", name, err)
}

// overwritten gives the paths that git lists, indented by a tab.
func overwritten(said string) string {
	var paths []string
	for line := range strings.Lines(said) {
		if p, ok := strings.CutPrefix(line, "\t"); ok {
			paths = append(paths, strings.TrimSpace(p))
		}
	}
	return someOf(paths)
}

// someOf joins at most five paths for a message.
func someOf(paths []string) string {
	if len(paths) > 5 {
		return strings.Join(paths[:5], ", ") + fmt.Sprintf(" and %d more", len(paths)-5)
	}
	return strings.Join(paths, ", ")
}

// Return goes back to where the run started, byte for byte: branch, index and
// work tree as in the checkpoint before. The run's branch stays. Whatever lies
// in the work tree and is in no checkpoint yet is recorded first, under the
// reference that is given back ("" where there was nothing).
func (r *Repo) Return(ctx context.Context, o Origin) (kept string, err error) {
	branch, commit, err := r.Head(ctx)
	if err != nil {
		return "", err
	}
	switched, err := r.switchedByHand(ctx, o, branch, commit)
	if err != nil {
		return "", err
	}
	if switched {
		return "", fault.New(fault.Refused, "finish there, then: git switch "+originName(o)+" (the state before the run is "+o.Start.Ref()+")",
			"the checkout was switched to %s during the run; it is left there", nameOf(branch, commit))
	}
	run := strings.TrimSuffix(o.Start.Run, resumeStates)
	if err := r.mendStart(ctx, run); err != nil {
		return "", classify("look at the state before the run", err)
	}
	kept, seen, err := r.keepStrays(ctx, run)
	if err != nil {
		return "", err
	}
	return kept, r.goBack(ctx, o, seen)
}

// switchedByHand tells whether someone else moved HEAD during the run: to a
// third branch, or back to the first and has worked there since. A Return that
// was cut off has moved HEAD too, but after the files.
func (r *Repo) switchedByHand(ctx context.Context, o Origin, branch, commit string) (bool, error) {
	if branch == o.RunBranch && o.RunBranch != "" {
		return false, nil
	}
	if branch != o.Branch || o.Branch == "" && commit != o.Commit {
		return true, nil
	}
	if o.RunBranch == "" {
		return false, nil
	}
	diff, err := r.Since(ctx, o.Start)
	return len(diff) > 0, err
}

// keepStrays records the work tree of a run as it is, if neither a checkpoint
// nor the commit that is checked out holds it, and gives the reference; else what
// it saw.
func (r *Repo) keepStrays(ctx context.Context, run string) (string, *drift, error) {
	all, err := r.Checkpoints(ctx, run)
	if err != nil {
		return "", nil, err
	}
	last := all[len(all)-1]
	diff, seen, err := r.since(ctx, last, nil)
	if err != nil || len(diff) == 0 {
		return "", seen, err
	}
	if same, err := r.asCommitted(ctx, run, seen); err != nil || same {
		return "", seen, err
	}
	cp, err := r.Snapshot(ctx, run, max(leftN, last.N+1), "what lay in the work tree when run "+run+" ended")
	if err != nil {
		return "", nil, err
	}
	for _, other := range all {
		if other.Tree == cp.Tree {
			return "", nil, nil
		}
	}
	return cp.Ref(), nil, nil
}

// asCommitted says whether the work tree, as it was just seen, is that of the commit
// checked out, as where a run went to earlier work and changed nothing of it.
func (r *Repo) asCommitted(ctx context.Context, run string, seen *drift) (bool, error) {
	_, head, err := r.Head(ctx)
	if err != nil {
		return false, err
	}
	c, err := r.store().commit(head)
	if err != nil {
		return false, err
	}
	diff, _, err := r.since(ctx, Checkpoint{Run: run, Commit: head, Tree: c.TreeHash.String()}, seen)
	return len(diff) == 0, err
}

// leftN and above number what lay in the work tree when a run ended.
const leftN = 9999

// goBack makes work tree, index and HEAD those of the origin. Each step can be
// done again, so a kill between them is mended by calling it once more. seen is how
// the work tree was just seen to be, nil if it was not looked at.
func (r *Repo) goBack(ctx context.Context, o Origin, seen *drift) error {
	if err := r.Restore(ctx, o.Start, RestoreOptions{Index: true, Spare: o.Spare, seen: seen}); err != nil {
		return err
	}
	r.step("branch: before HEAD")
	if err := r.pointHead(ctx, o); err != nil {
		return err
	}
	r.step("branch: HEAD is back")
	if o.Branch == "" || o.Commit == "" {
		return nil
	}
	// The branch itself may have moved meanwhile (a fetch into it, another work
	// tree): then bring the tree along as a switch would.
	now, err := r.store().ref("refs/heads/" + o.Branch)
	if err != nil || now == o.Commit {
		return err
	}
	if _, err := r.git.run(ctx, call{args: []string{"read-tree", "-m", "-u", o.Commit, now}}); err != nil {
		return fault.New(fault.Refused, "git status",
			"branch %s has moved during the run, and the work tree cannot follow it: %w", o.Branch, err)
	}
	return nil
}

func (r *Repo) pointHead(ctx context.Context, o Origin) error {
	args := []string{"symbolic-ref", "-m", "booty: back to " + originName(o), "HEAD", "refs/heads/" + o.Branch}
	if o.Branch == "" {
		args = []string{"update-ref", "--no-deref", "-m", "booty: back to " + originName(o), "HEAD", o.Commit}
	}
	if _, err := r.git.run(ctx, call{args: append([]string{"-c", "core.fsync=all"}, args...)}); err != nil {
		return fault.New(fault.Git, "git switch "+originName(o), "go back to %s: %w", originName(o), err)
	}
	return nil
}

func originName(o Origin) string { return nameOf(o.Branch, o.Commit) }

func nameOf(branch, commit string) string {
	if branch != "" {
		return branch
	}
	return commit[:min(len(commit), 12)]
}

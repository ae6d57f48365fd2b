package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
)

// ErrBranchExists means that the name of a branch is taken, or that the branch is not
// where it was.
var ErrBranchExists = errors.New("exists already, or has moved")

// NameBranch makes the tree of booty's own be on a branch that is only there, so that
// hooks and tools that ask for the branch get its name.
func (r *Repo) NameBranch(ctx context.Context, name string) error {
	if r.home == nil {
		return errors.New("only a tree of booty's own is on a branch of that kind")
	}
	_, head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	return classify("name the run's branch", r.alone(ctx, func() error { return r.claimBranch(name, head) }))
}

// claimBranch names the branch unless another tree has it: then this one stays without.
func (r *Repo) claimBranch(name, head string) error {
	at := "ref: refs/heads/" + name + "\n"
	others, err := filepath.Glob(filepath.Join(r.commonDir, "worktrees", "*", "HEAD"))
	if err != nil {
		return err
	}
	for _, other := range others {
		if is, err := os.ReadFile(other); err == nil && string(is) == at && filepath.Dir(other) != r.gitDir {
			return nil
		}
	}
	ref := filepath.Join(r.commonDir, "refs", "heads", filepath.FromSlash(name))
	return errors.Join(os.MkdirAll(filepath.Dir(ref), 0o700), atomicfile.Write(ref, []byte(head+"\n"), 0o600),
		atomicfile.Write(filepath.Join(r.gitDir, "HEAD"), []byte(at), 0o600))
}

// alone does what no other process may do at the same time for this repository.
func (r *Repo) alone(ctx context.Context, do func() error) (err error) {
	lock := flock.New(filepath.Join(r.repoDir(), "lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return fmt.Errorf("wait for other processes of booty: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	return do()
}

// ForgetBranch takes back what NameBranch did.
func (r *Repo) ForgetBranch(ctx context.Context) error {
	branch, head, err := r.Head(ctx)
	if err != nil || branch == "" || r.home == nil {
		return err
	}
	return classify("leave the run's branch", errors.Join(
		atomicfile.Write(filepath.Join(r.gitDir, "HEAD"), []byte(head+"\n"), 0o600),
		removeFile(filepath.Join(r.commonDir, "refs", "heads", filepath.FromSlash(branch)))))
}

// StartBranch goes to a new branch at base in the user's checkout (work in place), or to
// the branch itself where it is there already and base is "". Tracked files must be
// clean; state.Origin.Start is the checkpoint taken before. The origin it gives, also
// kept in state, leads back.
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
	if branch != name {
		origin.Branch, origin.Commit = branch, commit
	}
	origin.RunBranch = name
	earlier, err := r.Interrupted(ctx)
	if err != nil {
		return Origin{}, err
	}
	state.Origin, state.Step = origin, "start branch"
	if err := r.SaveState(ctx, state); err != nil {
		return Origin{}, err
	}
	if branch == name {
		return origin, nil
	}
	r.step("branch: before the switch")
	args := []string{"switch", "--quiet", "--no-guess", "--recurse-submodules=no"}
	if base == "" {
		args = append(args, name)
	} else {
		args = append(args, "--no-track", "-c", name, base)
	}
	if _, err := r.git.run(ctx, call{args: args, combined: true, programs: true,
		write: []string{r.commonDir, r.gitDir}}); err != nil {
		return origin, errors.Join(r.switchFault(name, err), r.resetState(context.WithoutCancel(ctx), earlier))
	}
	r.step("branch: switched")
	return origin, nil
}

// resetState takes a state back that nothing came of.
func (r *Repo) resetState(ctx context.Context, earlier *State) error {
	if earlier == nil {
		return r.ClearState(ctx)
	}
	return r.SaveState(ctx, *earlier)
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
		return fault.New(fault.Refused, "git stash --include-untracked",
			"going to branch %s would overwrite files: %s", name, overwritten(said))
	case strings.Contains(said, "index.lock"):
		return fault.New(fault.Git, r.lockHint(),
			"go to branch %s: another git is at work, or left its index.lock behind", name)
	}
	return fault.New(fault.Git, "git switch "+name, "go to branch %s: %w", name, err)
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

// Return goes back to the branch that work in place started from, with the files that
// differ between the two. What the user has changed since stays as it is; where a file
// of that kind is in the way, or the checkout was switched by hand, it stays where it
// is and the error says so.
func (r *Repo) Return(ctx context.Context, o Origin, run string) error {
	branch, head, err := r.Head(ctx)
	if err != nil {
		return err
	}
	if branch != o.RunBranch {
		if branch == o.Branch && branch != "" || branch == "" && head == o.Commit {
			return nil
		}
		return fault.New(fault.Refused, "git switch "+originName(o),
			"the checkout was switched to %s during the run; it is left there", nameOf(branch, head))
	}
	to := o.Commit
	if o.Branch != "" {
		if tip, err := r.store().ref("refs/heads/" + o.Branch); err != nil || tip == "" {
			return errors.Join(err, fault.New(fault.Refused, "git branch "+o.Branch+" "+nameOf("", o.Commit),
				"branch %s, where the run began, is gone", o.Branch))
		} else if tip != o.Commit {
			return fault.New(fault.Refused, "git switch "+o.Branch,
				"branch %s has new commits; the checkout stays on %s", o.Branch, branch)
		}
	}
	_, theirs, err := r.backTo(ctx, run, o.Start, backOptions{tree: head})
	if err != nil {
		return err
	}
	if len(theirs) > 0 {
		return fault.New(fault.Refused, "git switch "+originName(o)+" once they are committed or stashed",
			"the checkout stays on %s, where you changed %s", branch, someOf(theirs))
	}
	r.step("branch: before HEAD")
	return r.pointHead(ctx, o, head, to)
}

// pointHead moves HEAD, and with it the index, which keeps what the user staged.
func (r *Repo) pointHead(ctx context.Context, o Origin, from, to string) error {
	if err := r.moveIndex(ctx, from, to); err != nil {
		return fault.New(fault.Refused, "git switch "+originName(o), "go back to %s: %w", originName(o), err)
	}
	r.step("branch: the index is back")
	args := []string{"symbolic-ref", "-m", "booty: back to " + originName(o), "HEAD", "refs/heads/" + o.Branch}
	if o.Branch == "" {
		args = []string{"update-ref", "--no-deref", "-m", "booty: back to " + originName(o), "HEAD", to}
	}
	if _, err := r.git.run(ctx, call{args: args}); err != nil {
		return fault.New(fault.Git, "git switch "+originName(o), "go back to %s: %w", originName(o), err)
	}
	r.step("branch: HEAD is back")
	return nil
}

// moveIndex makes the index that of another commit, but for what the user has staged.
// The files are not looked at.
func (r *Repo) moveIndex(ctx context.Context, from, to string) error {
	if from == to {
		return nil
	}
	if _, err := r.git.run(ctx, call{args: []string{"diff-index", "--cached", "--quiet", to, "--"}}); err == nil {
		return nil // a kill came after that was done
	}
	return r.changeIndex(ctx, call{args: []string{"read-tree", "-i", "-m", from, to}})
}

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
	_, err = r.git.run(ctx, call{args: []string{"update-ref", "-d", ref, at}})
	return err
}

func originName(o Origin) string { return nameOf(o.Branch, o.Commit) }

func nameOf(branch, commit string) string {
	if branch != "" {
		return branch
	}
	return commit[:min(len(commit), 12)]
}

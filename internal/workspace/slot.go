package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/gofrs/flock"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/store"
)

// A slot is the place of one work tree of booty's own. It stays when its user has
// ended, so that the next one finds the files, and what builds left among them, nearly
// as it needs them. A lock says that it is in use; a killed process gives that up.
type slot struct {
	dir  string // holds the tree, booty's own files of it, and what overlays need
	tree string
	lock *flock.Flock
}

// maxSlots bounds how many trees of one checkout are in use at once.
const maxSlots = 64

// TreeOptions say what a work tree of booty's own is to be.
type TreeOptions struct {
	// Like is the tree whose ignored files are brought along; nil is the user's checkout.
	Like *Repo
	// Bare leaves ignored files out: the tree is what git knows, as in a fresh clone.
	Bare bool
	// Overlays reports whether directories may be brought along as overlays, which only
	// commands in their sandbox see. It is asked once there is a large one; nil is no.
	Overlays func() bool
}

// AddWorktree is AddTree for a tree beside this one, with its ignored files.
func (r *Repo) AddWorktree(ctx context.Context, commit string) (*Repo, func(context.Context) error, error) {
	return r.AddTree(ctx, commit, TreeOptions{Like: r, Overlays: func() bool { return r.overlaid }})
}

// AddTree makes a work tree of booty's own at a commit of the user's or a checkpoint,
// HEAD detached, in the first slot that is free. release frees the slot; what lies in
// it stays for the next user.
func (r *Repo) AddTree(ctx context.Context, commit string, o TreeOptions) (
	w *Repo, release func(context.Context) error, err error,
) {
	of := r
	if r.home != nil {
		of = r.home
	}
	if err := of.own.Make(); err != nil {
		return nil, nil, err
	}
	if of == r { // else they were copied for the tree beside which this one is made
		if err := of.own.CopyRefs(ctx, of.Home().git); err != nil {
			return nil, nil, err
		}
	}
	s, err := of.takeSlot(ctx)
	if err != nil {
		return nil, nil, git.Classify("make a separate work tree", err)
	}
	w = of.repoIn(s, r)
	release = func(context.Context) error { return errors.Join(w.Close(), s.lock.Unlock()) }
	if o.Like == nil {
		o.Like = of
	}
	if err := w.fill(ctx, commit, o); err != nil {
		if errors.Is(err, plumbing.ErrObjectNotFound) || git.ExitCode(err) == 128 { // git has not found one
			err = errors.Join(err, of.States.ForgetIndex())
		}
		return nil, nil, errors.Join(git.Classify("make a separate work tree", err), release(ctx))
	}
	return w, release, nil
}

// Slots is the directory that all trees of booty's own lie in that belong to the checkout.
func (r *Repo) Slots() string { return r.Home().checkoutDir() }

// takeSlot takes the first slot of this checkout that no process uses.
func (r *Repo) takeSlot(ctx context.Context) (*slot, error) {
	base := r.checkoutDir()
	if err := os.MkdirAll(base, 0o700); err != nil {
		return nil, err
	}
	for n := 1; n <= maxSlots; n++ {
		dir := filepath.Join(base, strconv.Itoa(n))
		lock := flock.New(dir+".lock", flock.SetPermissions(0o600))
		ok, err := lock.TryLock()
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", dir, err)
		}
		if ok {
			s := &slot{dir: dir, tree: filepath.Join(dir, filepath.Base(r.root)), lock: lock}
			return s, errors.Join(os.MkdirAll(s.tree, 0o755), ctx.Err())
		}
	}
	return nil, fault.New(fault.Refused, "wait for some of them to end", "%d work trees of %s are in use",
		maxSlots, r.root)
}

// slotID names a slot among the work trees of the store.
func (r *Repo) slotID(s *slot) string {
	return filepath.Base(r.checkoutDir()) + "-" + filepath.Base(s.dir)
}

// repoIn is the work tree in a slot, as a repository to work with: its git directory is one
// of the store. What was set for like since it was opened holds for it, too.
func (r *Repo) repoIn(s *slot, like *Repo) *Repo {
	root := s.tree
	w := &Repo{
		root: root, gitDir: filepath.Join(r.own.Path(), "worktrees", r.slotID(s)), commonDir: r.own.Path(),
		stateDir: r.stateDir,
		now:      like.now, home: r, slot: s,
		forRemote: r.forRemote, free: r.free, step: r.step, git: like.git, identified: r.identified,
	}
	w.own = r.own.ForTree(w.gitDir, filepath.Join(s.dir, "own"))
	w.obeys = r.obeys.in(root, w.gitDir, w.commonDir)
	w.git.Dir, w.git.Env = root, r.pinned(w.gitDir, w.commonDir, root)
	w.furnish()
	w.Hooks.Confine(like.Hooks.Starter())
	w.States.LimitFiles(like.States.FileLimit())
	return w
}

// fill brings the slot's tree to a commit. Hooks of the repository have no part in it.
func (r *Repo) fill(ctx context.Context, commit string, o TreeOptions) error {
	c, err := r.own.Objects().Commit(commit)
	if err != nil {
		return err
	}
	if snapshot.IsCheckpoint(c) {
		cp, err := snapshot.CheckpointAt(c)
		if err != nil {
			return err
		}
		return r.fillAsRecorded(ctx, cp, o)
	}
	if err := errors.Join(atomicfile.Remove(r.filledPath()), r.prepareGitDir(commit+"\n")); err != nil {
		return err
	}
	if err := r.checkOut(ctx, commit); err != nil {
		return err
	}
	if o.Bare {
		return r.dropCarried(ctx)
	}
	return r.carry(ctx, o.Like, o.Overlays)
}

// filledPath notes the commit and the staged changes that the slot's index holds, where a
// checkpoint was brought into it last.
func (r *Repo) filledPath() string { return filepath.Join(r.slot.dir, "filled") }

// fillAsRecorded brings the slot's tree to a checkpoint, to the byte and with files that no
// commit of the user's has. A tree that was brought there before is compared with it, and no
// more than differs is written.
func (r *Repo) fillAsRecorded(ctx context.Context, cp snapshot.Checkpoint, o TreeOptions) error {
	head := cp.Head + "\n"
	if cp.Head == "" {
		head = "ref: refs/heads/" + cp.Branch + "\n"
	}
	if err := r.prepareGitDir(head); err != nil {
		return err
	}
	if _, at, err := o.Like.Head(ctx); err == nil && at == cp.Head {
		r.links, err = o.Like.submodules(ctx)
		if err != nil {
			return err
		}
	}
	staged, err := o.Like.staged(ctx, cp.Head)
	if err != nil {
		return err
	}
	is, _ := os.ReadFile(r.filledPath())
	had, hadStaged, _ := strings.Cut(string(is), "\n")
	if _, err := os.Stat(r.index.Path()); err != nil {
		had = ""
	}
	if had != cp.Head+"." || hadStaged != string(staged) {
		if err := r.fillIndex(ctx, cp.Head, staged, had == cp.Head+"."); err != nil {
			return err
		}
		if err := atomicfile.Keep(r.filledPath(), cp.Head+".\n"+string(staged)); err != nil {
			return err
		}
	}
	if !o.Bare {
		err = r.carry(ctx, o.Like, o.Overlays)
	} else {
		err = r.dropCarried(ctx)
	}
	if err != nil {
		return err
	}
	return r.States.RestoreIndexed(ctx, cp)
}

// fillIndex makes the slot's index that of a commit with what is staged over it. Where it was
// at that commit already the files are not looked at.
func (r *Repo) fillIndex(ctx context.Context, commit string, staged []byte, same bool) error {
	if err := atomicfile.Remove(r.filledPath()); err != nil {
		return err
	}
	if same && commit != "" {
		if _, err := r.git.Run(ctx, git.Call{Args: []string{"read-tree", "-i", "-m", commit}}); err != nil {
			return err
		}
	} else if err := r.checkOut(ctx, commit); err != nil {
		return err
	}
	return r.stage(ctx, staged)
}

// staged gives what the index has over a commit ("" for one without a commit), as git's raw
// differences.
func (r *Repo) staged(ctx context.Context, head string) ([]byte, error) {
	if head == "" {
		head = git.EmptyTree
	}
	r.asked.Lock()
	defer r.asked.Unlock()
	index, _ := os.Stat(r.index.Path()) // git writes each one anew, beside the last
	if r.stagedOver.head == head && snapshot.Unchanged(r.stagedOver.index, index) {
		return r.stagedOver.raw, nil
	}
	out, err := r.git.Run(ctx, git.Call{Args: []string{"diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames",
		"--ignore-submodules=all", head}})
	if err != nil {
		return nil, fmt.Errorf("look at what is staged: %w", err)
	}
	r.stagedOver = stagedOver{index, head, out}
	return out, nil
}

// stagedOver is what an index had over a commit.
type stagedOver struct {
	index fs.FileInfo
	head  string
	raw   []byte
}

// stage puts staged changes into the index: tools that ask git which files there are see the
// same ones as in the checkout.
func (r *Repo) stage(ctx context.Context, raw []byte) error {
	staged, err := git.ParseRaw(raw)
	if err != nil || len(staged) == 0 {
		return err
	}
	var entries bytes.Buffer
	for path, p := range staged {
		if p.Is.Present() {
			fmt.Fprintf(&entries, "%o %s 0\t%s\x00", p.Is.Mode, p.Is.Hash, path)
		} else {
			fmt.Fprintf(&entries, "0 %s\t%s\x00", git.NoObject, path)
		}
	}
	_, err = r.git.Run(ctx, git.Call{Args: []string{"update-index", "--add", "--replace", "-z", "--index-info"}, Stdin: &entries,
		Programs: true, Write: []string{r.slot.dir, r.commonDir}})
	return err
}

// prepareGitDir makes the tree's git directory, which lies outside of it.
func (r *Repo) prepareGitDir(head string) error {
	if err := os.MkdirAll(r.gitDir, 0o700); err != nil {
		return err
	}
	if err := os.MkdirAll(r.own.Private(), 0o700); err != nil {
		return err
	}
	for _, name := range []string{"index.lock", "HEAD.lock", "MERGE_HEAD", "MERGE_MSG", "MERGE_MODE",
		"AUTO_MERGE"} {
		if err := atomicfile.Remove(filepath.Join(r.gitDir, name)); err != nil { // of one that was killed
			return err
		}
	}
	files := map[string]string{
		filepath.Join(r.gitDir, "commondir"): "../..\n",
		filepath.Join(r.gitDir, "gitdir"):    filepath.Join(r.root, ".git") + "\n",
		filepath.Join(r.gitDir, "HEAD"):      head,
	}
	sparse, err := os.ReadFile(filepath.Join(r.home.gitDir, "info", "sparse-checkout"))
	if err == nil && git.IsTrue(git.ValueOf(r.obeys.settings, "core.sparsecheckout")) {
		files[filepath.Join(r.gitDir, "info", "sparse-checkout")] = string(sparse)
	}
	for path, content := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), atomicfile.Keep(path, content)); err != nil {
			return err
		}
	}
	return r.makeTreeGit(head)
}

// checkOut makes the files those of a commit. What git ignores stays.
func (r *Repo) checkOut(ctx context.Context, commit string) error {
	write := []string{r.slot.dir, r.commonDir}
	there, err := os.ReadDir(r.root)
	if err != nil {
		return err
	}
	isNew := len(there) == 1 && there[0].Name() == ".git"
	if isNew { // an index can only be that of a tree which has gone
		if err := atomicfile.Remove(r.index.Path()); err != nil {
			return err
		}
	}
	if commit == "" {
		if _, err := r.git.Run(ctx, git.Call{Args: []string{"read-tree", "--empty"}}); err != nil {
			return err
		}
		return r.removeUntracked(ctx)
	}
	if _, err := r.git.Run(ctx, git.Call{Args: []string{"reset", "--quiet", "--hard", "--no-recurse-submodules",
		commit}, Programs: true, Write: write}); err != nil {
		if !strings.Contains(git.Stderr(err), "index file") { // else it is damaged, as after a power loss
			return err
		}
		if err := atomicfile.Remove(r.index.Path()); err != nil {
			return err
		}
		if _, err := r.git.Run(ctx, git.Call{Args: []string{"reset", "--quiet", "--hard", "--no-recurse-submodules",
			commit}, Programs: true, Write: write}); err != nil {
			return err
		}
	}
	if isNew {
		return r.States.Adopt(ctx)
	}
	return r.removeUntracked(ctx)
}

// removeUntracked removes what git neither tracks nor ignores.
func (r *Repo) removeUntracked(ctx context.Context) error {
	args := []string{"clean", "--quiet", "--force", "--force", "-d"}
	for _, path := range r.carried().Untracked() {
		args = append(args, "--exclude=/"+globMeta.Replace(path))
	}
	_, err := r.git.Run(ctx, git.Call{Args: args})
	return err
}

// Checkout is the root of the user's checkout: this one, or the one that a tree of
// booty's own belongs to.
func (r *Repo) Checkout() string {
	if r.home != nil {
		return r.home.root
	}
	return r.root
}

// Home is the repository of the user's checkout.
func (r *Repo) Home() *Repo {
	if r.home != nil {
		return r.home
	}
	return r
}

// IsOwn reports whether this is a tree of booty's own.
func (r *Repo) IsOwn() bool { return r.home != nil }

// DropTrees removes the trees of booty's own that no process uses and that were not used
// since age, and gives how many that were.
func (r *Repo) DropTrees(ctx context.Context, age time.Duration) (int, error) {
	locks, err := filepath.Glob(filepath.Join(r.own.Dir(), "*", "*.lock"))
	if err != nil {
		return 0, err
	}
	n := 0
	for _, path := range locks {
		dir := strings.TrimSuffix(path, ".lock")
		info, err := os.Stat(filepath.Join(dir, "own"))
		if _, number := strconv.Atoi(filepath.Base(dir)); number != nil || err != nil || ctx.Err() != nil ||
			r.now().Sub(info.ModTime()) < age {
			continue
		}
		lock := flock.New(path)
		if ok, err := lock.TryLock(); err != nil || !ok {
			continue // in use
		}
		id := filepath.Base(filepath.Dir(dir)) + "-" + filepath.Base(dir)
		err = errors.Join(atomicfile.RemoveAll(dir), atomicfile.RemoveAll(filepath.Join(r.own.Path(), "worktrees", id)),
			r.own.DropRef(store.TreeRefs+id), lock.Unlock())
		if err != nil {
			return n, git.Classify("remove a work tree", err)
		}
		n++
	}
	return n, ctx.Err()
}

// HasTrees reports whether there are trees of booty's own for the next user.
func (r *Repo) HasTrees() bool {
	trees, err := filepath.Glob(filepath.Join(r.own.Dir(), "*", "[0-9]*", "own"))
	return err != nil || len(trees) > 0
}

// Kept is how many bytes booty keeps of this repository.
func (r *Repo) Kept() (int64, error) {
	var sum int64
	err := filepath.WalkDir(r.own.Dir(), func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // gone meanwhile, or not ours to see
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum, err
}

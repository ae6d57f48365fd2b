package trees

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/carry"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/globs"
	"github.com/booty-cli/booty/internal/listing"
	"github.com/booty-cli/booty/internal/snapshot"
)

// Tree is the work tree in a slot. Its git directory is one of the store.
type Tree struct {
	at      snapshot.Place
	slot    *Slot
	listing *listing.Lister
	states  *snapshot.Recorder

	// overlaid says that directories of ignored files are overlays in it.
	overlaid bool
	leftOut  []carry.TooLarge
}

// New is the tree in a slot, which is the place that states records and l lists.
func New(s *Slot, at snapshot.Place, l *listing.Lister, states *snapshot.Recorder) *Tree {
	return &Tree{at: at, slot: s, listing: l, states: states}
}

// Root is the top directory of the tree.
func (t *Tree) Root() string { return t.at.Root }

// Borrowed says what commands must be shown at which other place where they see the
// tree in place of the user's checkout: the user's objects may lie in that, and git in
// the tree needs them.
func (t *Tree) Borrowed() map[string]string {
	if !git.Within(t.slot.of.CommonDir, t.slot.of.Root) {
		return nil
	}
	own := t.at.Store.Path()
	return map[string]string{
		filepath.Join(own, "borrowed"):                      filepath.Join(t.slot.of.CommonDir, "objects"),
		filepath.Join(own, "objects", "info", "alternates"): filepath.Join(own, "borrowed.alternates"),
	}
}

// Source is the work tree whose ignored files a new one gets.
type Source struct {
	At      snapshot.Place
	Listing *listing.Lister
	// Overlays are those that commands see in it.
	Overlays []carry.Overlay
}

// Options say what a tree is to be beside the files of its commit.
type Options struct {
	// Bare leaves ignored files out: the tree is what git knows, as in a fresh clone.
	Bare bool
	// Overlays reports whether directories may be brought along as overlays, which only
	// commands in their sandbox see. It is asked once there is a large one; nil is no.
	Overlays func() bool
}

// Fill brings the tree to a commit of the user's or a checkpoint, HEAD detached. Hooks of the
// repository have no part in it.
func (t *Tree) Fill(ctx context.Context, commit string, from Source, o Options) error {
	c, err := t.at.Store.Objects().Commit(commit)
	if err != nil {
		return err
	}
	if snapshot.IsCheckpoint(c) {
		cp, err := snapshot.CheckpointAt(c)
		if err != nil {
			return err
		}
		return t.fillAsRecorded(ctx, cp, from, o)
	}
	if err := errors.Join(atomicfile.Remove(t.filledPath()), t.prepareGitDir(commit+"\n")); err != nil {
		return err
	}
	if err := t.checkOut(ctx, commit); err != nil {
		return err
	}
	if err := t.listing.NothingStaged(commit); err != nil {
		return err
	}
	return t.bringIgnored(ctx, from, o)
}

// filledPath notes the commit and the staged changes that the slot's index holds, where a
// checkpoint was brought into it last.
func (t *Tree) filledPath() string { return filepath.Join(t.slot.dir, "filled") }

// fillAsRecorded brings the slot's tree to a checkpoint, to the byte and with files that no
// commit of the user's has. A tree that was brought there before is compared with it, and no
// more than differs is written.
func (t *Tree) fillAsRecorded(ctx context.Context, cp snapshot.Checkpoint, from Source, o Options) error {
	head := cp.Head + "\n"
	if cp.Head == "" {
		head = "ref: refs/heads/" + cp.Branch + "\n"
	}
	if err := t.prepareGitDir(head); err != nil {
		return err
	}
	if _, at, err := from.At.Store.Objects().Head(); err == nil && at == cp.Head {
		if err := t.listing.SubmodulesOf(ctx, from.Listing); err != nil {
			return err
		}
	}
	staged, err := from.Listing.Staged(ctx, cp.Head)
	if err != nil {
		return err
	}
	is, _ := os.ReadFile(t.filledPath())
	had, hadStaged, _ := strings.Cut(string(is), "\n")
	if _, err := os.Stat(t.index()); err != nil {
		had = ""
	}
	if had != cp.Head+"." || hadStaged != string(staged) {
		if err := t.fillIndex(ctx, cp.Head, staged, had == cp.Head+"."); err != nil {
			return err
		}
		if err := atomicfile.Keep(t.filledPath(), cp.Head+".\n"+string(staged)); err != nil {
			return err
		}
	}
	if err := t.bringIgnored(ctx, from, o); err != nil {
		return err
	}
	return t.states.RestoreIndexed(ctx, cp)
}

// fillIndex makes the slot's index that of a commit with what is staged over it. Where it was
// at that commit already the files are not looked at.
func (t *Tree) fillIndex(ctx context.Context, commit string, staged []byte, same bool) error {
	if err := atomicfile.Remove(t.filledPath()); err != nil {
		return err
	}
	if same && commit != "" {
		if _, err := t.at.Git.Run(ctx, git.Call{Args: []string{"read-tree", "-i", "-m", commit}}); err != nil {
			return err
		}
	} else if err := t.checkOut(ctx, commit); err != nil {
		return err
	}
	return t.stage(ctx, staged)
}

// stage puts staged changes into the index: tools that ask git which files there are see the
// same ones as in the checkout.
func (t *Tree) stage(ctx context.Context, raw []byte) error {
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
	_, err = t.at.Git.Run(ctx, git.Call{Args: []string{"update-index", "--add", "--replace", "-z", "--index-info"}, Stdin: &entries,
		Programs: true, Write: []string{t.slot.dir, t.at.CommonDir}})
	return err
}

// index is git's index of the tree.
func (t *Tree) index() string { return filepath.Join(t.at.GitDir, "index") }

// prepareGitDir makes the tree's git directory, which lies outside of it.
func (t *Tree) prepareGitDir(head string) error {
	if err := os.MkdirAll(t.at.GitDir, 0o700); err != nil {
		return err
	}
	if err := os.MkdirAll(t.at.Store.Private(), 0o700); err != nil {
		return err
	}
	for _, name := range []string{"index.lock", "HEAD.lock", "MERGE_HEAD", "MERGE_MSG", "MERGE_MODE",
		"AUTO_MERGE"} {
		if err := atomicfile.Remove(filepath.Join(t.at.GitDir, name)); err != nil { // of one that was killed
			return err
		}
	}
	files := map[string]string{
		filepath.Join(t.at.GitDir, "commondir"): "../..\n",
		filepath.Join(t.at.GitDir, "gitdir"):    filepath.Join(t.at.Root, ".git") + "\n",
		filepath.Join(t.at.GitDir, "HEAD"):      head,
	}
	sparse, err := os.ReadFile(filepath.Join(t.slot.of.GitDir, "info", "sparse-checkout"))
	if err == nil && git.IsTrue(git.ValueOf(t.at.Settings, "core.sparsecheckout")) {
		files[filepath.Join(t.at.GitDir, "info", "sparse-checkout")] = string(sparse)
	}
	for path, content := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), atomicfile.Keep(path, content)); err != nil {
			return err
		}
	}
	return t.makeTreeGit(head)
}

// checkOut makes the files those of a commit. What git ignores stays.
func (t *Tree) checkOut(ctx context.Context, commit string) error {
	write := []string{t.slot.dir, t.at.CommonDir}
	there, err := os.ReadDir(t.at.Root)
	if err != nil {
		return err
	}
	if commit == "" {
		if _, err := t.at.Git.Run(ctx, git.Call{Args: []string{"read-tree", "--empty"}}); err != nil {
			return err
		}
		return t.removeUntracked(ctx)
	}
	if _, err := t.at.Git.Run(ctx, git.Call{Args: []string{"reset", "--quiet", "--hard", "--no-recurse-submodules",
		commit}, Programs: true, Write: write}); err != nil {
		if !strings.Contains(git.Stderr(err), "index file") { // else it is damaged, as after a power loss
			return err
		}
		if err := atomicfile.Remove(t.index()); err != nil {
			return err
		}
		if _, err := t.at.Git.Run(ctx, git.Call{Args: []string{"reset", "--quiet", "--hard", "--no-recurse-submodules",
			commit}, Programs: true, Write: write}); err != nil {
			return err
		}
	}
	if len(there) == 1 && there[0].Name() == ".git" { // a new tree
		return nil
	}
	return t.removeUntracked(ctx)
}

// removeUntracked removes what git neither tracks nor ignores.
func (t *Tree) removeUntracked(ctx context.Context) error {
	args := []string{"clean", "--quiet", "--force", "--force", "-d"}
	for _, path := range t.carried().Untracked() {
		args = append(args, "--exclude=/"+globs.Quote(path))
	}
	_, err := t.at.Git.Run(ctx, git.Call{Args: args})
	return err
}

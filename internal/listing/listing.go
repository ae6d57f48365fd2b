// Package listing names what lies in a work tree, as git sees it: what it tracks, ignores, would
// track or has staged.
//
// What comes in: where a work tree lies, a git client, and which files there booty writes itself.
// What goes out: paths, statuses and staged changes. It reads no file's content, and changes
// nothing.
package listing

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/snapshot"
)

// Lister lists what lies in one work tree.
type Lister struct {
	git   git.Client
	root  string
	index string // git's
	own   OwnFiles
	large func() []snapshot.Large

	mu sync.Mutex // guards what follows
	// submodules are those inside, nil before they were asked for; staged is what the index had
	// over a commit when it was looked at last.
	submodules []string
	staged     staged
}

// staged is what an index had over a commit.
type staged struct {
	index fs.FileInfo
	head  string
	raw   []byte
}

// New lists the work tree at a place. Which files there are too large to be recorded, states knows.
func New(at snapshot.Place, own OwnFiles, states *snapshot.Recorder) *Lister {
	return &Lister{git: at.Git, root: at.Root, index: filepath.Join(at.GitDir, "index"), own: own,
		large: states.LargeFiles}
}

// OwnFiles are those that booty writes itself.
func (l *Lister) OwnFiles() OwnFiles { return l.own }

// Files names the files of the work tree that git tracks or would track, as slash paths
// below its root; a tracked file that is gone is among them.
func (l *Lister) Files(ctx context.Context) ([]string, error) {
	out, err := l.git.Run(ctx, git.Call{Args: []string{"ls-files", "-z", "--cached", "--others", "--exclude-standard",
		"--deduplicate"}})
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", l.root, err)
	}
	return slices.DeleteFunc(git.SplitNul(out), l.own.inState), nil
}

// Status lists what differs from HEAD, as git status does; booty's own state is left out.
func (l *Lister) Status(ctx context.Context) ([]git.StatusEntry, error) {
	list, err := l.git.Status(ctx)
	return slices.DeleteFunc(list,
		func(e git.StatusEntry) bool { return e.Untracked() && l.own.inState(e.Path) }), err
}

// Submodules lists the repositories inside that the index names, as of the first call: no
// proposal changes them.
func (l *Lister) Submodules(ctx context.Context) ([]string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.submodules != nil {
		return l.submodules, nil
	}
	out, err := l.git.Run(ctx, git.Call{Args: []string{"ls-files", "-s", "-z"}})
	if err != nil {
		return nil, fmt.Errorf("list submodules: %w", err)
	}
	list := []string{}
	for entry := range bytes.SplitSeq(out, []byte{0}) { // those in conflict, too
		if bytes.HasPrefix(entry, []byte("160000 ")) {
			_, path, _ := bytes.Cut(entry, []byte{'\t'})
			list = append(list, string(path))
		}
	}
	l.submodules = list
	return list, nil
}

// SubmodulesOf takes the submodules of another tree at the same commit over: git need not be
// asked again.
func (l *Lister) SubmodulesOf(ctx context.Context, other *Lister) error {
	list, err := other.Submodules(ctx)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.submodules = list
	return nil
}

// Ignored lists what a commit does not bring along: what git ignores, whole directories as one,
// submodules, and what is too large to be recorded.
func (l *Lister) Ignored(ctx context.Context) ([]string, error) {
	out, err := l.git.Run(ctx, git.Call{Args: []string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard",
		"--directory"}})
	if err != nil {
		return nil, fmt.Errorf("list ignored files: %w", err)
	}
	submodules, err := l.Submodules(ctx)
	if err != nil {
		return nil, err
	}
	list := append(slices.Clone(submodules), l.TooLarge()...)
	for _, path := range git.SplitNul(out) {
		if path = strings.TrimSuffix(path, "/"); path != "" && path != ".git" && !l.own.Has(path) {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

// TooLarge lists the untracked files that are too large to be recorded.
func (l *Lister) TooLarge() (paths []string) {
	for _, f := range l.large() {
		paths = append(paths, f.Path)
	}
	return paths
}

// NothingStaged notes that booty has just made the index that of a commit: Staged need not ask git.
func (l *Lister) NothingStaged(commit string) error {
	index, err := os.Stat(l.index)
	if err != nil {
		return fmt.Errorf("look at the index: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.staged = staged{index, commit, nil}
	return nil
}

// Staged gives what the index has over a commit ("" for one without a commit), as git's raw
// differences.
func (l *Lister) Staged(ctx context.Context, head string) ([]byte, error) {
	if head == "" {
		head = git.EmptyTree
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	index, _ := os.Stat(l.index) // git writes each one anew, beside the last
	if l.staged.head == head && snapshot.Unchanged(l.staged.index, index) {
		return l.staged.raw, nil
	}
	out, err := l.git.Run(ctx, git.Call{Args: []string{"diff-index", "--cached", "--raw", "-z", "--no-abbrev", "--no-renames",
		"--ignore-submodules=all", head}})
	if err != nil {
		return nil, fmt.Errorf("look at what is staged: %w", err)
	}
	l.staged = staged{index, head, out}
	return out, nil
}

package commit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/snapshot"
)

// draft is a commit before it is made: an index of booty's own that holds the
// tree of the parent and the named paths.
type draft struct {
	index   string
	paths   []string
	message string
	merge   bool
	git     git.Client
	write   []string // where git writes
}

func (d *draft) close() {
	_ = errors.Join(atomicfile.Remove(d.index), atomicfile.Remove(d.index+".lock"))
}

// run runs git on the index of the commit. Whatever writes an index looks once more at
// files that were changed just before, and may start filters.
func (d *draft) run(ctx context.Context, stdin string, args ...string) ([]byte, error) {
	return d.git.Run(ctx, git.Call{Args: args, Stdin: strings.NewReader(stdin), Env: []string{"GIT_INDEX_FILE=" + d.index},
		Programs: true, Write: d.write})
}

// add puts files into the index as git stores them, which may start filters.
func (d *draft) add(ctx context.Context, paths string) error {
	_, err := d.run(ctx, paths, "update-index", "--add", "--replace", "-z", "--stdin")
	return err
}

// draft puts the named paths over the tree of the parent. A merge begins with
// what git had merged when it began.
func (c *Committer) draft(ctx context.Context, o Options, paths []string, parent string) (*draft, error) {
	d := &draft{index: filepath.Join(c.at.Store.Private(), "commit.index"), paths: paths, message: o.message(),
		merge: c.mergeHead != "", git: c.at.Git,
		write: []string{c.at.CommonDir, c.at.Store.Private()}}
	d.close() // of one that was killed
	var err error
	switch {
	case d.merge:
		err = CopyFile(d.index, c.mergeIndex())
	case parent != "":
		_, err = d.run(ctx, "", "-c", "core.sparseCheckout=false", "read-tree", parent)
	}
	if err != nil {
		return nil, git.Classify("prepare the commit", err)
	}
	here, gone, err := c.sides(o, paths)
	if err != nil {
		return nil, err
	}
	if gone != "" {
		_, err = d.run(ctx, gone, "update-index", "-z", "--index-info")
	}
	if err == nil && here != "" {
		err = d.add(ctx, here)
	}
	if err != nil {
		d.close()
		return nil, c.index.Fault(err)
	}
	return d, nil
}

// sides lists what is there of the paths, and what is gone, as git reads them.
// Each must be what was recorded.
func (c *Committer) sides(o Options, paths []string) (here, gone string, err error) {
	var there, away strings.Builder
	for _, path := range paths {
		is, why := snapshot.OnDisk(c.at.Root, path, 0)
		if why != "" {
			return "", "", fault.New(fault.Refused, "", "commit %s: %s", path, why)
		}
		if o.From != "" {
			tree, err := c.at.Store.Objects().Tree(o.From)
			if err != nil {
				return "", "", err
			}
			want, err := c.at.Store.Objects().Entry(tree, path)
			if err != nil {
				return "", "", err
			}
			if is.Differs(want) {
				return "", "",
					fault.New(fault.Refused, "make sure that nothing else writes there, then: booty resume",
						"commit %s: it is not what the checks ran on any more", path)
			}
		}
		if is.Present() {
			there.WriteString(path + "\x00")
		} else {
			away.WriteString("0 " + git.NoObject + "\t" + path + "\x00")
		}
	}
	return there.String(), away.String(), nil
}

// commitDraft makes the commit object, and sees that it changes what was named
// and nothing else.
func (c *Committer) commitDraft(ctx context.Context, d *draft, parent string) (string, error) {
	out, err := d.run(ctx, "", "write-tree")
	if err != nil {
		return "", c.index.Fault(err)
	}
	tree := strings.TrimSpace(string(out))
	if !d.merge && parent != "" {
		on, err := c.at.Store.Objects().Commit(parent)
		if err != nil {
			return "", err
		}
		if on.TreeHash.String() == tree {
			return "", fault.New(fault.NothingToDo, "", "nothing to commit")
		}
		if err := c.onlyNamed(ctx, parent, tree, d.paths); err != nil {
			return "", err
		}
	}
	return c.maker.tree(ctx, tree, d.message, parent, c.mergeHead)
}

// onlyNamed sees that a tree differs from a commit in the named paths alone.
func (c *Committer) onlyNamed(ctx context.Context, commit, tree string, named []string) error {
	changes, err := c.at.Store.Objects().Pairs(ctx, commit, tree)
	if err != nil {
		return err
	}
	for path := range changes {
		if !slices.Contains(named, path) {
			return fault.New(fault.Refused, "", "the commit would change %s, which was not to be changed",
				path)
		}
	}
	return nil
}

// advance moves the branch to its new commit, and ends a merge.
func (c *Committer) advance(ctx context.Context, hash, head string) error {
	if head == "" {
		head = git.NoObject
	}
	made, err := c.at.Store.Objects().Commit(hash)
	if err != nil {
		return err
	}
	subject, _, _ := strings.Cut(made.Message, "\n")
	if _, err := c.at.Git.Run(ctx, git.Call{Args: []string{"update-ref", "-m", "commit: " + subject, "HEAD", hash,
		head}}); err != nil {
		return fault.New(fault.Git, "git status", "commit: %w", err)
	}
	if c.mergeHead == "" {
		return nil
	}
	c.mergeHead = ""
	for _, name := range []string{"MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE"} {
		err = errors.Join(err, atomicfile.Remove(filepath.Join(c.at.GitDir, name)))
	}
	return err
}

// mergeIndex keeps the index as a merge left it, before any command ran.
func (c *Committer) mergeIndex() string { return filepath.Join(c.at.Store.Private(), "merge.index") }

// NoteMerge remembers the merge that is under way, "" for none.
func (c *Committer) NoteMerge() error {
	c.mergeHead = ""
	data, err := os.ReadFile(filepath.Join(c.at.GitDir, "MERGE_HEAD"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for a merge: %w", err)
	}
	if err := c.at.Store.Make(); err != nil {
		return err
	}
	if err := CopyFile(c.mergeIndex(), c.index.Path()); err != nil {
		return fmt.Errorf("keep the merge: %w", err)
	}
	c.mergeHead = strings.TrimSpace(string(data))
	return nil
}

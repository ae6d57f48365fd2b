package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/regular"
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
func (r *Repo) draft(ctx context.Context, o CommitOptions, paths []string, parent string) (*draft, error) {
	d := &draft{index: filepath.Join(r.own.Private(), "commit.index"), paths: paths, message: o.message(),
		merge: r.mergeHead != "", git: r.git,
		write: []string{r.commonDir, r.own.Private()}}
	d.close() // of one that was killed
	var err error
	switch {
	case d.merge:
		err = copyFile(d.index, r.mergeIndex())
	case parent != "":
		_, err = d.run(ctx, "", "-c", "core.sparseCheckout=false", "read-tree", parent)
	}
	if err != nil {
		return nil, git.Classify("prepare the commit", err)
	}
	here, gone, err := r.sides(o, paths)
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
		return nil, r.commitFault(err)
	}
	return d, nil
}

// sides lists what is there of the paths, and what is gone, as git reads them.
// Each must be what was recorded.
func (r *Repo) sides(o CommitOptions, paths []string) (here, gone string, err error) {
	var there, away strings.Builder
	for _, path := range paths {
		is, why := snapshot.OnDisk(r.root, path, 0)
		if why != "" {
			return "", "", fault.New(fault.Refused, "", "commit %s: %s", path, why)
		}
		if o.From != "" {
			tree, err := r.own.Objects().Tree(o.From)
			if err != nil {
				return "", "", err
			}
			want, err := r.own.Objects().Entry(tree, path)
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
func (r *Repo) commitDraft(ctx context.Context, d *draft, parent string) (string, error) {
	out, err := d.run(ctx, "", "write-tree")
	if err != nil {
		return "", r.commitFault(err)
	}
	tree := strings.TrimSpace(string(out))
	if !d.merge && parent != "" {
		c, err := r.own.Objects().Commit(parent)
		if err != nil {
			return "", err
		}
		if c.TreeHash.String() == tree {
			return "", fault.New(fault.NothingToDo, "", "nothing to commit")
		}
		if err := r.onlyNamed(ctx, parent, tree, d.paths); err != nil {
			return "", err
		}
	}
	return r.commitTree(ctx, tree, d.message, parent, r.mergeHead)
}

// onlyNamed sees that a tree differs from a commit in the named paths alone.
func (r *Repo) onlyNamed(ctx context.Context, commit, tree string, named []string) error {
	changes, err := r.own.Objects().Pairs(ctx, commit, tree)
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

// follow brings the index to the commit ("" for none), in the named paths alone.
func (r *Repo) follow(ctx context.Context, paths []string, commit string) error {
	return r.followWith(ctx, paths, commit, nil)
}

// followWith is follow with something done under the lock on the index.
func (r *Repo) followWith(ctx context.Context, paths []string, commit string, last func() error) error {
	st := r.own.Objects()
	tree := &object.Tree{}
	if commit != "" {
		var err error
		if tree, err = st.Tree(commit); err != nil {
			return err
		}
	}
	var entries bytes.Buffer
	for _, path := range paths {
		is, err := st.Entry(tree, path)
		if err != nil {
			return err
		}
		fmt.Fprintf(&entries, "0 %s\t%s\x00", git.NoObject, path)
		if is.Present() && is.Mode != uint32(filemode.Dir) {
			fmt.Fprintf(&entries, "%o %s 0\t%s\x00", is.Mode, is.Hash, path)
		}
	}
	return r.changeIndex(ctx, git.Call{Args: []string{"update-index", "--add", "--replace", "-z", "--index-info"},
		Stdin: &entries, Combined: true}, last)
}

// advance moves the branch to its new commit, and ends a merge.
func (r *Repo) advance(ctx context.Context, hash, head string) error {
	if head == "" {
		head = git.NoObject
	}
	c, err := r.own.Objects().Commit(hash)
	if err != nil {
		return err
	}
	subject, _, _ := strings.Cut(c.Message, "\n")
	if _, err := r.git.Run(ctx, git.Call{Args: []string{"update-ref", "-m", "commit: " + subject, "HEAD", hash,
		head}}); err != nil {
		return fault.New(fault.Git, "git status", "commit: %w", err)
	}
	if r.mergeHead == "" {
		return nil
	}
	r.mergeHead = ""
	for _, name := range []string{"MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE"} {
		err = errors.Join(err, atomicfile.Remove(filepath.Join(r.gitDir, name)))
	}
	return err
}

// mergeIndex keeps the index as a merge left it, before any command ran.
func (r *Repo) mergeIndex() string { return filepath.Join(r.own.Private(), "merge.index") }

// noteMerge remembers the merge that is under way, "" for none.
func (r *Repo) noteMerge() error {
	r.mergeHead = ""
	data, err := os.ReadFile(filepath.Join(r.gitDir, "MERGE_HEAD"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for a merge: %w", err)
	}
	if err := r.own.Make(); err != nil {
		return err
	}
	if err := copyFile(r.mergeIndex(), r.indexPath()); err != nil {
		return fmt.Errorf("keep the merge: %w", err)
	}
	r.mergeHead = strings.TrimSpace(string(data))
	return nil
}

func copyFile(to, from string) error {
	data, err := regular.Read(from, 1<<30)
	if err != nil {
		return err
	}
	return atomicfile.Write(to, data, 0o600)
}

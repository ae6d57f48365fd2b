package workspace

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/booty-cli/booty/internal/git"
)

// FileAt is a file as a commit holds it.
type FileAt struct {
	Path string
	Data []byte
}

// FilesAt gives the files of a commit for which want holds and that contain one
// of the words; without words, all of them. Links and submodules are left out.
func (r *Repo) FilesAt(ctx context.Context, commit string, want func(path string) bool,
	words []string) ([]FileAt, error) {
	var names []string
	var err error
	if len(words) == 0 {
		names, err = r.NamesAt(ctx, commit)
	} else {
		names, err = r.namesWith(ctx, commit, words)
	}
	if err != nil {
		return nil, err
	}
	st := r.own.Objects()
	tree, err := st.Tree(commit)
	if err != nil {
		return nil, err
	}
	var files []FileAt
	for _, n := range names {
		if !want(n) {
			continue
		}
		state, err := st.Entry(tree, n)
		if err == nil && (state.Mode == git.ModeFile || state.Mode == git.ModeExec) {
			var data []byte
			data, err = st.Blob(state.Hash)
			files = append(files, FileAt{n, data})
		}
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("read the files of %s: %w", commit, err)
		}
	}
	return files, nil
}

// namesWith asks git for the files that hold one of the words.
func (r *Repo) namesWith(ctx context.Context, commit string, words []string) ([]string, error) {
	args := []string{"grep", "-l", "-z", "-I", "-F", "--no-color", "--no-textconv", "--no-recurse-submodules",
		"--full-name"}
	for _, w := range words {
		args = append(args, "-e", w)
	}
	out, err := r.git.Run(ctx, git.Call{Args: append(args, commit), Dir: r.root})
	if git.ExitCode(err) == 1 {
		return nil, nil // nothing found
	}
	if err != nil {
		return nil, fmt.Errorf("search the files of %s: %w", commit, err)
	}
	names := git.SplitNul(out)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], commit+":")
	}
	return names, nil
}

// NamesAt gives the names of the files of a commit. Links and submodules are left out.
func (r *Repo) NamesAt(ctx context.Context, commit string) ([]string, error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"ls-tree", "-r", "-z", "--full-tree", commit}})
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", commit, err)
	}
	var names []string
	for _, entry := range git.SplitNul(out) {
		if mode, name, ok := strings.Cut(entry, "\t"); ok && strings.HasPrefix(mode, "100") {
			names = append(names, name)
		}
	}
	return names, nil
}

// CommitSaying finds the newest commit before tip, or tip, whose message has a
// line, and its first parent; "" where there is none.
func (r *Repo) CommitSaying(ctx context.Context, tip, line string) (commit, parent string, err error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"log", "-1", "--no-show-signature", "--fixed-strings",
		"--grep=" + line, "--format=%H %P", tip}, Env: r.own.Lend()})
	if err != nil {
		return "", "", fmt.Errorf("look for a commit: %w", err)
	}
	f := strings.Fields(string(out))
	if len(f) < 2 {
		return "", "", nil
	}
	return f[0], f[1], nil
}

// CommitFile makes a commit whose only difference from its parent is the content
// of one file that is there. No branch moves, and the work tree is not touched;
// identity and signing are the user's, hooks are not run: what they check is a
// person's line with a marker less.
func (r *Repo) CommitFile(ctx context.Context, parent string, f FileAt, o CommitOptions) (string, error) {
	if err := r.own.Make(); err != nil {
		return "", err
	}
	st := r.own.Objects()
	tree, err := st.Tree(parent)
	if err != nil {
		return "", err
	}
	state, err := st.Entry(tree, f.Path)
	if err == nil && !state.Present() {
		err = fmt.Errorf("it is not in %s", parent)
	}
	if err == nil {
		state.Hash, err = st.PutBlob(f.Data)
	}
	if err != nil {
		return "", fmt.Errorf("commit %s: %w", f.Path, err)
	}
	return r.commitChanges(ctx, parent, map[string]git.Entry{f.Path: state}, o)
}

// CommitPaths makes a commit on parent in which the named paths are as they are in
// another commit. No branch moves; "" where that changes nothing.
func (r *Repo) CommitPaths(ctx context.Context, parent, from string, o CommitOptions) (string, error) {
	if err := r.own.Make(); err != nil {
		return "", err
	}
	st := r.own.Objects()
	tree, err := st.Tree(from)
	if err != nil {
		return "", err
	}
	changes := map[string]git.Entry{}
	for _, p := range o.Paths {
		if changes[p], err = st.Entry(tree, p); err != nil {
			return "", err
		}
	}
	return r.commitChanges(ctx, parent, changes, o)
}

// CommitLike makes a commit on parent with the content and the message of another
// one; "" where the parent has that content already.
func (r *Repo) CommitLike(ctx context.Context, parent, like string) (string, error) {
	s := r.own.Objects()
	c, err := s.Commit(like)
	if err != nil {
		return "", err
	}
	p, err := s.Commit(parent)
	if err != nil || p.TreeHash == c.TreeHash {
		return "", err
	}
	return r.commitTree(ctx, c.TreeHash.String(), c.Message, parent)
}

// commitChanges makes a commit of parent's files with some of them changed; "" where
// that changes nothing.
func (r *Repo) commitChanges(ctx context.Context, parent string, changes map[string]git.Entry,
	o CommitOptions) (string, error) {
	if err := errors.Join(r.CheckIdentity(ctx), r.signable()); err != nil {
		return "", err
	}
	st := r.own.Objects()
	before := &object.Tree{Hash: plumbing.NewHash(git.EmptyTree)}
	if parent != "" {
		var err error
		if before, err = st.Tree(parent); err != nil {
			return "", err
		}
	}
	tree, err := st.TreeWith(before, changes)
	if err != nil || tree == before.Hash.String() {
		return "", err
	}
	return r.commitTree(ctx, tree, o.message(), parent)
}

// commitTree makes a commit object with the user's identity and signature.
func (r *Repo) commitTree(ctx context.Context, tree, message string, parents ...string) (string, error) {
	args := []string{"commit-tree", "-F", "-"}
	for _, p := range parents {
		if p != "" {
			args = append(args, "-p", p)
		}
	}
	if git.IsTrue(git.ValueOf(r.settings, "commit.gpgsign")) {
		args = append(args, "-S")
	}
	out, err := r.own.Git(r.git).Run(ctx, git.Call{Args: append(args, tree), Stdin: strings.NewReader(message)})
	if err != nil {
		return "", r.commitFault(err)
	}
	return lastLine(out), nil
}

// Trailer gives the value of a line at the end of a commit's message.
func (r *Repo) Trailer(ctx context.Context, commit, key string) (string, error) {
	c, err := r.own.Objects().Commit(commit)
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(c.Message) {
		if rest, ok := strings.CutPrefix(line, key+": "); ok {
			return strings.TrimSpace(rest), ctx.Err()
		}
	}
	return "", ctx.Err()
}

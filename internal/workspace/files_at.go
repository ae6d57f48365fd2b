package workspace

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
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
		names, err = r.namesAt(ctx, commit)
	} else {
		names, err = r.namesWith(ctx, commit, words)
	}
	if err != nil {
		return nil, err
	}
	var asked bytes.Buffer
	var wanted []string
	for _, n := range names {
		if want(n) && !strings.Contains(n, "\n") {
			wanted = append(wanted, n)
			fmt.Fprintf(&asked, "%s:%s\n", commit, n)
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	out, err := r.git.run(ctx, call{args: []string{"cat-file", "--batch"}, stdin: &asked})
	if err != nil {
		return nil, fmt.Errorf("read the files of %s: %w", commit, err)
	}
	return readBatch(out, wanted)
}

// namesWith asks git for the files that hold one of the words.
func (r *Repo) namesWith(ctx context.Context, commit string, words []string) ([]string, error) {
	args := []string{"grep", "-l", "-z", "-I", "-F", "--no-color", "--no-textconv", "--no-recurse-submodules",
		"--full-name"}
	for _, w := range words {
		args = append(args, "-e", w)
	}
	out, err := r.git.run(ctx, call{args: append(args, commit), dir: r.root})
	if exitCode(err) == 1 {
		return nil, nil // nothing found
	}
	if err != nil {
		return nil, fmt.Errorf("search the files of %s: %w", commit, err)
	}
	names := splitNul(out)
	for i := range names {
		names[i] = strings.TrimPrefix(names[i], commit+":")
	}
	return names, nil
}

func (r *Repo) namesAt(ctx context.Context, commit string) ([]string, error) {
	out, err := r.git.run(ctx, call{args: []string{"ls-tree", "-r", "-z", "--full-tree", commit}})
	if err != nil {
		return nil, fmt.Errorf("list the files of %s: %w", commit, err)
	}
	var names []string
	for _, entry := range splitNul(out) {
		if mode, name, ok := strings.Cut(entry, "\t"); ok && strings.HasPrefix(mode, "100") {
			names = append(names, name)
		}
	}
	return names, nil
}

// readBatch reads what git cat-file --batch says of each of the names in turn.
func readBatch(out []byte, names []string) ([]FileAt, error) {
	in := bufio.NewReader(bytes.NewReader(out))
	var files []FileAt
	for _, n := range names {
		head, err := in.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", n, err)
		}
		f := strings.Fields(head)
		if len(f) < 3 || f[len(f)-2] != "blob" {
			continue // missing, or no file
		}
		size, err := strconv.Atoi(f[len(f)-1])
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", n, err)
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(in, data); err != nil {
			return nil, fmt.Errorf("read %s: %w", n, err)
		}
		if _, err := in.Discard(1); err != nil {
			return nil, fmt.Errorf("read %s: %w", n, err)
		}
		files = append(files, FileAt{n, data})
	}
	return files, nil
}

// CommitSaying finds the newest commit before tip, or tip, whose message has a
// line, and its first parent; "" where there is none.
func (r *Repo) CommitSaying(ctx context.Context, tip, line string) (commit, parent string, err error) {
	out, err := r.git.run(ctx, call{args: []string{"log", "-1", "--no-show-signature", "--fixed-strings",
		"--grep=" + line, "--format=%H %P", tip}, env: r.withSide()})
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
	if err := r.makeOwnDir(); err != nil {
		return "", err
	}
	blob, err := r.store().keep(f.Data)
	if err != nil {
		return "", fmt.Errorf("commit %s: %w", f.Path, err)
	}
	mode, err := r.modeAt(ctx, parent, f.Path)
	if err != nil {
		return "", err
	}
	if mode == "" {
		return "", fmt.Errorf("commit %s: it is not in %s", f.Path, parent)
	}
	entry := fmt.Sprintf("%s %s 0\t%s\x00", mode, blob, f.Path)
	return r.commitEntries(ctx, parent, entry, o)
}

// CommitPaths makes a commit on parent in which the named paths are as they are in
// another commit. No branch moves; "" where that changes nothing.
func (r *Repo) CommitPaths(ctx context.Context, parent, from string, o CommitOptions) (string, error) {
	if err := r.makeOwnDir(); err != nil {
		return "", err
	}
	if len(o.Paths) == 0 {
		return "", nil
	}
	out, err := r.sideGit().run(ctx, call{args: append([]string{"ls-tree", "-r", "-z", "--full-tree", from, "--"},
		o.Paths...)})
	if err != nil {
		return "", fmt.Errorf("commit an attempt: %w", err)
	}
	there := map[string]bool{}
	var entries strings.Builder
	for _, line := range splitNul(out) {
		head, path, _ := strings.Cut(line, "\t")
		f := strings.Fields(head)
		if len(f) != 3 {
			continue
		}
		there[path] = true
		fmt.Fprintf(&entries, "%s %s 0\t%s\x00", f[0], f[2], path)
	}
	for _, p := range o.Paths {
		if !there[p] {
			fmt.Fprintf(&entries, "0 %s\t%s\x00", noObject, p)
		}
	}
	return r.commitEntries(ctx, parent, entries.String(), o)
}

// CommitLike makes a commit on parent with the content and the message of another
// one; "" where the parent has that content already.
func (r *Repo) CommitLike(ctx context.Context, parent, like string) (string, error) {
	s := r.store()
	c, err := s.commit(like)
	if err != nil {
		return "", err
	}
	p, err := s.commit(parent)
	if err != nil || p.TreeHash == c.TreeHash {
		return "", err
	}
	return r.commitTree(ctx, c.TreeHash.String(), c.Message, parent)
}

// modeAt gives the mode of a file in a commit, "" where it is not there.
func (r *Repo) modeAt(ctx context.Context, commit, path string) (string, error) {
	out, err := r.sideGit().run(ctx, call{args: []string{"ls-tree", "-z", "--full-tree", commit, "--", path}})
	if err != nil {
		return "", fmt.Errorf("look at %s: %w", path, err)
	}
	mode, _, _ := strings.Cut(string(out), " ")
	return mode, nil
}

// commitEntries makes a commit of parent's files with some entries of an index
// over them; "" where that changes nothing.
func (r *Repo) commitEntries(ctx context.Context, parent, entries string, o CommitOptions) (string, error) {
	if err := errors.Join(r.CheckIdentity(ctx), r.signable()); err != nil {
		return "", err
	}
	if err := r.makeOwnDir(); err != nil {
		return "", err
	}
	d := &draft{index: filepath.Join(r.ownDir(), "aside-index"), git: r.sideGit(), write: []string{r.sideDir(), r.ownDir()}}
	d.close() // of one that was killed: its lock would stand in the way for ever
	defer d.close()
	if _, err := d.run(ctx, "", "read-tree", parent); err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	if _, err := d.run(ctx, entries, "update-index", "--add", "--replace", "-z", "--index-info"); err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	out, err := d.run(ctx, "", "write-tree")
	if err != nil {
		return "", fmt.Errorf("commit: %w", err)
	}
	tree := strings.TrimSpace(string(out))
	p, err := r.store().commit(parent)
	if err != nil || p.TreeHash.String() == tree {
		return "", err
	}
	return r.commitTree(ctx, tree, o.message(), parent)
}

func (r *Repo) commitTree(ctx context.Context, tree, message string, parents ...string) (string, error) {
	args := []string{"commit-tree", "-F", "-"}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	if isTrue(valueOf(r.settings, "commit.gpgsign")) {
		args = append(args, "-S")
	}
	out, err := r.sideGit().run(ctx, call{args: append(args, tree), stdin: strings.NewReader(message)})
	if err != nil {
		return "", r.commitFault(err)
	}
	return lastLine(out), nil
}

// Trailer gives the value of a line at the end of a commit's message.
func (r *Repo) Trailer(ctx context.Context, commit, key string) (string, error) {
	c, err := r.store().commit(commit)
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

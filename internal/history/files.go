package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/booty-cli/booty/internal/git"
)

// ReadFile gives a file's bytes as a checkpoint or commit holds them, and
// whether it is there.
func (r Reader) ReadFile(_ context.Context, commit, path string) ([]byte, bool, error) {
	s := r.store.Objects()
	t, err := s.Tree(commit)
	if err != nil {
		return nil, false, err
	}
	state, err := s.Entry(t, path)
	if err != nil || !state.Present() {
		return nil, false, err
	}
	b, err := s.Blob(state.Hash)
	return b, err == nil, err
}

// StoredFile is a file as a checkpoint or commit holds it.
type StoredFile struct {
	Data []byte
	// Mode has the permissions; its type is that of a symbolic link or a submodule
	// where it is one, and Data is of no use then.
	Mode fs.FileMode
}

// Stored gives a file with its mode, nil where there is none.
func (r Reader) Stored(_ context.Context, commit, path string) (*StoredFile, error) {
	t, err := r.store.Objects().Tree(commit)
	if err != nil {
		return nil, err
	}
	state, err := r.store.Objects().Entry(t, path)
	if err != nil || !state.Present() {
		return nil, err
	}
	f := &StoredFile{Mode: 0o644}
	switch state.Mode {
	case git.ModeExec:
		f.Mode = 0o755
	case git.ModeSymlink, git.ModeGitlink, uint32(filemode.Dir):
		f.Mode = fs.ModeIrregular
		return f, nil
	}
	f.Data, err = r.store.Objects().Blob(state.Hash)
	return f, err
}

// FileAt is a file as a commit holds it.
type FileAt struct {
	Path string
	Data []byte
}

// FilesAt gives the files of a commit for which want holds and that contain one
// of the words; without words, all of them. Links and submodules are left out.
func (r Reader) FilesAt(ctx context.Context, commit string, want func(path string) bool,
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
	st := r.store.Objects()
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
func (r Reader) namesWith(ctx context.Context, commit string, words []string) ([]string, error) {
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
func (r Reader) NamesAt(ctx context.Context, commit string) ([]string, error) {
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

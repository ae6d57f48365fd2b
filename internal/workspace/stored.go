package workspace

import (
	"context"
	"io/fs"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// StoredFile is a file as a checkpoint or commit holds it.
type StoredFile struct {
	Data []byte
	// Mode has the permissions; its type is that of a symbolic link or a submodule
	// where it is one, and Data is of no use then.
	Mode fs.FileMode
}

// Stored gives a file with its mode, nil where there is none.
func (r *Repo) Stored(_ context.Context, commit, path string) (*StoredFile, error) {
	t, err := r.own.Objects().Tree(commit)
	if err != nil {
		return nil, err
	}
	state, err := r.own.Objects().Entry(t, path)
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
	f.Data, err = r.own.Objects().Blob(state.Hash)
	return f, err
}

// BeforeOwn gives the commit that has a path as it was before commits with a trailer
// touched it on the way from base to tip: tip where none did; else the newest commit
// that touches it and lacks the trailer, or has the other one; else base.
func (r *Repo) BeforeOwn(ctx context.Context, base, tip, trailer, other, path string) (string, error) {
	value := func(key string) string { return "%(trailers:key=" + key + ",valueonly)" }
	out, err := r.git.Run(ctx, git.Call{Args: []string{"log", "-z", "--no-show-signature",
		"--format=%H%x01" + value(trailer) + "%x01" + value(other), "--no-merges", tip, "^" + base, "--", path}, Env: r.own.Lend()})
	if err != nil {
		return "", fault.New(fault.Git, "", "list the commits of %s: %w", tip, err)
	}
	before, own := base, false
	for _, entry := range git.SplitNul(out) {
		parts := strings.SplitN(entry, "\x01", 3)
		if len(parts) < 3 {
			continue
		}
		theirs := strings.TrimSpace(parts[1]) == "" || strings.TrimSpace(parts[2]) != ""
		if own = own || !theirs; theirs && before == base {
			before = strings.TrimSpace(parts[0])
		}
	}
	if !own {
		return tip, nil
	}
	return before, nil
}

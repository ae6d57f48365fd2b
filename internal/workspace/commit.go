package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/fault"
)

// CommitOptions say what to commit and how it is called.
type CommitOptions struct {
	// Message is subject and body; trailers are added to it.
	Message string
	// Paths are what is committed, as they lie in the work tree; deleted ones
	// and both names of a rename included. Nothing else goes in, staged or not.
	Paths []string
	// Trailers are "Key: value" lines at the end of the message.
	Trailers []string
	// Onto, where given, is the commit whose single child this becomes: the
	// commits that the run made on the branch since are squashed into it.
	Onto string
	// From, where given, is the recorded state that the paths were checked in: a
	// path that differs from it by now is not committed.
	From string
}

// Commit commits the named paths on the current branch with the user's own
// identity, hooks and signing, and gives the commit. It is made of objects: the
// tree of the parent with the named paths in it, never of the index, which the
// commands of the repository may write to. Where git or a hook refuses, branch
// and index are as before.
func (r *Repo) Commit(ctx context.Context, o CommitOptions) (string, error) {
	if err := r.CheckIdentity(ctx); err != nil {
		return "", err
	}
	_, head, err := r.Head(ctx)
	if err != nil {
		return "", err
	}
	undo, err := r.keepIndex()
	if err != nil {
		return "", err
	}
	parent := head
	if o.Onto != "" && head == "" {
		return "", fault.New(fault.Refused, "git reflog shows where it was", "the branch of the run has lost its commits")
	}
	if o.Onto != "" && head != "" {
		if parent, err = r.Resolve(ctx, o.Onto); err != nil {
			return "", err
		}
	}
	hash, err := r.commit(ctx, o, parent, head)
	if err != nil {
		return "", errors.Join(err, undo())
	}
	return hash, nil
}

func (r *Repo) commit(ctx context.Context, o CommitOptions, parent, head string) (string, error) {
	paths, err := r.committable(ctx, o.Paths)
	if err != nil {
		return "", err
	}
	if len(paths) == 0 {
		return "", fault.New(fault.NothingToDo, "", "nothing to commit")
	}
	if err := r.makeOwnDir(); err != nil {
		return "", err
	}
	r.step("commit: before the index")
	d, err := r.draft(ctx, o, paths, parent)
	if err != nil {
		return "", err
	}
	defer d.close()
	// Until it is known what it came to, the message tells a killed booty's own
	// commit from others.
	defer func() { _ = removeFile(r.messagePath()) }()
	hooked, err := r.commitHooks(ctx, d)
	if err != nil {
		return "", err
	}
	r.step("commit: before git commit")
	hash, err := r.commitDraft(ctx, d, parent)
	if err != nil {
		return "", err
	}
	if err := r.follow(ctx, d, hash, hooked); err != nil {
		return "", r.commitFault(err)
	}
	if err := r.advance(ctx, hash, head); err != nil {
		return "", err
	}
	r.step("commit: made")
	return hash, r.noteCommit(ctx, hash)
}

// committable leaves out paths that neither HEAD, index nor disk knows, at
// which git would stop, and paths without a change.
func (r *Repo) committable(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	tracked := sync.OnceValues(func() (map[string]bool, error) { return r.tracked(ctx) })
	ignored, err := r.Ignored(ctx, paths)
	if err != nil {
		return nil, err
	}
	hidden := map[string]bool{}
	for _, p := range ignored {
		hidden[p] = true
	}
	_, head, err := r.Head(ctx)
	if err != nil {
		return nil, err
	}
	var ok []string
	for _, p := range paths {
		if hidden[p] {
			continue // the caller has told so
		}
		if _, err := os.Lstat(filepath.Join(r.root, filepath.FromSlash(p))); err == nil {
			ok = append(ok, p)
			continue
		}
		known, err := tracked()
		if err != nil {
			return nil, err
		}
		inHead := false
		if !known[p] && head != "" {
			_, inHead, err = r.ReadFile(ctx, head, p)
			if err != nil {
				return nil, err
			}
		}
		if known[p] || inHead {
			ok = append(ok, p)
		}
	}
	return ok, nil
}

// tracked lists the paths of the user's index.
func (r *Repo) tracked(ctx context.Context) (map[string]bool, error) {
	out, err := r.git.run(ctx, call{args: []string{"ls-files", "-z", "--cached"}})
	if err != nil {
		return nil, fmt.Errorf("prepare the commit: %w", err)
	}
	known := map[string]bool{}
	for _, p := range splitNul(out) {
		known[p] = true
	}
	return known, nil
}

// noteCommit keeps in the state, if there is one, that a commit is the run's.
func (r *Repo) noteCommit(ctx context.Context, hash string) error {
	state, err := r.readState()
	if err != nil || state == nil {
		return err
	}
	state.Commits = append(state.Commits, hash)
	return r.SaveState(ctx, *state)
}

// ownCommit tells whether a commit was made by the run of state, on parent.
func (r *Repo) ownCommit(state *State, hash, parent string) bool {
	if state == nil || hash == "" {
		return false
	}
	if slices.Contains(state.Commits, hash) {
		return true
	}
	said, err := os.ReadFile(r.messagePath())
	if err != nil {
		return false
	}
	c, err := r.store().commit(hash)
	if err != nil || strings.TrimSpace(c.Message) != strings.TrimSpace(string(said)) {
		return false
	}
	if len(c.ParentHashes) == 0 {
		return parent == ""
	}
	return c.ParentHashes[0].String() == parent
}

func (r *Repo) messagePath() string { return filepath.Join(r.ownDir(), "COMMIT_MESSAGE") }

// message is message and trailers as they go into a commit.
func (o CommitOptions) message() string {
	text := strings.TrimSpace(o.Message) + "\n"
	if len(o.Trailers) > 0 {
		text += "\n" + strings.Join(o.Trailers, "\n") + "\n"
	}
	return text
}

// keepIndex keeps the index file in memory and gives what puts it back.
func (r *Repo) keepIndex() (func() error, error) {
	path := filepath.Join(r.gitDir, "index")
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return func() error { return r.replaceIndex(nil, false) }, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the index: %w", err)
	}
	return func() error {
		if now, err := os.ReadFile(path); err == nil && bytes.Equal(now, data) {
			return nil
		}
		return r.replaceIndex(data, true)
	}, nil
}

// CheckIdentity asks git whether it knows the user's name and address, once: no
// setting that comes later is obeyed.
func (r *Repo) CheckIdentity(ctx context.Context) error {
	if r.identified.Load() || r.plainIdentity() {
		return nil
	}
	for _, who := range []string{"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"} {
		if _, err := r.git.run(ctx, call{args: []string{"var", who}}); err != nil {
			if errors.Is(err, context.Canceled) {
				return err
			}
			return fault.New(fault.Git, `git config --global user.name "Your Name" && git config --global user.email you@example.com`,
				"git does not know your name and address, a commit needs them")
		}
	}
	r.identified.Store(true)
	return nil
}

// plainIdentity says that git knows who commits for certain: by the two settings that
// everyone has, with nothing beside them that would count instead.
func (r *Repo) plainIdentity() bool {
	for _, kv := range r.git.env {
		if strings.HasPrefix(kv, "GIT_AUTHOR_") || strings.HasPrefix(kv, "GIT_COMMITTER_") {
			return false
		}
	}
	for _, s := range r.settings {
		if strings.HasPrefix(s.key, "author.") || strings.HasPrefix(s.key, "committer.") {
			return false
		}
	}
	said := func(key string) bool {
		return strings.ContainsFunc(valueOf(r.settings, key),
			func(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' })
	}
	return said("user.name") && said("user.email")
}

// commitFault tells failed signing and filters from the rest.
func (r *Repo) commitFault(err error) error {
	var g *GitError
	if !errors.As(err, &g) || errors.Is(err, context.Canceled) {
		return err
	}
	said := strings.TrimSpace(g.Stdout + g.Stderr)
	switch {
	case strings.Contains(said, "failed to sign the data") || strings.Contains(said, "failed to write commit object"):
		return fault.New(fault.Git, "see that your signing key is unlocked, or: git config commit.gpgsign false",
			"git could not sign the commit: %s", lastLines(said, 3))
	case strings.Contains(said, "index.lock"):
		return fault.New(fault.Git, r.lockHint(), "commit: another git is at work, or left its index.lock behind")
	}
	return fault.New(fault.Git, "git status", "commit: %s", lastLines(said, 3))
}

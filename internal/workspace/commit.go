package workspace

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/githook"
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

// HookChangedError says that a pre-commit hook refused a commit after it had changed
// files that were to be committed, as formatters do.
type HookChangedError struct {
	Paths []string
	Said  string
}

func (e *HookChangedError) Error() string {
	return "the repository's pre-commit hook changed " + git.Some(e.Paths) + ": " + e.Said
}

// Commit commits the named paths on the current branch with the user's own
// identity, hooks and signing, and gives the commit. It is made of objects, in the
// repository: the tree of the parent with the named paths in it, never of an index that
// the commands of the repository may write to. Where git or a hook refuses, branch
// and index are as before.
func (r *Repo) Commit(ctx context.Context, o CommitOptions) (string, error) {
	if r.home == nil {
		return "", errors.New("commits are made in trees of booty's own")
	}
	if err := r.CheckIdentity(ctx); err != nil {
		return "", err
	}
	if err := r.signable(); err != nil {
		return "", err
	}
	_, head, err := r.Head(ctx)
	if err != nil {
		return "", err
	}
	parent := head
	if o.Onto != "" && head == "" {
		return "", fault.New(fault.Refused, "git reflog", "the branch of the run has lost its commits")
	}
	if o.Onto != "" {
		if parent, err = r.History.Resolve(ctx, o.Onto); err != nil {
			return "", err
		}
	}
	paths, err := r.committable(ctx, o.Paths)
	if err != nil {
		return "", err
	}
	if len(paths) == 0 {
		return "", fault.New(fault.NothingToDo, "", "nothing to commit")
	}
	r.step("commit: begun")
	hash, err := r.commit(ctx, o, paths, parent)
	if err != nil {
		return "", err
	}
	r.step("commit: made")
	if err := r.follow(ctx, paths, hash); err != nil {
		return "", r.commitFault(err)
	}
	if err := r.advance(ctx, hash, head); err != nil {
		if head != "" {
			err = errors.Join(err, r.follow(ctx, paths, head))
		}
		return "", err
	}
	if err := r.showHead(); err != nil {
		return "", err
	}
	r.step("commit: on its branch")
	_, _ = r.Hooks.Run(ctx, githook.Call{Name: "post-commit"}) // as with git, it refuses nothing
	return hash, ctx.Err()
}

// commit makes the commit object.
func (r *Repo) commit(ctx context.Context, o CommitOptions, paths []string, parent string) (string, error) {
	d, err := r.draft(ctx, o, paths, parent)
	if err != nil {
		return "", err
	}
	defer d.close()
	if err := r.commitHooks(ctx, d); err != nil {
		return "", err
	}
	return r.commitDraft(ctx, d, parent)
}

// committable leaves out paths that neither HEAD, index nor disk knows, at
// which git would stop, and paths without a change.
func (r *Repo) committable(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	tracked := sync.OnceValues(func() (map[string]bool, error) { return r.git.Tracked(ctx, paths) })
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
			_, inHead, err = r.History.ReadFile(ctx, head, p)
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

// message is message and trailers as they go into a commit.
func (o CommitOptions) message() string {
	text := strings.TrimSpace(o.Message) + "\n"
	if len(o.Trailers) > 0 {
		text += "\n" + strings.Join(o.Trailers, "\n") + "\n"
	}
	return text
}

// signable refuses a signer that lies in the work tree: what a reply may have written
// is not run with the user's keys.
func (r *Repo) signable() error {
	if !git.IsTrue(git.ValueOf(r.settings, "commit.gpgsign")) {
		return nil
	}
	for _, key := range []string{"gpg.program", "gpg.openpgp.program", "gpg.ssh.program", "gpg.x509.program",
		"gpg.ssh.defaultkeycommand"} {
		word, _, _ := strings.Cut(git.ValueOf(r.settings, key), " ")
		if word == "" || !strings.ContainsRune(word, '/') {
			continue
		}
		path := filepath.FromSlash(word)
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.root, path)
		}
		if within(path, r.root) || within(path, r.Checkout()) {
			return fault.New(fault.Refused, "git config "+key+" /path/outside/of/the/checkout",
				"%s names a program in the work tree, which a change may have written: %s", key, word)
		}
	}
	return nil
}

// CheckIdentity asks git whether it knows the user's name and address, once: no
// setting that comes later is obeyed.
func (r *Repo) CheckIdentity(ctx context.Context) error {
	if r.identified.Load() {
		return nil
	}
	asked := []string{"GIT_AUTHOR_IDENT"}
	if r.authorIsApart() {
		asked = append(asked, "GIT_COMMITTER_IDENT")
	}
	for _, who := range asked {
		if _, err := r.git.Run(ctx, git.Call{Args: []string{"var", who}}); err != nil {
			if errors.Is(err, context.Canceled) {
				return err
			}
			return fault.New(fault.Git,
				`git config --global user.name "Your Name" && git config --global user.email you@example.com`,
				"git does not know your name and address, a commit needs them")
		}
	}
	r.identified.Store(true)
	return nil
}

// authorIsApart reports whether git may know the author and not the committer.
func (r *Repo) authorIsApart() bool {
	return slices.ContainsFunc(r.free, func(set string) bool {
		return strings.HasPrefix(set, "GIT_AUTHOR_") || strings.HasPrefix(set, "GIT_COMMITTER_")
	}) || slices.ContainsFunc(r.settings, func(s git.Setting) bool {
		return strings.HasPrefix(s.Key, "author.") || strings.HasPrefix(s.Key, "committer.")
	})
}

// Signs reports whether git signs commits here.
func (r *Repo) Signs() bool { return git.IsTrue(git.ValueOf(r.settings, "commit.gpgsign")) }

// Committer gives who commits, as "Name <address>".
func (r *Repo) Committer(ctx context.Context) (string, error) {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"var", "GIT_COMMITTER_IDENT"}})
	if err != nil {
		return "", err
	}
	who, _, _ := strings.Cut(string(out), ">")
	return strings.TrimSpace(who) + ">", nil
}

// commitFault tells failed signing and filters from the rest.
func (r *Repo) commitFault(err error) error {
	var g *git.Error
	if !errors.As(err, &g) || errors.Is(err, context.Canceled) {
		return err
	}
	said := strings.TrimSpace(g.Stdout + g.Stderr)
	switch {
	case strings.Contains(said, "failed to sign the data") || strings.Contains(said, "failed to write commit object"):
		return fault.New(fault.Git,
			"unlock your signing key (echo | gpg --clearsign), or: git config commit.gpgsign false",
			"git could not sign the commit: %s", git.LastLines(said, 3))
	case strings.Contains(said, "index.lock"):
		return fault.New(fault.Git, r.lockHint(),
			"commit: another git is at work, or left its index.lock behind")
	}
	return fault.New(fault.Git, "", "commit: %s", git.LastLines(said, 3))
}

// Uncommitted gives those of some paths of which a state of the checkout has something else
// than a commit. A filter, or how lines end, makes the bytes of a clean file differ from its
// commit: what git would store of them is compared.
func (r *Repo) Uncommitted(ctx context.Context, commit, state string, paths []string) ([]string, error) {
	pairs, err := r.own.Objects().Pairs(ctx, commit, state)
	if err != nil {
		return nil, err
	}
	st := r.own.Objects()
	var list []string
	for _, path := range paths {
		p, differs := pairs[path]
		if !differs {
			continue
		}
		if p.Was.Mode == p.Is.Mode && p.Is.Mode != git.ModeSymlink {
			data, err := st.Blob(p.Is.Hash)
			if err != nil {
				return nil, err
			}
			hash, err := r.git.Run(ctx,
				git.Call{Args: []string{"hash-object", "--stdin", "--path", path}, Stdin: bytes.NewReader(data),
					Programs: true})
			if err != nil {
				return nil, git.Classify("compare "+path+" with its commit", err)
			}
			if strings.TrimSpace(string(hash)) == p.Was.Hash {
				continue
			}
		}
		list = append(list, path)
	}
	return list, nil
}

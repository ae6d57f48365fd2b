package commit

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// signable refuses a signer that lies in the work tree: what a reply may have written
// is not run with the user's keys.
func (m *Maker) signable() error {
	if !git.IsTrue(git.ValueOf(m.settings, "commit.gpgsign")) {
		return nil
	}
	for _, key := range []string{"gpg.program", "gpg.openpgp.program", "gpg.ssh.program", "gpg.x509.program",
		"gpg.ssh.defaultkeycommand"} {
		word, _, _ := strings.Cut(git.ValueOf(m.settings, key), " ")
		if word == "" || !strings.ContainsRune(word, '/') {
			continue
		}
		path := filepath.FromSlash(word)
		if !filepath.IsAbs(path) {
			path = filepath.Join(m.roots[0], path)
		}
		if slices.ContainsFunc(m.roots, func(root string) bool { return git.Within(path, root) }) {
			return fault.New(fault.Refused, "git config "+key+" /path/outside/of/the/checkout",
				"%s names a program in the work tree, which a change may have written: %s", key, word)
		}
	}
	return nil
}

// CheckIdentity asks git whether it knows the user's name and address, once: no
// setting that comes later is obeyed.
func (m *Maker) CheckIdentity(ctx context.Context) error {
	if m.identified.Load() {
		return nil
	}
	asked := []string{"GIT_AUTHOR_IDENT"}
	if m.authorIsApart() {
		asked = append(asked, "GIT_COMMITTER_IDENT")
	}
	for _, who := range asked {
		if _, err := m.git.Run(ctx, git.Call{Args: []string{"var", who}}); err != nil {
			if errors.Is(err, context.Canceled) {
				return err
			}
			return fault.New(fault.Git,
				`git config --global user.name "Your Name" && git config --global user.email you@example.com`,
				"git does not know your name and address, a commit needs them")
		}
	}
	m.identified.Store(true)
	return nil
}

// authorIsApart reports whether git may know the author and not the committer.
func (m *Maker) authorIsApart() bool {
	return slices.ContainsFunc(m.free, func(set string) bool {
		return strings.HasPrefix(set, "GIT_AUTHOR_") || strings.HasPrefix(set, "GIT_COMMITTER_")
	}) || slices.ContainsFunc(m.settings, func(s git.Setting) bool {
		return strings.HasPrefix(s.Key, "author.") || strings.HasPrefix(s.Key, "committer.")
	})
}

// Signs reports whether git signs commits here.
func (m *Maker) Signs() bool { return git.IsTrue(git.ValueOf(m.settings, "commit.gpgsign")) }

// Who gives who commits, as "Name <address>".
func (m *Maker) Who(ctx context.Context) (string, error) {
	out, err := m.git.Run(ctx, git.Call{Args: []string{"var", "GIT_COMMITTER_IDENT"}})
	if err != nil {
		return "", err
	}
	who, _, _ := strings.Cut(string(out), ">")
	return strings.TrimSpace(who) + ">", nil
}

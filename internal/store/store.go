// Package store keeps booty's own git repository of a user's repository: checkpoints, the
// commits of runs until they are handed over, and the git directories of booty's own trees.
//
// What comes in: the git directory of the user's repository, its settings, references to
// set. What goes out: a repository that git can read. It borrows the user's objects, so that
// only what is new takes space. It lies in the state directory (without one, in the user's git
// directory), and changes nothing in the user's repository.
package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/git"
)

// Store is booty's own repository of one repository of the user's.
type Store struct {
	state           string // the state directory, "" for none
	dir             string // everything of booty's that belongs to the repository
	of              string // the user's git directory
	settings, filed []git.Setting
}

// New is the store of the repository with the git directory of. Settings are all that git
// obeys there, filed those of them that files hold.
func New(stateDir, of string, settings, filed []git.Setting) *Store {
	s := &Store{state: stateDir, dir: filepath.Join(of, "booty"), of: of, settings: settings, filed: filed}
	if stateDir != "" {
		s.dir = filepath.Join(stateDir, "trees", name(of))
	}
	return s
}

// Dir is where everything of booty's lies that belongs to the repository.
func (s *Store) Dir() string { return s.dir }

// Path is the repository itself.
func (s *Store) Path() string { return filepath.Join(s.dir, "store.git") }

// ObjectsDir is where the objects of the store are.
func (s *Store) ObjectsDir() string { return filepath.Join(s.Path(), "objects") }

// name names a repository after its folder, told apart by where that lies.
func name(commonDir string) string {
	if real, err := filepath.EvalSymlinks(commonDir); err == nil {
		commonDir = real
	}
	base := strings.TrimSuffix(filepath.Base(commonDir), ".git")
	if base == "" {
		base = filepath.Base(filepath.Dir(commonDir))
	}
	base = strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			return c
		}
		return '_'
	}, base)
	sum := sha256.Sum256([]byte(commonDir))
	return base + "-" + hex.EncodeToString(sum[:5])
}

// ofFile names, in Dir, the git directory that it belongs to.
const ofFile = "git-dir"

// Make makes the store, or brings its settings up to date.
func (s *Store) Make() error {
	dir := s.Path()
	for _, sub := range []string{"objects/info", "borrowed", "refs/heads", "refs/booty", "info",
		"worktrees"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o700); err != nil {
			return err
		}
	}
	files := map[string]string{
		"HEAD": "ref: refs/heads/none\n", "config": s.Config(),
		"objects/info/alternates": filepath.ToSlash(filepath.Join(s.of, "objects")) + "\n",
		"borrowed.alternates":     filepath.ToSlash(filepath.Join(dir, "borrowed")) + "\n",
		"../" + ofFile:            s.of + "\n",
	}
	for _, name := range []string{"shallow", "info/attributes", "info/exclude"} {
		data, err := os.ReadFile(filepath.Join(s.of, filepath.FromSlash(name)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			files[name] = string(data)
		} else if err := atomicfile.Remove(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	for name, content := range files {
		if err := atomicfile.Keep(filepath.Join(dir, filepath.FromSlash(name)), content); err != nil {
			return err
		}
	}
	return nil
}

// Config renders the repository's settings, as they were read when it was opened,
// for the store: what comes later into a file that git includes is not obeyed.
func (s *Store) Config() string {
	var b bytes.Buffer
	version := 0
	for _, set := range s.filed {
		if set.Key == "extensions.partialclone" {
			version = 1
		}
	}
	fmt.Fprintf(&b, "[core]\n\trepositoryformatversion = %d\n\tbare = true\n\tlogallrefupdates = false\n",
		version)
	b.WriteString("[gc]\n\tauto = 0\n\tpackRefs = false\n[maintenance]\n\tauto = false\n")
	if s.uses("lfs") {
		fmt.Fprintf(&b, "[lfs]\n\tstorage = %s\n",
			git.Quote(filepath.ToSlash(filepath.Join(s.of, "lfs"))))
	}
	for _, set := range s.filed {
		if !carried(set.Key) {
			continue
		}
		section, name := set.Key[:strings.IndexByte(set.Key, '.')], set.Key[strings.LastIndexByte(set.Key, '.')+1:]
		if sub := strings.TrimSuffix(strings.TrimPrefix(set.Key, section+"."), name); sub != "" {
			section += " " + git.Quote(strings.TrimSuffix(sub, "."))
		}
		fmt.Fprintf(&b, "[%s]\n\t%s = %s\n", section, name, git.Quote(set.Value))
	}
	return b.String()
}

// carried reports whether a setting of the repository counts in booty's work trees too. Those that say where things lie, and those of branches, do not.
func carried(key string) bool {
	section, rest, _ := strings.Cut(key, ".")
	switch section {
	case "branch", "include", "includeif", "gc", "maintenance", "submodule", "index", "worktree", "receive", "lfs",
		"alias", "safe":
		return false
	case "extensions":
		return rest == "partialclone"
	case "core":
		return !slices.Contains([]string{"bare", "worktree", "repositoryformatversion", "logallrefupdates",
			"fsmonitor", "untrackedcache", "splitindex", "hookspath"}, rest)
	case "remote":
		name := rest[strings.LastIndexByte(rest, '.')+1:]
		return slices.Contains([]string{"url", "pushurl", "promisor", "partialclonefilter", "proxy"}, name)
	}
	return true
}

// uses reports whether a filter of that name is set.
func (s *Store) uses(filter string) bool {
	return slices.ContainsFunc(s.settings, func(set git.Setting) bool {
		return strings.HasPrefix(set.Key, "filter."+filter+".")
	})
}

// Git is a client that runs git in the store, without a work tree.
func (s *Store) Git(g git.Client) git.Client {
	g.Dir = s.Path()
	g.Env = slices.DeleteFunc(slices.Clone(g.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name == "GIT_DIR" || name == "GIT_COMMON_DIR" || name == "GIT_WORK_TREE"
	})
	g.Env = append(g.Env, "GIT_DIR="+s.Path(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	return g
}

// Lend is the environment in which a git child of the user's repository reads what only the
// store has. It must not write what refers to that.
func (s *Store) Lend() []string {
	return []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + s.ObjectsDir()}
}

// Tidy removes what nothing needs any more: stores of repositories that are gone and, where
// references were dropped or loose objects have gathered, objects. user is a client of the
// user's repository.
func (s *Store) Tidy(ctx context.Context, user git.Client, dropped bool) error {
	if !dropped && !s.manyLoose() {
		return DropOrphans(s.state)
	}
	return errors.Join(DropOrphans(s.state), s.collect(ctx, user))
}

// collect removes the objects of the store that nothing needs any more. Young
// ones stay: another process may be about to name them.
func (s *Store) collect(ctx context.Context, user git.Client) error {
	if err := s.CopyRefs(ctx, user); err != nil { // what the user has deleted must not be looked for
		return err
	}
	_, err := s.Git(user).Run(ctx, git.Call{Args: []string{"-c", "gc.pruneExpire=1.hour.ago", "gc", "--quiet"}})
	return git.Classify("collect what is not needed any more", err)
}

// manyLoose reports whether the store has some thousands of loose objects, by one of
// their 256 directories, as git gc --auto does.
func (s *Store) manyLoose() bool {
	entries, err := os.ReadDir(filepath.Join(s.ObjectsDir(), "17"))
	return err == nil && len(entries) > 6700/256
}

// DropOrphans removes what a state directory keeps of repositories that are gone.
func DropOrphans(stateDir string) error {
	if stateDir == "" {
		return nil
	}
	all, err := filepath.Glob(filepath.Join(stateDir, "trees", "*", ofFile))
	if err != nil {
		return err
	}
	for _, path := range all {
		of, err := os.ReadFile(path)
		if err != nil || len(of) == 0 {
			continue
		}
		if _, err := os.Lstat(string(of[:len(of)-1])); errors.Is(err, fs.ErrNotExist) {
			if err := atomicfile.RemoveAll(filepath.Dir(path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// Size is how many bytes the store and what lies beside it take.
func (s *Store) Size() (int64, error) {
	var sum int64
	err := filepath.WalkDir(s.dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // gone meanwhile, or not ours to see
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			sum += info.Size()
		}
		return nil
	})
	return sum, err
}

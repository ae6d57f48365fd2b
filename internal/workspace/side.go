package workspace

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

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/booty-cli/booty/internal/atomicfile"
	"github.com/booty-cli/booty/internal/carry"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
)

// The side repository keeps what booty records of a repository: checkpoints, the
// commits of runs until they are handed over, and the git directories of booty's own
// work trees. It borrows the user's objects, so that only what is new takes space, and
// it lies in the state directory: nothing of it shows up in the user's repository.

// repoDir is where everything of booty's lies that belongs to one repository.
func (r *Repo) repoDir() string {
	if r.home != nil {
		return r.home.repoDir()
	}
	if r.stateDir == "" {
		return filepath.Join(r.commonDir, "booty")
	}
	return filepath.Join(r.stateDir, "trees", repoName(r.commonDir))
}

// repoName names a repository after its folder, told apart by where that lies.
func repoName(commonDir string) string {
	if real, err := filepath.EvalSymlinks(commonDir); err == nil {
		commonDir = real
	}
	name := strings.TrimSuffix(filepath.Base(commonDir), ".git")
	if name == "" {
		name = filepath.Base(filepath.Dir(commonDir))
	}
	name = strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '_':
			return c
		}
		return '_'
	}, name)
	sum := sha256.Sum256([]byte(commonDir))
	return name + "-" + hex.EncodeToString(sum[:5])
}

// sideDir is the side repository.
func (r *Repo) sideDir() string { return filepath.Join(r.repoDir(), "store.git") }

func (r *Repo) sideObjects() string { return filepath.Join(r.sideDir(), "objects") }

// ownDir is where booty keeps its own files of this work tree: the index of its
// records, what is under way, its lock.
func (r *Repo) ownDir() string {
	if r.slot != nil {
		return filepath.Join(r.slot.dir, "own")
	}
	return filepath.Join(r.checkoutDir(), "own")
}

// checkoutDir is where that lies which belongs to one checkout of the repository.
func (r *Repo) checkoutDir() string {
	id := r.worktreeID()
	if id == "." {
		id = "main"
	}
	return filepath.Join(r.repoDir(), strings.ReplaceAll(strings.TrimPrefix(id, "worktrees/"), "/", "_"))
}

// worktreeID tells the checkouts of a repository apart, wherever it is moved.
func (r *Repo) worktreeID() string {
	rel, err := filepath.Rel(r.commonDir, r.gitDir)
	if err != nil {
		return r.gitDir
	}
	return filepath.ToSlash(rel)
}

// ofFile names, in repoDir, the git directory that it belongs to.
const ofFile = "git-dir"

// makeOwnDir makes the side repository and this work tree's own directory.
func (r *Repo) makeOwnDir() error {
	if r.made.Load() {
		return nil
	}
	err := os.MkdirAll(r.ownDir(), 0o700)
	if err == nil && r.home == nil {
		err = r.makeSide()
	}
	if err != nil {
		return fault.New(fault.Refused, "make it writable", "keep booty's own files of the work tree: %w",
			err)
	}
	r.objects().Close() // it reads from there, too, from now on
	r.made.Store(true)
	return nil
}

// makeSide makes the side repository, or brings its settings up to date.
func (r *Repo) makeSide() error {
	dir := r.sideDir()
	for _, sub := range []string{"objects/info", "borrowed", "refs/heads", "refs/booty", "info",
		"worktrees"} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(sub)), 0o700); err != nil {
			return err
		}
	}
	files := map[string]string{
		"HEAD": "ref: refs/heads/none\n", "config": r.sideConfig(),
		"objects/info/alternates": filepath.ToSlash(filepath.Join(r.commonDir, "objects")) + "\n",
		"borrowed.alternates":     filepath.ToSlash(filepath.Join(dir, "borrowed")) + "\n",
		"../" + ofFile:            r.commonDir + "\n",
	}
	for _, name := range []string{"shallow", "info/attributes", "info/exclude"} {
		data, err := os.ReadFile(filepath.Join(r.commonDir, filepath.FromSlash(name)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			files[name] = string(data)
		} else if err := removeFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	for name, content := range files {
		if err := keepFile(filepath.Join(dir, filepath.FromSlash(name)), content); err != nil {
			return err
		}
	}
	return nil
}

// Borrowed says what commands must be shown at which other place where they see this
// tree in place of the user's checkout: the user's objects may lie in that, and git in
// the tree needs them.
func (r *Repo) Borrowed() map[string]string {
	if r.home == nil || !within(r.home.commonDir, r.home.root) {
		return nil
	}
	side := r.commonDir
	return map[string]string{
		filepath.Join(side, "borrowed"):                      filepath.Join(r.home.commonDir, "objects"),
		filepath.Join(side, "objects", "info", "alternates"): filepath.Join(side, "borrowed.alternates"),
	}
}

// sideConfig renders the repository's settings, as they were read when it was opened,
// for the side repository: what comes later into a file that git includes is not obeyed.
func (r *Repo) sideConfig() string {
	var b bytes.Buffer
	version := 0
	for _, s := range r.filed {
		if s.Key == "extensions.partialclone" {
			version = 1
		}
	}
	fmt.Fprintf(&b, "[core]\n\trepositoryformatversion = %d\n\tbare = true\n\tlogallrefupdates = false\n",
		version)
	b.WriteString("[gc]\n\tauto = 0\n\tpackRefs = false\n[maintenance]\n\tauto = false\n")
	if r.uses("lfs") {
		fmt.Fprintf(&b, "[lfs]\n\tstorage = %s\n",
			quoteConfig(filepath.ToSlash(filepath.Join(r.commonDir, "lfs"))))
	}
	for _, s := range r.filed {
		if !carried(s.Key) {
			continue
		}
		section, name := s.Key[:strings.IndexByte(s.Key, '.')], s.Key[strings.LastIndexByte(s.Key, '.')+1:]
		if sub := strings.TrimSuffix(strings.TrimPrefix(s.Key, section+"."), name); sub != "" {
			section += " " + quoteConfig(strings.TrimSuffix(sub, "."))
		}
		fmt.Fprintf(&b, "[%s]\n\t%s = %s\n", section, name, quoteConfig(s.Value))
	}
	return b.String()
}

// carried reports whether a setting of the repository's own counts in booty's work
// trees too. Those that say where things lie, and those of branches, do not.
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
func (r *Repo) uses(filter string) bool {
	return slices.ContainsFunc(r.settings, func(s git.Setting) bool {
		return strings.HasPrefix(s.Key, "filter."+filter+".")
	})
}

// sideGit runs git in the side repository, without a work tree.
func (r *Repo) sideGit() git.Client {
	g := r.git
	g.Dir = r.sideDir()
	g.Env = slices.DeleteFunc(slices.Clone(g.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name == "GIT_DIR" || name == "GIT_COMMON_DIR" || name == "GIT_WORK_TREE"
	})
	g.Env = append(g.Env, "GIT_DIR="+r.sideDir(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	return g
}

// withSide lets a git child of the user's repository read what only the side
// repository has. It must not write what refers to that.
func (r *Repo) withSide() []string {
	return []string{"GIT_ALTERNATE_OBJECT_DIRECTORIES=" + r.sideObjects()}
}

// copyRefs gives the side repository the user's branches and tags, for tools that
// describe a commit by them. References of booty's own are never packed there.
func (r *Repo) copyRefs(ctx context.Context) error {
	if r.home != nil {
		return r.home.copyRefs(ctx)
	}
	out, err := r.git.Run(ctx, git.Call{Args: []string{"for-each-ref", "--format=%(objectname) %(refname)",
		"refs/heads", "refs/remotes", "refs/tags"}})
	if err != nil {
		return fmt.Errorf("list the repository's references: %w", err)
	}
	return keepFile(filepath.Join(r.sideDir(), "packed-refs"), "# pack-refs with: sorted \n"+string(out))
}

// HandOver brings a commit of the side repository into the user's, and sets a run's branch
// to it that is at old now, "" for a new one. A branch that has moved meanwhile, or is
// checked out, is not touched: the error wraps ErrBranchExists. [Repo.HandedOver] knows of
// it from then on, also if it is killed.
func (r *Repo) HandOver(ctx context.Context, run, commit, branch, old string) error {
	if err := r.bringObjects(ctx, commit); err != nil {
		return err
	}
	ref := "refs/heads/" + branch
	used, err := r.git.Text(ctx, "for-each-ref", "--format=%(worktreepath)", ref)
	if err != nil {
		return fault.New(fault.Git, "git branch --list", "look at branch %s: %w", branch, err)
	}
	if strings.TrimSpace(used) != "" {
		return fault.New(fault.Git, "git branch "+branch+"-booty "+commit,
			"branch %s %w: it is checked out in %s", branch,
			ErrBranchExists, strings.TrimSpace(used))
	}
	if old == "" {
		old = noObject
	}
	if err := r.NoteBranch(run, branch, old, commit); err != nil {
		return err
	}
	r.step("handover: before the branch")
	if _, err := r.git.Run(ctx, git.Call{Args: []string{"update-ref", "-m", "booty: " + branch, ref, commit,
		old}}); err != nil {
		if now, _ := r.store().Ref(ref); now == commit {
			return nil
		}
		return fault.New(fault.Git, "git branch "+branch+"-booty "+commit, "branch %s %w: %w", branch,
			ErrBranchExists, err)
	}
	r.step("handover: the branch is set")
	return nil
}

// bringObjects copies what a commit needs into the user's repository.
func (r *Repo) bringObjects(ctx context.Context, commit string) error {
	ref := refRoot + "handover/" + commit
	if err := r.setRef(ref, commit); err != nil {
		return err
	}
	defer func() { _ = r.dropRef(ref) }()
	if _, err := r.git.Run(ctx, git.Call{Args: []string{"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-auto-gc",
		"--recurse-submodules=no", "--", r.sideDir(), ref}}); err != nil {
		return git.Classify("bring the run's commit into the repository", err)
	}
	return nil
}

// setRef sets a reference of the side repository, durably.
func (r *Repo) setRef(name, commit string) error {
	if err := r.makeOwnDir(); err != nil {
		return err
	}
	path := filepath.Join(r.sideDir(), filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("record %s: %w", name, err)
	}
	if err := atomicfile.Write(path, []byte(commit+"\n"), 0o600); err != nil {
		return fmt.Errorf("record %s: %w", name, err)
	}
	return nil
}

// sideRef gives what a reference of the side repository points to, "" where there is none.
func (r *Repo) sideRef(name string) (string, error) {
	data, err := os.ReadFile(filepath.Join(r.sideDir(), filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	if hash := strings.TrimSpace(string(data)); plumbing.IsHash(hash) {
		return hash, nil
	}
	return "", fmt.Errorf("read %s: it is damaged", name)
}

// ownRef gives what a reference of booty's own points to, and whether it is one.
func (r *Repo) ownRef(name string) (hash string, ours bool, err error) {
	if !strings.HasPrefix(name, refRoot) && !strings.HasPrefix(name, treeRefs) {
		return "", false, nil
	}
	hash, err = r.sideRef(name)
	return hash, true, err
}

// dropRef removes a reference of the side repository, and the folders it leaves empty.
func (r *Repo) dropRef(name string) error {
	path := filepath.Join(r.sideDir(), filepath.FromSlash(name))
	if err := removeFile(path); err != nil {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	emptied := true
	for dir := filepath.Dir(path); emptied && filepath.Base(dir) != "booty" &&
		filepath.Base(dir) != "refs"; dir = filepath.Dir(dir) {
		emptied = os.Remove(dir) == nil
	}
	return nil
}

// dropOrphans removes what is kept of repositories that are gone.
func (r *Repo) dropOrphans() error {
	if r.stateDir == "" {
		return nil
	}
	all, err := filepath.Glob(filepath.Join(r.stateDir, "trees", "*", ofFile))
	if err != nil {
		return err
	}
	for _, path := range all {
		of, err := os.ReadFile(path)
		if err != nil || len(of) == 0 {
			continue
		}
		if _, err := os.Lstat(string(of[:len(of)-1])); errors.Is(err, fs.ErrNotExist) {
			if err := carry.Remove(filepath.Dir(path)); err != nil {
				return err
			}
		}
	}
	return nil
}

// StateDir is where booty keeps its own files of this repository, made if it is not there.
func (r *Repo) StateDir() string {
	dir := r.repoDir()
	_ = os.MkdirAll(dir, 0o700) // what fails there fails where it is used
	return dir
}

package workspace

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// pin settles, before any command of the repository has run, where git works
// and which programs it starts: from now on neither a file .git or commondir
// that was swapped nor a setting that came later decides that.
func (r *Repo) pin(ctx context.Context) error {
	var err error
	if r.obeys, err = readObeyed(ctx, r.git, r.root, r.gitDir, r.commonDir); err != nil {
		return err
	}
	own := store.New(r.stateDir, r.commonDir, r.obeys.settings, r.obeys.filed)
	r.own = own.For(store.WorkTree{GitDir: r.gitDir, CommonDir: r.commonDir, Git: r.readingGit, InStore: r.storeGit,
		Private: filepath.Join(checkoutDir(own, r.worktreeID()), "own")})
	r.free = r.git.Env
	r.git.Env = r.pinned(r.gitDir, r.commonDir, r.root)
	return nil
}

// pinned is the environment of git children that work on these directories.
func (r *Repo) pinned(gitDir, commonDir, root string) []string {
	env := append(git.WithoutSettings(r.free), "GIT_DIR="+gitDir, "GIT_COMMON_DIR="+commonDir,
		"GIT_WORK_TREE="+root,
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull)
	if commonDir == r.own.Path() { // its own settings hold all that the files said when they were read
		env = append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	}
	pins := git.Pins(r.obeys.settings, r.own.NoHooks())
	return append(env, git.AsEnvironment(append(git.SettingsIn(r.free), pins...))...)
}

// within reports whether path is dir or below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) &&
		!filepath.IsAbs(rel)
}

// Obeyed lists what git obeys of this work tree and no command may change: git
// directories, and what lies in the work tree that settings name. A path may be
// missing.
func (r *Repo) Obeyed(ctx context.Context) ([]string, error) {
	list := []string{filepath.Join(r.root, ".git"), r.commonDir, r.gitDir}
	if r.home != nil {
		list = append(list, r.home.commonDir, r.home.gitDir)
	}
	list = append(list, r.obeys.paths()...)
	links, err := r.submodules(ctx)
	for _, dir := range links {
		list = append(list, filepath.Join(r.root, filepath.FromSlash(dir), ".git"))
	}
	return list, err
}

// Trusted lists, as globs of slash paths from the root, what lies in the work tree and is
// run or obeyed by git. No reply may change it.
func (r *Repo) Trusted() []string { return r.obeys.trusted() }

// globMeta takes their meaning from the signs of a glob.
var globMeta = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`)

package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/store"
)

// pin settles, before any command of the repository has run, where git works
// and which programs it starts: from now on neither a file .git or commondir
// that was swapped nor a setting that came later decides that.
func (r *Repo) pin(ctx context.Context) error {
	if err := r.readTrusted(ctx); err != nil {
		return err
	}
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
	return append(env, git.AsEnvironment(append(git.SettingsIn(r.free), git.Pins(r.settings, r.own.NoHooks())...))...)
}

// readTrusted reads what git obeys here.
func (r *Repo) readTrusted(ctx context.Context) error {
	out, err := r.git.Run(ctx, git.Call{Args: []string{"config", "--list", "--null", "--includes", "--show-origin",
		"--show-scope"}})
	if err != nil {
		return fmt.Errorf("read the repository's settings: %w", err)
	}
	fields := git.SplitNul(out)
	for i := 0; i+2 < len(fields); i += 3 {
		key, value, ok := strings.Cut(fields[i+2], "\n")
		if !ok {
			value = "true"
		}
		set := git.Setting{Key: key, Value: value}
		r.noteSource(fields[i+1], set)
		r.settings = append(r.settings, set)
		if fields[i] != "command" {
			r.filed = append(r.filed, set)
		}
	}
	own := store.New(r.stateDir, r.commonDir, r.settings, r.filed)
	r.own = own.For(store.WorkTree{GitDir: r.gitDir, CommonDir: r.commonDir, Git: r.readingGit, InStore: r.storeGit,
		Private: filepath.Join(checkoutDir(own, r.worktreeID()), "own")})
	r.hooks = filepath.Join(r.commonDir, "hooks")
	if !slices.ContainsFunc(r.settings, func(s git.Setting) bool { return s.Key == "core.hookspath" }) {
		return nil
	}
	hooks, err := r.git.Text(ctx, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return fmt.Errorf("find the repository's hooks: %w", err)
	}
	r.hooks = filepath.FromSlash(hooks)
	return nil
}

// here gives, for a path in the work tree, the same one below another root.
func (r *Repo) here(path, root string) string {
	rel, err := filepath.Rel(r.root, path)
	if err != nil || !r.inTree(path) {
		return path
	}
	return filepath.Join(root, rel)
}

// noteSource notes files of settings that lie in the work tree, where replies could
// change or make them: those that git has read, and those that an include names.
func (r *Repo) noteSource(origin string, s git.Setting) {
	file, ok := strings.CutPrefix(origin, "file:")
	if !ok {
		return
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.root, file)
	}
	named := []string{file}
	if s.Key == "include.path" ||
		strings.HasPrefix(s.Key, "includeif.") && strings.HasSuffix(s.Key, ".path") ||
		s.Key == "core.attributesfile" {
		path := filepath.FromSlash(s.Value)
		if !filepath.IsAbs(path) && !strings.HasPrefix(path, "~") {
			path = filepath.Join(filepath.Dir(file), path)
		}
		named = append(named, path)
	}
	for _, path := range named {
		if path = filepath.Clean(path); r.inTree(path) && !slices.Contains(r.included, path) {
			r.included = append(r.included, path)
		}
	}
}

// inTree reports whether a path lies in the work tree, git's own directories
// left out.
func (r *Repo) inTree(path string) bool {
	return within(path, r.root) && !within(path, r.gitDir) && !within(path, r.commonDir)
}

// within reports whether path is dir or below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) &&
		!filepath.IsAbs(rel)
}

// Trusted lists, as globs of slash paths from the root, what lies in the work tree and is
// run or obeyed by git: hooks, included settings, and the programs of filters.
// No reply may change it.
func (r *Repo) Trusted() []string {
	var list []string
	add := func(path string) {
		if rel, err := filepath.Rel(r.root, path); err == nil && r.inTree(path) && rel != "." {
			list = append(list, globMeta.Replace(filepath.ToSlash(rel)))
		}
	}
	for _, path := range slices.Concat(r.included, []string{r.hooks}, r.programs()) {
		add(path)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// programs lists the files in the work tree that settings name as programs, such as
// those of filters.
func (r *Repo) programs() []string {
	var list []string
	for _, s := range r.settings {
		if !git.NamesProgram(s.Key) {
			continue
		}
		for _, word := range strings.Fields(strings.TrimPrefix(s.Value, "!")) {
			word = strings.Trim(word, `"'`)
			path := filepath.Join(r.root, filepath.FromSlash(word))
			if filepath.IsAbs(word) {
				path = filepath.Clean(word)
			}
			if git.LooksLikePath(word) && r.inTree(path) && path != r.root {
				list = append(list, path)
			}
		}
	}
	return list
}

// Obeyed lists what git obeys of this work tree and no command may change: git
// directories, and what lies in the work tree that settings name. A path may be
// missing.
func (r *Repo) Obeyed(ctx context.Context) ([]string, error) {
	list := []string{filepath.Join(r.root, ".git"), r.commonDir, r.gitDir}
	if r.home != nil {
		list = append(list, r.home.commonDir, r.home.gitDir)
	}
	for _, path := range slices.Concat(r.included, []string{r.hooks}, r.programs()) {
		if r.inTree(path) {
			list = append(list, path)
		}
	}
	links, err := r.submodules(ctx)
	for _, dir := range links {
		list = append(list, filepath.Join(r.root, filepath.FromSlash(dir), ".git"))
	}
	return list, err
}

// globMeta takes their meaning from the signs of a glob.
var globMeta = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`)

package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/globs"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/trees"
)

// obeyed is what git obeys in a work tree, read before any command of the repository ran.
type obeyed struct {
	at       trees.Dirs    // or a tree of booty's own
	settings []git.Setting // of all files
	filed    []git.Setting // of files alone, not of the environment
	hooks    string        // the directory of the user's hooks
	included []string      // files of settings that lie in the work tree
}

// readObeyed asks git what it obeys in a work tree.
func readObeyed(ctx context.Context, g git.Client, at trees.Dirs) (obeyed, error) {
	o := obeyed{at: at, hooks: filepath.Join(at.CommonDir, "hooks")}
	out, err := g.Run(ctx, git.Call{Args: []string{"config", "--list", "--null", "--includes", "--show-origin",
		"--show-scope"}})
	if err != nil {
		return o, fmt.Errorf("read the repository's settings: %w", err)
	}
	fields := git.SplitNul(out)
	for i := 0; i+2 < len(fields); i += 3 {
		key, value, ok := strings.Cut(fields[i+2], "\n")
		if !ok {
			value = "true"
		}
		set := git.Setting{Key: key, Value: value}
		o.noteSource(fields[i+1], set)
		o.settings = append(o.settings, set)
		if fields[i] != "command" {
			o.filed = append(o.filed, set)
		}
	}
	if !slices.ContainsFunc(o.settings, func(s git.Setting) bool { return s.Key == "core.hookspath" }) {
		return o, nil
	}
	hooks, err := g.Text(ctx, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return o, fmt.Errorf("find the repository's hooks: %w", err)
	}
	o.hooks = filepath.FromSlash(hooks)
	return o, nil
}

// supported refuses what booty could not record and restore faithfully.
func (o *obeyed) supported() error {
	if format := git.ValueOf(o.filed, "extensions.objectformat"); format != "" && format != "sha1" {
		return fault.New(fault.Refused, "use a SHA-1 repository, git's default",
			"the repository at %s uses %s object names, which booty does not support yet", o.at.Root, format)
	}
	if kind := git.ValueOf(o.filed, "extensions.refstorage"); kind != "" && kind != "files" {
		return fault.New(fault.Refused, "git refs migrate --ref-format=files",
			"the repository at %s keeps its references as %s, which booty does not support yet", o.at.Root, kind)
	}
	return nil
}

// in is the same for a tree of booty's own with its git directory in the store.
func (o *obeyed) in(at trees.Dirs) obeyed {
	w := obeyed{at: at, settings: o.settings, filed: o.filed, hooks: o.here(o.hooks, at.Root)}
	for _, path := range o.included {
		w.included = append(w.included, o.here(path, at.Root))
	}
	return w
}

// paths are the files in the work tree that git obeys.
func (o *obeyed) paths() []string {
	return slices.DeleteFunc(slices.Concat(o.included, []string{o.hooks}, o.programs()),
		func(path string) bool { return !o.inTree(path) })
}

// here gives, for a path in the work tree, the same one below another root.
func (o *obeyed) here(path, root string) string {
	rel, err := filepath.Rel(o.at.Root, path)
	if err != nil || !o.inTree(path) {
		return path
	}
	return filepath.Join(root, rel)
}

// noteSource notes files of settings that lie in the work tree, where replies could
// change or make them: those that git has read, and those that an include names.
func (o *obeyed) noteSource(origin string, s git.Setting) {
	file, ok := strings.CutPrefix(origin, "file:")
	if !ok {
		return
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(o.at.Root, file)
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
		if path = filepath.Clean(path); o.inTree(path) && !slices.Contains(o.included, path) {
			o.included = append(o.included, path)
		}
	}
}

// inTree reports whether a path lies in the work tree, git's own directories
// left out.
func (o *obeyed) inTree(path string) bool {
	return git.Within(path, o.at.Root) && !git.Within(path, o.at.GitDir) && !git.Within(path, o.at.CommonDir)
}

// trusted lists, as globs of slash paths from the root, what lies in the work tree and is
// run or obeyed by git: hooks, included settings, and the programs of filters.
func (o *obeyed) trusted() []string {
	var list []string
	for _, path := range o.paths() {
		if rel, err := filepath.Rel(o.at.Root, path); err == nil && rel != "." {
			list = append(list, globs.Quote(filepath.ToSlash(rel)))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// programs lists the files in the work tree that settings name as programs, such as
// those of filters.
func (o *obeyed) programs() []string {
	var list []string
	for _, s := range o.settings {
		if !git.NamesProgram(s.Key) {
			continue
		}
		for _, word := range strings.Fields(strings.TrimPrefix(s.Value, "!")) {
			word = strings.Trim(word, `"'`)
			path := filepath.Join(o.at.Root, filepath.FromSlash(word))
			if filepath.IsAbs(word) {
				path = filepath.Clean(word)
			}
			if git.LooksLikePath(word) && o.inTree(path) && path != o.at.Root {
				list = append(list, path)
			}
		}
	}
	return list
}

// pinned is the environment of git children that work at a place. noHooks is a directory that is
// not there.
func pinned(at snapshot.Place, noHooks string) []string {
	env := append(git.WithoutSettings(at.Free), "GIT_DIR="+at.GitDir, "GIT_COMMON_DIR="+at.CommonDir,
		"GIT_WORK_TREE="+at.Root, "GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull)
	if at.CommonDir == at.Store.Path() { // its own settings hold all that the files said when they were read
		env = append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	}
	pins := git.Pins(at.Settings, noHooks)
	return append(env, git.AsEnvironment(append(git.SettingsIn(at.Free), pins...))...)
}

// Obeyed lists what git obeys of this work tree and no command may change: git
// directories, and what lies in the work tree that settings name. A path may be
// missing.
func (r *Repo) Obeyed(ctx context.Context) ([]string, error) {
	list := []string{filepath.Join(r.at.Root, ".git"), r.at.CommonDir, r.at.GitDir}
	if r.home != nil {
		list = append(list, r.home.at.CommonDir, r.home.at.GitDir)
	}
	list = append(list, r.obeys.paths()...)
	links, err := r.Listing.Submodules(ctx)
	for _, dir := range links {
		list = append(list, filepath.Join(r.at.Root, filepath.FromSlash(dir), ".git"))
	}
	return list, err
}

// Trusted lists, as globs of slash paths from the root, what lies in the work tree and is
// run or obeyed by git. No reply may change it.
func (r *Repo) Trusted() []string { return r.obeys.trusted() }

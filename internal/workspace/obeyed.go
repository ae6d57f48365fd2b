package workspace

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/git"
)

// obeyed is what git obeys in a work tree, read before any command of the repository ran.
type obeyed struct {
	root, gitDir, commonDir string

	settings []git.Setting // of all files
	filed    []git.Setting // of files alone, not of the environment
	hooks    string        // the directory of the user's hooks
	included []string      // files of settings that lie in the work tree
}

// readObeyed asks git what it obeys in a work tree.
func readObeyed(ctx context.Context, g git.Client, root, gitDir, commonDir string) (obeyed, error) {
	o := obeyed{root: root, gitDir: gitDir, commonDir: commonDir, hooks: filepath.Join(commonDir, "hooks")}
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

// in is the same for a tree of booty's own with its git directory in the store.
func (o *obeyed) in(root, gitDir, commonDir string) obeyed {
	w := obeyed{root: root, gitDir: gitDir, commonDir: commonDir, settings: o.settings, filed: o.filed,
		hooks: o.here(o.hooks, root)}
	for _, path := range o.included {
		w.included = append(w.included, o.here(path, root))
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
	rel, err := filepath.Rel(o.root, path)
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
		file = filepath.Join(o.root, file)
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
	return within(path, o.root) && !within(path, o.gitDir) && !within(path, o.commonDir)
}

// trusted lists, as globs of slash paths from the root, what lies in the work tree and is
// run or obeyed by git: hooks, included settings, and the programs of filters.
func (o *obeyed) trusted() []string {
	var list []string
	for _, path := range o.paths() {
		if rel, err := filepath.Rel(o.root, path); err == nil && rel != "." {
			list = append(list, globMeta.Replace(filepath.ToSlash(rel)))
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
			path := filepath.Join(o.root, filepath.FromSlash(word))
			if filepath.IsAbs(word) {
				path = filepath.Clean(word)
			}
			if git.LooksLikePath(word) && o.inTree(path) && path != o.root {
				list = append(list, path)
			}
		}
	}
	return list
}

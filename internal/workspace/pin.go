package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// pin settles, before any command of the repository has run, where git works
// and which programs it starts: from now on neither a file .git or commondir
// that was swapped nor a setting that came later decides that.
func (r *Repo) pin(ctx context.Context) error {
	if err := r.readTrusted(ctx); err != nil {
		return err
	}
	r.free = r.git.env
	r.git.env = r.pinned(r.gitDir, r.commonDir, r.root)
	return nil
}

// pinned is the environment of git children that work on these directories.
func (r *Repo) pinned(gitDir, commonDir, root string) []string {
	env := append(withoutSettings(r.free), "GIT_DIR="+gitDir, "GIT_COMMON_DIR="+commonDir,
		"GIT_WORK_TREE="+root,
		"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE="+os.DevNull)
	if commonDir == r.sideDir() { // its own settings hold all that the files said when they were read
		env = append(env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	}
	return append(env, asEnvironment(append(settingsIn(r.free), pins(r.settings, r.noHooks())...))...)
}

// readTrusted reads what git obeys here.
func (r *Repo) readTrusted(ctx context.Context) error {
	out, err := r.git.run(ctx, call{args: []string{"config", "--list", "--null", "--includes", "--show-origin",
		"--show-scope"}})
	if err != nil {
		return fmt.Errorf("read the repository's settings: %w", err)
	}
	fields := splitNul(out)
	for i := 0; i+2 < len(fields); i += 3 {
		key, value, ok := strings.Cut(fields[i+2], "\n")
		if !ok {
			value = "true"
		}
		set := setting{key, value}
		r.noteSource(fields[i+1], set)
		r.settings = append(r.settings, set)
		if fields[i] != "command" {
			r.filed = append(r.filed, set)
		}
	}
	// It makes the side repository, which is given the settings.
	if err := r.noteMerge(); err != nil {
		return err
	}
	r.hooks = filepath.Join(r.commonDir, "hooks")
	if !slices.ContainsFunc(r.settings, func(s setting) bool { return s.key == "core.hookspath" }) {
		return nil
	}
	hooks, err := r.git.text(ctx, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
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

// setting is one value of git's configuration, its key as git prints it.
type setting struct{ key, value string }

// valueOf is the last value of a key, "" where it is not set.
func valueOf(all []setting, key string) string {
	v := ""
	for _, s := range all {
		if strings.EqualFold(s.key, key) {
			v = s.value
		}
	}
	return v
}

// neutral are the values of settings that name a program, or lead to one, where
// nothing is set: a file that is changed later must not set them.
var neutral = []setting{
	{"core.askpass", ""}, {"gpg.program", "gpg"}, {"gpg.ssh.program", "ssh-keygen"}, {"gpg.x509.program", "gpgsm"},
	{"gpg.ssh.defaultkeycommand", ""}, {"commit.gpgsign", "false"}, {"core.sshcommand", "ssh"},
}

// fixed are settings that are booty's to decide: no monitor, no hook that git
// starts by itself, no look into submodules, no work behind its back.
var fixed = []setting{
	{"core.fsmonitor", "false"}, {"diff.ignoresubmodules", "all"}, {"submodule.recurse", "false"},
	{"status.submodulesummary", "false"},
	{"fetch.recursesubmodules", "false"}, {"push.recursesubmodules", "no"}, {"core.alternaterefscommand", "true"},
	{"maintenance.auto", "false"}, {"gc.auto", "0"}, {"rerere.enabled", "false"},
}

// pins are the settings that git children are given once more, after all files.
func pins(all []setting, noHooks string) []setting {
	var list []setting
	helpers := false
	for _, s := range all {
		if isHelper(s.key) && !helpers {
			// One helper too many would be asked as well: begin the list anew.
			list, helpers = append(list, setting{"credential.helper", ""}), true
		}
		if namesProgram(s.key) {
			list = append(list, s)
		}
	}
	for _, n := range neutral {
		if !slices.ContainsFunc(all, func(s setting) bool { return s.key == n.key }) {
			if n.key == "core.askpass" {
				n.value = os.Getenv("SSH_ASKPASS") // what git would take instead
			}
			list = append(list, n)
		}
	}
	if !helpers {
		list = append(list, setting{"credential.helper", ""})
	}
	return append(append(list, fixed...), setting{"core.hookspath", noHooks})
}

func isHelper(key string) bool {
	return strings.HasPrefix(key, "credential.") && strings.HasSuffix(key, ".helper")
}

// namesProgram reports whether a setting names a program that booty's git would
// start, or decides whether one is. Settings with several values are left out,
// but for those that begin a new list with an empty one.
func namesProgram(key string) bool {
	switch key {
	case "core.sshcommand", "core.askpass", "core.attributesfile", "core.excludesfile", "commit.gpgsign", "user.signingkey":
		return true
	}
	section, name, _ := strings.Cut(key, ".")
	name = name[strings.LastIndexByte(name, '.')+1:]
	switch section {
	case "filter", "gpg":
		return true
	case "credential":
		return name == "helper" || name == "usehttppath" || name == "username"
	case "merge":
		return name == "driver" || name == "recursive"
	case "diff":
		return name == "command" || name == "textconv"
	case "remote":
		return name == "uploadpack" || name == "receivepack" || name == "vcs"
	}
	return false
}

// asEnvironment writes settings as git reads them from the environment.
func asEnvironment(list []setting) []string {
	env := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(list))}
	for i, s := range list {
		n := strconv.Itoa(i)
		env = append(env, "GIT_CONFIG_KEY_"+n+"="+s.key, "GIT_CONFIG_VALUE_"+n+"="+s.value)
	}
	return env
}

// withoutSettings takes the settings out of an environment.
func withoutSettings(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_CONFIG_COUNT=") || strings.HasPrefix(kv, "GIT_CONFIG_KEY_") ||
			strings.HasPrefix(kv, "GIT_CONFIG_VALUE_")
	})
}

// settingsIn gives the settings that an environment holds, such as
// safe.directory in CI.
func settingsIn(env []string) []setting {
	values := map[string]string{}
	for _, kv := range env {
		if name, value, _ := strings.Cut(kv, "="); strings.HasPrefix(name, "GIT_CONFIG_") {
			values[name] = value
		}
	}
	n, err := strconv.Atoi(values["GIT_CONFIG_COUNT"])
	if err != nil {
		return nil
	}
	var list []setting
	for i := range n {
		if key := values["GIT_CONFIG_KEY_"+strconv.Itoa(i)]; key != "" {
			list = append(list, setting{key, values["GIT_CONFIG_VALUE_"+strconv.Itoa(i)]})
		}
	}
	return list
}

// noteSource notes files of settings that lie in the work tree, where replies could
// change or make them: those that git has read, and those that an include names.
func (r *Repo) noteSource(origin string, s setting) {
	file, ok := strings.CutPrefix(origin, "file:")
	if !ok {
		return
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.root, file)
	}
	named := []string{file}
	if s.key == "include.path" ||
		strings.HasPrefix(s.key, "includeif.") && strings.HasSuffix(s.key, ".path") ||
		s.key == "core.attributesfile" {
		path := filepath.FromSlash(s.value)
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
		if !namesProgram(s.key) {
			continue
		}
		for _, word := range strings.Fields(strings.TrimPrefix(s.value, "!")) {
			word = strings.Trim(word, `"'`)
			path := filepath.Join(r.root, filepath.FromSlash(word))
			if filepath.IsAbs(word) {
				path = filepath.Clean(word)
			}
			if looksLikePath(word) && r.inTree(path) && path != r.root {
				list = append(list, path)
			}
		}
	}
	return list
}

// looksLikePath reports whether a word of a command names a file by its place.
func looksLikePath(word string) bool {
	return strings.ContainsRune(word, '/') && !strings.HasPrefix(word, "-") &&
		!strings.ContainsAny(word, "%$|;&<>")
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

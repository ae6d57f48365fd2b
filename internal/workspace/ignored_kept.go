package workspace

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// answers are what git said of which paths it ignores. A run asks the same of the same
// paths several times; an answer stands while all that decides it is as it was.
type answers struct {
	mu   sync.Mutex
	kept map[string]answer
}

// answer is one, and what the file system said just before of all that decides it.
type answer struct {
	ignored []string
	by      []stamp
}

// maxAnswers bounds what is remembered.
const maxAnswers = 32

func (a *answers) of(question string, by []stamp) ([]string, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	was, ok := a.kept[question]
	return slices.Clone(was.ignored), ok && slices.Equal(was.by, by)
}

func (a *answers) keep(question string, was answer) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.kept == nil || len(a.kept) >= maxAnswers {
		a.kept = map[string]answer{}
	}
	was.ignored = slices.Clone(was.ignored)
	a.kept[question] = was
}

// ignoredBy looks at what decides whether paths are ignored: the files of patterns, the
// index, and of what lies at the paths and on the way to them, what it is. It is false
// where that cannot be told, or a link hides it.
func (r *Repo) ignoredBy(paths []string) ([]stamp, bool) {
	own, ok := r.excludeFile()
	if !ok {
		return nil, false
	}
	files := []string{
		own, r.indexPath(), filepath.Join(r.commonDir, "info", "exclude"), filepath.Join(r.root, ".gitignore"),
	}
	var dirs []string
	seen := map[string]bool{}
	for _, p := range paths {
		for dir := path.Dir(p); dir != "." && dir != "/" && !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			files = append(files, filepath.Join(r.root, filepath.FromSlash(dir), ".gitignore"))
			dirs = append(dirs, dir)
		}
	}
	var by []stamp
	for _, name := range files {
		if info, err := os.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return nil, false
		}
		by = append(by, stampOf(name))
	}
	for _, p := range dirs {
		is := stampOf(filepath.Join(r.root, filepath.FromSlash(p)))
		by = append(by, stamp{mode: is.mode, inode: is.inode})
	}
	for _, p := range paths {
		by = append(by, stamp{mode: stampOf(filepath.Join(r.root, filepath.FromSlash(p))).mode})
	}
	return by, true
}

// excludeFile is where the user's own patterns stand, false where that is not certain.
func (r *Repo) excludeFile() (name string, ok bool) {
	home, settings := "", ""
	for _, kv := range r.git.env {
		switch name, value, _ := strings.Cut(kv, "="); name {
		case "XDG_CONFIG_HOME":
			settings = value
		case "HOME":
			home = value
		}
	}
	set := valueOf(r.settings, "core.excludesfile")
	switch rest, below := strings.CutPrefix(set, "~/"); {
	case below && home != "":
		return filepath.Join(home, rest), true
	case set != "":
		return set, filepath.IsAbs(set)
	case settings == "":
		settings = filepath.Join(home, ".config")
	}
	return filepath.Join(settings, "git", "ignore"), true
}

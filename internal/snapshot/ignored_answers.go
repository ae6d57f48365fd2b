package snapshot

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/git"
)

// ignoreAnswers keeps what git said about ignored paths: a run asks about the same few
// paths before and after each step. An answer holds for as long as all that git read for
// it is the same.
type ignoreAnswers struct {
	mu    sync.Mutex
	known map[string]ignoreAnswer
}

type ignoreAnswer struct {
	read    []fs.FileInfo
	ignored bool
}

// get gives the answer about a path, if one is known that git would give again.
func (a *ignoreAnswers) get(path string, read []fs.FileInfo) (ignored, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	known, ok := a.known[path]
	return known.ignored, ok && read != nil && slices.EqualFunc(known.read, read, Unchanged)
}

func (a *ignoreAnswers) put(path string, read []fs.FileInfo, ignored bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.known == nil {
		a.known = map[string]ignoreAnswer{}
	}
	a.known[path] = ignoreAnswer{read, ignored}
}

// Unchanged reports whether a file is as it was. Of a directory only that it is one counts.
func Unchanged(was, is fs.FileInfo) bool {
	switch {
	case was == nil || is == nil:
		return was == nil && is == nil
	case was.Mode().Type() != is.Mode().Type():
		return false
	}
	return is.IsDir() || os.SameFile(was, is) && was.Size() == is.Size() && was.ModTime().Equal(is.ModTime())
}

// readForIgnored looks at all that git reads to tell whether it ignores a path: its index, the
// exclude files, the path, and each directory above it with its .gitignore. It is nil where
// the settings name a file in a way that is not understood here, and for odd paths.
func (p Place) readForIgnored(name string) []fs.FileInfo {
	home, config := p.variable("HOME"), p.variable("XDG_CONFIG_HOME")
	exclude := git.ValueOf(p.Settings, "core.excludesfile")
	switch below, inHome := strings.CutPrefix(exclude, "~/"); {
	case exclude == "" && config != "":
		exclude = filepath.Join(config, "git", "ignore")
	case exclude == "":
		exclude = filepath.Join(home, ".config", "git", "ignore")
	case inHome:
		exclude = filepath.Join(home, below)
	}
	if !filepath.IsAbs(exclude) || !fs.ValidPath(name) { // foreign text names paths, too
		return nil
	}
	var read []fs.FileInfo
	for _, file := range []string{exclude, filepath.Join(p.CommonDir, "info", "exclude"), filepath.Join(p.GitDir, "index")} {
		info, _ := os.Stat(file)
		read = append(read, info)
	}
	for at := name; at != "."; {
		info, _ := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(at)))
		at = path.Dir(at)
		rules, _ := os.Lstat(filepath.Join(p.Root, filepath.FromSlash(at), ".gitignore"))
		read = append(read, info, rules)
	}
	return read
}

// variable gives a variable as git's children see it.
func (p Place) variable(name string) string {
	value := ""
	for _, set := range p.Free {
		if v, ok := strings.CutPrefix(set, name+"="); ok {
			value = v
		}
	}
	return value
}

package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// makeDir makes a directory where there is none; a failure shows where it is
// used. What was made is remembered, the deepest last.
func (p *Plan) makeDir(path string) {
	var missing []string
	for dir := path; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		missing = append(missing, dir)
	}
	for _, dir := range slices.Backward(missing) {
		if os.Mkdir(dir, 0o755) == nil {
			p.made = append(p.made, dir)
		}
	}
}

// unmake removes the directories that were made and that nobody used.
func (p *Plan) unmake() {
	for _, dir := range slices.Backward(p.made) {
		_ = os.Remove(dir) // it stays where something is in it
	}
	p.made = nil
}

// project is the root as it shows which tools it is built with. It is looked at
// once.
type project struct {
	c Config
	// names are those of the files near the top, and "*" with what they end in from each
	// of their dots on.
	names map[string]bool
}

// signDepth is how deep below the root, and signFiles among how many files, the
// signs of a tool are looked for.
const (
	signDepth = 4
	signFiles = 20000
)

// uses reports whether the project, or one of its commands, has to do with a tool.
func (w *project) uses(t tool) bool {
	if slices.ContainsFunc(strings.Fields(t.names), w.called) {
		return true
	}
	w.look()
	return slices.ContainsFunc(strings.Fields(t.signs), w.has)
}

// has reports whether a file near the top fits a sign.
func (w *project) has(sign string) bool {
	if w.names[sign] || !strings.ContainsAny(strings.TrimPrefix(sign, "*."), wildcards) {
		return w.names[sign]
	}
	for name := range w.names {
		if ok, err := filepath.Match(sign, name); ok && err == nil {
			return true
		}
	}
	return false
}

// wildcards are the letters by which a sign is a pattern.
const wildcards = `*?[\`

func (w *project) installed(tool string) bool {
	_, err := w.c.LookPath(tool)
	return err == nil
}

// called looks for a tool among the words of the commands.
func (w *project) called(tool string) bool {
	for _, command := range w.c.Commands {
		for _, word := range strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" \t\n;&|()\"'`", r) }) {
			if filepath.Base(word) == tool {
				return true
			}
		}
	}
	return false
}

// look lists the names of the files near the top of the root.
func (w *project) look() {
	if w.names != nil {
		return
	}
	left := signFiles
	w.names = map[string]bool{}
	_ = filepath.WalkDir(w.c.Root, func(path string, d fs.DirEntry, err error) error {
		if left--; left < 0 {
			return filepath.SkipAll
		}
		switch {
		case err != nil:
			return nil //nolint:nilerr // what cannot be read shows nothing
		case path == w.c.Root:
		case d.IsDir():
			rel := strings.TrimPrefix(path, w.c.Root)
			if d.Name() == ".git" || d.Name() == "node_modules" || strings.Count(rel, string(filepath.Separator)) >= signDepth {
				return filepath.SkipDir
			}
		default:
			w.add(d.Name())
		}
		return nil
	})
}

func (w *project) add(name string) {
	w.names[name] = true
	for rest := name; ; {
		_, end, ok := strings.Cut(rest, ".")
		if !ok {
			return
		}
		w.names["*."+end], rest = true, end
	}
}

package tree

import (
	"path"
	"strings"
)

// goModule finds the module a file belongs to: its path and its folder.
func (t *Tree) goModule(file string) (mod, dir string) {
	for dir = path.Dir(file); ; dir = path.Dir(dir) {
		if gm := path.Join(dir, "go.mod"); t.Exists(gm) {
			for _, s := range t.Lines(gm) {
				if m, ok := strings.CutPrefix(strings.TrimSpace(s), "module "); ok {
					return strings.Trim(strings.TrimSpace(m), `"`), dir
				}
			}
		}
		if dir == "." || dir == "/" {
			return "", "."
		}
	}
}

func (t *Tree) goImports(file string, lines []string, add func(string)) {
	mod, modDir := t.goModule(file)
	// The other files of the package come first: no import names them.
	for _, f := range t.inDir(path.Dir(file), ".go") {
		if !strings.HasSuffix(f, "_test.go") {
			add(f)
		}
	}
	block := false
	for _, s := range lines {
		s = strings.TrimSpace(s)
		switch {
		case strings.HasPrefix(s, "import ("):
			block = true
			continue
		case block && s == ")":
			block = false
			continue
		case strings.HasPrefix(s, "func "):
			return
		case !block && !strings.HasPrefix(s, "import "):
			continue
		}
		_, p, _ := strings.Cut(s, `"`)
		p, _, _ = strings.Cut(p, `"`)
		if mod == "" || p != mod && !strings.HasPrefix(p, mod+"/") {
			continue
		}
		for _, f := range t.inDir(path.Join(modDir, strings.TrimPrefix(p, mod)), ".go") {
			if !strings.HasSuffix(f, "_test.go") {
				add(f)
			}
		}
	}
}

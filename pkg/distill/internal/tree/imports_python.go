package tree

import (
	"path"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	rePyFrom   = text.Lazy(`^\s*from\s+(\.*)([\w\p{L}.]*)\s+import\s+(.+)$`)
	rePyImport = text.Lazy(`^\s*import\s+(.+)$`)
)

// pyModule adds the files of a module below a folder.
func (t *Tree) pyModule(base, mod string, add func(string)) bool {
	p := path.Join(base, strings.ReplaceAll(mod, ".", "/"))
	hit := false
	for _, c := range []string{p + ".py", p + "/__init__.py", p + ".pyx", p + ".pyi"} {
		if t.Exists(c) {
			add(c)
			hit = true
		}
	}
	return hit
}

// pyFind adds the files of a module where Python would look for it.
func (t *Tree) pyFind(dir, mod string, add func(string)) {
	if mod == "" {
		return
	}
	for _, base := range append([]string{dir, ".", "src", path.Dir(dir), "lib", "app"}, t.folder...) {
		if t.pyModule(base, mod, add) {
			return
		}
	}
	if p := strings.ReplaceAll(mod, ".", "/"); strings.Contains(p, "/") {
		if q, ok := t.BySuffix(p+".py", ""); ok {
			add(q)
		}
	}
}

func (t *Tree) pyImports(file string, lines []string, add func(string)) {
	dir := path.Dir(file)
	for i, s := range lines {
		if !strings.Contains(s, "import") {
			continue
		}
		if m := rePyFrom().FindStringSubmatch(s); m != nil {
			names := m[3]
			if strings.HasPrefix(strings.TrimSpace(names), "(") {
				for j := i + 1; j < len(lines) && j < i+30 && !strings.Contains(names, ")"); j++ {
					names += " " + lines[j]
				}
			}
			t.pyFrom(dir, m[1], m[2], names, add)
		} else if m := rePyImport().FindStringSubmatch(s); m != nil {
			for _, n := range strings.Split(m[1], ",") {
				if n = strings.TrimSpace(n); n != "" {
					t.pyFind(dir, strings.Fields(n)[0], add)
				}
			}
		}
	}
	// Fixtures come from conftest.py without being imported.
	for d := dir; IsTestFile(file) && path.Base(file) != "conftest.py"; d = path.Dir(d) {
		add(path.Join(d, "conftest.py"))
		if d == "." || d == "/" {
			break
		}
	}
}

// above gives the folder that the dots of a relative import mean.
func above(dir, dots string) string {
	for range max(0, len(dots)-1) {
		dir = path.Dir(dir)
	}
	return dir
}

// pyFrom adds what "from mod import names" means.
func (t *Tree) pyFrom(dir, dots, mod, names string, add func(string)) {
	base := above(dir, dots)
	if dots == "" {
		t.pyFind(dir, mod, add)
	} else if mod != "" {
		t.pyModule(base, mod, add)
	}
	for _, n := range strings.FieldsFunc(names,
		func(c rune) bool { return strings.ContainsRune(",() ", c) }) {
		sub := strings.Trim(mod+"."+n, ".")
		switch {
		case n == "as" || n == "*":
		case dots != "":
			t.pyModule(base, sub, add)
		case mod != "":
			t.pyFind(dir, sub, add)
		}
	}
}

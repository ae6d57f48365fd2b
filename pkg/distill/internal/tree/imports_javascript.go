package tree

import (
	"path"
	"strings"
)

var jsExts = []string{"", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte",
	"/index.ts", "/index.tsx", "/index.js", "/index.mjs", "/index.cjs", "/index.jsx"}

func (t *Tree) jsFile(p string) string {
	for _, e := range jsExts {
		if e == "" && path.Ext(p) == "" {
			continue
		}
		if t.Exists(p + e) {
			return p + e
		}
	}
	// TypeScript sources are imported under the name of what they compile to.
	for from, to := range map[string][]string{".js": {".ts", ".tsx"}, ".mjs": {".mts"}, ".cjs": {".cts"},
		".jsx": {".tsx"}} {
		if stem, ok := strings.CutSuffix(p, from); ok {
			for _, e := range to {
				if t.Exists(stem + e) {
					return stem + e
				}
			}
		}
	}
	return ""
}

func (t *Tree) jsImports(file string, lines []string, add func(string)) {
	for _, s := range lines {
		if !strings.Contains(s, "from") && !strings.Contains(s, "require") &&
			!strings.Contains(s, "import") && !strings.Contains(s, "mock") {
			continue
		}
		for _, m := range reJSImport().FindAllStringSubmatch(s, 8) {
			p := m[1]
			switch {
			case strings.HasPrefix(p, "."):
				add(t.jsFile(path.Join(path.Dir(file), p)))
			case strings.HasPrefix(p, "@/") || strings.HasPrefix(p, "~/") || strings.HasPrefix(p, "#"):
				rest := strings.TrimLeft(p, "@~#/")
				for _, base := range []string{"src", ".", "app", "lib"} {
					add(t.jsFile(path.Join(base, rest)))
				}
			case !strings.HasPrefix(p, "node:"):
				// A workspace's package, or a path from the root.
				add(t.jsFile(p))
				add(t.jsFile(path.Join("src", p)))
				name := p[strings.LastIndexByte(p, '/')+1:]
				for _, base := range []string{"packages", "libs", "apps", "modules"} {
					for _, in := range []string{"src/index", "index", "lib/index"} {
						add(t.jsFile(path.Join(base, name, in)))
					}
				}
			}
		}
	}
}

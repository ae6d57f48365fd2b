package tree

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var reRustUse = text.Lazy(`^\s*(?:pub(?:\([\w:]+\))?\s+)?(?:use|mod|extern crate)\s+([\w:]+)|` +
	`\b((?:crate|super)::[a-z0-9_:]+)`)

func (t *Tree) rustImports(file string, lines []string, add func(string)) {
	src := "src"
	if i := strings.LastIndex("/"+file, "/src/"); i >= 0 {
		src = file[:i+3]
	} else if i := strings.LastIndex("/"+file, "/tests/"); i >= 0 {
		src = path.Join(file[:max(0, i)], "src")
	}
	crate := t.crateNames(path.Dir(src))
	dir := path.Dir(file)
	stem := strings.TrimSuffix(path.Base(file), ".rs")
	inside := dir
	if stem != "lib" && stem != "main" && stem != "mod" {
		inside = path.Join(dir, stem)
	}
	module := func(base string, parts []string) {
		for n := len(parts); n > 0; n-- {
			p := path.Join(append([]string{base}, parts[:n]...)...)
			add(p + ".rs")
			add(p + "/mod.rs")
		}
	}
	for _, s := range lines {
		m := reRustUse().FindStringSubmatch(s)
		if m == nil {
			continue
		}
		parts := strings.Split(strings.Trim(m[1]+m[2], ":"), "::")
		switch {
		case strings.Contains(s, "mod ") && len(parts) == 1:
			module(inside, parts)
		case parts[0] == "crate":
			module(src, parts[1:])
			add(path.Join(src, "lib.rs"))
		case parts[0] == "super":
			module(dir, parts[1:])
			if len(parts) > 1 {
				module(path.Dir(dir), parts[1:])
			}
		case parts[0] == "self":
			module(inside, parts[1:])
		case slices.Contains(crate, parts[0]):
			add(path.Join(src, "lib.rs"))
			module(src, parts[1:])
		default:
			module(inside, parts)
			for _, base := range []string{"crates", "libs", "."} { // another crate of the workspace
				for _, name := range []string{parts[0], strings.ReplaceAll(parts[0], "_", "-")} {
					add(path.Join(base, name, "src/lib.rs"))
					module(path.Join(base, name, "src"), parts[1:])
				}
			}
		}
	}
	if stem != "lib" && stem != "main" && strings.HasPrefix(file, src+"/") {
		add(path.Join(src, "lib.rs"))
		add(path.Join(src, "main.rs"))
	}
}

func (t *Tree) crateNames(dir string) []string {
	var out []string
	for _, s := range t.Lines(path.Join(dir, "Cargo.toml")) {
		if k, v, ok := strings.Cut(s, "="); ok && strings.TrimSpace(k) == "name" {
			out = append(out, strings.ReplaceAll(strings.Trim(strings.TrimSpace(v), `"'`), "-", "_"))
		}
	}
	return out
}

package locate

import (
	"path"
	"strings"
)

func (ix *Index) resolveGo(imp string) []int32 {
	for _, m := range ix.ways.goModules {
		rest, ok := strings.CutPrefix(imp, m.prefix)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		if n, ok := ix.dirNumber[strings.Trim(path.Join(m.dir, rest), "/")]; ok {
			return []int32{^n}
		}
	}
	return nil
}

func (ix *Index) resolvePython(from, imp string) []int32 {
	dots := 0
	for dots < len(imp) && imp[dots] == '.' {
		dots++
	}
	p := strings.ReplaceAll(imp[dots:], ".", "/")
	exts := []string{".py", "/__init__.py", ".pyi", ".pyx"}
	try := func(at string) int32 {
		for _, e := range exts {
			if i, ok := ix.byPath[strings.TrimPrefix(path.Join(at, p)+e, "/")]; ok {
				return i
			}
		}
		return -1
	}
	if dots > 0 {
		at := dir(from)
		for range dots - 1 {
			at = dir(at)
		}
		return ix.one(try(at))
	}
	if p == "" {
		return nil
	}
	for at := dir(from); ; at = dir(at) {
		if i := try(at); i >= 0 {
			return []int32{i}
		}
		if i := try(path.Join(at, "src")); i >= 0 {
			return []int32{i}
		}
		if at == "" {
			break
		}
	}
	if strings.Contains(p, "/") {
		for _, e := range exts {
			if i := ix.suffix(from, p+e); i >= 0 {
				return []int32{i}
			}
		}
	}
	return nil
}

// scriptEnds are what may be left out after the path of a JavaScript import.
var scriptEnds = []string{"", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".vue", ".svelte",
	"/index.ts", "/index.tsx", "/index.js", "/index.jsx", "/index.mjs", "/index.cjs"}

func (ix *Index) scriptFile(p string) int32 {
	for _, e := range scriptEnds {
		if i, ok := ix.byPath[p+e]; ok {
			return i
		}
	}
	for _, e := range []string{".js", ".jsx", ".mjs", ".cjs"} { // TypeScript names what it will be compiled to
		if stem, ok := strings.CutSuffix(p, e); ok {
			for _, t := range []string{".ts", ".tsx", ".mts", ".cts"} {
				if i, ok := ix.byPath[stem+t]; ok {
					return i
				}
			}
		}
	}
	return -1
}

func (ix *Index) resolveScript(from, imp string) int32 {
	imp, _, _ = strings.Cut(imp, "?")
	if strings.HasPrefix(imp, ".") {
		return ix.scriptFile(strings.TrimPrefix(path.Join(dir(from), imp), "/"))
	}
	for _, a := range ix.ways.aliases {
		if a.scope != "" && !strings.HasPrefix(from, a.scope+"/") || len(imp) < len(a.prefix)+len(a.suffix) ||
			!strings.HasPrefix(imp, a.prefix) || !strings.HasSuffix(imp, a.suffix) {
			continue
		}
		star := imp[len(a.prefix) : len(imp)-len(a.suffix)]
		for _, t := range a.targets {
			if i := ix.scriptFile(path.Clean(strings.Replace(t, "*", star, 1))); i >= 0 {
				return i
			}
		}
	}
	for _, k := range []string{"@/", "~/", "src/", "/"} {
		if rest, ok := strings.CutPrefix(imp, k); ok {
			for at := dir(from); ; at = dir(at) {
				if i := ix.scriptFile(path.Join(at, "src", rest)); i >= 0 {
					return i
				}
				if at == "" {
					break
				}
			}
			return ix.scriptFile(rest)
		}
	}
	name, rest := imp, ""
	for name != "" {
		if d, ok := ix.ways.packages[name]; ok {
			for _, in := range []string{"src", "", "lib"} {
				if i := ix.scriptFile(path.Join(d, in, or(rest, "index"))); i >= 0 {
					return i
				}
			}
			return -1
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			break
		}
		name, rest = name[:i], imp[i+1:]
	}
	return -1
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func (ix *Index) resolveRust(from, imp string) int32 {
	module := func(p string) int32 {
		for _, e := range []string{".rs", "/mod.rs", "/lib.rs", "/main.rs"} {
			if i, ok := ix.byPath[strings.TrimPrefix(p+e, "/")]; ok {
				return i
			}
		}
		return -1
	}
	inner := path.Join(dir(from), stemOf(from)) // where this file's own modules lie
	switch base(from) {
	case "mod.rs", "lib.rs", "main.rs":
		inner = dir(from)
	}
	if m, ok := strings.CutPrefix(imp, "mod "); ok {
		if i := module(path.Join(inner, m)); i >= 0 {
			return i
		}
		return module(path.Join(dir(from), m))
	}
	parts := strings.Split(imp, "::")
	at := inner
	switch parts[0] {
	case "crate":
		at = "src"
		if i := strings.LastIndex("/"+from, "/src/"); i >= 0 {
			at = from[:i] + "src"
		}
	case "self":
	case "super":
		at = dir(inner)
	default:
		d, ok := ix.ways.crates[parts[0]]
		if !ok {
			return -1
		}
		at = path.Join(d, "src")
	}
	for n := len(parts); n > 1; n-- {
		if i := module(path.Join(append([]string{at}, parts[1:n]...)...)); i >= 0 {
			return i
		}
	}
	if i, ok := ix.byPath[strings.TrimPrefix(at+"/lib.rs", "/")]; ok {
		return i
	}
	return module(at)
}

func (ix *Index) resolveJVM(from, imp string) []int32 {
	if p, ok := strings.CutSuffix(imp, ".*"); ok {
		return ix.folder(strings.ReplaceAll(p, ".", "/"))
	}
	p := strings.ReplaceAll(imp, ".", "/")
	for range 2 { // a nested class or a static member lies in the file of its owner
		for _, e := range []string{".java", ".kt", ".scala", ".groovy"} {
			if i := ix.suffix(from, p+e); i >= 0 {
				return []int32{i}
			}
		}
		p = dir(p)
		if p == "" {
			break
		}
	}
	return nil
}

func (ix *Index) resolvePHP(from, imp string) int32 {
	if strings.HasPrefix(imp, "./") {
		return ix.near(from, imp, []string{""})
	}
	for _, m := range ix.ways.psr4 {
		if rest, ok := strings.CutPrefix(imp, m.prefix); ok {
			if i, ok := ix.byPath[path.Join(m.dir, strings.ReplaceAll(rest, "\\", "/"))+".php"]; ok {
				return i
			}
		}
	}
	return ix.suffix(from, base(strings.ReplaceAll(imp, "\\", "/"))+".php")
}

// resolveC finds a header, and with it the source of the same name, which
// holds what the header only declares.
func (ix *Index) resolveC(from, imp string) []int32 {
	h := ix.near(from, imp, []string{""}, "include/", "src/")
	if h < 0 {
		return nil
	}
	out := []int32{h}
	for _, i := range ix.byStem[stemOf(imp)] {
		if d := &ix.docs[i]; i != h && d.lang == clang && !d.test && len(out) < 3 {
			out = append(out, i)
		}
	}
	return out
}

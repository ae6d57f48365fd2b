package locate

import (
	"encoding/json"
	"path"
	"sort"
	"strings"
)

// ways are what a repository's own settings say about where imports lead.
type ways struct {
	goModules []place // module path -> folder
	aliases   []alias // of tsconfig.json
	packages  map[string]string
	crates    map[string]string
	psr4      []place
}

// place is a prefix of names and the folder it stands for.
type place struct{ prefix, dir string }

// alias is an entry of tsconfig's paths, or a baseUrl (with an empty prefix).
type alias struct {
	scope, prefix, suffix string
	targets               []string
}

// waySettings tells the files that ways are made of.
func waySettings(p string) bool {
	switch b := base(p); b {
	case "go.mod", "package.json", "composer.json", "Cargo.toml", "jsconfig.json":
		return true
	default:
		return strings.HasPrefix(b, "tsconfig") && strings.HasSuffix(b, ".json")
	}
}

func newWays(ix *Index, settings map[int32][]byte) *ways {
	w := &ways{packages: map[string]string{}, crates: map[string]string{}}
	for i := range ix.docs {
		data, ok := settings[int32(i)]
		if !ok {
			continue
		}
		p := ix.docs[i].path
		switch base(p) {
		case "go.mod":
			if m := lineValue(string(data), "module "); m != "" {
				w.goModules = append(w.goModules, place{strings.Trim(m, "\""), dir(p)})
			}
		case "package.json":
			var v struct{ Name string }
			if json.Unmarshal(data, &v) == nil && v.Name != "" {
				w.packages[v.Name] = dir(p)
			}
		case "Cargo.toml":
			if m := lineValue(string(data), "name = "); m != "" {
				w.crates[strings.ReplaceAll(strings.Trim(m, "\""), "-", "_")] = dir(p)
			}
		case "composer.json":
			w.composer(dir(p), data)
		default:
			w.tsconfig(dir(p), data)
		}
	}
	byLength := func(s []place) {
		sort.SliceStable(s, func(i, j int) bool { return len(s[i].prefix) > len(s[j].prefix) })
	}
	byLength(w.goModules)
	byLength(w.psr4)
	sort.SliceStable(w.aliases, func(i, j int) bool {
		a, b := w.aliases[i], w.aliases[j]
		if len(a.scope) != len(b.scope) {
			return len(a.scope) > len(b.scope)
		}
		return len(a.prefix) > len(b.prefix)
	})
	return w
}

func lineValue(text, key string) string {
	for line := range lines(text) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), key); ok {
			v, _, _ = strings.Cut(v, "//")
			return strings.TrimSpace(v)
		}
	}
	return ""
}

func (w *ways) composer(in string, data []byte) {
	type loads struct {
		PSR4 map[string]any `json:"psr-4"`
	}
	var v struct {
		Autoload loads `json:"autoload"`
		Dev      loads `json:"autoload-dev"`
	}
	if json.Unmarshal(data, &v) != nil {
		return
	}
	for _, m := range []map[string]any{v.Autoload.PSR4, v.Dev.PSR4} {
		for prefix, to := range m {
			list, ok := to.([]any)
			if !ok {
				list = []any{to}
			}
			for _, t := range list {
				if s, ok := t.(string); ok {
					w.psr4 = append(w.psr4, place{prefix, path.Join(in, s)})
				}
			}
		}
	}
	sort.Slice(w.psr4, func(i, j int) bool {
		return w.psr4[i].prefix+w.psr4[i].dir < w.psr4[j].prefix+w.psr4[j].dir
	})
}

func (w *ways) tsconfig(in string, data []byte) {
	var v struct {
		CompilerOptions struct {
			BaseURL *string             `json:"baseUrl"`
			Paths   map[string][]string `json:"paths"`
		} `json:"compilerOptions"`
	}
	if json.Unmarshal(withoutComments(data), &v) != nil {
		return
	}
	from := in
	if u := v.CompilerOptions.BaseURL; u != nil {
		from = path.Join(in, *u)
		w.aliases = append(w.aliases, alias{scope: in, targets: []string{path.Join(from, "*")}})
	}
	var keys []string
	for k := range v.CompilerOptions.Paths {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		prefix, suffix, _ := strings.Cut(k, "*")
		a := alias{scope: in, prefix: prefix, suffix: suffix}
		for _, t := range v.CompilerOptions.Paths[k] {
			a.targets = append(a.targets, path.Join(from, t))
		}
		w.aliases = append(w.aliases, a)
	}
}

// withoutComments makes JSON of the JSON with comments and trailing commas
// that tsconfig files are written in.
func withoutComments(data []byte) []byte {
	out := make([]byte, 0, len(data))
	inString := false
	for i := 0; i < len(data); i++ {
		c := data[i]
		switch {
		case inString:
			out = append(out, c)
			if c == '\\' && i+1 < len(data) {
				i++
				out = append(out, data[i])
			} else if c == '"' {
				inString = false
			}
		case c == '"':
			inString = true
			out = append(out, c)
		case c == '/' && i+1 < len(data) && data[i+1] == '/':
			for i < len(data) && data[i] != '\n' {
				i++
			}
		case c == '/' && i+1 < len(data) && data[i+1] == '*':
			for i += 2; i+1 < len(data) && (data[i] != '*' || data[i+1] != '/'); i++ {
			}
			i++
		case c == '}' || c == ']':
			j := len(out)
			for j > 0 && strings.IndexByte(" \t\r\n", out[j-1]) >= 0 {
				j--
			}
			if j > 0 && out[j-1] == ',' {
				out = append(out[:j-1], out[j:]...)
			}
			out = append(out, c)
		default:
			out = append(out, c)
		}
	}
	return out
}

// resolve names the files (or, negative, the folders) that an import leads to.
func (ix *Index) resolve(from *doc, imp string) []int32 {
	switch from.lang {
	case golang:
		return ix.resolveGo(imp)
	case python:
		return ix.resolvePython(from.path, imp)
	case script:
		return ix.one(ix.resolveScript(from.path, imp))
	case rust:
		return ix.one(ix.resolveRust(from.path, imp))
	case jvm:
		return ix.resolveJVM(from.path, imp)
	case csharp:
		return ix.folder(strings.ReplaceAll(imp, ".", "/"))
	case ruby:
		return ix.one(ix.near(from.path, strings.TrimSuffix(imp, ".rb"), []string{".rb"}, "lib/", "app/", "spec/", "test/"))
	case php:
		return ix.one(ix.resolvePHP(from.path, imp))
	case clang:
		return ix.resolveC(from.path, imp)
	case elixir:
		return ix.one(ix.near(from.path, snake(strings.ReplaceAll(imp, ".", "/")), []string{".ex", ".exs"}, "lib/"))
	case lua:
		return ix.one(ix.near(from.path, strings.ReplaceAll(imp, ".", "/"), []string{".lua", "/init.lua"}, "lua/", "src/"))
	case dart:
		if rest, ok := strings.CutPrefix(imp, "package:"); ok {
			_, imp, _ = strings.Cut(rest, "/")
		}
		return ix.one(ix.near(from.path, imp, []string{""}, "lib/"))
	case shell:
		return ix.one(ix.near(from.path, strings.TrimPrefix(imp, "/"), []string{"", ".sh", ".bash"}))
	}
	return nil
}

func (ix *Index) one(i int32) []int32 {
	if i < 0 {
		return nil
	}
	return []int32{i}
}

// folder gives the folder whose path ends with suffix, if there is one alone.
func (ix *Index) folder(suffix string) []int32 {
	var found []int32
	for _, n := range ix.dirsByBase[base(suffix)] {
		if d := ix.dirs[n].path; d == suffix || strings.HasSuffix(d, "/"+suffix) {
			found = append(found, ^n)
		}
	}
	if len(found) > 2 {
		return nil
	}
	return found
}

// near looks for p with one of the extensions: beside the importing file, at
// the top, below the usual folders, at last anywhere by the end of its path.
func (ix *Index) near(from, p string, exts []string, below ...string) int32 {
	if p == "" {
		return -1
	}
	relative := strings.HasPrefix(p, ".")
	tries := []string{path.Join(dir(from), p)}
	if !relative {
		tries = append(tries, p)
		for _, b := range below {
			tries = append(tries, b+p)
		}
	}
	for _, t := range tries {
		for _, e := range exts {
			if i, ok := ix.byPath[t+e]; ok {
				return i
			}
		}
	}
	if relative {
		p = strings.TrimLeft(p, "./")
	}
	for _, e := range exts {
		if i := ix.suffix(from, p+e); i >= 0 {
			return i
		}
	}
	return -1
}

// suffix gives the file whose path ends with p and lies closest to from.
func (ix *Index) suffix(from, p string) int32 {
	best, most := int32(-1), -1
	list := ix.byBase[base(p)]
	if len(list) > 200 {
		return -1
	}
	for _, i := range list {
		if q := ix.docs[i].path; q == p || strings.HasSuffix(q, "/"+p) {
			if n := commonDirs(from, q); n > most {
				best, most = i, n
			}
		}
	}
	return best
}

// commonDirs counts the leading folders that two paths share.
func commonDirs(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n++
		}
	}
	return n
}

// snake turns CamelCase into snake_case, slashes kept.
func snake(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if upper(c) {
			if i > 0 && s[i-1] != '/' && !upper(s[i-1]) {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteByte(c)
	}
	return b.String()
}

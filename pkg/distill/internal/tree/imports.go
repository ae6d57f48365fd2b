package tree

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// maxImports bounds how many files are looked at for one failure.
const maxImports = 60

// importsOf follows the imports of a file inside the project, level by level:
// the first level is what the file itself imports.
func ImportsOf(root *Tree, file string, depth int) [][]string {
	seen := map[string]bool{file: true}
	var levels [][]string
	now := []string{file}
	for range depth {
		var next []string
		for _, f := range now {
			for _, imp := range root.imports(f) {
				if !seen[imp] && len(seen) < maxImports {
					seen[imp] = true
					next = append(next, imp)
				}
			}
		}
		if len(next) == 0 {
			break
		}
		levels = append(levels, next)
		now = next
	}
	return levels
}

// imports gives the files of the project that a file names, by the rules of
// its language.
func (t *Tree) imports(file string) []string {
	if got, ok := t.imported[file]; ok {
		return got
	}
	lines := t.Lines(file)
	if len(lines) > 4000 {
		lines = lines[:4000]
	}
	var out []string
	add := func(p string) {
		if p != "" && p != file && !slices.Contains(out, p) && t.Exists(p) {
			out = append(out, p)
		}
	}
	switch strings.ToLower(path.Ext(file)) {
	case ".go":
		t.goImports(file, lines, add)
	case ".py", ".pyi":
		t.pyImports(file, lines, add)
	case ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte":
		t.jsImports(file, lines, add)
	case ".rs":
		t.rustImports(file, lines, add)
	case ".java", ".kt", ".scala", ".groovy", ".kts", ".cs", ".swift", ".fs", ".dart":
		t.classImports(file, lines, add)
	case ".rb", ".rake":
		t.rubyImports(file, lines, add)
	case ".php":
		t.phpImports(file, lines, add)
	case ".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".m", ".mm", ".cu", ".inl":
		t.cImports(file, lines, add)
	case ".ex", ".exs":
		t.elixirImports(file, lines, add)
	case ".lua":
		t.namedImports(file, lines, add, reLuaRequire(), ".", []string{".lua", "/init.lua"}, []string{"", "src/", "lib/"})
	case ".pl", ".pm", ".t":
		t.namedImports(file, lines, add, rePerlUse(), "::", []string{".pm"}, []string{"lib/", ""})
	case ".sh", ".bash", ".bats", "":
		t.shellImports(file, lines, add)
	default:
		t.otherImports(file, lines, add)
	}
	if t.imported == nil {
		t.imported = map[string][]string{}
	}
	t.imported[file] = out
	return out
}

// quoted gives the text in the first pair of quotes.
func quoted(s string) string {
	i := strings.IndexAny(s, "\"'`")
	if i < 0 {
		return ""
	}
	j := strings.IndexByte(s[i+1:], s[i])
	if j < 0 {
		return ""
	}
	return s[i+1 : i+1+j]
}

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

func (t *Tree) inDir(dir, ext string) []string {
	t.walk()
	var out []string
	i, _ := slices.BinarySearch(t.files, dir+"/")
	if dir == "." {
		i = 0
	}
	for ; i < len(t.files); i++ {
		f := t.files[i]
		if dir != "." && !strings.HasPrefix(f, dir+"/") {
			break
		}
		if path.Dir(f) == dir && path.Ext(f) == ext {
			if out = append(out, f); len(out) > 100 {
				break
			}
		}
	}
	return out
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
		p := quoted(s)
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

var (
	rePyFrom     = text.Lazy(`^\s*from\s+(\.*)([\w\p{L}.]*)\s+import\s+(.+)$`)
	rePyImport   = text.Lazy(`^\s*import\s+(.+)$`)
	reJSImport   = text.Lazy(`(?:\bfrom\s*|\brequire(?:\.resolve)?\s*\(\s*|\bimport\s*\(?\s*|\bmock\s*\(\s*)['"` + "`" + `]([^'"` + "`" + `]+)['"` + "`" + `]`)
	reRustUse    = text.Lazy(`^\s*(?:pub(?:\([\w:]+\))?\s+)?(?:use|mod|extern crate)\s+([\w:]+)`)
	reClassName  = text.Lazy(`\b[A-Z]\w+`)
	reLuaRequire = text.Lazy(`require\s*\(?\s*["']([\w./-]+)["']`)
	rePerlUse    = text.Lazy(`^\s*(?:use|require|use_ok)\s*\(?\s*['"]?((?:\w+::)*\w+)`)
	reInclude    = text.Lazy(`^\s*#\s*(?:include|import)\s*["<]([^">]+)[">]`)
	reShellFile  = text.Lazy(`(?:^|[\s"'=(/])((?:\.{0,2}/)?(?:[\w.-]+/)*[\w-]+\.(?:sh|bash|bats)|(?:bin|src|scripts|lib)/[\w.-]+)`)
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
	// A package that is imported from as a whole tells least.
	for _, s := range lines {
		if m := rePyFrom().FindStringSubmatch(s); m != nil && m[1] != "" && m[2] == "" {
			add(path.Join(above(dir, m[1]), "__init__.py"))
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
	for _, n := range strings.FieldsFunc(names, func(c rune) bool { return strings.ContainsRune(",() ", c) }) {
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

var jsExts = []string{"", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".vue", ".svelte", "/index.ts", "/index.tsx", "/index.js", "/index.mjs", "/index.cjs", "/index.jsx"}

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
	for from, to := range map[string][]string{".js": {".ts", ".tsx"}, ".mjs": {".mts"}, ".cjs": {".cts"}, ".jsx": {".tsx"}} {
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
		if !strings.Contains(s, "from") && !strings.Contains(s, "require") && !strings.Contains(s, "import") && !strings.Contains(s, "mock") {
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
			for _, k := range []string{"crate::", "super::"} {
				if i := strings.Index(s, k); i >= 0 {
					rest := s[i+len(k):]
					end := strings.IndexFunc(rest, func(c rune) bool {
						return c != '_' && c != ':' && (c < 'a' || c > 'z') && (c < '0' || c > '9')
					})
					if end > 0 {
						module(src, strings.Split(rest[:end], "::"))
					}
				}
			}
			continue
		}
		parts := strings.Split(strings.Trim(m[1], ":"), "::")
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

// classImports serves languages in which a class lives in the file of its
// name: every capitalised word is looked up.
func (t *Tree) classImports(file string, lines []string, add func(string)) {
	t.walk()
	ext := path.Ext(file)
	seen := map[string]bool{}
	for _, s := range lines {
		if ext == ".dart" {
			if m := reDartFile().FindStringSubmatch(s); m != nil {
				add(path.Join(path.Dir(file), m[1]))
				add(path.Join("lib", m[1]))
			}
		}
		trim := strings.TrimSpace(s)
		if strings.HasPrefix(trim, "//") || strings.HasPrefix(trim, "*") {
			continue
		}
		for _, name := range reClassName().FindAllString(s, 40) {
			if seen[name] {
				continue
			}
			seen[name] = true
			cands := t.byBase[name+ext]
			if len(cands) == 0 && (ext == ".kt" || ext == ".java" || ext == ".scala" || ext == ".groovy") {
				for _, e := range []string{".java", ".kt", ".scala", ".groovy"} {
					cands = append(cands, t.byBase[name+e]...)
				}
			}
			if len(cands) > 1 {
				if q, ok := t.BySuffix(path.Base(cands[0]), path.Dir(file)); ok {
					cands = []string{q}
				}
			}
			for _, c := range cands[:min(len(cands), 3)] {
				add(c)
			}
		}
	}
	// Functions outside of classes: the rest of the folder's package.
	if ext == ".kt" || ext == ".swift" || ext == ".scala" || ext == ".fs" {
		for _, f := range t.files {
			if path.Ext(f) == ext && !IsTestFile(f) && (commonTail(path.Dir(f), path.Dir(file)) > 1 || ext == ".swift" || ext == ".fs") {
				add(f)
			}
		}
	}
}

func (t *Tree) rubyImports(file string, lines []string, add func(string)) {
	t.walk()
	for _, s := range lines {
		trim := strings.TrimSpace(s)
		switch {
		case strings.HasPrefix(trim, "require_relative"):
			add(path.Join(path.Dir(file), quoted(trim)) + ".rb")
		case strings.HasPrefix(trim, "require ") || strings.HasPrefix(trim, "require(") || strings.HasPrefix(trim, "load ") || strings.HasPrefix(trim, "autoload"):
			q := strings.TrimSuffix(quoted(trim), ".rb")
			for _, base := range []string{"lib", ".", "app", "test", "spec"} {
				add(path.Join(base, q) + ".rb")
			}
		}
	}
	// Rails loads by name.
	seen := map[string]bool{}
	for _, s := range lines {
		if strings.HasPrefix(strings.TrimSpace(s), "#") {
			continue
		}
		for _, name := range reClassName().FindAllString(s, 40) {
			if !seen[name] {
				seen[name] = true
				for _, c := range t.byBase[Snake(name)+".rb"] {
					add(c)
				}
			}
		}
	}
	if IsTestFile(file) {
		add("spec/spec_helper.rb")
		add("test/test_helper.rb")
	}
}

// snake makes foo_bar of FooBar.
func Snake(s string) string {
	var b strings.Builder
	for i, c := range s {
		if c >= 'A' && c <= 'Z' {
			if i > 0 && !(s[i-1] >= 'A' && s[i-1] <= 'Z') {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}

func (t *Tree) phpImports(file string, lines []string, add func(string)) {
	for _, s := range lines {
		trim := strings.TrimSpace(s)
		if strings.HasPrefix(trim, "require") || strings.HasPrefix(trim, "include") {
			q := strings.TrimPrefix(quoted(trim), "/")
			add(path.Join(path.Dir(file), q))
			add(path.Clean(q))
			if k, ok := t.BySuffix(path.Base(q), ""); ok && q != "" {
				add(k)
			}
		}
	}
	t.classImports(file, lines, add)
}

func (t *Tree) cImports(file string, lines []string, add func(string)) {
	t.walk()
	pair := func(h string) {
		// The source that belongs to a header.
		base := path.Base(h)
		stem := strings.TrimSuffix(base, path.Ext(base))
		for _, e := range []string{".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".cu", ".h", ".hpp", ".hh"} {
			for _, c := range t.byBase[stem+e] {
				add(c)
			}
		}
	}
	var hits []string
	for _, s := range lines {
		m := reInclude().FindStringSubmatch(s)
		if m == nil {
			continue
		}
		hit := ""
		for _, c := range []string{path.Join(path.Dir(file), m[1]), path.Join("include", m[1]), path.Join("src", m[1]), path.Clean(m[1])} {
			if t.Exists(c) {
				hit = c
				break
			}
		}
		if hit == "" {
			if q, ok := t.BySuffix(m[1], ""); ok {
				hit = q
			}
		}
		if hit != "" {
			add(hit)
			pair(hit)
			hits = append(hits, hit)
		}
	}
	for _, h := range hits {
		for _, f := range t.includers(h) {
			add(f)
		}
	}
	if !IsTestFile(file) {
		pair(file)
	}
}

func (t *Tree) elixirImports(file string, lines []string, add func(string)) {
	t.walk()
	seen := map[string]bool{}
	for _, s := range lines {
		if strings.HasPrefix(strings.TrimSpace(s), "#") {
			continue
		}
		for _, name := range reClassName().FindAllString(s, 40) {
			if !seen[name] {
				seen[name] = true
				for _, c := range t.byBase[Snake(name)+".ex"] {
					add(c)
				}
			}
		}
	}
}

// namedImports serves languages that import by a dotted name.
func (t *Tree) namedImports(file string, lines []string, add func(string), re matcherRegexp, sep string, exts, bases []string) {
	for _, s := range lines {
		m := re.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		p := strings.ReplaceAll(m[1], sep, "/")
		for _, e := range exts {
			for _, b := range append(bases, path.Dir(file)+"/") {
				add(path.Clean(b + p + e))
			}
			if q, ok := t.BySuffix(p+e, ""); ok {
				add(q)
			}
		}
	}
}

type matcherRegexp interface {
	FindStringSubmatch(string) []string
}

func (t *Tree) shellImports(file string, lines []string, add func(string)) {
	if len(lines) == 0 || path.Ext(file) == "" && !strings.HasPrefix(lines[0], "#!") {
		return
	}
	for _, s := range lines {
		if strings.HasPrefix(strings.TrimSpace(s), "#") {
			continue
		}
		for _, m := range reShellFile().FindAllStringSubmatch(s, 4) {
			p := strings.TrimPrefix(m[1], "/")
			add(path.Join(path.Dir(file), p))
			add(path.Clean(p))
			if q, ok := t.BySuffix(path.Base(p), ""); ok {
				add(q)
			}
		}
		if f := strings.Fields(s); len(f) > 1 && (f[0] == "load" || f[0] == "source" || f[0] == ".") {
			q := strings.Trim(f[1], `"'`)
			add(path.Join(path.Dir(file), q) + ".bash")
			add(path.Join(path.Dir(file), q) + ".sh")
		}
	}
}

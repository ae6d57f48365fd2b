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
		t.namedImports(file, lines, add, reLuaRequire(), ".", []string{".lua", "/init.lua"},
			[]string{"", "src/", "lib/"})
	case ".pl", ".pm", ".t":
		t.namedImports(file, lines, add, rePerlUse(), "::", []string{".pm"}, []string{"lib/", ""})
	case ".sh", ".bash", ".bats", "":
		t.shellImports(file, lines, add)
	default:
		t.shortImports(file, lines, add)
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

var (
	rePyFrom   = text.Lazy(`^\s*from\s+(\.*)([\w\p{L}.]*)\s+import\s+(.+)$`)
	rePyImport = text.Lazy(`^\s*import\s+(.+)$`)
	reJSImport = text.Lazy(`(?:\bfrom\s*|\brequire(?:\.resolve)?\s*\(\s*|\bimport\s*\(?\s*|` +
		`\bmock\s*\(\s*)['"` + "`" + `]([^'"` + "`" + `]+)['"` + "`" + `]`)
	reRustUse    = text.Lazy(`^\s*(?:pub(?:\([\w:]+\))?\s+)?(?:use|mod|extern crate)\s+([\w:]+)`)
	reClassName  = text.Lazy(`\b[A-Z]\w+`)
	reLuaRequire = text.Lazy(`require\s*\(?\s*["']([\w./-]+)["']`)
	rePerlUse    = text.Lazy(`^\s*(?:use|require|use_ok)\s*\(?\s*['"]?((?:\w+::)*\w+)`)
	reInclude    = text.Lazy(`^\s*#\s*(?:include|import)\s*["<]([^">]+)[">]`)
	reShellFile  = text.Lazy(`(?:^|[\s"'=(/])((?:\.{0,2}/)?(?:[\w.-]+/)*[\w-]+\.(?:sh|bash|bats)|(?:bin|` +
		`src|scripts|lib)/[\w.-]+)`)
)

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
			if path.Ext(f) == ext && !IsTestFile(f) &&
				(commonTail(path.Dir(f), path.Dir(file)) > 1 || ext == ".swift" || ext == ".fs") {
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
		case strings.HasPrefix(trim, "require ") || strings.HasPrefix(trim, "require(") ||
			strings.HasPrefix(trim, "load ") || strings.HasPrefix(trim, "autoload"):
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
		for _, c := range []string{path.Join(path.Dir(file), m[1]), path.Join("include", m[1]),
			path.Join("src", m[1]), path.Clean(m[1])} {
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
func (t *Tree) namedImports(file string, lines []string, add func(string), re matcherRegexp, sep string,
	exts, bases []string) {
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

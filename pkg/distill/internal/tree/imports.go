package tree

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// maxImports bounds how many files are looked at for one failure.
const maxImports = 60

// ImportsOf follows the files that a file names, level by level. The first level is what
// the file itself names.
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

// importWords occur in lines with which languages load other files.
var importWords = []string{"import", "from", "require", "include", "use ", "mod ", "load", "source", "mock",
	"open ",
	"part ", "autoload"}

// imports returns the files of the project that a file names. It knows no grammar: in lines
// that load something every word may be a file, in others the names of classes and the text
// before "::".
func (t *Tree) imports(file string) []string {
	if got, ok := t.imported[file]; ok {
		return got
	}
	var out []string
	add := func(p string) {
		if p != file && !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	lines := t.Lines(file)
	lines = lines[:min(len(lines), 4000)]
	open, asked := "", map[string]bool{}
	for _, s := range lines {
		loads := open != "" ||
			slices.ContainsFunc(importWords, func(w string) bool { return strings.Contains(s, w) })
		for word := range words(s) {
			isPath := strings.Contains(word, "/") && SourceExt(path.Ext(word))
			if asked[word] || !loads && !isPath && (word[0] < 'A' || word[0] > 'Z') &&
				!strings.Contains(word, "::") {
				continue
			}
			asked[word] = true
			for _, p := range t.meant(file, word) {
				add(p)
			}
		}
		switch { // a list in parentheses or braces goes on
		case loads && strings.Contains(s, "(") && !strings.Contains(s, ")"):
			open = ")"
		case loads && strings.Contains(s, "{") && !strings.Contains(s, "}"):
			open = "}"
		case open != "" && strings.Contains(s, open):
			open = ""
		}
	}
	t.samePackage(file, add)
	if t.imported == nil {
		t.imported = map[string][]string{}
	}
	t.imported[file] = out
	return out
}

// words returns the words of a line that may name a file or a module.
func words(s string) func(yield func(string) bool) {
	part := func(c byte) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80 ||
			strings.IndexByte("_-./@~:#", c) >= 0
	}
	return func(yield func(string) bool) {
		for i := 0; i < len(s); i++ {
			from := i
			for i < len(s) && part(s[i]) {
				i++
			}
			if w := strings.Trim(s[from:i], ":-#"); len(w) > 1 && !yield(w) {
				return
			}
		}
	}
}

// meant returns the files that a word may mean: next to the file with the word, or anywhere
// by the end of their path. A folder means all sources in it.
func (t *Tree) meant(file, word string) []string {
	ext := path.Ext(file)
	word = strings.TrimPrefix(strings.TrimPrefix(word, "@/"), "~/")
	if near := path.Join(path.Dir(file), word); strings.HasPrefix(word, ".") ||
		strings.ContainsAny(word, "./") {
		if t.Exists(near) {
			return append([]string{near}, t.defined(near)...)
		}
		if strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../") {
			return t.stemmed(near, ext)
		}
	}
	p := word
	if !SourceExt(path.Ext(p)) || !strings.Contains(p, "/") && !t.HasKind(p) {
		p = strings.NewReplacer("::", "/", ".", "/").Replace(strings.TrimLeft(word, "."))
	} else if q, ok := t.BySuffix(p, ""); ok {
		return append([]string{q}, t.defined(q)...)
	}
	if ext == ".go" {
		return t.inDirs(p, ext)
	}
	return t.stemmed(p, ext)
}

// defined returns the sources with a header's name, which define what it declares.
func (t *Tree) defined(file string) []string {
	if !strings.HasPrefix(path.Ext(file), ".h") {
		return nil
	}
	return t.withStem(spelling(strings.TrimSuffix(path.Base(file), path.Ext(file))))
}

// stemmed returns the files whose path ends in p without its extension, in any spelling,
// those of the same language first.
func (t *Tree) stemmed(p, ext string) []string {
	parts := strings.Split(p, "/")
	var out []string
	// the last may be a name within the file
	for k := len(parts); k > max(0, len(parts)-2) && len(out) == 0; k-- {
		key := spelling(strings.TrimSuffix(parts[k-1], path.Ext(parts[k-1])))
		if len(key) < 2 {
			continue
		}
		dir := spelling(strings.Join(parts[:k-1], "/"))
		for _, f := range t.withStem(key) {
			own := path.Dir(f)
			if stem, _, _ := strings.Cut(path.Base(f), "."); stem == "index" || stem == "__init__" ||
				stem == "mod" {
				own = path.Dir(own)
			}
			if own = spelling(own); strings.Contains(p, "/") && dir != "" && dir != "." &&
				!strings.HasSuffix(own, dir) &&
				!strings.HasSuffix(dir, own) && own != "." {
				continue
			}
			out = append(out, f)
		}
	}
	foreign := func(f string) bool { return family(path.Ext(f)) != family(ext) }
	if same := slices.DeleteFunc(slices.Clone(out), foreign); len(same) > 0 {
		out = same
	}
	return out[:min(len(out), 4)]
}

// spelling normalizes CartItem, cart_item and cart-item.
func spelling(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// family groups the extensions of languages whose files load each other.
func family(ext string) string {
	for _, all := range []string{".js .mjs .cjs .jsx .ts .mts .cts .tsx .vue .svelte .json", ".py .pyi .pyx",
		".c .cc .cpp .cxx .h .hh .hpp .hxx .m .mm .cu .inl", ".java .kt .kts .scala .groovy", ".ex .exs",
		".erl .hrl",
		".rb .rake", ".pl .pm .t", ".sh .bash .bats", ".ml .mli"} {
		if slices.Contains(strings.Fields(all), ext) {
			return all
		}
	}
	return ext
}

// inDirs returns the sources of the folder that a path ends in.
func (t *Tree) inDirs(p, ext string) []string {
	t.walk()
	var out []string
	for dir := range tails(p) {
		for _, f := range t.files {
			if path.Dir(f) == dir && path.Ext(f) == ext && !IsTestFile(f) {
				out = append(out, f)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// samePackage adds what needs no import: the rest of a package or module, fixtures, and the
// steps of a feature.
func (t *Tree) samePackage(file string, add func(string)) {
	ext, dir := path.Ext(file), path.Dir(file)
	for _, f := range t.Files() {
		same := path.Ext(f) == ext && !IsTestFile(f)
		switch ext {
		case ".go":
			same = same && path.Dir(f) == dir
		case ".kt", ".scala":
			same = same && commonTail(path.Dir(f), dir) > 1
		case ".swift", ".fs":
		case ".r", ".R":
			same = same && strings.HasPrefix(f, "R/")
		case ".py":
			same = path.Base(f) == "conftest.py" && IsTestFile(file) &&
				(path.Dir(f) == "." || strings.HasPrefix(file, path.Dir(f)+"/"))
		case ".rs":
			same = strings.HasSuffix(f, "src/lib.rs") && IsTestFile(file)
		case ".feature":
			same = SourceExt(path.Ext(f)) && path.Ext(f) != ext &&
				(strings.Contains(f, "step") || strings.Contains(path.Dir(f), "features"))
		default:
			return
		}
		if same {
			add(f)
		}
	}
}

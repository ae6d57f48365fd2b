package tree

import (
	"path"
	"slices"
	"strings"
)

// maxImports bounds how many files are looked at for one failure.
const maxImports = 60

// ImportsOf follows the imports of a file inside the project, level by level:
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
	lines = lines[:min(len(lines), 4000)]
	var out []string
	add := func(p string) {
		if p != "" && p != file && !slices.Contains(out, p) && t.Exists(p) {
			out = append(out, p)
		}
	}
	ext := strings.ToLower(path.Ext(file))
	if ext == "" && len(lines) > 0 && strings.HasPrefix(lines[0], "#!") {
		ext = ".sh"
	}
	for i := range languages {
		l := &languages[i]
		if !slices.Contains(strings.Fields(l.exts), ext) {
			continue
		}
		for k := range l.rules {
			t.byRule(file, lines, l, &l.rules[k], add)
		}
		if l.more != nil {
			l.more(t, file, lines, add)
		}
	}
	if t.imported == nil {
		t.imported = map[string][]string{}
	}
	t.imported[file] = out
	return out
}

// byRule adds the files that lines name by one rule of their language.
func (t *Tree) byRule(file string, lines []string, l *language, r *importRule, add func(string)) {
	seen := map[string]bool{}
	for i, s := range lines {
		if l.comment != "" && strings.HasPrefix(strings.TrimSpace(s), l.comment) || !r.worth(s) {
			continue
		}
		for _, m := range r.expr().FindAllStringSubmatch(s, 40) {
			names := strings.FieldsFunc(strings.Join(m[1:], " "), isComma)
			if r.member {
				for j := i + 1; strings.Contains(m[2], "(") && !strings.Contains(m[2], ")") && j < len(lines); j++ {
					m[2] += " " + lines[j]
				}
				names = nil
				for _, name := range append([]string{""}, strings.FieldsFunc(m[2], isComma)...) {
					names = append(names, strings.Trim(m[1]+r.sep+name, r.sep))
				}
			}
			for _, name := range names {
				if !seen[name] && name != "" {
					seen[name] = true
					t.named(file, name, r, add)
				}
			}
		}
	}
}

func isComma(c rune) bool { return strings.ContainsRune(", ()", c) }

// worth is a cheap look before the expression.
func (r *importRule) worth(s string) bool {
	return r.words == nil || slices.ContainsFunc(r.words, func(w string) bool { return strings.Contains(s, w) })
}

// named adds the files that a name may mean.
func (t *Tree) named(file, name string, r *importRule, add func(string)) {
	if r.spell != nil {
		name = r.spell(name)
	}
	if r.sep != "" {
		name = strings.ReplaceAll(name, r.sep, "/")
	}
	for _, end := range strings.Fields(r.ends) {
		p := name + strings.TrimPrefix(end, "-")
		for _, dir := range append(strings.Fields(r.dirs), t.folder...) {
			add(path.Join(strings.Replace(dir, "@", path.Dir(file), 1), p))
		}
		if !r.anywhere {
			continue
		}
		if q, ok := t.BySuffix(p, ""); ok && r.sep != "" && (!r.member || strings.Contains(name, "/")) {
			add(q)
		} else if r.sep == "" {
			for _, c := range t.alike(path.Base(p), path.Dir(file)) {
				add(c)
			}
		}
	}
}

// alike gives the files of this base name, the one near a folder where that tells.
func (t *Tree) alike(base, near string) []string {
	cands := t.ByBase(base)
	if len(cands) > 1 {
		if q, ok := t.BySuffix(base, near); ok {
			return []string{q}
		}
	}
	return cands[:min(len(cands), 3)]
}

func (t *Tree) inDir(dir, ext string) []string {
	t.walk()
	var out []string
	i, _ := slices.BinarySearch(t.files, dir+"/")
	if dir == "." {
		i = 0
	}
	for ; i < len(t.files) && len(out) <= 100; i++ {
		f := t.files[i]
		if dir != "." && !strings.HasPrefix(f, dir+"/") {
			break
		}
		if path.Dir(f) == dir && path.Ext(f) == ext {
			out = append(out, f)
		}
	}
	return out
}

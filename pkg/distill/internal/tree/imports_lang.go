package tree

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var (
	reHsImport  = text.Lazy(`^import\s+(?:qualified\s+)?([A-Z][\w.]*)`)
	reMLModule  = text.Lazy(`\b([A-Z]\w*)\.`)
	reMLOpen    = text.Lazy(`^\s*open!?\s+([A-Z]\w*)`)
	reErlCall   = text.Lazy(`\b([a-z]\w*):[a-z]\w*\(`)
	reQuotedSrc = text.Lazy(`"([\w./-]+\.(?:rkt|scm|sld|ss|tcl|R|r|nim|lisp))"`)
	reTclSource = text.Lazy(`\bsource\b.*?([\w-]+\.tcl)`)
	reNimImport = text.Lazy(`^\s*(?:import|include|from)\s+([\w./, -]+)`)
	reDImport   = text.Lazy(`^\s*(?:public |static )?import\s+([\w.]+)`)
	reDartFile  = text.Lazy(`^\s*(?:import|export|part)\s+'(?:package:[^/']+/)?([\w./-]+\.dart)'`)
)

// shortImports serves languages whose rules are short.
func (t *Tree) shortImports(file string, lines []string, add func(string)) {
	ext := path.Ext(file)
	switch ext {
	case ".feature":
		t.stepImports(file, add)
		return
	case ".R", ".r":
		// A package loads all of R/; scripts name what they source.
		for _, f := range t.inDir("R", ext) {
			add(f)
		}
	}
	t.walk()
	byBase := func(base string) {
		cands := t.byBase[base]
		for _, c := range cands[:min(len(cands), 3)] {
			add(c)
		}
	}
	for n, s := range lines {
		if n > 2000 {
			break
		}
		switch ext {
		case ".hs", ".lhs":
			if m := reHsImport().FindStringSubmatch(s); m != nil {
				p := strings.ReplaceAll(m[1], ".", "/") + ".hs"
				if q, ok := t.BySuffix(p, ""); ok {
					add(q)
				}
			}
		case ".ml", ".mli":
			for _, m := range append(reMLModule().FindAllStringSubmatch(s, 8),
				reMLOpen().FindAllStringSubmatch(s, 1)...) {
				byBase(lowerFirst(m[1]) + ".ml")
			}
		case ".erl":
			for _, m := range reErlCall().FindAllStringSubmatch(s, 8) {
				byBase(m[1] + ".erl")
			}
		case ".tcl", ".test", ".exp":
			if m := reTclSource().FindStringSubmatch(s); m != nil {
				byBase(m[1])
			}
		case ".nim":
			if m := reNimImport().FindStringSubmatch(s); m != nil {
				for _, w := range strings.FieldsFunc(m[1],
					func(c rune) bool { return c == ',' || c == ' ' }) {
					byBase(path.Base(w) + ".nim")
				}
			}
		case ".d":
			if m := reDImport().FindStringSubmatch(s); m != nil {
				if q, ok := t.BySuffix(strings.ReplaceAll(m[1], ".", "/")+".d", ""); ok {
					add(q)
				}
			}
		}
		for _, m := range reQuotedSrc().FindAllStringSubmatch(s, 4) {
			add(path.Join(path.Dir(file), m[1]))
			byBase(path.Base(m[1]))
		}
	}
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// stepImports gives the steps that a feature is run by: they lie in folders of
// known names near it, or in tests that name it.
func (t *Tree) stepImports(file string, add func(string)) {
	t.walk()
	base := path.Base(file)
	for _, f := range t.files {
		switch strings.ToLower(path.Ext(f)) {
		case ".py", ".js", ".ts", ".mjs", ".cjs", ".rb", ".java", ".kt", ".php", ".cs", ".go", ".rs", ".ex",
			".exs":
		default:
			continue
		}
		dir := strings.ToLower(path.Dir(f))
		if strings.Contains(dir, "step") || strings.Contains(dir, "features") ||
			strings.Contains(strings.ToLower(path.Base(f)), "step") {
			add(f)
		} else if IsTestFile(f) && slices.ContainsFunc(t.Lines(f),
			func(s string) bool { return strings.Contains(s, base) }) {
			add(f)
		}
	}
}

// includers gives the sources that include a header: what it declares is
// defined in one of them.
func (t *Tree) includers(header string) []string {
	if t.includedBy == nil {
		t.includedBy = map[string][]string{}
		t.walk()
		read := 0
		for _, f := range t.files {
			switch path.Ext(f) {
			case ".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".cu":
			default:
				continue
			}
			if read++; read > 300 || IsTestFile(f) {
				continue
			}
			lines := t.Lines(f)
			for _, s := range lines[:min(len(lines), 120)] {
				if m := reInclude().FindStringSubmatch(s); m != nil {
					b := path.Base(m[1])
					t.includedBy[b] = append(t.includedBy[b], f)
				}
			}
		}
	}
	list := t.includedBy[path.Base(header)]
	return list[:min(len(list), 20)]
}

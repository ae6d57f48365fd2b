package tree

import (
	"path"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

var reInclude = text.Lazy(`^\s*#\s*(?:include|import)\s*["<]([^">]+)[">]`)

// cImports adds the headers that a file includes, the sources that belong to them,
// and those that include the same ones: what a header declares is defined in one of them.
func (t *Tree) cImports(file string, lines []string, add func(string)) {
	pair := func(h string) {
		stem := strings.TrimSuffix(path.Base(h), path.Ext(h))
		for _, e := range strings.Fields(".c .cc .cpp .cxx .m .mm .cu .h .hpp .hh") {
			for _, c := range t.ByBase(stem + e) {
				add(c)
			}
		}
	}
	var hits []string
	for _, s := range lines {
		if m := reInclude().FindStringSubmatch(s); m != nil {
			if hit := t.header(file, m[1]); hit != "" {
				add(hit)
				pair(hit)
				hits = append(hits, hit)
			}
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

// header finds the file that an include means.
func (t *Tree) header(file, name string) string {
	for _, dir := range []string{path.Dir(file), "include", "src", "."} {
		if p := path.Join(dir, name); t.Exists(p) {
			return p
		}
	}
	q, _ := t.BySuffix(name, "")
	return q
}

// includers gives the sources that include a header.
func (t *Tree) includers(header string) []string {
	if t.includedBy == nil {
		t.includedBy = map[string][]string{}
		read := 0
		for _, f := range t.Files() {
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

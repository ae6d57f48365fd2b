package challenge

import (
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Kept gives a file of tests as it goes into the repository: with some of its tests alone, and
// without the mark of its name, by which no code could know it. pkg is the package of the code,
// in Go; taken reports whether a path is another file's.
func Kept(s Suite, file string, names []string, pkg string, taken func(string) bool) (keptPath, text string) {
	text, keptPath = s.Only(names, file), mark().ReplaceAllString(file, "$1")
	if own := path.Dir(keptPath); pkg != "" && path.Base(own) == "more" { // beside the code, as a caller of it
		keptPath = path.Join(path.Dir(own), path.Base(keptPath))
	}
	if taken(keptPath) {
		keptPath = file
	} else {
		text = mark().ReplaceAllString(text, "$1")
	}
	if path.Ext(file) == ".go" && path.Dir(keptPath) != path.Dir(file) {
		text = goPackage().ReplaceAllString(text, "package "+pkg+"_test")
	}
	return keptPath, strings.TrimRight(text, "\n") + "\n"
}

// mark is what Find puts into a name.
var mark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`((?:test[_-])?[Mm]ore)_?[0-9a-f]{6}`) })

// Only is the text, as that of a file, without the tests of other names.
func (s Suite) Only(names []string, file string) string {
	lines := strings.SplitAfter(s.Text, "\n")
	for _, t := range s.Tests {
		from, to := s.LinesOf(t)
		if from == 0 || slices.Contains(names, t.Name) {
			continue
		}
		for i := from - 1; i < min(to, len(lines)); i++ {
			lines[i] = ""
		}
		if to < len(lines) && strings.TrimSpace(lines[to]) == "" {
			lines[to] = ""
		}
	}
	text := strings.Join(lines, "")
	if path.Ext(file) == ".go" { // where an import that is not used is an error
		text = withoutUnused(text)
	}
	return text
}

// withoutUnused takes out imports that no name of a Go file uses.
func withoutUnused(text string) string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for _, i := range f.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		name := path.Base(p)
		if i.Name != nil {
			name = i.Name.Name
		}
		if at := fset.Position(i.Pos()).Line; name != "_" && name != "." &&
			!strings.Contains(text, name+".") {
			lines[at-1] = ""
		}
	}
	return strings.Join(lines, "")
}

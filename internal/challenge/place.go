package challenge

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/testfile"
)

// Place is where the tests of a challenge go.
type Place struct {
	// Path is the file: beside existing tests, or beside the code.
	Path string
	// Form is an existing file of tests that shows how they are written; "" where there is
	// none.
	Form string
	// Go is set for Go, where a folder of its own is a package of its own.
	Go *GoPlace
}

// GoPlace is a package that tests can be in besides that of the code.
type GoPlace struct {
	// Path is the file in a folder of its own, Import what it imports, Package the package of
	// the code.
	Path, Import, Package string
}

// For gives the path of a file of tests: in Go, one that is not in the package of the code
// goes into a folder of its own.
func (p Place) For(text string) string {
	if p.Go == nil {
		return p.Path
	}
	if m := goPackage().FindStringSubmatch(text); m != nil && m[1] != p.Go.Package {
		return p.Go.Path
	}
	return p.Path
}

var (
	goPackage = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^package[ \t]+(\w+)`) })
	goModule  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^module[ \t]+"?([^\s"]+)`) })
)

// GoPackage is the package that a Go file says it is of, "" where it says none.
func GoPackage(text []byte) string {
	if m := goPackage().FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return ""
}

// Before is what was there before a change.
type Before struct {
	// Tests are the files of tests.
	Tests []string
	// Names are those of the functions and types that the change touches.
	Names []string
	// Read gives a file, nil where it is not there.
	Read func(path string) ([]byte, error)
}

// Find gives the place for tests of changed files, the most important first. seed makes the name:
// no code can know it before. It is false where no place is known.
func Find(changed []string, seed string, before Before) (Place, bool, error) {
	read := before.Read
	for _, c := range changed {
		lang := testfile.Language(c)
		if lang == "" {
			continue
		}
		form, err := before.nearest(c, lang)
		if err != nil {
			return Place{}, false, err
		}
		p := Place{Form: form}
		switch {
		case lang == "go":
			err = p.inGo(c, seed, read)
			return p, err == nil, err
		case lang == "rust":
			top, err := above(path.Dir(c), "Cargo.toml", read)
			p.Path = path.Join(top, "tests", "more_"+seed+".rs")
			return p, err == nil, err
		case p.Form != "":
			p.Path = path.Join(path.Dir(p.Form), named(path.Base(p.Form), seed))
		default:
			p.Path = firstOf(c, lang, seed)
		}
		if p.Path != "" {
			return p, true, nil
		}
	}
	return Place{}, false, nil
}

// inGo fills in the two packages that tests of a file can be in.
func (p *Place) inGo(c, seed string, read func(string) ([]byte, error)) error {
	dir := path.Dir(c)
	p.Path = path.Join(dir, "more_"+seed+"_test.go")
	text, err := read(c)
	if err != nil {
		return err
	}
	m := goPackage().FindSubmatch(text)
	top, err := above(dir, "go.mod", read)
	if err != nil || m == nil || string(m[1]) == "main" {
		return err
	}
	mod, err := read(path.Join(top, "go.mod"))
	if err != nil {
		return err
	}
	module := goModule().FindSubmatch(mod)
	if module == nil {
		return nil
	}
	imports := path.Join(string(module[1]), strings.TrimPrefix(strings.TrimPrefix(dir, top), "/"))
	if top == "." {
		imports = path.Join(string(module[1]), dir)
	}
	p.Go = &GoPlace{Path: path.Join(dir, "more"+seed, "more_test.go"), Import: imports, Package: string(m[1])}
	return nil
}

// above is the innermost folder at or above one that holds a file; "." where none does.
func above(dir, name string, read func(string) ([]byte, error)) (string, error) {
	for ; dir != "."; dir = path.Dir(dir) {
		text, err := read(path.Join(dir, name))
		if err != nil || text != nil {
			return dir, err
		}
	}
	return ".", nil
}

// isHelper reports whether a file beside tests is none, by its name.
func isHelper(t string) bool {
	base := path.Base(t)
	return base == "__init__.py" || strings.Contains(base, "helper") || strings.Contains(base, "util")
}

// shared is how many folders two paths have in common from the top.
func shared(a, b string) (n int) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// marks are what a name says before and behind its stem to be one of tests.
var marks = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(test[_-]|Test(?:[A-Z])?)?(.*?)([._-](?:test|tests|spec|specs)|Test|Tests|Spec|TestCase)?((?:\.\w+)+)$`)
})

func stemOf(p string) string {
	m := marks().FindStringSubmatch(path.Base(p))
	if m == nil {
		return path.Base(p)
	}
	return strings.ToLower(m[2])
}

// named is a name of the form of another file of tests.
func named(base, seed string) string {
	m := marks().FindStringSubmatch(base)
	switch {
	case m == nil:
		return ""
	case m[3] == "Test" || m[3] == "Tests" || m[3] == "Spec" || m[3] == "TestCase": // a class of its name
		return "More" + seed + m[3] + m[4]
	case m[1] == "" && m[3] == "" && strings.HasSuffix(base, ".py"): // Django's tests.py
		return "test_more_" + seed + ".py"
	case m[1] == "test_" || m[1] == "test-" || m[1] == "":
		return m[1] + "more_" + seed + m[3] + m[4]
	}
	return ""
}

// firstOf is where the first tests of a project go.
func firstOf(c, lang, seed string) string {
	dir := path.Dir(c)
	switch lang {
	case "python":
		return path.Join(dir, "test_more_"+seed+".py")
	case "js":
		ext := path.Ext(c)
		if !slices.Contains([]string{".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"}, ext) {
			ext = ".js"
		}
		return path.Join(dir, "more_"+seed+".test"+ext)
	case "ruby":
		return path.Join("test", "more_"+seed+"_test.rb")
	}
	return ""
}

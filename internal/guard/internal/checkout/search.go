package checkout

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/foreign"
	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/testfile"
)

// mostRead bounds the bytes read to answer one question.
const mostRead = 32 << 20

// Walk visits the files of the checkout, those near the root first. It stops after a number
// of directories, since it serves rare questions and not every proposal.
func (c *Files) Walk(visit func(p string)) { c.walk(visit, func(string) {}) }

// walk is Walk with symbolic links.
func (c *Files) walk(visit, link func(p string)) {
	dirs := []string{"."}
	for visited := 0; len(dirs) > 0 && visited < 1000; visited++ {
		dir := dirs[0]
		dirs = dirs[1:]
		names, err := c.List(dir)
		if err != nil {
			continue
		}
		for _, name := range names {
			p := path.Join(dir, name)
			switch kind, err := c.Kind(p); {
			case err != nil || name == ".git" || name == "target" || foreign.Folder(name):
			case kind == Dir:
				dirs = append(dirs, p)
			case kind == File:
				visit(p)
			case kind == Symlink:
				link(p)
			}
		}
	}
}

// IsFile reports whether a path is a regular file.
func (c *Files) IsFile(p string) bool {
	kind, err := c.Kind(p)
	return err == nil && kind == File
}

// ChecksName reports whether the checks or their configuration name a library.
func (c *Files) ChecksName(name string) bool {
	name = strings.TrimSuffix(name, "erage") // --cov means coverage
	texts := slices.Clone(c.Commands)
	for _, p := range []string{"pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", ".coveragerc",
		"package.json"} {
		if text, err := c.ReadFile(p); err == nil {
			texts = append(texts, string(text))
		}
	}
	return regexp.MustCompile(`(^|[^\w/])` + regexp.QuoteMeta(name) +
		`(erage)?($|[^\w/])`).MatchString(strings.Join(texts, "\n"))
}

// TestsMention reports whether an old test in a language contains a pattern.
func (c *Files) TestsMention(pattern string, lang *lexer.Language) (found bool) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return false
	}
	c.Walk(func(p string) {
		if found || lexer.Of(p) != lang || !IsTestName(p) && !isRunner(p) || c.Own(p) {
			return
		}
		text, err := c.ReadFile(p)
		found = err == nil && re.Match(text)
	})
	return found
}

// OnlyTestsName reports whether some test names a file, or a link among the tests leads to
// it, and no product code names it. It looks at the state before the run: code that the
// model added says nothing about the role of the file.
func (c *Files) OnlyTestsName(name *regexp.Regexp, p string) bool {
	inTest, inProduct, read := false, false, 0
	c.walk(func(f string) {
		if inProduct || read > mostRead || f == p || lexer.Of(f) == nil {
			return
		}
		isTest := IsTestName(f)
		if inTest && isTest {
			return
		}
		text, err := c.ReadFile(f)
		if err != nil {
			return
		}
		read += len(text)
		switch {
		case isTest:
			inTest = inTest || name.Match(text)
		default:
			inProduct = c.heldBefore(f, text, name.Match)
		}
	}, func(link string) { inTest = inTest || c.leadsFromTests(link, p) })
	return inTest && !inProduct && read <= mostRead
}

// ProductNames reports whether product code other than the file itself names a file in the
// current checkout.
func (c *Files) ProductNames(name *regexp.Regexp, p string) (found bool) {
	read := 0
	c.Walk(func(f string) {
		if found || read > mostRead || f == p || lexer.Of(f) == nil || IsTestName(f) || isRunner(f) ||
			testfile.IsBuild(f) {
			return
		}
		text, err := c.ReadFile(f)
		read += len(text)
		found = err == nil && name.Match(text)
	})
	return found
}

// leadsFromTests reports whether tests reach a file through a link.
func (c *Files) leadsFromTests(link, p string) bool {
	to, err := c.Link(link)
	if err != nil || path.IsAbs(to) {
		return false
	}
	rest, is := strings.CutPrefix("/"+p, "/"+path.Join(path.Dir(link), to))
	if !is || rest != "" && rest[0] != '/' {
		return false
	}
	switch testfile.Of(link + rest) {
	case testfile.Case, testfile.Data:
		return true
	}
	return false
}

package checkout

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/testfile"
)

// mostRead is how much of a checkout is read to answer one such question.
const mostRead = 32 << 20

// Walk visits the files of the checkout, those near the root first. It gives up
// after a number of directories: it serves rare questions, not every proposal.
func (c *Files) Walk(visit func(p string)) { c.walk(visit, func(string) {}) }

// walk is Walk that tells the symbolic links too.
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
			case err != nil || name == ".git" || name == "node_modules" || name == "vendor" ||
				name == "target":
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

// IsFile reports whether a regular file stands at the path.
func (c *Files) IsFile(p string) bool {
	kind, err := c.Kind(p)
	return err == nil && kind == File
}

// ChecksName reports whether the checks, or what configures them, name a library.
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

// TestsMention reports whether an old test of a language holds a pattern.
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
// it, and no product code names it: before the run, for code that the model has added since
// says nothing of what the file is.
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
			inProduct = c.stood(f, text, name.Match)
		}
	}, func(link string) { inTest = inTest || c.leadsFromTests(link, p) })
	return inTest && !inProduct && read <= mostRead
}

// ProductNames reports whether product code names a file other than itself, as the
// checkout is now.
func (c *Files) ProductNames(name *regexp.Regexp, p string) (found bool) {
	read := 0
	c.Walk(func(f string) {
		if found || read > mostRead || f == p || lexer.Of(f) == nil || IsTestName(f) || isRunner(f) || testfile.IsBuild(f) {
			return
		}
		text, err := c.ReadFile(f)
		read += len(text)
		found = err == nil && name.Match(text)
	})
	return found
}

// leadsFromTests tells a link by which tests find a file as one of theirs.
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

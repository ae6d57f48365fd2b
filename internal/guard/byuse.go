package guard

import (
	"path"
	"regexp"
	"strings"
)

// Some helpers and data of tests are such by use, not by name: nothing but tests
// opens or imports them.

// mostRead is how much of a checkout is read to answer one such question.
const mostRead = 32 << 20

// dataName is that of data rather than of a document, a picture or a log.
var dataName = lazy(`\.(json|jsonl|ndjson|ya?ml|toml|csv|tsv|xml|txt|ini|properties|sql|bin|dat|data|expected|out|snap)$`)

// testLibraryUse is what shows that a file asserts.
var testLibraryUse = map[string]func() *pattern{
	"python": lazy(`(?m)^\s*(?:import|from)\s+(?:pytest|unittest|hypothesis|nose|assertpy)\b`),
	"js":     lazy(`(?:\bfrom|\brequire\()\s*['"](?:vitest|jest|@jest/globals|chai|expect|node:test|node:assert|assert|@testing-library/[\w-]+|@playwright/test|mocha|ava|tape?)['"/]`),
	"ruby":   lazy(`\brequire\s+['"](?:rspec|minitest|test/unit)|\b(?:RSpec|Minitest)::\w+`),
	"java":   lazy(`(?m)^\s*import\s+(?:static\s+)?(?:org\.(?:junit|testng|assertj|hamcrest|mockito)|com\.google\.common\.truth)\b`),
	"kotlin": lazy(`(?m)^\s*import\s+(?:org\.(?:junit|testng|assertj|hamcrest|mockito)|kotlin\.test|io\.kotest|assertk)\b`),
	"csharp": lazy(`(?m)^\s*using\s+(?:static\s+)?(?:Xunit|NUnit|Microsoft\.VisualStudio\.TestTools|FluentAssertions|Shouldly)\b`),
	"php":    lazy(`\bPHPUnit\\Framework\\`),
	"elixir": lazy(`\b(?:use|import)\s+ExUnit\.`),
	"perl":   lazy(`(?m)^\s*use\s+Test::\w+`),
}

// servesTests tells a file that stood before, of no name that says so, which tests
// alone use: a helper that asserts, or data.
func (g *Guard) servesTests(s step, lang *language) bool {
	base := path.Base(s.path)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case !s.existed || len(stem) < 3 || partRunnerOf(s.path) != nil || isIgnoreFile(s.path):
		return false
	case lang == nil:
		// By its folder too, where it lies in one: tests write files of common names.
		named := path.Join(path.Base(path.Dir(s.path)), base)
		return dataName().MatchString(base) && g.onlyTestsName(regexp.MustCompile(`["'\x60/]`+regexp.QuoteMeta(named)+`["'\x60]`), s.path)
	}
	asserts := testLibraryUse[lang.name]
	return asserts != nil && asserts().MatchString(string(s.before)) && g.onlyTestsName(regexp.MustCompile(`\b`+regexp.QuoteMeta(stem)+`\b`), s.path)
}

// onlyTestsName tells whether some test names a file, and no product code does.
func (g *Guard) onlyTestsName(name *regexp.Regexp, p string) bool {
	inTest, inProduct, read := false, false, 0
	g.walk(func(f string) {
		if inProduct || read > mostRead || f == p || languageOf(f) == nil {
			return
		}
		isTest := isTestName(f)
		if inTest && isTest {
			return
		}
		text, err := g.tree.ReadFile(f)
		if err != nil {
			return
		}
		if read += len(text); name.Match(text) {
			inTest, inProduct = inTest || isTest, inProduct || !isTest
		}
	})
	return inTest && !inProduct && read <= mostRead
}

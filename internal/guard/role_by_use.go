package guard

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/manifest"
	"github.com/booty-cli/booty/internal/pattern"
	"github.com/booty-cli/booty/internal/testfile"
)

// Some helpers and data of tests are such by use, not by name: nothing but tests
// opens or imports them.

// dataName is that of data rather than of a document, a picture or a log.
var dataName = pattern.Lazy(`\.(json|jsonl|ndjson|ya?ml|toml|csv|tsv|xml|txt|ini|properties|sql|bin|` +
	`dat|data|expected|out|snap)$`)

var (
	// settings is the name of what may say to a tool, or to a registry, what a project is.
	settings = pattern.Lazy(`\.(json|ya?ml|toml|xml|ini|properties)$`)
	// says is in the name of what tests read, or expect.
	says = pattern.Lazy(`(?i)test|spec|expect|golden|fixture|sample|example|input|output|result|data|case|snap|mock|stub|fake`)
)

// isManifest tells settings at the root of a project, or a catalog of Gradle's, which tests may
// read as they read its sources: to compare releases, say.
func isManifest(p string) bool {
	return strings.HasSuffix(p, ".versions.toml") || !strings.Contains(p, "/") && settings().MatchString(p) && !says().MatchString(p)
}

// testLibraryUse is what shows that a file asserts.
var testLibraryUse = map[string]func() *pattern.Pattern{
	"python": pattern.Lazy(`(?m)^\s*(?:import|from)\s+(?:pytest|unittest|hypothesis|nose|assertpy)\b`),
	"js": pattern.Lazy(`(?:\bfrom|\brequire\()\s*['"](?:vitest|jest|@jest/globals|chai|expect|` +
		`node:test|node:assert|assert|@testing-library/[\w-]+|@playwright/test|mocha|ava|tape?)['"/]`),
	"ruby": pattern.Lazy(`\brequire\s+['"](?:rspec|minitest|test/unit)|\b(?:RSpec|Minitest)::\w+`),
	"java": pattern.Lazy(`(?m)^\s*import\s+(?:static\s+)?(?:org\.(?:junit|testng|assertj|hamcrest|` +
		`mockito)|com\.google\.common\.truth)\b`),
	"kotlin": pattern.Lazy(`(?m)^\s*import\s+(?:org\.(?:junit|testng|assertj|hamcrest|mockito)|` +
		`kotlin\.test|io\.kotest|assertk)\b`),
	"csharp": pattern.Lazy(`(?m)^\s*using\s+(?:static\s+)?(?:Xunit|NUnit|` +
		`Microsoft\.VisualStudio\.TestTools|FluentAssertions|Shouldly)\b`),
	"php":    pattern.Lazy(`\bPHPUnit\\Framework\\`),
	"elixir": pattern.Lazy(`\b(?:use|import)\s+ExUnit\.`),
	"perl":   pattern.Lazy(`(?m)^\s*use\s+Test::\w+`),
}

var helperName = pattern.Lazy(`(?i)test|spec|assert|helper|support|fixture|case|factory|stub|fake`)

// isMainSource tells a place that a build takes its product from, and nothing else:
// what tests alone use there helps others to test.
func isMainSource(p string) bool {
	return strings.Contains("/"+p, "/src/main/") ||
		strings.HasPrefix(p, "lib/") && path.Ext(p) == ".ex" && !helperName().MatchString(p)
}

// isLockOfProject tells the lock file of a manifest that stands next to it, whoever names it.
func (g *Guard) isLockOfProject(p string) bool {
	if !manifest.IsLock(p) {
		return false
	}
	names, err := g.files.List(path.Dir(p))
	return err == nil && slices.ContainsFunc(names, func(name string) bool {
		other := path.Join(path.Dir(p), name)
		return manifest.Follows(p, other) && !g.isOwn(other)
	})
}

// servesTests tells a file that stood before, of no name that says so, which tests
// alone use: a helper that asserts, or data.
func (g *Guard) servesTests(s checkout.FileChange) bool {
	lang := lexer.Of(s.Path)
	base := path.Base(s.Path)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case !s.Existed || len(stem) < 3 || strings.HasSuffix(base, ".d.ts") || isMainSource(s.Path) || g.isLockOfProject(s.Path) ||
		testfile.IsBuild(s.Path):
		return false
	case lang == nil:
		// By its folder too, where it lies in one: tests write files of common names.
		named := path.Join(path.Base(path.Dir(s.Path)), base)
		return dataName().MatchString(base) && !isManifest(s.Path) &&
			g.files.OnlyTestsName(regexp.MustCompile(`["'\x60/]`+regexp.QuoteMeta(named)+`["'\x60]|`+
				`(?m:^//go:embed (?:.*[\s/])?`+regexp.QuoteMeta(named)+`)`), s.Path)
	}
	asserts := testLibraryUse[lang.Name]
	name := regexp.QuoteMeta(stem)
	if lang.Name == "elixir" { // a module bears the name of its file in other letters
		name = `(?i:` + strings.ReplaceAll(name, "_", "") + `)`
	}
	return asserts != nil && asserts().MatchString(string(s.Before)) &&
		g.files.OnlyTestsName(regexp.MustCompile(`\b`+name+`\b`), s.Path)
}

// UsedByProduct reports whether product code loads a file of tests, by what it names:
// the file with its folder, or, at the root, a line that loads it.
func (g *Guard) UsedByProduct(p string) bool {
	if r := testfile.Of(p); r != testfile.Case && r != testfile.Data || strings.HasSuffix(p, "_test.go") {
		return false
	}
	name := path.Base(p)
	if lexer.Of(p) != nil {
		name = strings.TrimSuffix(name, path.Ext(name))
	}
	name = regexp.QuoteMeta(name) + `\b`
	if dir := path.Dir(p); dir != "." {
		name = regexp.QuoteMeta(path.Base(dir)) + `["'\x60/\\.,:)\s]{1,5}` + name
	} else {
		name = `(?m)(import|from|require|include|use|load|open|read|mod)\b.*["'\x60\s(/]` + name
	}
	return g.files.ProductNames(regexp.MustCompile(name), p)
}

var (
	goTesting  = pattern.Lazy(`(?m)^\s*(import\s+)?(\w+\s+)?"testing"\s*$`)
	goTestArgs = pattern.Lazy(`\*testing\.[TBFM]\b|\btesting\.TB\b`)
	testPart   = pattern.Lazy(`(?i)(^|[_-])tests?($|[_-])|` +
		`^test(ing|util|help|kit|lib|support|suite|env|data|harness|fixture|common|framework)|` +
		`[a-z]test$|test(ing|utils?|helpers?|kit)$`)
)

// isGoHelper tells a Go file that serves tests: by what it takes, and by a name on
// its path. A library for others' tests is a product of its own.
func isGoHelper(s checkout.FileChange) bool {
	if path.Ext(s.Path) != ".go" || !s.Existed {
		return false
	}
	named := false
	for _, part := range strings.Split(strings.TrimSuffix(s.Path, ".go"), "/") {
		named = named || testPart().MatchString(part)
	}
	return named && goTesting().Match(s.Before) && goTestArgs().Match(s.Before)
}

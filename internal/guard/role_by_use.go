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

// Some test helpers and data are such by use, not by name: only tests open or import them.

// dataName matches data, as opposed to a document, a picture or a log.
var dataName = pattern.Lazy(`\.(json|jsonl|ndjson|ya?ml|toml|csv|tsv|xml|txt|ini|properties|sql|bin|` +
	`dat|data|expected|out|snap)$`)

var (
	// settings matches files that may describe the project to a tool or registry.
	settings = pattern.Lazy(`\.(json|ya?ml|toml|xml|ini|properties)$`)
	// says matches names of files that tests read or expect.
	says = pattern.Lazy(`(?i)test|spec|expect|golden|fixture|sample|example|input|output|result|data|case|snap|mock|stub|fake`)
)

// isManifest reports settings at the root of a project, or a Gradle catalog. Tests may read
// them as they read sources, for example to compare versions.
func isManifest(p string) bool {
	return strings.HasSuffix(p, ".versions.toml") ||
		!strings.Contains(p, "/") && settings().MatchString(p) && !says().MatchString(p)
}

// testLibraryUse shows, by language, that a file makes assertions.
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

// isMainSource reports a path that a build takes product code from, and nothing else. What
// only tests use there is product code for testing.
func isMainSource(p string) bool {
	return strings.Contains("/"+p, "/src/main/") ||
		strings.HasPrefix(p, "lib/") && path.Ext(p) == ".ex" && !helperName().MatchString(p)
}

// isLockOfProject reports the lock file next to its manifest, whoever names it.
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

// servesTests reports whether a file that existed before, with a neutral name, is used only
// by tests: a helper with assertions, or data.
func (g *Guard) servesTests(s checkout.FileChange) bool {
	lang := lexer.Of(s.Path)
	base := path.Base(s.Path)
	stem := strings.TrimSuffix(base, path.Ext(base))
	switch {
	case !s.Existed || len(stem) < 3 || strings.HasSuffix(base, ".d.ts") || isMainSource(s.Path) ||
		g.isLockOfProject(s.Path) ||
		testfile.IsBuild(s.Path):
		return false
	case lang == nil:
		// Together with its folder, if it has one: tests write files with common names.
		named := path.Join(path.Base(path.Dir(s.Path)), base)
		return dataName().MatchString(base) && !isManifest(s.Path) &&
			g.files.OnlyTestsName(regexp.MustCompile(`["'\x60/]`+regexp.QuoteMeta(named)+`["'\x60]|`+
				`(?m:^//go:embed (?:.*[\s/])?`+regexp.QuoteMeta(named)+`)`), s.Path)
	}
	asserts := testLibraryUse[lang.Name]
	name := regexp.QuoteMeta(stem)
	if lang.Name == "elixir" { // the module name spells the file name in another case
		name = `(?i:` + strings.ReplaceAll(name, "_", "") + `)`
	}
	return asserts != nil && asserts().MatchString(string(s.Before)) &&
		g.files.OnlyTestsName(regexp.MustCompile(`\b`+name+`\b`), s.Path)
}

// UsedByProduct reports whether product code loads a test file, by the file name with its
// folder, or at the root by a line that loads it.
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

// isGoHelper reports whether a Go file serves tests, by its parameters and a name on its
// path. A library for testing other code is a product.
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

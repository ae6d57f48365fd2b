// Package testfile tells by a file's path what it is to the tests.
//
// A case file holds tests or helpers of tests, by the conventions of its language.
// A data file (fixture, snapshot, golden file) is read by tests. A runner file
// configures or starts a runner as a whole. All else is product code, build files
// of which only a part speaks of tests included.
//
// It goes by the path alone, so that all who ask agree: who guards old tests, who
// picks what a model is shown, and (by a table of paths that both are tested
// against) who tells in a failure the test from the tested.
package testfile

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/globs"
)

// Role is what a file is to the tests.
type Role int

// The roles.
const (
	Product Role = iota
	// Case holds cases or their helpers.
	Case
	// Data is what tests read.
	Data
	// Runner configures or starts a runner as a whole.
	Runner
)

// Of gives the role of the file at a slash path below the checkout's root.
func Of(p string) Role {
	switch {
	case tables().runnersAnywhere.Match(p):
		return Runner
	case tables().data.Match(p) && !tables().documents.Match(p):
		return Data
	case tables().runners.Match(p) && !namedTest(p):
		return Runner
	case isCase(p):
		return Case
	case Language(p) == "" && besideTests(p) && !tables().documents.Match(p) && !tables().builds.Match(p):
		return Data
	}
	return Product
}

// Is reports whether a file is one of the tests, of their data or of their runner.
func Is(p string) bool { return Of(p) != Product }

// isCase goes by names and directories.
func isCase(p string) bool {
	lang := Language(p)
	if inProduct(p, lang) {
		return false
	}
	return tables().cases.Match(p) && !(startsAsTest(p) && (lang == "js" || lang == "shell") &&
		belowSources(p, "src", "lib", "app", "source")) ||
		lang != "" && (tables().sourceSets.Match(p) || besideTests(p))
}

// inProduct tells places where no name makes a test: the main sources of a JVM
// build or of a Swift package, Test's modules of Haskell, and the libraries of Perl, Ruby, Elixir and Dart, where what is named
// after tests helps others to test.
func inProduct(p, lang string) bool {
	if inMainSources(p) {
		return !strings.Contains("/"+p, "/src/test/")
	}
	if lang == "swift" && belowSources(p, "Sources") {
		return !slices.ContainsFunc(strings.Split(path.Dir(p), "/"), swiftTarget)
	}
	if lang == "dart" && belowSources(p, "lib") {
		return !strings.HasSuffix(p, "_test.dart")
	}
	if lang == "lua" && belowSources(p, "lua") { // what Neovim loads
		return !strings.HasSuffix(p, "_spec.lua") && !slices.ContainsFunc(strings.Split(path.Dir(p), "/"),
			func(dir string) bool { return caseDirs[dir] || specDirs[dir] })
	}
	if lang == "haskell" && strings.Contains("/"+p, "/src/Test/") {
		return !strings.HasSuffix(p, "Spec.hs")
	}
	return (lang == "perl" && path.Ext(p) != ".t" || lang == "ruby" || path.Ext(p) == ".ex") &&
		belowSources(p, "lib")
}

// swiftTarget tells a directory of tests by the name that a package gives it.
func swiftTarget(dir string) bool {
	for _, end := range []string{"Test", "Tests", "Spec", "Specs"} {
		if strings.HasSuffix(dir, end) {
			return true
		}
	}
	return false
}

// inMainSources tells the main sources of a JVM build, of all platforms or of one:
// src/main, src/commonMain, src/jvmMain.
func inMainSources(p string) bool {
	_, below, is := strings.Cut("/"+p, "/src/")
	set, _, inside := strings.Cut(below, "/")
	platform, main := strings.CutSuffix(set, "Main")
	isProduct := main && platform != "" && !strings.Contains(strings.ToLower(platform), "test")
	return is && inside && (set == "main" || isProduct)
}

// startsAsTest tells test-x.js, test_x.js and test_x.sh, which few runners take for
// tests: below the sources such a file is about tests, not one of them.
func startsAsTest(p string) bool {
	base := path.Base(p)
	return (strings.HasPrefix(base, "test-") || strings.HasPrefix(base, "test_")) && !namedTest(p)
}

// belowSources reports whether a directory of sources stands above, and none of
// tests above that.
func belowSources(p string, names ...string) bool {
	for part := range strings.SplitSeq(path.Dir(p), "/") {
		switch {
		case slices.Contains(names, part):
			return true
		case caseDirs[part], specDirs[part]:
			return false
		}
	}
	return false
}

// namedTest tells a file that says in its last words that it is a test, as
// jest.test.ts does: that is no configuration of jest's.
func namedTest(p string) bool {
	base := path.Base(p)
	for _, word := range []string{".test.", ".spec.", ".tests.", ".specs."} {
		if strings.Contains(base, word) {
			return true
		}
	}
	return false
}

// besideTests reports whether a directory above is one of tests.
func besideTests(p string) bool {
	if inMainSources(p) {
		return false
	}
	lang := Language(p)
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		base := path.Base(dir)
		switch {
		case base == "t":
			if ext := path.Ext(p); ext == ".t" || ext == ".sh" || ext == ".pm" || ext == ".pl" {
				return true
			}
		case lang == "rust" && base == "src" && path.Base(path.Dir(dir)) == "test": // a package of that name
			return false
		case caseDirs[base], specDirs[base] && specLanguages[lang]:
			return true
		}
	}
	return tables().sourceSets.Match(p)
}

// matchers are the tables of names, each made ready to be asked.
type matchers struct {
	cases, sourceSets, data, documents, builds, runnersAnywhere, runners *globs.Set
}

var tables = sync.OnceValue(func() *matchers {
	return &matchers{
		cases: globs.New(cases...), sourceSets: globs.New(sourceSets...), data: globs.New(data...),
		documents: globs.New(documents...),
		builds:    globs.New(builds...), runnersAnywhere: globs.New(runnersAnywhere...),
		runners: globs.New(runners...),
	}
})

// IsBuild reports whether a file manages a build, so that a part of it may speak of
// tests: a manifest, a make file, a project of a build tool.
func IsBuild(p string) bool { return tables().builds.Match(p) && Of(p) == Product }

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

	"github.com/bmatcuk/doublestar/v4"
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
	case matchAny(runnersAnywhere, p):
		return Runner
	case matchAny(data, p) && !matchAny(documents, p):
		return Data
	case matchAny(runners, p) && !namedTest(p):
		return Runner
	case isCase(p):
		return Case
	case Language(p) == "" && besideTests(p) && !matchAny(documents, p) && !matchAny(builds, p):
		return Data
	}
	return Product
}

// Is tells whether a file is one of the tests, of their data or of their runner.
func Is(p string) bool { return Of(p) != Product }

// isCase goes by names and directories.
func isCase(p string) bool {
	lang := Language(p)
	if inProduct(p, lang) {
		return false
	}
	return matchAny(cases, p) && !(startsAsTest(p) && (lang == "js" || lang == "shell") && belowSources(p, "src", "lib", "app", "source")) ||
		lang != "" && (matchAny(sourceSets, p) || besideTests(p))
}

// inProduct tells places where no name makes a test: the main sources of a JVM
// build, and the libraries of Perl and Ruby, where what is named after tests
// helps others to test.
func inProduct(p, lang string) bool {
	if strings.Contains("/"+p, "/src/main/") {
		return !strings.Contains("/"+p, "/src/test/")
	}
	return (lang == "perl" && path.Ext(p) != ".t" || lang == "ruby") && belowSources(p, "lib")
}

// startsAsTest tells test-x.js, test_x.js and test_x.sh, which few runners take for
// tests: below the sources such a file is about tests, not one of them.
func startsAsTest(p string) bool {
	base := path.Base(p)
	return (strings.HasPrefix(base, "test-") || strings.HasPrefix(base, "test_")) && !namedTest(p)
}

// belowSources tells whether a directory of sources stands above, and none of
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

// besideTests tells whether a directory above is one of tests.
func besideTests(p string) bool {
	if strings.Contains("/"+p, "/src/main/") {
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
		case caseDirs[base], specDirs[base] && specLanguages[lang]:
			return true
		}
	}
	return matchAny(sourceSets, p)
}

func matchAny(globs []string, p string) bool {
	known := letters()
	for _, glob := range globs {
		l, ok := known[glob]
		if !ok {
			l = lettersOf(glob)
		}
		if l.allow(p) && doublestar.MatchUnvalidated(glob, p) {
			return true
		}
	}
	return false
}

// plainLetters are what a glob asks of a path apart from its wildcards. All but a few
// globs are done with at that, for each file of a repository.
type plainLetters struct {
	// ends are the ways in which the path may end, begin is how it begins, or
	// what it holds.
	ends     []string
	begin    string
	anywhere bool
}

// letters are those of all globs here.
var letters = sync.OnceValue(func() map[string]plainLetters {
	out := map[string]plainLetters{}
	for _, globs := range [][]string{cases, sourceSets, data, documents, builds, runnersAnywhere, runners} {
		for _, glob := range globs {
			out[glob] = lettersOf(glob)
		}
	}
	return out
})

func lettersOf(glob string) plainLetters {
	if strings.IndexByte(glob, '\\') >= 0 {
		return plainLetters{ends: []string{""}}
	}
	begin, anywhere := strings.CutPrefix(glob, "**/")
	if i := strings.IndexAny(begin, "*?[{"); i >= 0 {
		begin = begin[:i]
	}
	return plainLetters{ends: endsOf(glob), begin: strings.TrimSuffix(begin, "/"), anywhere: anywhere} // a/** is a, too
}

// endsOf gives what stands behind the last wildcard of a glob, of each of the
// alternatives where it ends in such.
func endsOf(glob string) []string {
	rest, ok := strings.CutSuffix(glob, "}")
	last := rest[strings.LastIndexByte(rest, '{')+1:]
	if !ok || strings.IndexByte(last, '}') >= 0 { // alternatives among alternatives
		return []string{strings.TrimPrefix(glob[strings.LastIndexAny(glob, "*?]}")+1:], "/")} // **/a is a, too
	}
	var out []string
	for end := range strings.SplitSeq(last, ",") {
		out = append(out, end[strings.LastIndexAny(end, "*?]")+1:])
	}
	return out
}

// allow is false where a glob of these letters cannot match.
func (l plainLetters) allow(p string) bool {
	if !slices.ContainsFunc(l.ends, func(end string) bool { return strings.HasSuffix(p, end) }) {
		return false
	}
	if l.anywhere {
		return strings.Contains(p, l.begin)
	}
	return strings.HasPrefix(p, l.begin)
}

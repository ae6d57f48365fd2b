package tree

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// testConvention is how a language names its test files.
type testConvention struct {
	exts  string
	names string // patterns of names without their extension
	// dirs is set if every file in a test folder is a test.
	dirs bool
	// product is a folder below which no name makes a test, unless that folder itself is in
	// a test folder.
	product string
}

var testConventions = []testConvention{
	{".go", "*_test", false, ""},
	{".py .pyi", "test_* *_test *_tests test tests conftest", true, ""},
	{".js .jsx .mjs .cjs .ts .tsx .mts .cts .vue .svelte .coffee",
		"*.test *.tests *.spec *.specs *.cy *.e2e *[_\\-]test *[_\\-]tests *[_\\-]spec test tests " +
			"setupTests", true, ""},
	{".rs", "test_* *_test *_tests test tests", true, ""},
	{".java .kt .kts .scala .groovy", "Test[A-Z]* *Test *Tests *TestCase *IT *Spec", true, "/src/main/"},
	{".rb .cr", "test_* *_spec *_test spec_helper test_helper", true, "/lib/"},
	{".php .phpt", "*Test *TestCase *Cest *Cept", true, ""},
	{".ex .exs .erl", "*_test *_SUITE *_tests test_helper", true, ""},
	{".c .h .cc .cpp .cxx .hh .hpp .m .mm",
		"test[_\\-]* *[_\\-]test *_tests *_unittest *.test *Test *Tests test tests", true, ""},
	{".cs .fs .vb", "*Test *Tests *Spec *Specs", true, ""},
	{".swift", "*Test *Tests *Spec", true, ""},
	{".sh .bash .zsh", "*[_\\-]test *_spec test tests", true, ""},
	{".pl .pm", "", true, "/lib/"},
	{".dart .lua .clj .cljs .ml .zig .jl .nim .hs", "test_* *_test *_spec *Spec", true, ""},
	{".tcl .exp .el .scm .rkt .r .ps1 .hrl", "", true, ""},
}

// testFolders contain only tests and test helpers.
var testFolders = strings.Fields(`test tests Test Tests __tests__ __typetests__
	__snapshots__ testdata e2e cypress t androidTest integration_test
	unittests unit_tests unit-tests integration_tests integration-tests
	UnitTests IntegrationTests FunctionalTests AcceptanceTests`)

// conventionOf maps an extension to its convention, split into words once, since trees of
// thousands of files are checked.
var conventionOf = sync.OnceValue(func() map[string]*splitConvention {
	out := map[string]*splitConvention{}
	for _, c := range testConventions {
		split := &splitConvention{c, strings.Fields(c.names)}
		for _, ext := range strings.Fields(c.exts) {
			out[ext] = split
		}
	}
	return out
})

type splitConvention struct {
	testConvention
	patterns []string
}

// IsTestFile goes by the names that frameworks look for.
func IsTestFile(p string) bool {
	ext := path.Ext(p)
	switch ext {
	case ".bats", ".t", ".snap", ".feature", ".test":
		return true
	}
	c := conventionOf()[ext]
	if c == nil {
		return false
	}
	if above, _, is := strings.Cut("/"+p, c.product); c.product != "" && is &&
		!inTestFolder(above+"/x", ext) {
		return false
	}
	stem := strings.TrimSuffix(path.Base(p), ext)
	return c.dirs && inTestFolder(p, ext) ||
		slices.ContainsFunc(c.patterns, func(pattern string) bool { return fits(pattern, stem) }) ||
		(strings.HasPrefix(c.exts, ".js") || strings.HasPrefix(c.exts, ".sh")) && nodeTest(p, stem)
}

// fits matches a name like path.Match, but faster.
func fits(pattern, name string) bool {
	if end, ok := strings.CutPrefix(pattern, "*"); ok && !strings.ContainsAny(end, "*[") {
		return strings.HasSuffix(name, end)
	}
	is, _ := path.Match(pattern, name)
	return is
}

// nodeTest reports test-x.js and test_x.sh, which are tests to a few runners, but among the
// sources more likely files about tests.
func nodeTest(p, stem string) bool {
	starts := strings.HasPrefix(stem, "test-") || strings.HasPrefix(stem, "test_")
	return starts && !strings.Contains("/"+p, "/src/") && !strings.Contains("/"+p, "/lib/")
}

func inTestFolder(p, ext string) bool {
	for part := range strings.SplitSeq(path.Dir(p), "/") {
		switch {
		case slices.Contains(testFolders, part),
			strings.HasSuffix(part, "Tests") && strings.Contains(part, "."):
			return true
		case part == "spec" || part == "specs":
			return strings.Contains(" .rb .cr .js .jsx .mjs .ts .tsx .lua ", " "+ext+" ")
		}
	}
	return false
}

// LooksLikeTest knows tests of languages that [IsTestFile] does not.
func LooksLikeTest(p string) bool {
	if IsTestFile(p) {
		return true
	}
	ext := path.Ext(p)
	if conventionOf()[ext] != nil {
		return false
	}
	low := strings.ToLower(strings.TrimSuffix(path.Base(p), ext))
	for _, w := range []string{"test", "tests", "spec"} {
		if low == w || strings.HasPrefix(low, w+"_") || strings.HasPrefix(low, w+"-") ||
			strings.HasSuffix(low, "_"+w) || strings.HasSuffix(low, "-"+w) || strings.HasSuffix(low, "."+w) {
			return true
		}
	}
	return inTestFolder(p, ext) || strings.Contains("/"+p, "/spec/")
}

// reTestCall matches a call with which JavaScript names a test or a group of tests.
var reTestCall = text.Lazy("^\\s*(it|test|describe|suite|context)(?:\\.(?:only|concurrent|failing))*\\(\\s*" +
	"(?:'((?:[^'\\\\])+)'|\"([^\"\\\\]+)\"|`([^`$\\\\]+)`)")

// TestAt returns the JavaScript test around a line of a file, with its groups, by the less
// and less indented calls above it; "" if there is none.
func (t *Tree) TestAt(p string, line int) string {
	lines := t.Lines(p)
	if line < 1 || line > len(lines) || t.Hidden != nil && t.Hidden(p) {
		return ""
	}
	name, deep := "", text.IndentOf(lines[line-1])+1
	for i := line - 1; i >= 0; i-- {
		indent := text.IndentOf(lines[i])
		if indent >= deep || strings.TrimSpace(lines[i]) == "" {
			continue
		}
		deep = indent
		m := reTestCall().FindStringSubmatch(lines[i])
		switch {
		case m == nil:
		case name != "":
			name = m[2] + m[3] + m[4] + " > " + name
		case m[1] == "it" || m[1] == "test":
			name = m[2] + m[3] + m[4]
		default:
			return "" // of a group, not of a test
		}
	}
	return name
}

package guard

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// role is what a file is to the tests.
type role int

const (
	roleProduct role = iota
	// roleTest holds cases or their helpers.
	roleTest
	// roleFeed is data that tests read.
	roleFeed
	// roleRunner configures or starts the runner as a whole.
	roleRunner
	// roleShadow stands where the runner, its library or its command is looked up.
	roleShadow
)

// testNames are the conventions by which runners find test files.
var testNames = []string{
	// Go
	"**/*_test.go",
	// Python
	"**/test_*.py", "**/*_test.py", "**/*_tests.py", "**/{test,tests}.py", "**/test*.pyi",
	// JavaScript and TypeScript
	"**/*.{test,tests,spec,specs,e2e,e2e-spec,cy,test-d,unit,int,integration}.{js,jsx,mjs,cjs,ts,tsx,mts,cts,vue,svelte,coffee}",
	"**/*{-,_}{test,tests,spec}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}", "**/{test,tests}.{js,jsx,mjs,cjs,ts,tsx,mts,cts}",
	"**/test{-,_}*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}", "cypress/**/*.{js,jsx,ts,tsx}",
	// Rust
	"**/{test,tests}.rs", "**/*_{test,tests}.rs", "**/test_*.rs",
	// Java, Kotlin, Scala, Groovy
	"**/{*Test,*Tests,*TestCase,*IT,*Spec,Test[A-Z]*}.{java,kt,kts,scala,groovy}",
	// Ruby and Crystal
	"**/*_{spec,test}.{rb,cr}", "**/test_*.rb", "features/**/*.{rb,feature}", "**/*.feature",
	// PHP
	"**/{*Test,*TestCase,*Cest,*Cept}.php", "**/*.phpt",
	// Elixir and Erlang
	"**/*_test.exs", "**/*_SUITE.erl", "**/*_tests.erl",
	// C and C++
	"**/{test_*,*_test,*_tests,*_unittest,*Test,*Tests,*.test,test,tests,test-*,*-test}.{c,cc,cpp,cxx,h,hh,hpp,m,mm}",
	// C#, F#, Visual Basic
	"**/{*Test,*Tests,*Spec,*Specs}.{cs,fs,vb}", "**/*.{Test,Tests,UnitTests,IntegrationTests,Specs}/**/*.{cs,fs,vb}",
	// Swift
	"**/{*Test,*Tests,*Spec}.swift",
	// shell and Perl
	"**/*.bats", "**/{test_*,*_test,test-*,*-test,test,tests,*_spec,run_tests,run-tests,runtests}.{sh,bash,zsh}", "**/*.t",
	// others
	"**/*_test.{dart,lua,clj,cljs,ml,zig,jl,nim,cr}", "**/*_spec.{lua,sh}", "**/*Spec.hs", "**/test_*.{jl,lua,nim}",
}

// testDirs are directories in which every source file is a test or its helper.
var testDirs = []string{
	"test", "tests", "Test", "Tests", "__tests__", "e2e", "testing_support", "unittests", "unit_tests", "integration_tests",
	"integration-tests", "unit-tests", "functional_tests", "t",
}

// specDirs are those only for languages whose runners look there.
var specDirs = map[string]bool{"spec": true, "specs": true}

var specLanguages = map[string]bool{"ruby": true, "js": true, "crystal": true}

// testSourceSets are the directories of JVM builds: src/test, src/androidTest.
var testSourceSets = []string{"**/src/{test,*Test,testFixtures,it,integration-test,functionalTest}/**"}

// feeds are data that tests read.
var feeds = []string{
	"**/{testdata,test-data,test_data,TestData,fixtures,__fixtures__,Fixtures,golden,goldens,cassettes,vcr_cassettes}/**",
	"**/{__snapshots__,__image_snapshots__,__file_snapshots__,snapshots,__mocks__,__approvals__}/**",
	"**/*.{snap,golden,ambr}", "**/*.snap.new", "**/*.{approved,verified}.*", "**/*.golden.*", "**/*_golden.*",
}

// documents may stand beside tests without being data of theirs.
var documents = []string{"**/*.{md,rst,adoc}", "**/{LICENSE,COPYING,NOTICE,README,.gitkeep,.gitignore,.gitattributes,.editorconfig}"}

func (g *Guard) roleOf(p string) role {
	if g.named.has(g.key(p)) && !isTestName(p) {
		return roleRunner
	}
	r := classify(p)
	if r == roleProduct && g.fold {
		r = classify(foldCase(p)) // another spelling may be the same file
	}
	if r == roleProduct && g.matching(g.policy.TestPaths, p) != "" {
		return roleTest
	}
	return r
}

// classify goes by the name alone.
func classify(p string) role {
	switch {
	case isShadow(p):
		return roleShadow
	case isRunner(p):
		return roleRunner
	case matchAny(feeds, p) && !matchAny(documents, p):
		return roleFeed
	case isTestName(p):
		return roleTest
	case isBesideTests(p) && languageOf(p) == nil && !matchAny(documents, p) && !isPartRunner(p):
		return roleFeed
	}
	return roleProduct
}

func isTestName(p string) bool {
	if strings.Contains("/"+p, "/src/main/") && !strings.Contains("/"+p, "/src/test/") {
		return false
	}
	return matchAny(testNames, p) || matchAny(testSourceSets, p) && languageOf(p) != nil || isBesideTests(p) && languageOf(p) != nil
}

// isBesideTests tells whether a directory above is one of tests.
func isBesideTests(p string) bool {
	if strings.Contains("/"+p, "/src/main/") {
		return false
	}
	lang := languageOf(p)
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		base := path.Base(dir)
		for _, d := range testDirs {
			if base == d && (d != "t" || path.Ext(p) == ".t" || path.Ext(p) == ".sh") {
				return true
			}
		}
		if specDirs[base] && lang != nil && specLanguages[lang.name] {
			return true
		}
	}
	return matchAny(testSourceSets, p)
}

func matchAny(globs []string, p string) bool {
	for _, glob := range globs {
		if doublestar.MatchUnvalidated(glob, p) {
			return true
		}
	}
	return false
}

// snapshotOwner is the test that a Jest or Vitest snapshot belongs to.
func snapshotOwner(p string) string {
	dir, base := path.Split(p)
	owner, isSnap := strings.CutSuffix(base, ".snap")
	dir, inDir := strings.CutSuffix(dir, "__snapshots__/")
	if !isSnap || !inDir {
		return ""
	}
	return dir + owner
}

var mocksModule = lazy(`\b(?:jest|vi)\.(?:mock|doMock|setMock)\(\s*['"\x60]([^'"\x60]+)['"\x60]\s*\)`)

// mockedIn gives an old test that mocks, without saying how, the module that a
// file in __mocks__ stands for.
func (g *Guard) mockedIn(p string) (test string) {
	if path.Base(path.Dir(p)) != "__mocks__" {
		return ""
	}
	module := strings.TrimSuffix(path.Base(p), path.Ext(p))
	g.walk(func(f string) {
		if lang := languageOf(f); test != "" || lang == nil || lang.name != "js" || !isTestName(f) || g.isOwn(f) {
			return
		}
		text, err := g.tree.ReadFile(f)
		if err != nil {
			return
		}
		for _, m := range mocksModule().FindAllStringSubmatch(string(text), -1) {
			if base := path.Base(m[1]); strings.TrimSuffix(base, path.Ext(base)) == module {
				test = f
			}
		}
	})
	return test
}

func inMocksOfPackages(p string) bool { return strings.HasPrefix(p, "__mocks__/") }

package guard

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/booty-cli/booty/internal/testfile"
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

func (g *Guard) roleOf(p string) role {
	if g.named.has(g.key(p)) && !isTestName(p) {
		return roleRunner
	}
	r := classify(p)
	if r == roleShadow && g.isProductLibrary(p) {
		r = roleByName(p)
	}
	if r == roleProduct && g.fold {
		r = classify(foldCase(p)) // another spelling may be the same file
	}
	if r == roleProduct && g.matching(g.policy.TestPaths, p) != "" {
		return roleTest
	}
	return r
}

// vendored are folders of others' code.
var vendored = []string{"**/{node_modules,vendor,vendors,third_party,third-party,thirdparty,external,extern,deps,_build,site-packages,dist-packages,.venv,venv,.tox,.nox,virtualenv,__pycache__}/**"}

// isProductLibrary tells a file of a runner or its library in the repository that
// makes it: it stood before, and neither beside tests nor among others' code.
func (g *Guard) isProductLibrary(p string) bool {
	dir := path.Dir(p)
	if g.policy.Base == nil || dir == "." || matchAny(vendored, p) {
		return false
	}
	if matchAny(libraries, dir+"/x") { // a package: whoever has it makes it
		kind, err := g.tree.Kind(dir)
		return err == nil && kind == Dir && !testfile.Is(dir+"/x.c") || g.makes(dir)
	}
	if testfile.Is(dir + "/x.c") {
		return false
	}
	_, stood := g.policy.Base(p)
	return stood
}

// makes tells whether the same package stands among the sources of the checkout, so
// that its tests may stand in it too.
func (g *Guard) makes(dir string) bool {
	before, inTest, is := strings.Cut(dir+"/", "/src/test/java/")
	if !is {
		return false
	}
	kind, err := g.tree.Kind(path.Join(before, "src/main/java", inTest))
	stood, errOwn := g.tree.Kind(dir)
	return err == nil && kind == Dir || errOwn == nil && stood == Dir
}

// classify goes by the name alone.
func classify(p string) role {
	if isShadow(p) {
		return roleShadow
	}
	return roleByName(p)
}

func roleByName(p string) role {
	switch testfile.Of(p) {
	case testfile.Runner:
		return roleRunner
	case testfile.Data:
		return roleFeed
	case testfile.Case:
		return roleTest
	}
	return roleProduct
}

func isTestName(p string) bool { return testfile.Of(p) == testfile.Case }

func isRunner(p string) bool { return testfile.Of(p) == testfile.Runner }

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

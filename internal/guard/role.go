package guard

import (
	"path"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/paths"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/shadow"
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
	if g.named.Has(g.key(p)) && !checkout.IsTestName(p) {
		return roleRunner
	}
	r := classify(p)
	if r == roleShadow && g.isProductLibrary(p) {
		r = roleByName(p)
	}
	if r == roleProduct && g.fold {
		r = classify(paths.FoldCase(p)) // another spelling may be the same file
	}
	if r == roleProduct && g.matching(g.policy.TestPaths, p) != "" {
		return roleTest
	}
	return r
}

// vendored are folders of others' code.
var vendored = []string{
	"**/{node_modules,vendor,vendors,third_party,third-party,thirdparty,external,extern,deps}/**",
	"**/{_build,site-packages,dist-packages,.venv,venv,.tox,.nox,virtualenv,__pycache__}/**",
}

// isProductLibrary tells a file of a runner or its library in the repository that
// makes it: it stood before, and neither beside tests nor among others' code.
func (g *Guard) isProductLibrary(p string) bool {
	dir := path.Dir(p)
	if g.policy.Base == nil || dir == "." || checkout.MatchAny(vendored, p) {
		return false
	}
	if shadow.IsLibrary(dir + "/x") { // a package: whoever has it makes it
		kind, err := g.files.Kind(dir)
		return err == nil && kind == checkout.Dir && !testfile.Is(dir+"/x.c") || g.makes(dir) || g.widens(dir)
	}
	if init := dir + "/__init__.py"; path.Ext(p) == ".py" && shadow.IsLibrary(init) && p != init {
		_, stood := g.policy.Base(init)
		return stood && !testfile.Is(dir+"/x.c")
	}
	if testfile.Is(dir + "/x.c") {
		return false
	}
	_, stood := g.policy.Base(p)
	return stood
}

// testSet is a package of a set of sources that are tests.
var testSet = pattern.Lazy(`^(|.*/)src/\w*[tT]est\w*/(java|kotlin|groovy|scala)/(.+)$`)

// makes tells whether the same package stands among the sources of the checkout, so
// that its tests may stand in it too.
func (g *Guard) makes(dir string) bool {
	m := testSet().FindStringSubmatch(dir)
	if m == nil {
		return false
	}
	stands := func(p string) bool {
		kind, err := g.files.Kind(p)
		return err == nil && kind == checkout.Dir
	}
	sets, err := g.files.List(m[1] + "src")
	return stands(dir) || err == nil && slices.ContainsFunc(sets, func(set string) bool {
		return set == "main" && stands(path.Join(m[1], "src/main/java", m[3])) ||
			(set == "main" || strings.HasSuffix(set, "Main")) && stands(path.Join(m[1], "src", set, m[2], m[3]))
	})
}

// mainSet is a package of a set of sources of the product.
var mainSet = pattern.Lazy(`(?:^|/)src/(?:main|\w+Main)/(?:java|kotlin|groovy|scala)/(.+)$`)

// widens tells a new package of a library whose uppermost the product has among its
// sources.
func (g *Guard) widens(dir string) bool {
	m := mainSet().FindStringSubmatch(dir)
	if m == nil {
		return false
	}
	root := m[1]
	for up := path.Dir(root); shadow.IsLibrary("src/" + up + "/x"); up = path.Dir(up) {
		root = up
	}
	found := false
	g.files.Walk(func(p string) {
		other := mainSet().FindStringSubmatch(path.Dir(p))
		found = found || other != nil && other[1] == root && !checkout.MatchAny(vendored, p)
	})
	return found
}

// classify goes by the name alone.
func classify(p string) role {
	if shadow.Is(p) {
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

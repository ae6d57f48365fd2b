package guard

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/shadow"
	"github.com/booty-cli/booty/internal/testfile"
)

// A repository may make what others test with: its sources stand where a library of tests
// would be looked up, and speak of what notices tests elsewhere.

// vendored are folders of others' code.
var vendored = []string{
	"**/{node_modules,vendor,vendors,third_party,third-party,thirdparty,external,extern,deps}/**",
	"**/{_build,site-packages,dist-packages,.venv,venv,.tox,.nox,virtualenv,__pycache__}/**",
}

// isProductLibrary tells a file of a runner or its library in the repository that
// makes it: it stood before, and neither beside tests nor among others' code.
func (g *Guard) isProductLibrary(p string) bool {
	dir := path.Dir(p)
	if g.policy.Base != nil && dir == "." {
		return g.isModuleOfProject(p)
	}
	if g.policy.Base == nil || checkout.MatchAny(vendored, g.withoutOwnPackage(p)) {
		return false
	}
	if g.isOfOwnGem(p) {
		return true
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

// withoutOwnPackage gives a path without a package of Python that bears the name of others' code.
func (g *Guard) withoutOwnPackage(p string) string {
	up, down, is := strings.Cut("/"+p, "/virtualenv/")
	if !is {
		return p
	}
	if _, stood := g.policy.Base(strings.TrimPrefix(up+"/virtualenv/__init__.py", "/")); !stood {
		return p
	}
	return path.Join(strings.TrimPrefix(up, "/"), down)
}

// ofGem is a place where Ruby would find a part of a library for tests.
var ofGem = pattern.Lazy(`^(lib|test|spec)/(rspec|minitest|bundler)/(?:.*/)?([\w-]+)\.rb$`)

// isOfOwnGem tells a part of a gem for tests in the repository that makes it: one that stood, or
// a new file of cases.
func (g *Guard) isOfOwnGem(p string) bool {
	m := ofGem().FindStringSubmatch(p)
	if m == nil {
		return false
	}
	_, makes := g.policy.Base("lib/" + m[2] + ".rb")
	if part, _, deep := strings.Cut(strings.TrimPrefix(p, m[1]+"/"+m[2]+"/"), "/"); deep && !makes { // of which it makes one
		_, makes = g.policy.Base("lib/" + m[2] + "/" + part + ".rb")
	}
	_, stood := g.policy.Base(p)
	return makes && (stood || m[1] != "lib" && testfile.Of(m[3]+".rb") == testfile.Case)
}

// isModuleOfProject tells a module of Python at the root that stood before, and for which the
// project itself is named.
func (g *Guard) isModuleOfProject(p string) bool {
	module, is := strings.CutSuffix(p, ".py")
	if _, stood := g.policy.Base(p); !is || !stood {
		return false
	}
	named := regexp.MustCompile(`(?m)^\s*name\s*=\s*["']?` + regexp.QuoteMeta(module) + `["']?\s*,?\s*$`)
	for _, manifest := range []string{"pyproject.toml", "setup.cfg", "setup.py"} {
		if text, stood := g.policy.Base(manifest); stood && named.Match(text) {
			return true
		}
	}
	return false
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
	return g.hasUppermost(m[1])
}

// hasUppermost tells whether the product has the uppermost package of a library among its
// sources.
func (g *Guard) hasUppermost(root string) bool {
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

// isTestOfLibrary tells a new test, in a new package, of a library that the product makes:
// a class alone, by the name of its file, which none of the library's has.
func (g *Guard) isTestOfLibrary(s checkout.Step) bool {
	m := testOfOther().FindStringSubmatch(s.Path)
	return m != nil && !s.Existed && s.Stays && shadow.IsLibrary("src/"+m[1]+"/x") &&
		runsCases().Match(s.After) && len(declaredOnTop().FindAll(s.After, 2)) == 1 &&
		strings.Contains(string(s.After), "class "+m[2]+" ") && g.hasUppermost(m[1])
}

var (
	declaredOnTop = pattern.Lazy(`(?m)^(?:(?:public|private|internal|final|abstract|open|data|` +
		`sealed|value|inline|infix|operator|annotation|strictfp)\s+)*` +
		`(?:class|interface|enum|record|@interface|object|fun|val|var|typealias)\b`)
	testOfOther = pattern.Lazy(`(?:^|/)src/\w*[tT]est\w*/(?:java|kotlin|groovy|scala)/(.+)/` +
		`(\w+(?:Test|Tests|IT))\.\w+$`)
	runsCases = pattern.Lazy(`(?m)^\s*@(Test|ParameterizedTest)\b|\bextends\s+\w*TestCase\b`)
)

// runnersOwn are the sources of a runner in the repository that makes it, each told by
// one that it has: a copy among others' code, or without the rest, is no product.
var runnersOwn = []struct {
	sources func() *pattern.Pattern
	mark    string
}{
	{pattern.Lazy(`^google(test|mock)/(include|src)/`), "googletest/src/gtest-all.cc"},
	{pattern.Lazy(`^doctest/(doctest\.h$|parts/)`), "doctest/parts/doctest_fwd.h"},
	{pattern.Lazy(`^src/catch2/`), "src/catch2/catch_session.cpp"},
	{pattern.Lazy(`^(src|tests)/.*\.php$`), "src/Framework/TestCase.php"},
}

// isRunnersOwn tells a source of a runner in the repository that makes it.
func (g *Guard) isRunnersOwn(p string) bool {
	for _, o := range runnersOwn {
		if g.policy.Base == nil || !o.sources().MatchString(p) {
			continue
		}
		text, stood := g.policy.Base(o.mark)
		if stood && (path.Ext(p) != ".php" || phpunitSpace().Match(text)) {
			return true
		}
	}
	return false
}

var (
	phpunitSpace = pattern.Lazy(`(?m)^namespace PHPUnit\\`)
	freeFunction = pattern.Lazy(`(?m)^function\s`)
)

// inOwnSpace gives a source of PHPUnit as that of any product: where it declares no
// function, its space of names reaches no test of others.
func inOwnSpace(php []byte) []byte {
	if freeFunction().Match(php) {
		return php
	}
	return phpunitSpace().ReplaceAll(php, []byte(`namespace Own\`))
}

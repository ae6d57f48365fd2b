package guard

import (
	"bytes"
	"path"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/shadow"
	"github.com/booty-cli/booty/internal/testfile"
)

// refuse says why a file may not be changed so; "" where it may. Edits to tests are
// no reason: the tests as they stood have their say when they run.
func (g *Guard) refuse(s checkout.Step) (why, kind string) {
	if s.Existed && s.Stays && bytes.Equal(s.Before, s.After) {
		return "", ""
	}
	if !s.Existed && s.Stays && (shadow.Is(s.Path) && !g.isOwnLibrary(s.Path) || shadow.HidesLibrary(g.files, s)) {
		return "The file would stand in for the test runner or its library; write product code only.", KindShadow
	}
	if g.policy.TestEdits == Deny && s.Existed && g.isTestStep(s) && !g.allows(s.Path) {
		return "Tests may not be changed here. Change the code under test instead.", KindTest
	}
	return "", ""
}

// vendored are folders of others' code.
var vendored = []string{
	"**/{node_modules,vendor,vendors,third_party,third-party,thirdparty,external,extern,deps}/**",
	"**/{_build,site-packages,dist-packages,.venv,venv,.tox,.nox,virtualenv,__pycache__}/**",
}

// isOwnLibrary reports whether a file is of a runner or a library of tests in the
// repository that makes it: another of its kind stood beside it before.
func (g *Guard) isOwnLibrary(p string) bool {
	dir := path.Dir(p)
	if g.policy.Base == nil || dir == "." || checkout.MatchAny(vendored, p) {
		return false
	}
	names, err := g.files.List(dir)
	if err != nil {
		return false
	}
	for _, name := range names {
		beside := path.Join(dir, name)
		if _, stood := g.policy.Base(beside); stood && shadow.IsLibrary(beside) {
			return true
		}
	}
	return false
}

// isTestStep reports whether a file is one of tests, by its name or by its use.
func (g *Guard) isTestStep(s checkout.Step) bool {
	return g.IsTest(s.Path) || isGoHelper(s) || g.servesTests(s)
}

// TestFile reports whether a file is of tests, as it stood before the run: by its
// name, or since nothing but tests used it.
func (g *Guard) TestFile(p string) bool {
	if g.IsTest(p) {
		return true
	}
	s := checkout.Step{Path: p}
	if g.policy.Base != nil {
		s.Before, s.Existed = g.policy.Base(p)
	}
	return g.isTestStep(s)
}

// IsTest reports whether a path is one of a test file, of what configures or starts
// the runner, or of data that tests read. Files of which only a part concerns
// tests (package.json, a make file) are not test files.
func (g *Guard) IsTest(p string) bool {
	switch {
	case g.named[g.key(p)], testfile.Is(p):
		return true
	case g.fold && testfile.Is(fold(p)): // another spelling may be the same file
		return true
	case shadow.Is(p) && checkout.MatchAny(vendored, p):
		return true
	}
	return g.matching(g.policy.TestPaths, p) != ""
}

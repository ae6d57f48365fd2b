package guard

import (
	"bytes"
	"path"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/shadow"
	"github.com/booty-cli/booty/internal/testfile"
)

// refuse says why an edit is forbidden; "" where it is not. That it changes a test is no
// reason by itself: the original tests are run on the new code.
func (g *Guard) refuse(s checkout.FileChange) (why, kind string) {
	if s.Existed && s.Stays && bytes.Equal(s.Before, s.After) {
		return "", ""
	}
	if !s.Existed && s.Stays && (shadow.Is(s.Path) && !g.isOwnLibrary(s.Path) || shadow.HidesLibrary(g.files, s)) {
		return "The file would shadow the test runner or its library; write product code only.", KindShadow
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

// isOwnLibrary reports whether this repository develops the test runner or library that the
// file belongs to: another file of it was in the same folder before.
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

// isTestStep reports whether a file is a test file, by name or by use.
func (g *Guard) isTestStep(s checkout.FileChange) bool {
	return g.IsTest(s.Path) || isGoHelper(s) || g.servesTests(s)
}

// TestFile reports whether a file was a test file before the run: by name, or because only
// tests used it.
func (g *Guard) TestFile(p string) bool {
	if g.IsTest(p) {
		return true
	}
	s := checkout.FileChange{Path: p}
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

package guard

import (
	"bytes"
	"path"

	"github.com/booty-cli/booty/internal/foreign"
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/shadow"
	"github.com/booty-cli/booty/internal/testfile"
)

// refuse returns why an edit is forbidden, or "". Changing a test is no reason by itself,
// since the original tests run against the new code.
func (g *Guard) refuse(s checkout.FileChange) (why, kind string) {
	if s.Existed && s.Stays && bytes.Equal(s.Before, s.After) {
		return "", ""
	}
	if !s.Existed && s.Stays &&
		(shadow.Is(s.Path) && !g.isOwnLibrary(s.Path) || shadow.HidesLibrary(g.files, s)) {
		return "The file would shadow the test runner or its library; write product code only.", KindShadow
	}
	if g.policy.TestEdits == Deny && s.Existed && g.isTestChange(s) && !g.allows(s.Path) {
		return "Tests may not be changed here. Change the code under test instead.", KindTest
	}
	return "", ""
}

// vendored reports whether a file lies in a folder that may be of third-party code.
func vendored(p string) bool {
	maybe := []string{"**/{external,extern,deps,_build,.venv,venv,.tox,.nox,virtualenv,__pycache__}/**"}
	return foreign.ThirdParty(p) || checkout.MatchAny(maybe, p)
}

// isOwnLibrary reports whether this repository develops the test runner or library that the
// file belongs to: another file of it was in the same folder before.
func (g *Guard) isOwnLibrary(p string) bool {
	dir := path.Dir(p)
	if g.policy.Base == nil || dir == "." || vendored(p) {
		return false
	}
	names, err := g.files.List(dir)
	if err != nil {
		return false
	}
	for _, name := range names {
		sibling := path.Join(dir, name)
		if _, existed := g.policy.Base(sibling); existed && shadow.IsLibrary(sibling) {
			return true
		}
	}
	return false
}

// isTestChange reports whether a file is a test file, by name or by use.
func (g *Guard) isTestChange(s checkout.FileChange) bool {
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
	return g.isTestChange(s)
}

// IsTest reports whether a path is a test file, configures or starts the runner, or is test
// data. Files of which only a part concerns tests (package.json, a Makefile) are not test
// files.
func (g *Guard) IsTest(p string) bool {
	switch {
	case g.named[g.key(p)], testfile.Is(p):
		return true
	case g.fold && testfile.Is(fold(p)): // another spelling may be the same file
		return true
	case shadow.Is(p) && vendored(p):
		return true
	}
	return g.matching(g.policy.TestPaths, p) != ""
}

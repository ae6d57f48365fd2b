package guard

import (
	"bytes"

	"github.com/booty-cli/booty/internal/testfile"
)

// ruling is what is found about one file: nothing, an objection to the whole, or
// what becomes of its hunks.
type ruling struct {
	objection
	kind  string
	parts *parts
}

func forbid(why, kind string) ruling { return ruling{objection: refuse(why), kind: kind} }

func hunkwise(p parts, kind string) ruling {
	if p.whole() {
		return ruling{}
	}
	return ruling{kind: kind, parts: &p}
}

// judgeStep applies the rules about tests and the runner to one file.
func (g *Guard) judgeStep(s step) ruling {
	if s.existed && s.stays && bytes.Equal(s.before, s.after) {
		return ruling{}
	}
	role := g.roleOf(s.path)
	if role != roleShadow && g.hidesLibrary(s) {
		role = roleShadow
	}
	lang := languageOf(s.path)
	switch {
	case role == roleProduct && isGoHelper(s):
		role = roleTest
	case role == roleProduct && g.servesTests(s, lang):
		if role = roleFeed; lang != nil {
			role = roleTest
		}
	case role == roleFeed && lang == nil && testfile.Of(s.path+".sh") == testfile.Case:
		if lang = interpreted(s.before); lang == nil {
			lang = interpreted(s.after)
		}
		if lang != nil {
			role = roleTest // a script without an extension
		}
	}
	if role == roleShadow && s.stays {
		return forbid("The file would stand in for the test runner or its library; write product code only.", KindShadow)
	}
	if g.policy.TestEdits == Allow || g.allows(s.path) {
		if role != roleProduct {
			return ruling{}
		}
		return forbid(judgeProduct(s), KindTest)
	}
	switch role {
	case roleShadow:
		return forbid("The file belongs to the test runner or its library; leave it as it is.", KindShadow)
	case roleRunner:
		return g.judgeRunner(s)
	case roleFeed:
		return ruling{objection: g.judgeFeed(s), kind: KindTest}
	case roleTest:
		return g.judgeTest(s, lang)
	}
	if why := judgeProduct(s); why != "" {
		return forbid(why, KindTest)
	}
	return g.judgePartly(s)
}

// judgeRunner lets comments of a runner file change, and nothing else.
func (g *Guard) judgeRunner(s step) ruling {
	if lang := languageOf(s.path); lang != nil && s.existed && s.stays {
		sorted := sortEdits(lang, s.path, splitLines(string(s.before)), splitLines(string(s.after)))
		if len(sorted.adds)+len(sorted.changes) == 0 {
			return ruling{}
		}
	}
	return forbid("The file configures or starts the test runner; leave it as it is.", KindRunner)
}

// judgePartly judges a product file of which a part concerns tests.
func (g *Guard) judgePartly(s step) ruling {
	if why := g.judgeGate(s); why != "" {
		return forbid(why, KindRunner)
	}
	runner := func(after string) objection {
		s.after = []byte(after)
		return refuse(g.judgePartRunner(s))
	}
	inline := func(after string) objection {
		s.after = []byte(after)
		return g.judgeInline(s)
	}
	after := string(s.after)
	for _, part := range []struct {
		judge func(string) objection
		kind  string
	}{{runner, KindRunner}, {inline, KindTest}} {
		o := part.judge(after)
		if o.why == "" {
			continue
		}
		if s.existed && s.stays {
			return hunkwise(splitBy(string(s.before), after, part.judge), part.kind)
		}
		return ruling{objection: o, kind: part.kind}
	}
	return ruling{}
}

const denied = "Tests may not be changed here. Change the code under test instead."

// judgeFeed bounds changes to data that tests read: old data stay.
func (g *Guard) judgeFeed(s step) objection {
	switch {
	case g.policy.TestEdits == Deny:
		return setAside(denied)
	case s.existed && !s.stays:
		return setAside("The file is test data that stood before; removing or renaming it changes what tests expect.")
	case s.existed:
		return setAside("The file is test data that stood before; changing it changes what tests expect.")
	}
	if owner := snapshotOwner(s.path); owner != "" && !g.isOwn(owner) {
		if kind, err := g.tree.Kind(owner); err == nil && kind == File {
			return refuse("A snapshot for the old test " + owner + " may not be written by hand.")
		}
	}
	if test := g.mockedIn(s.path); test != "" {
		return refuse("The old test " + test + " mocks that module by its name; a mock for it may not be added.")
	}
	if inMocksOfPackages(s.path) {
		return refuse("A mock beside node_modules replaces a package in all tests; mock it within a new test instead.")
	}
	return objection{}
}

// judgeTest bounds changes to a test file.
func (g *Guard) judgeTest(s step, lang *language) ruling {
	whole := func(o objection) ruling { return ruling{objection: o, kind: KindTest} }
	switch {
	case g.policy.TestEdits == Deny:
		return whole(setAside(denied))
	case s.existed && !s.stays:
		return whole(setAside("The test file stood before; deleting or renaming it takes its tests away."))
	case !s.stays:
		return ruling{}
	case !s.existed:
		return whole(refuse(g.judgeNewTest(s)))
	}
	return hunkwise(splitTest(lang, s.path, string(s.before), string(s.after)), KindTest)
}

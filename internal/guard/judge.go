package guard

import (
	"bytes"
	"path"
	"strings"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/pattern"
	"github.com/booty-cli/booty/internal/guard/internal/product"
	"github.com/booty-cli/booty/internal/guard/internal/shadow"
	"github.com/booty-cli/booty/internal/guard/internal/weaken"
	"github.com/booty-cli/booty/internal/testfile"
)

// ruling is what is found about one file: nothing, an objection to the whole, or
// what becomes of its hunks.
type ruling struct {
	weaken.Objection
	kind  string
	parts *weaken.Parts
}

func forbid(why, kind string) ruling { return ruling{Objection: weaken.Refuse(why), kind: kind} }

func hunkwise(p weaken.Parts, kind string) ruling {
	if p.Whole() {
		return ruling{}
	}
	return ruling{kind: kind, parts: &p}
}

// judgeStep applies the rules about tests and the runner to one file.
func (g *Guard) judgeStep(s checkout.Step) ruling {
	if s.Existed && s.Stays && bytes.Equal(s.Before, s.After) {
		return ruling{}
	}
	role := g.roleOf(s.Path)
	if role != roleShadow && shadow.HidesLibrary(g.files, s) {
		role = roleShadow
	}
	lang := lexer.Of(s.Path)
	switch {
	case role == roleShadow && g.isTestOfLibrary(s):
		role = roleTest
	case role == roleProduct && isGoHelper(s):
		role = roleTest
	case role == roleTest && (g.helpsToTest(s) || strings.HasPrefix(s.Path, "src/") && g.isRunnersOwn(s.Path)):
		role = roleProduct
	case role == roleProduct && g.servesTests(s, lang):
		if role = roleFeed; lang != nil {
			role = roleTest
		}
	case role == roleFeed && lang == nil && testfile.Of(s.Path+".sh") == testfile.Case:
		if lang = lexer.Interpreted(s.Before); lang == nil {
			lang = lexer.Interpreted(s.After)
		}
		if lang != nil {
			role = roleTest // a script without an extension
		}
	}
	if role == roleShadow && s.Stays {
		return forbid("The file would stand in for the test runner or its library; write product code only.",
			KindShadow)
	}
	if g.policy.TestEdits == Allow || g.allows(s.Path) {
		if role != roleProduct {
			return ruling{}
		}
		return forbid(g.judgeProduct(s), KindTest)
	}
	switch role {
	case roleShadow:
		return forbid("The file belongs to the test runner or its library; leave it as it is.",
			KindShadow)
	case roleRunner:
		return g.judgeRunner(s)
	case roleFeed:
		return ruling{Objection: g.judgeFeed(s), kind: KindTest}
	case roleTest:
		return g.judgeTest(s, lang)
	}
	if why := g.judgeProduct(s); why != "" {
		return forbid(why, KindTest)
	}
	return g.judgePartly(s)
}

// judgeProduct looks for what only serves to please tests.
func (g *Guard) judgeProduct(s checkout.Step) string {
	own := g.isRunnersOwn(s.Path)
	if own && path.Ext(s.Path) == ".php" {
		s.Before, s.After = inOwnSpace(s.Before), inOwnSpace(s.After)
	}
	return product.Judge(s, own)
}

// judgeRunner lets comments of a runner file change, and nothing else.
func (g *Guard) judgeRunner(s checkout.Step) ruling {
	if lang := lexer.Of(s.Path); lang != nil && s.Existed && s.Stays &&
		weaken.MeansNothing(lang, s.Path, string(s.Before), string(s.After)) {
		return ruling{}
	}
	if path.Ext(s.Path) == ".xcscheme" && s.Existed && s.Stays &&
		bytes.Equal(schemeRelease().ReplaceAll(s.Before, nil), schemeRelease().ReplaceAll(s.After, nil)) {
		return ruling{}
	}
	return forbid("The file configures or starts the test runner; leave it as it is.", KindRunner)
}

// schemeRelease is which release of Xcode has last looked at a scheme.
var schemeRelease = pattern.Lazy(`\bLastUpgradeVersion\s*=\s*"\d+"`)

// dataFolder is one of what tests read.
var dataFolder = pattern.Lazy(`(?i)(^|/)(testdata|test[-_]data|fixtures?|golden|snapshots?)/`)

// bundleRelease is of which release a bundle says that it is.
var bundleRelease = pattern.Lazy(`<key>CFBundle(ShortVersionString|Version)</key>\s*<string>[\w.$()-]*</string>`)

// judgePartly judges a product file of which a part concerns tests.
func (g *Guard) judgePartly(s checkout.Step) ruling {
	if why := g.runner.JudgeGate(s); why != "" {
		return forbid(why, KindRunner)
	}
	runner := func(after string) weaken.Objection {
		s.After = []byte(after)
		return weaken.Refuse(g.runner.Judge(s))
	}
	inline := func(after string) weaken.Objection {
		s.After = []byte(after)
		return g.judgeInline(s)
	}
	after := string(s.After)
	for _, part := range []struct {
		judge func(string) weaken.Objection
		kind  string
	}{{runner, KindRunner}, {inline, KindTest}} {
		o := part.judge(after)
		if o.Why == "" {
			continue
		}
		if s.Existed && s.Stays {
			return hunkwise(weaken.SplitBy(string(s.Before), after, part.judge), part.kind)
		}
		return ruling{Objection: o, kind: part.kind}
	}
	return ruling{}
}

const denied = "Tests may not be changed here. Change the code under test instead."

// judgeFeed bounds changes to data that tests read: old data stay.
func (g *Guard) judgeFeed(s checkout.Step) weaken.Objection {
	switch {
	case g.policy.TestEdits == Deny:
		return weaken.SetAside(denied)
	case s.Existed && s.Stays && path.Base(s.Path) == "Info.plist" &&
		bytes.Equal(bundleRelease().ReplaceAll(s.Before, nil), bundleRelease().ReplaceAll(s.After, nil)):
		return weaken.Objection{} // a bundle of tests of another release
	case s.Stays && path.Base(s.Path) == "go.sum" && !dataFolder().MatchString(s.Path):
		return weaken.Objection{} // it follows the manifest of a module, be it one of tests
	case s.Existed && !s.Stays:
		return weaken.SetAside("The file is test data that stood before; " +
			"removing or renaming it changes what tests expect.")
	case s.Existed:
		return weaken.SetAside("The file is test data that stood before; " +
			"changing it changes what tests expect.")
	}
	if owner := shadow.SnapshotOwner(s.Path); owner != "" && !g.isOwn(owner) {
		if kind, err := g.files.Kind(owner); err == nil && kind == checkout.File {
			return weaken.Refuse("A snapshot for the old test " + owner + " may not be written by hand.")
		}
	}
	if test := shadow.MockedIn(g.files, s.Path); test != "" {
		return weaken.Refuse("The old test " + test +
			" mocks that module by its name; a mock for it may not be added.")
	}
	if shadow.InMocksOfPackages(s.Path) {
		return weaken.Refuse("A mock beside node_modules replaces a package in all tests; " +
			"mock it within a new test instead.")
	}
	return weaken.Objection{}
}

// judgeTest bounds changes to a test file.
func (g *Guard) judgeTest(s checkout.Step, lang *lexer.Language) ruling {
	whole := func(o weaken.Objection) ruling { return ruling{Objection: o, kind: KindTest} }
	switch {
	case g.policy.TestEdits == Deny:
		return whole(weaken.SetAside(denied))
	case s.Existed && !s.Stays:
		return whole(weaken.SetAside("The test file stood before; " +
			"deleting or renaming it takes its tests away."))
	case !s.Stays:
		return ruling{}
	case !s.Existed:
		return whole(weaken.Refuse(g.judgeNewTest(s)))
	}
	return hunkwise(weaken.Split(lang, s.Path, string(s.Before), string(s.After)), KindTest)
}

// judgeNewTest bounds what a new test file may hold: cases of its own, nothing
// that reaches other files' tests.
func (g *Guard) judgeNewTest(s checkout.Step) string {
	lang := lexer.Of(s.Path)
	if lang == nil {
		return ""
	}
	if reason := shadow.HidesSources(g.files, s); reason != "" {
		return reason
	}
	if lang.Name == "c" && shadow.TakesMain(g.files, s) {
		return "The new test's main function would run instead of the tests beside it."
	}
	text := s.After
	if lang.Name == "php" && g.isRunnersOwn(s.Path) {
		text = inOwnSpace(text)
	}
	return weaken.NewTest(lang, s.Path, string(text))
}

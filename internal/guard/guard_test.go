package guard

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/pkg/edit"
)

// fakeTree is a checkout in memory, for what this machine's file system is not.
type fakeTree struct {
	kinds map[string]checkout.Kind
	texts map[string]string
	fold  bool
}

func (f fakeTree) key(p string) string {
	if f.fold {
		return strings.ToLower(p)
	}
	return p
}

func (f fakeTree) Kind(p string) (checkout.Kind, error) {
	p = f.key(p)
	if _, is := f.texts[p]; is {
		return checkout.File, nil
	}
	for name := range f.texts {
		if strings.HasPrefix(name, p+"/") {
			return checkout.Dir, nil
		}
	}
	return f.kinds[p], nil
}

func (f fakeTree) CaseFold() bool { return f.fold }

func (f fakeTree) ReadFile(p string) ([]byte, error) {
	text, is := f.texts[f.key(p)]
	if !is {
		return nil, fs.ErrNotExist
	}
	return []byte(text), nil
}

func (f fakeTree) Link(p string) (string, error) { return "", fs.ErrNotExist }

func (f fakeTree) List(dir string) ([]string, error) { return nil, nil }

func review(t *testing.T, p Policy, tree Tree, changes ...edit.Change) string {
	t.Helper()
	g, err := New(p, tree)
	if err != nil {
		t.Fatal(err)
	}
	v, err := g.Review(changes)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, k := range v.Kept {
		out = append(out, "kept "+k.Path)
	}
	for _, r := range v.Refused {
		if r.Reason == "" {
			t.Errorf("%s was refused without a reason", r.Path)
		}
		out = append(out, r.Kind+" "+r.Path)
	}
	return strings.Join(out, ", ")
}

func create(p string) edit.Change { return edit.Change{Op: edit.Create, Path: p, New: []byte("x\n")} }

func TestReviewOfPlaces(t *testing.T) {
	tree := fakeTree{
		kinds: map[string]checkout.Kind{"link": checkout.Symlink, "sub": checkout.Submodule, "pipe": checkout.Other, "dir": checkout.Dir, "real": checkout.Dir, "real/link": checkout.Symlink},
		texts: map[string]string{"file": "1\n", "src/calc.go": "package calc\n"},
	}
	folding := fakeTree{fold: true, texts: map[string]string{"tests/test_a.py": "def test_a():\n    assert f() == 1\n", ".env": "A=1\n", "src/calc.py": "x = 1\n", "conftest.py": "y\n"}}
	policy := Policy{Protected: []string{".env", ".env.*", "**/secrets.*", "Dockerfile", "docker-compose*.yml", ".github/workflows/**", "infra/"}, TestPaths: []string{"checks/**", "qa-*.go"}}
	rename := func(from, to string) edit.Change {
		return edit.Change{Op: edit.Rename, From: from, Path: to, Old: []byte("x\n"), New: []byte("x\n")}
	}
	cases := []struct {
		name   string
		tree   Tree
		change edit.Change
		want   string
	}{
		{"a new file passes", tree, create("new/a.go"), "kept new/a.go"},
		{"a file below a link is refused", tree, create("link/a.go"), "path link/a.go"},
		{"a file deep below a link is refused", tree, create("real/link/b/a.go"), "path real/link/b/a.go"},
		{"a link itself is refused", tree, edit.Change{Op: edit.Modify, Path: "link", Old: []byte("a"), New: []byte("b")}, "path link"},
		{"a submodule's file is refused", tree, create("sub/a.go"), "path sub/a.go"},
		{"a submodule is not deleted", tree, edit.Change{Op: edit.Delete, Path: "sub"}, "path sub"},
		{"a pipe is refused", tree, edit.Change{Op: edit.Modify, Path: "pipe", New: []byte("b")}, "path pipe"},
		{"a directory is not written to", tree, create("dir"), "path dir"},
		{"a file below a file is refused", tree, create("file/a"), "path file/a"},
		{"a rename out of the checkout is refused", tree, rename("src/calc.go", "../calc.go"), "path ../calc.go"},
		{"a rename from outside is refused", tree, rename("../calc.go", "src/b.go"), "path ../calc.go"},
		{"a rename into git is refused", tree, rename("src/calc.go", ".git/hooks/x"), "path .git/hooks/x"},
		{"a rename of a protected file is refused", tree, rename(".env", "env.txt"), "protected .env"},
		{"a rename to a protected file is refused", tree, rename("src/calc.go", "a/secrets.json"), "protected a/secrets.json"},
		{"a rename through a link is refused", tree, rename("src/calc.go", "link/calc.go"), "path link/calc.go"},
		{"a deleted protected file is refused", tree, edit.Change{Op: edit.Delete, Path: "Dockerfile"}, "protected Dockerfile"},
		{"a protected name at depth is refused", tree, create("deploy/Dockerfile"), "protected deploy/Dockerfile"},
		{"a protected directory holds all below it", tree, create("infra/a/b.tf"), "protected infra/a/b.tf"},
		{"a workflow is protected", tree, create(".github/workflows/ci.yml"), "protected .github/workflows/ci.yml"},
		{"an issue template is not", tree, create(".github/ISSUE_TEMPLATE/bug.md"), "kept .github/ISSUE_TEMPLATE/bug.md"},
		{"a name that only begins like a protected one passes", tree, create("environment.go"), "kept environment.go"},
		{"a mode of a link is refused", tree, edit.Change{Op: edit.Create, Path: "l", New: []byte("/etc"), Mode: fs.ModeSymlink | 0o777}, "path l"},
		{"an unknown operation is refused", tree, edit.Change{Op: "chmod", Path: "a"}, "path a"},
		{"a protected name in another case is refused where case folds", folding, create(".ENV"), "protected .ENV"},
		{"and passes where it does not", tree, create(".ENV"), "kept .ENV"},
		{"an old test in another case passes", folding, edit.Change{Op: edit.Create, Path: "Tests/TEST_A.py", New: []byte("x = 1\n")}, "kept Tests/TEST_A.py"},
		{"a rename that changes case alone passes", folding, rename("src/calc.py", "src/Calc.py"), "kept src/Calc.py"},
		{"a protected name in another normal form is refused", fakeTree{}, create("e\u0301.key"), "kept e\u0301.key"},
		{"renaming product code passes", tree, rename("src/calc.go", "src/sum.go"), "kept src/sum.go"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := review(t, policy, c.tree, c.change); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	t.Run("a protected path in another normal form is protected", func(t *testing.T) {
		got := review(t, Policy{Protected: []string{"caf\u00e9/**"}}, fakeTree{}, create("cafe\u0301/a"))
		if got != "protected cafe\u0301/a" {
			t.Errorf("got %q", got)
		}
	})
}

func TestReviewOfWholeProposals(t *testing.T) {
	ten := edit.Change{Op: edit.Create, Path: "ten.go", New: []byte(strings.Repeat("x\n", 10))}
	cases := []struct {
		name    string
		policy  Policy
		changes []edit.Change
		want    string
	}{
		{"two parts of one file clash", Policy{}, []edit.Change{create("a"), create("a")}, "kept a, path a"},
		{"a file and a directory of one name clash", Policy{}, []edit.Change{create("a"), create("a/b")}, "kept a, path a/b"},
		{"as many files as allowed pass", Policy{MaxFiles: 2}, []edit.Change{create("a"), create("b")}, "kept a, kept b"},
		{"too many files refuse the whole", Policy{MaxFiles: 1}, []edit.Change{create("a"), create("b")}, "limit a, limit b"},
		{"refused files do not count", Policy{MaxFiles: 1}, []edit.Change{create("a"), create("../b")}, "kept a, path ../b"},
		{"too many lines refuse the whole", Policy{MaxDiffLines: 10}, []edit.Change{ten, create("b")}, "limit ten.go, limit b"},
		{"as many lines as allowed pass", Policy{MaxDiffLines: 10}, []edit.Change{ten}, "kept ten.go"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := review(t, c.policy, fakeTree{}, c.changes...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestOldTestsMayBeChanged(t *testing.T) {
	old := []byte("def test_a():\n    assert f() == 1\n")
	tree := fakeTree{texts: map[string]string{"test_a.py": string(old), "conftest.py": "x = 1\n", "helper.json": "{}\n"}}
	now := []byte("def test_a():\n    assert f() == 3\n")
	for name, c := range map[string]edit.Change{
		"changing":      {Op: edit.Modify, Path: "test_a.py", Old: old, New: now},
		"writing anew":  {Op: edit.Create, Path: "test_a.py", New: now},
		"deleting":      {Op: edit.Delete, Path: "test_a.py", Old: old},
		"renaming over": {Op: edit.Rename, From: "x.py", Path: "test_a.py", New: []byte("x = 1\n")},
		"configuring":   {Op: edit.Modify, Path: "conftest.py", Old: []byte("x = 1\n"), New: []byte("x = 2\n")},
	} {
		for _, policy := range []Policy{{}, {TestEdits: Allow}} {
			if got := review(t, policy, tree, c); got != "kept "+c.Path {
				t.Errorf("%s: got %q", name, got)
			}
		}
		if got := review(t, Policy{TestEdits: Deny}, tree, c); got != "test "+c.Path {
			t.Errorf("%s, denied: got %q", name, got)
		}
		if got := review(t, Policy{TestEdits: Deny, Allow: []string{"*.py"}}, tree, c); got != "kept "+c.Path {
			t.Errorf("%s, denied but for this: got %q", name, got)
		}
	}
	if got := review(t, Policy{TestEdits: Deny}, tree, create("test_b.py")); got != "kept test_b.py" {
		t.Errorf("a new test, denied: got %q", got)
	}
}

func TestAFileIsATestByItsUse(t *testing.T) {
	files := map[string]string{
		"tests/test_a.py": "import json\nrows = json.load(open('cases/rows.json'))\n",
		"cases/rows.json": "[]\n", "app/rows.json": "[]\n", "app/main.py": "open('app/rows.json')\n",
	}
	g, err := New(Policy{Base: func(p string) ([]byte, bool) { text, stood := files[p]; return []byte(text), stood }}, mapTree(files))
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[string]bool{"tests/test_a.py": true, "cases/rows.json": true, "app/rows.json": false, "app/main.py": false} {
		if got := g.TestFile(p); got != want {
			t.Errorf("%s: got %t", p, got)
		}
	}
}

func TestProductMayUseWhatTestsUse(t *testing.T) {
	files := map[string]string{
		"fixtures/rates.json": "{}", "fixtures/other.json": "{}", "tests/util.py": "x = 1\n", "test_shared.py": "y = 2\n", "conftest.py": "",
		"app.py":            "import json\nfrom test_shared import y\njson.load(open('fixtures/rates.json'))\n",
		"lib/a.js":          "const rows = path.join(__dirname, 'testdata', 'rows.csv');\n",
		"testdata/rows.csv": "", "testdata/more.csv": "", "tests/test_a.py": "from tests.util import x\nopen('fixtures/other.json')\n",
	}
	g, err := New(Policy{}, mapTree(files))
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[string]bool{
		"fixtures/rates.json": true, "test_shared.py": true, "testdata/rows.csv": true,
		"fixtures/other.json": false, "tests/util.py": false, "testdata/more.csv": false, "conftest.py": false, "app.py": false,
	} {
		if got := g.UsedByProduct(p); got != want {
			t.Errorf("%s: got %t", p, got)
		}
	}
}

func TestSignsArePointedOut(t *testing.T) {
	for _, c := range []struct {
		path, line string
		test, want bool
	}{
		{"a_test.go", "\tt.Skip(\"later\")", true, true},
		{"a_test.go", "func TestMain(m *testing.M) { os.Exit(0) }", true, true},
		{"a_test.go", "\tif got := f(); got != 1 {", true, false},
		{"test_a.py", "@pytest.mark.skipif(True, reason='x')", true, true},
		{"test_a.py", "@unittest.expectedFailure", true, true},
		{"test_a.py", "    assert True", true, true},
		{"test_a.py", "    assert f(1) == 2", true, false},
		{"conftest.py", "def pytest_sessionfinish(session, exitstatus): session.exitstatus = 0", true, true},
		{"a.test.js", "describe.only('a', () => {", true, true},
		{"a.test.js", "  it.skip('a', () => {", true, true},
		{"a.test.js", "  expect(f(1)).toBe(2)", true, false},
		{"tests/a.rs", "#[ignore]", true, true},
		{"tests/a.rs", "#[should_panic]", true, true},
		{"spec/a_spec.rb", "  xit 'adds' do", true, true},
		{"src/test/java/ATest.java", "    @Disabled", true, true},
		{"test/a.bats", "  skip 'later'", true, true},
		{"test.sh", "./a || true", true, true},
		{"jest.config.js", "  passWithNoTests: true,", true, true},
		{"go.mod", "replace example.com/a => ../a", false, true},
		{"package.json", `    "left-pad": "file:../left-pad",`, false, true},
		{"package.json", `    "left-pad": "^1.0.0",`, false, false},
		{"Cargo.toml", `serde = { git = "https://example.com/serde" }`, false, true},
		{"package.json", `  "overrides": {`, false, true},
		{"requirements.txt", "six==1.16", false, false},
		{"a.go", "\tif testing.Testing() {", false, true},
		{"a.go", "\tos.Exit(0)", false, true},
		{"a.go", "\treturn a + b", false, false},
		{"a.py", "if 'PYTEST_CURRENT_TEST' in os.environ:", false, true},
		{"a.py", "os._exit(0)", false, true},
		{"a.js", "process.exit(0)", false, true},
		{"a.py", "    def __eq__(self, other):\n        return True", false, true},
		{"a.py", "    def __eq__(self, other):\n        return self.x == other.x", false, false},
		{"a.py", "    def __eq__(self, other):\n        if other is None:\n            return False\n        return self.x == other.x", false, false},
		{"a.rb", "  def ==(_) = true", false, true},
		{"a.rb", "  def ==(other)\n    true\n  end", false, true},
		{"a.rs", "    fn eq(&self, _other: &Self) -> bool {\n        true\n    }", false, true},
		{"a.rs", "    fn eq(&self, other: &Self) -> bool {\n        self.0 == other.0\n    }", false, false},
		{"A.java", "    public boolean equals(Object o) { return true; }", false, true},
		{"A.java", "    public boolean equals(Object o) {\n        if (o == this) {\n            return true;\n        }\n        return false;\n    }", false, false},
		{"a.go", "func (a A) Equal(b A) bool {\n\treturn true\n}", false, true},
		{"a.go", "func (a A) Equal(b A) bool {\n\treturn a.x == b.x\n}", false, false},
		{"A.cs", "    public override bool Equals(object o) => true;", false, true},
		{"a.py", "    return a + b", false, false},
	} {
		before := "x\n"
		got := Sign(c.path, []byte(before), []byte(before+c.line+"\n"), c.test)
		if (got != "") != c.want {
			t.Errorf("%s: %s: got %q", c.path, c.line, got)
		}
		if again := Sign(c.path, []byte(before+c.line+"\n"), []byte("y\n"+before+c.line+"\n"), c.test); again != "" {
			t.Errorf("%s: %s stood before, got %q", c.path, c.line, again)
		}
	}
}

func TestWhatSilencesALinterIsNoted(t *testing.T) {
	g, err := New(Policy{}, fakeTree{})
	if err != nil {
		t.Fatal(err)
	}
	old, now := "x = f()  # noqa\n", "x = f()  # noqa\ny = g()  # type: ignore\n"
	v, err := g.Review([]edit.Change{{Op: edit.Modify, Path: "a.py", Old: []byte(old), New: []byte(now)}})
	if err != nil || len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "a.py silences 1 ") {
		t.Errorf("got %q, %v", v.Notes, err)
	}
	v, err = g.Review([]edit.Change{{Op: edit.Modify, Path: "a.py", Old: []byte(now), New: []byte(old)}})
	if err != nil || len(v.Notes) != 0 {
		t.Errorf("got %q, %v", v.Notes, err)
	}
}

func TestNewValidates(t *testing.T) {
	for name, p := range map[string]Policy{
		"an unknown word": {TestEdits: "maybe"},
		"a broken glob":   {Protected: []string{"[a"}},
		"a broken test":   {TestPaths: []string{"{a"}},
	} {
		if _, err := New(p, fakeTree{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestIsTest(t *testing.T) {
	g, err := New(Policy{TestPaths: []string{"checks/**"}, Commands: []string{"./ci/run.sh -v", "make test"}}, fakeTree{texts: map[string]string{"ci/run.sh": "sh ci/inner.sh\n", "ci/inner.sh": "x\n"}})
	if err != nil {
		t.Fatal(err)
	}
	tests := "a_test.go pkg/x/a_test.go tests/test_a.py test_a.py a_test.py pkg/tests/helpers.py src/a.test.ts src/a.spec.tsx src/__tests__/a.js test/a.mjs a.cy.js tests/it.rs src/tests.rs " +
		"src/test/java/a/ATest.java src/test/resources/a.json src/androidTest/A.kt app/src/test/kotlin/A.kt spec/a_spec.rb test/a_test.rb test/test_a.rb tests/ATest.php test/a_test.exs tests/test_a.c test/a_test.cc " +
		"A.Tests/Helper.cs ATests.cs Tests/ATests/ATests.swift test/a.bats testdata/a.txt pkg/testdata/x.golden a/__snapshots__/a.snap tests/fixtures/a.json tests/data.json conftest.py pytest.ini tox.ini jest.config.ts " +
		"vitest.config.mts .mocharc.yml phpunit.xml.dist test/test_helper.exs spec/spec_helper.rb .rspec checks/x.go ci/run.sh ci/inner.sh .cargo/config.toml sub/go.work node_modules/x/y.js e2e/login.ts a.feature a_test.dart"
	for _, p := range strings.Fields(tests) {
		if !g.IsTest(p) && p != "node_modules/x/y.js" {
			t.Errorf("%s is taken for product", p)
		}
	}
	products := "a.go testing.go latest.py spec_parser.rs contest.js attest.go src/testimony.ts greatest.rb protest.py spec.go src/main/java/a/TestResult.java internal/spec/parser.go testify.go fastest.cc manifest.json " +
		"package.json Makefile Cargo.toml go.mod pyproject.toml README.md tests/README.md docs/testing.md src/test_.ts.md inspect.py specs/api.yaml Latest.java Contest.kt tester.go testkit/git.go src/latest/index.ts " +
		"ci/other.sh calc.c protobuf.cs attestation.swift app/models/contest.rb lib/protest.ex src/Manifest.php"
	for _, p := range strings.Fields(products) {
		if g.IsTest(p) {
			t.Errorf("%s is taken for a test", p)
		}
	}
}

func FuzzReview(f *testing.F) {
	files, _ := filepath.Glob("testdata/review/*.txtar")
	if len(files) == 0 {
		f.Fatal("no seeds")
	}
	for i, file := range files {
		if i%4 != 0 {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		_, parts := splitArchive(string(text))
		var name, before, after string
		for _, p := range parts {
			if n, ok := strings.CutPrefix(p.name, "before/"); ok {
				name, before = n, p.data
			} else if n, ok := strings.CutPrefix(p.name, "after/"); ok {
				name, after = n, p.data
			}
		}
		f.Add(name, before, after)
	}
	f.Fuzz(func(t *testing.T, name, before, after string) {
		tree := fakeTree{texts: map[string]string{name: before}}
		g, err := New(Policy{Commands: []string{"make test", before}}, tree)
		if err != nil {
			t.Fatal(err)
		}
		changes := []edit.Change{
			{Op: edit.Modify, Path: name, Old: []byte(before), New: []byte(after)},
			{Op: edit.Create, Path: name + ".x", New: []byte(after)},
			{Op: edit.Delete, Path: after, Old: []byte(before)},
			{Op: edit.Rename, From: before, Path: name, Old: []byte(before), New: []byte(after)},
		}
		if v, err := g.Review(changes[:1]); err == nil {
			checkVerdict(t, g, changes[:1], v)
		}
		if v, err := g.Review(changes); err == nil && len(v.Kept)+len(v.Refused) < len(changes) {
			t.Errorf("%d changes became %q", len(changes), told(v))
		}
	})
}

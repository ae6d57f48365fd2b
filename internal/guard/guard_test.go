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
	for _, a := range v.SetAside {
		out = append(out, "aside "+a.Path)
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
		{"an old test in another case is an old test", folding, edit.Change{Op: edit.Create, Path: "Tests/TEST_A.py", New: []byte("x = 1\n")}, "aside Tests/TEST_A.py"},
		{"a runner file in another case is one", folding, create("CONFTEST.py"), "runner CONFTEST.py"},
		{"a rename that changes case alone passes", folding, rename("src/calc.py", "src/Calc.py"), "kept src/Calc.py"},
		{"a protected name in another normal form is refused", fakeTree{}, create("e\u0301.key"), "kept e\u0301.key"},
		{"the user's test paths count", tree, edit.Change{Op: edit.Delete, Path: "checks/a.go", Old: []byte("x")}, "aside checks/a.go"},
		{"the user's test names count", tree, edit.Change{Op: edit.Delete, Path: "a/qa-1.go", Old: []byte("x")}, "aside a/qa-1.go"},
		{"creating over an old test is changing it", fakeTree{texts: map[string]string{"a_test.go": "package a\n"}}, edit.Change{Op: edit.Create, Path: "a_test.go", New: []byte("package b\n")}, "aside a_test.go"},
		{"renaming over an old test is changing it", fakeTree{texts: map[string]string{"a_test.go": "package a\n"}}, rename("b.go", "a_test.go"), "aside a_test.go"},
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
		{"a file grown too long refuses the whole", Policy{MaxFileLines: 9}, []edit.Change{create("b"), ten}, "limit b, limit ten.go"},
		{"a file that was too long may grow", Policy{MaxFileLines: 3}, []edit.Change{{Op: edit.Modify, Path: "a", Old: []byte("1\n2\n3\n4\n"), New: []byte("1\n2\n3\n4\n5\n")}}, "kept a"},
		{"a long file may shrink", Policy{MaxFileLines: 3}, []edit.Change{{Op: edit.Modify, Path: "a", Old: []byte("1\n2\n3\n4\n5\n6"), New: []byte("1\n2\n3\n4\n")}}, "kept a"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := review(t, c.policy, fakeTree{}, c.changes...); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestLinesAddedEarlierMayBeTakenBack(t *testing.T) {
	base := "def test_a():\n    assert f() == 1\n"
	grown := base + "\n\ndef test_b():\n    assert f() == 2\n"
	policy := Policy{
		Base:     func(p string) ([]byte, bool) { return []byte(base), p == "test_a.py" },
		OwnFiles: map[string]bool{"test_b.py": true},
	}
	change := func(after string) edit.Change {
		return edit.Change{Op: edit.Modify, Path: "test_a.py", Old: []byte(grown), New: []byte(after)}
	}
	if got := review(t, policy, fakeTree{}, change(base)); got != "kept test_a.py" {
		t.Errorf("taking own lines back: got %q", got)
	}
	if got := review(t, policy, fakeTree{}, change(strings.ReplaceAll(grown, "== 1", "== 3"))); got != "aside test_a.py" {
		t.Errorf("changing old lines: got %q", got)
	}
	if got := review(t, policy, fakeTree{}, edit.Change{Op: edit.Delete, Path: "test_b.py", Old: []byte("x")}); got != "kept test_b.py" {
		t.Errorf("removing a file that the model made: got %q", got)
	}
}

func TestTestsThatGitIgnoresAreOld(t *testing.T) {
	tree := fakeTree{texts: map[string]string{"test_local.py": "def test_a():\n    assert f() == 1\n"}}
	policy := Policy{Base: func(string) ([]byte, bool) { return nil, false }}
	old := []byte(tree.texts["test_local.py"])
	cases := map[string]edit.Change{
		"changing":      {Op: edit.Modify, Path: "test_local.py", Old: old, New: []byte("def test_a():\n    assert f() == 3\n")},
		"writing anew":  {Op: edit.Create, Path: "test_local.py", New: []byte("def test_a():\n    assert f() == 3\n")},
		"deleting":      {Op: edit.Delete, Path: "test_local.py", Old: old},
		"renaming":      {Op: edit.Rename, From: "test_local.py", Path: "local.py", Old: old, New: old},
		"renaming over": {Op: edit.Rename, From: "x.py", Path: "test_local.py", New: []byte("x = 1\n")},
	}
	for name, c := range cases {
		if got := review(t, policy, tree, c); got != "aside test_local.py" {
			t.Errorf("%s: got %q", name, got)
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
		if v, err := g.Review(changes); err == nil && len(v.Kept)+len(v.SetAside)+len(v.Refused) < len(changes) {
			t.Errorf("%d changes became %q", len(changes), told(v))
		}
	})
}

package proof

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// textTree is a tree of texts. Its tests say what they fail with of the texts as they are.
type textTree struct {
	files map[string]string
	tests func(files map[string]string) Result
	// narrow says that the tests of some files can be run alone.
	narrow bool
	// alone says that one test can be.
	alone bool
	// first says what the tests fail with if the runner ends at the first failure; nil if it cannot.
	first func(files map[string]string) Result
	runs  []string
}

func (t *textTree) Apply(changes []edit.Change) error {
	for _, c := range changes {
		if c.Op == edit.Delete {
			delete(t.files, c.Path)
			continue
		}
		t.files[c.Path] = string(c.New)
	}
	return nil
}

func (t *textTree) Test(context.Context) (Result, error) {
	t.runs = append(t.runs, "all")
	return t.tests(t.files), nil
}

func (t *textTree) Files(_ context.Context, files []string) (Result, bool, error) {
	if !t.narrow {
		return Result{}, false, nil
	}
	t.runs = append(t.runs, strings.Join(files, " "))
	return t.tests(t.files), true, nil
}

func (t *textTree) UntilFailure(_ context.Context, files []string) (Result, bool, error) {
	if t.first == nil || len(files) > 0 && !t.narrow {
		return Result{}, false, nil
	}
	t.runs = append(t.runs, strings.TrimSpace("first "+strings.Join(files, " ")))
	return t.first(t.files), true, nil
}

func (t *textTree) NewFile(ctx context.Context, file string) (Result, bool, error) {
	return t.Files(ctx, []string{file})
}

func (t *textTree) NewFileCommand(file string) (string, bool) { return "run " + file, t.narrow }

func (t *textTree) Alone(_ context.Context, failures []failure.Failure) (Result, bool, error) {
	if !t.alone || failures[0].Test == "" {
		return Result{}, false, nil
	}
	t.runs = append(t.runs, "alone "+failures[0].Test)
	return t.tests(t.files), true, nil
}

// fail is a run in which a test fails.
func fail(test, message string) Result {
	return Result{Failures: []failure.Failure{{Test: test, Message: message}}, Counts: counted(1)}
}

func TestANameThatIsMissingIsNoProof(t *testing.T) {
	const old = "package a\n\nfunc Pages(n int) int {\n\treturn n / 10\n}\n"
	const flag = "\nconst RoundsUp = true\n"
	changed := strings.Replace(old, "n / 10", "n / 10 + 1", 1)
	source := func(now string) []Source { return []Source{{Path: "a.go", Old: []byte(old), New: []byte(now)}} }
	tests := func(text string) []edit.Change {
		return []edit.Change{{Op: edit.Create, Path: "a_test.go", New: []byte(text)}}
	}
	proven := Claim{Claim: event.Claim{State: event.StateProven, Tests: []string{"TestNew"}}, Failures: []failure.Failure{{Test: "TestNew", Message: "undefined: RoundsUp"}}}
	unbuilt := Claim{Claim: event.Claim{State: event.StateProven, Tests: []string{}}, Failures: []failure.Failure{{File: "a_test.go", Kind: "compile", Message: "undefined: RoundsUp"}}}
	other := Claim{Claim: event.Claim{State: event.StateProven, Tests: []string{"TestNew"}}, Failures: []failure.Failure{{Test: "TestNew", Message: "got 1, want 2"}}}
	passes := func(map[string]string) Result { return Result{Passed: true} }
	notices := func(what string) func(map[string]string) Result {
		return func(files map[string]string) Result {
			if strings.Contains(files["a.go"], what) {
				return Result{Passed: true}
			}
			return fail("TestNew", "got 1, want 2")
		}
	}
	never := func(map[string]string) Result {
		return Result{Failures: []failure.Failure{{Kind: "compile", File: "a.go", Message: "syntax error"}}}
	}
	fresh := unbuilt
	fresh.fresh = []string{"TestNew"}
	stale := unbuilt
	stale.changed, stale.fresh = []string{"TestPages"}, []string{"TestNew"}
	oldOnly := func(map[string]string) Result { return fail("TestOld", "got 1, want 2") }
	pages := func(files map[string]string) Result { // each noticed by another test
		switch text := files["a.go"]; {
		case strings.Contains(text, "return n - 1"):
			return fail("TestPages", "got 1, want 2")
		case strings.Contains(text, "n / 10 + 1"):
			return fail("TestNew", "got 1, want 2")
		}
		return fail("TestOld", "got 1, want 2")
	}
	both := func(files map[string]string) Result {
		if strings.Contains(files["a.go"], "return n - 1") {
			return fail("TestOld", "got 1, want 2")
		}
		return fail("TestNew", "got 1, want 2")
	}
	for _, c := range []struct {
		name  string
		s     Subject
		claim Claim
		run   func(map[string]string) Result
		want  string
		tests string
	}{
		{"a test of a constant alone", Subject{Sources: source(changed + flag), NewTests: tests("RoundsUp")}, proven, passes, event.StateNotShown, ""},
		{"it notices that the constant is another one, which is not the change", Subject{Sources: source(changed + flag), NewTests: tests("RoundsUp")},
			proven, notices("RoundsUp = true"), event.StateNotShown, ""},
		{"it notices the change too", Subject{Sources: source(changed + flag), NewTests: tests("RoundsUp Pages")}, proven, notices("n / 10 + 1"), event.StateProven, "TestNew"},
		{"the constant is the change", Subject{Sources: source(old + flag), NewTests: tests("RoundsUp")}, proven, notices("RoundsUp = true"), event.StateProven, "TestNew"},
		{"it does not build there, and notices the change", Subject{Sources: source(changed + flag), NewTests: tests("RoundsUp")}, unbuilt, notices("n / 10 + 1"), event.StateProven, "TestNew"},
		{"it does not build there, and notices nothing", Subject{Sources: source(changed + flag), NewTests: tests("RoundsUp")}, unbuilt, passes, event.StateNotShown, ""},
		{"no name is new to it", Subject{Sources: source(changed), NewTests: tests("Pages")}, proven, passes, event.StateProven, "TestNew"},
		{"nothing can be altered", Subject{Sources: source(old + "\ntype RoundsUp struct{}\n"), NewTests: tests("RoundsUp")}, proven, passes, event.StateUntried, "TestNew"},
		{"nothing can be altered, but it fails for more than the name", Subject{Sources: source(old + "\ntype RoundsUp struct{}\n"), NewTests: tests("RoundsUp")},
			other, passes, event.StateProven, "TestNew"},
		{"a function of one line, which another test runs too", Subject{Sources: source(changed + "\nfunc Last(n int) int { return n - 1 }\n"),
			NewTests: tests("Last")}, fresh, both, event.StateProven, "TestNew"},
		{"the function that a new test names is noticed by old tests alone", Subject{Sources: source(changed + "\nfunc Last(n int) int { return n - 1 }\n"),
			NewTests: tests("Last")}, fresh, oldOnly, event.StateNotShown, ""},
		{"a test that fails as it stood notices, and is asked for", Subject{Sources: source(changed + "\nfunc Last(n int) int { return n - 1 }\n"),
			NewTests: tests("Last")}, stale, pages, event.StateProven, "TestNew TestPages"},
		{"it does not notice, and another new one does", Subject{Sources: source(changed + "\nfunc Last(n int) int { return n - 1 }\n"),
			NewTests: tests("Last")}, stale, both, event.StateProven, "TestNew"},
		{"no altered line builds", Subject{Sources: source(changed + flag), NewTests: tests("RoundsUp")}, unbuilt, never, event.StateUntried, ""},
		{"what is not proven is not asked about", Subject{}, Claim{Claim: event.Claim{State: event.StateNotShown}}, nil, event.StateNotShown, ""},
	} {
		tree := &textTree{files: map[string]string{"a.go": string(firstNew(c.s))}, tests: c.run}
		got, err := c.s.Confirm(t.Context(), func(context.Context) (Tree, error) { return tree, nil }, c.claim)
		if err != nil || got.State != c.want || strings.Join(got.Tests, " ") != c.tests {
			t.Errorf("%s: got %+v, %v, want %s", c.name, got, err, c.want)
		}
		if got.State != event.StateProven && got.Reason == "" && c.claim.State == event.StateProven {
			t.Errorf("%s: no reason", c.name)
		}
		if tree.files["a.go"] != string(firstNew(c.s)) {
			t.Errorf("%s: the tree was left altered", c.name)
		}
	}
}

// Where new tests do not build on the old code, they alone run on mutants, unless they fail alone
// anyway.
func TestNewTestsRunAlone(t *testing.T) {
	const now = "package a\n\nconst Up = true\n\nfunc Pages(n int) int {\n\treturn n / 10\n}\n"
	s := Subject{Sources: []Source{{Path: "a.go", Old: []byte("package a\n"), New: []byte(now)}}, NewTests: []edit.Change{{Op: edit.Create, Path: "a_test.go", New: []byte("Up Pages")}}}
	claim := Claim{Claim: event.Claim{State: event.StateProven, Tests: []string{}}, fresh: []string{"TestNew"},
		Failures: []failure.Failure{{File: "a_test.go", Kind: "compile", Message: "undefined: Up"}}}
	for _, c := range []struct {
		fails bool
		runs  string
	}{{false, "alone TestNew, alone TestNew"}, {true, "alone TestNew, a_test.go"}} {
		tree := &textTree{files: map[string]string{"a.go": now}, narrow: true, alone: true, tests: func(files map[string]string) Result {
			if files["a.go"] == now && !c.fails {
				return Result{Passed: true}
			}
			return fail("TestNew", "got 1, want 2")
		}}
		got, err := s.Confirm(t.Context(), func(context.Context) (Tree, error) { return tree, nil }, claim)
		if runs := strings.Join(tree.runs, ", "); err != nil || got.State != event.StateProven || runs != c.runs {
			t.Errorf("it fails alone: %t: got %+v, %v after %s, want %s", c.fails, got, err, runs, c.runs)
		}
	}
}

func firstNew(s Subject) []byte {
	if len(s.Sources) == 0 {
		return nil
	}
	return s.Sources[0].New
}

func TestMutantsOfAChange(t *testing.T) {
	const old = "package a\n\nfunc Big(n int) bool {\n\treturn false\n}\n"
	now := strings.Replace(old, "return false", "return n > 9", 1) + "\nfunc Odd(n int) bool {\n\treturn n == 3\n}\n"
	s := Subject{Sources: []Source{{Path: "a.go", Old: []byte(old), New: []byte(now)}}, TestFiles: func(context.Context) ([]string, error) {
		return []string{"a_test.go", "b_test.go", "a_test.py"}, nil
	}}
	noticed := func(files map[string]string) Result {
		switch text := files["a.go"]; {
		case strings.Contains(text, "n >= 9"):
			return Result{Passed: true}
		case strings.Contains(text, "n > 10"):
			return Result{TimedOut: true, Trouble: "it ran out of time"}
		case strings.Contains(text, "n != 3"):
			return Result{Failures: []failure.Failure{{Kind: "compile", File: "a.go"}}}
		case strings.Contains(text, "n == 4"):
			return fail("known", "as ever")
		case text == now:
			return Result{Passed: true}
		}
		return fail("TestBig", "got true")
	}
	var trees []*textTree
	sides := manyTrees{old: &textTree{files: map[string]string{}, tests: func(map[string]string) Result { return fail("TestBig", "") }}, new: func() Tree {
		tree := &textTree{files: map[string]string{"a.go": now}, tests: noticed, narrow: true}
		trees = append(trees, tree)
		return tree
	}}
	ever := failure.Failure{Test: "known", Message: "as ever"}
	given := Given{Before: Result{Failures: []failure.Failure{{Test: "TestBig"}, ever}, Counts: counted(2)}, After: Result{Failures: []failure.Failure{ever}, Counts: counted(2)}}
	p := Prover{Subject: s, Sides: sides, Mutants: 20, Workers: 2, Now: time.Now}
	f, err := p.Work(t.Context(), given)
	if err != nil {
		t.Fatal(err)
	}
	claim := f.Claims[len(f.Claims)-1]
	// Of >=, <=, 10, != (does not build) and 4 (only what is known fails) two survive.
	if claim.State != event.StateNotShown || claim.Reason != "2 of 4 small changes to the changed lines made a test fail" ||
		len(f.Survivors) != 2 || f.Survivors[0].Now != "return n >= 9" || f.Survivors[1].Now != "return n == 4" || f.Survivors[1].Line != 8 {
		t.Errorf("got %+v", f)
	}
	if len(f.Files) != 1 || f.Files[0].Tried != 4 || f.Files[0].Survived != 2 || strings.Join(f.Files[0].Tests, " ") != "TestBig" {
		t.Errorf("got %+v", f.Files)
	}
	other := Source{Path: "b.go", Old: []byte(old), New: []byte(now)}
	comment := Source{Path: "c.go", Old: []byte(old), New: []byte(old + "// A comment.\n")}
	p = Prover{Subject: Subject{Sources: []Source{s.Sources[0], other, comment}}, Sides: sides, Mutants: 1, Workers: 1, Now: time.Now}
	if f, err = p.Work(t.Context(), given); err != nil || len(f.Files) != 2 || f.Files[0].Tried+f.Files[1].Tried != 1 {
		t.Errorf("with one mutant for two files: got %+v, %v", f.Files, err)
	}
	trees = trees[:2]
	var runs []string
	for _, tree := range trees {
		runs = append(runs, tree.runs...)
	}
	if len(trees) != 2 || !slices.Contains(runs, "a.go a_test.go") || !slices.Contains(runs, "all") {
		t.Errorf("%d trees, runs %q", len(trees), runs)
	}
	p = Prover{Subject: s, Sides: sides, Mutants: 20, Workers: 2, Now: time.Now, Until: time.Now().Add(-time.Second)}
	f, err = p.Work(t.Context(), given)
	if claim = f.Claims[len(f.Claims)-1]; err != nil || claim.State != event.StateUntried || len(f.LeftOut) != 1 {
		t.Errorf("with no time: got %+v, %v", f, err)
	}
	p = Prover{Subject: Subject{}, Sides: sides, Mutants: 20, Now: time.Now}
	f, err = p.Work(t.Context(), Given{Before: Result{Passed: true}, After: Result{Passed: true}, MustShow: true})
	if err != nil || f.Claims[0].State != event.StateNotShown || len(f.Claims) != 2 {
		t.Errorf("without a test: got %+v, %v", f, err)
	}
}

// A mutant's run ends at the first failure, unless that may be one of a test that fails anyway, and
// the tests that show the change run first.
func TestWhatRunsOnAMutant(t *testing.T) {
	const now = "package a\n\nfunc Big(n int) bool {\n\treturn n > 9\n}\n"
	s := Subject{Sources: []Source{{Path: "a.go", Old: []byte("package a\n"), New: []byte(now)}}, NewTests: []edit.Change{{Path: "a_test.go"}}}
	m := s.mutants()[0]
	passes, known, kills := Result{Passed: true}, fail("known", "as ever"), fail("TestBig", "got true")
	both := Result{Failures: append(slices.Clone(known.Failures), kills.Failures...)}
	unbuilt := Result{Failures: []failure.Failure{{Kind: "compile", File: "a.go"}}}
	nameless := Result{Failures: []failure.Failure{{Message: "exit status 2"}}}
	show := []failure.Failure{{Test: "TestBig"}}
	for _, c := range []struct {
		name string
		// first and all are how the tests end on the mutant; always says that those of some files end so
		// without it, too.
		first, all      Result
		show            []failure.Failure
		always          bool
		killed, unbuilt bool
		want            string
	}{
		{"the first failure kills it", kills, both, show, false, true, false, "first a.go a_test.go"},
		{"the first failure is known, another kills it", known, both, show, false, true, false, "first a.go a_test.go, a.go a_test.go"},
		{"only the known one fails", known, known, nil, false, false, false, "first a.go a_test.go, a.go a_test.go, first, all"},
		{"nothing fails", passes, passes, nil, false, false, false, "first a.go a_test.go, first"},
		{"it does not build", unbuilt, unbuilt, nil, false, false, true, "first a.go a_test.go"},
		{"the first failure has no name, another kills it", nameless, both, show, false, true, false, "first a.go a_test.go, a.go a_test.go"},
		{"the runner cannot end there", Result{}, both, show, false, true, false, "a.go a_test.go"},
		{"another test kills it, and passes without it", kills, both, nil, false, true, false, "first a.go a_test.go, first a.go a_test.go"},
		{"another test kills it, and fails so without it", kills, kills, nil, true, false, false,
			"first a.go a_test.go, first a.go a_test.go, a.go a_test.go, a.go a_test.go, first, first, all"},
	} {
		tree := &textTree{files: map[string]string{"a.go": now}, narrow: true, alone: true}
		end := func(r Result) func(map[string]string) Result {
			return func(files map[string]string) Result {
				if files["a.go"] == now && !c.always || c.always && tree.runs[len(tree.runs)-1] == "all" {
					return passes
				}
				return r
			}
		}
		tree.tests, tree.first = end(c.all), end(c.first)
		if len(c.first.Failures) == 0 && !c.first.Passed {
			tree.first = nil
		}
		k := killers{alone: c.show, ignore: failure.IDs(known.Failures), controls: &controls{passes: map[string]bool{}}}
		f, err := s.try(t.Context(), tree, m, k)
		if runs := strings.Join(tree.runs, ", "); err != nil || f.killed != c.killed || f.unbuilt != c.unbuilt || runs != c.want {
			t.Errorf("%s: got %+v, %v after %s, want %s", c.name, f, err, runs, c.want)
		}
		k.soon, tree.runs = true, nil
		f, err = s.try(t.Context(), tree, m, k)
		if alone := strings.HasPrefix(strings.Join(tree.runs, ", "), "alone TestBig"); err != nil || alone != (c.show != nil) || f.killed != c.killed {
			t.Errorf("%s, those that show the change first: got %+v, %v after %s", c.name, f, err, tree.runs)
		}
	}
}

// manyTrees is a Sides that makes trees of the new code.
type manyTrees struct {
	old Tree
	new func() Tree
}

func (m manyTrees) Old(context.Context) (Tree, error) { return m.old, nil }
func (m manyTrees) New(context.Context) (Tree, error) { return m.new(), nil }

func TestStems(t *testing.T) {
	for _, c := range []struct{ a, b string }{
		{"src/price.js", "test/price.test.js"}, {"price.py", "tests/test_price.py"}, {"price.go", "price_test.go"},
		{"Price.java", "PriceTest.java"}, {"lib/price.rb", "spec/price_spec.rb"}, {"price.ts", "price.spec.ts"}, {"Price.php", "PriceTests.php"},
	} {
		if stemOf(c.a) != stemOf(c.b) {
			t.Errorf("%s: %q, %s: %q", c.a, stemOf(c.a), c.b, stemOf(c.b))
		}
	}
	if stemOf("test.go") == "" || stemOf("a.go") == stemOf("b_test.go") {
		t.Error("stems that are none")
	}
}

func (t *textTree) Gates(context.Context) (failure.Verdict, error) {
	return failure.Verdict{Green: true}, nil
}

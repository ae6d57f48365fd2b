package proof

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// spoiltTree has one test file; says gives what each command says of its content.
type spoiltTree struct {
	Tree
	content string
	says    map[string]Result
}

func (t *spoiltTree) Apply(changes []edit.Change) error {
	for _, c := range changes {
		t.content = string(c.New)
	}
	return nil
}

func (t *spoiltTree) Command(_ context.Context, command string) (Result, error) {
	r, is := t.says[command+"/"+t.content]
	if !is {
		r.Passed = true
	}
	return r, nil
}

func (t *spoiltTree) Test(ctx context.Context) (Result, error) { return t.Command(ctx, "all") }

// spoil makes the numbers, or the texts, of as many places wrong.
func spoil(numbers, texts int) Spoiled {
	return func(_ context.Context, isTexts bool) ([]edit.Change, int, error) {
		c := edit.Change{Op: edit.Modify, Path: "a_test", Old: []byte("right"), New: []byte("number")}
		if isTexts {
			c.New = []byte("text")
			return []edit.Change{c}, texts, nil
		}
		return []edit.Change{c}, numbers, nil
	}
}

func TestACommandRunsTestsIfItFailsWithWrongOnes(t *testing.T) {
	fails := Result{Failures: []failure.Failure{{Test: "adds", Message: "3 is not 4"}}}
	noBuild := Result{Failures: []failure.Failure{{Kind: "compile", File: "a_test", Message: "no such thing"}}}
	for _, c := range []struct {
		name           string
		says           map[string]Result
		numbers, texts int
		uncounted      []string
		why            string
	}{
		{"it fails with a wrong number", map[string]Result{"one/number": fails}, 1, 0, nil, ""},
		{"it fails with a wrong text alone", map[string]Result{"one/text": fails}, 2, 1, nil, ""},
		{"it passes with both", nil, 2, 1, []string{"one"}, "in 1 place, and it passed"},
		{"nothing can be made wrong", nil, 0, 0, []string{"one"}, "no test was found"},
		{"it does not build with a wrong text", map[string]Result{"one/text": noBuild}, 1, 1, []string{"one"}, "does not build"},
		{"it cannot run", map[string]Result{"one/number": {Trouble: "it ran out of time"}}, 1, 0, []string{"one"}, "cannot run: it ran out of time"},
		{"it fails as it is", map[string]Result{"one/right": fails}, 1, 1, []string{"one"}, "fails in a copy of the tree, where that could be tried: 3 is not 4"},
	} {
		tree := &spoiltTree{content: "right", says: c.says}
		got, why, err := UncountedInCopy(t.Context(), tree, []string{"one"}, spoil(c.numbers, c.texts))
		if err != nil || !slices.Equal(got, c.uncounted) || !strings.Contains(why, c.why) {
			t.Errorf("%s: %q %q, %v", c.name, got, why, err)
		}
		if tree.content != "right" {
			t.Errorf("%s: the tree is left with %q", c.name, tree.content)
		}
	}
}

func TestASpoiledTestThatFailsIsRun(t *testing.T) {
	fails := Result{Failures: []failure.Failure{{Test: "adds", Message: "3 is not 4"}}}
	for _, c := range []struct {
		name    string
		says    map[string]Result
		numbers int
		want    bool
	}{
		{"it fails", map[string]Result{"all/number": fails}, 1, true},
		{"it passes", nil, 1, false},
		{"it fails as it is", map[string]Result{"all/right": fails, "all/number": fails}, 1, false},
		{"nothing can be made wrong", map[string]Result{"all/number": fails}, 0, false},
	} {
		got, err := Runs(t.Context(), &spoiltTree{content: "right", says: c.says}, spoil(c.numbers, 0))
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

func TestBrokenFilesAreNoticed(t *testing.T) {
	fails := Result{Failures: []failure.Failure{{Test: "adds"}}}
	changed := []Source{{Path: "a", New: []byte("right")}}
	for _, c := range []struct {
		name  string
		says  map[string]Result
		files []Source
		want  bool
	}{
		{"the tests fail", map[string]Result{"all/" + broken: fails}, changed, true},
		{"the tests pass", nil, changed, false},
		{"nothing can be broken", nil, []Source{{Path: "gone", Old: []byte("x")}}, true},
	} {
		got, err := Notices(t.Context(), &spoiltTree{content: "right", says: c.says}, c.files)
		if err != nil || got != c.want {
			t.Errorf("%s: %v, %v", c.name, got, err)
		}
	}
}

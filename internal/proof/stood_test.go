package proof

import (
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// TestStood puts tests as they stood on new code, with what else a change touched. A tree is
// written by the files that are as they were, in order: "test lib" has the old tests and the old
// third-party code. says is how the tests end in each that is tried.
func TestStood(t *testing.T) {
	pass, bad := Result{Passed: true, Passing: []string{"a"}, As: "names", Counts: counted(1)}, fail("a", "got 2")
	unbuilt := Result{Failures: []failure.Failure{{Kind: "compile", File: "test", Message: "undefined: Old"}}}
	oldBad, at := fail("a", "got 0"), Result{Failures: []failure.Failure{{Kind: "lint", File: "tests/test_calc.c", Line: 6, Message: "main: Assertion"}}}
	for _, c := range []struct {
		name    string
		changed string // besides the product; "moved" is a renamed module, "shared" test data that it uses
		before  Result
		says    map[string]Result
		order   []string // of the trees tried
		want    Stood
		words   string
	}{
		{"all pass at once", "test build lib", pass, map[string]Result{"test build lib": pass, "test build": pass},
			[]string{"test build lib", "test build"}, Stood{Result: pass}, ""},
		{"no third-party code was changed", "test build", pass, map[string]Result{"test build": pass},
			[]string{"test build"}, Stood{Result: pass}, ""},
		{"a test fails as before", "test lib", oldBad, map[string]Result{"test lib": oldBad, "test": oldBad},
			[]string{"test lib", "test"}, Stood{Result: oldBad}, ""},
		{"third-party code alone was changed, and is needed", "lib", pass, map[string]Result{"lib": bad},
			[]string{"lib"}, Stood{Result: pass, Libraries: true}, "the old tests pass only with the changed third-party code: lib"},
		{"changed third-party code is needed", "test lib", pass, map[string]Result{"test lib": bad, "test": pass},
			[]string{"test lib", "test"}, Stood{Result: pass, Libraries: true}, "the old tests pass only with the changed third-party code: lib"},
		{"it is not to blame", "test lib", pass, map[string]Result{"test lib": bad, "test": bad},
			[]string{"test lib", "test"}, Stood{Result: bad}, ""},
		{"product code in a folder of that name fails them", "test lib", pass, map[string]Result{"test lib": pass, "test": bad},
			[]string{"test lib", "test"}, Stood{Result: bad}, ""},
		{"nothing builds with the old build files", "test build", pass, map[string]Result{"test build": unbuilt, "test": pass},
			[]string{"test build", "test"}, Stood{Result: pass, Builds: true}, "the old tests pass only with the changed build files: build"},
		{"what fails by name is no matter of build files", "test build", pass, map[string]Result{"test build": bad},
			[]string{"test build"}, Stood{Result: bad}, ""},
		{"nor what fails at a place in a test", "test build", pass, map[string]Result{"test build": at},
			[]string{"test build"}, Stood{Result: at}, ""},
		{"nor with the old third-party code", "test build lib", pass,
			map[string]Result{"test build lib": unbuilt, "test lib": unbuilt, "test build": unbuilt, "test": pass},
			[]string{"test build lib", "test lib", "test build", "test"}, Stood{Result: pass, Builds: true, Libraries: true},
			"the old tests pass only with the changed build files: build; the old tests pass only with the changed third-party code: lib"},
		{"new build files are enough", "test build lib", pass, map[string]Result{"test build lib": unbuilt, "test lib": pass, "test": pass},
			[]string{"test build lib", "test lib", "test"}, Stood{Result: pass, Builds: true}, "the old tests pass only with the changed build files: build"},
		{"they load a module by its old name", "test lib moved", pass,
			map[string]Result{"test lib": unbuilt, "test lib moved": bad, "test moved": pass},
			[]string{"test lib", "test lib moved", "test moved"}, Stood{Result: pass, Libraries: true},
			"the old tests pass only with the changed third-party code: lib"},
		{"changed data fails them", "test data", pass, map[string]Result{"test": bad, "test data": pass},
			[]string{"test", "test data"}, Stood{Result: bad, Data: true}, "the old tests pass with these files as they stood: data"},
		{"it is not the data", "test data", pass, map[string]Result{"test": bad, "test data": bad},
			[]string{"test", "test data"}, Stood{Result: bad}, ""},
		{"data that passes is not put back", "test data", pass, map[string]Result{"test": pass},
			[]string{"test"}, Stood{Result: pass}, ""},
		{"fixtures that the product uses as well fail them as they are", "test shared data", pass,
			map[string]Result{"test shared": pass, "test": bad, "test data": pass},
			[]string{"test shared", "test", "test data"}, Stood{Result: bad, Data: true}, "the old tests pass with these files as they stood: data"},
	} {
		back := func(kind string) []edit.Change {
			if !slices.Contains(strings.Fields(c.changed), kind) {
				return nil
			}
			return []edit.Change{{Op: edit.Modify, Path: kind, Old: []byte("new"), New: []byte("old")}}
		}
		swap := Swap{Tests: append(back("test"), back("shared")...), Builds: back("build"), Libraries: back("lib"),
			Moved: back("moved"), Data: back("data"), Shared: []string{"shared"}}
		var order []string
		tree := &textTree{files: map[string]string{}, tests: func(files map[string]string) Result {
			var old []string
			for _, kind := range strings.Fields("test shared build lib moved data") {
				if files[kind] == "old" {
					old = append(old, kind)
				}
			}
			order = append(order, strings.Join(old, " "))
			return c.says[strings.Join(old, " ")]
		}}
		got, err := swap.Run(t.Context(), tree, c.before, c.before)
		if err != nil || !slices.Equal(order, c.order) {
			t.Errorf("%s: tried %q, %v", c.name, order, err)
		}
		if got.Passed != c.want.Passed || got.words() != c.want.words() || got.Builds != c.want.Builds ||
			got.Libraries != c.want.Libraries || got.Data != c.want.Data {
			t.Errorf("%s: got %+v", c.name, got)
		}
		if words := strings.Join(swap.Words(got), "; "); words != c.words {
			t.Errorf("%s: %q", c.name, words)
		}
	}
}

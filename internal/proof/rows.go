package proof

import (
	"slices"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/failure"
)

// successors gives for each failure of a test as it stood that of the test as it is which takes
// its place and fails on the old code; none where one of them has none. A case whose values changed
// may have another name: another case of the same test, at the same place, replaces it. For a case
// that is still there, perhaps with other inputs, any case of its test counts.
func (r Ran) successors(broken []failure.Failure) []failure.Failure {
	shown := r.steady(r.New.Failures)
	used := make([]bool, len(shown))
	before, after := r.Before.cases(), r.After.cases()
	var out []failure.Failure
	for _, f := range broken {
		c := caseOf(f.Test)
		lost := slices.Contains(before, c) && !slices.Contains(after, c)
		var there []testCase
		if lost {
			there = inPlaceOf(c, r.Before, r.After)
		}
		found := -1
		for i, g := range shown {
			if r.sameTest(f, g) && (!lost || !used[i] && slices.Contains(there, caseOf(g.Test))) {
				found = i
				break
			}
		}
		if found < 0 {
			return nil
		}
		used[found] = used[found] || lost
		out = append(out, shown[found])
	}
	return out
}

// testCase is a case of a test, in a form that is the same in the output of a runner and in its
// report: pytest's name a file in one, and a module in the other.
type testCase struct{ of, row string }

func caseOf(name string) testCase {
	of := failure.FunctionOf(name)
	words := strings.FieldsFunc(strings.Replace(of, ".py::", "::", 1), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_'
	})
	return testCase{strings.Join(words, " "), name[len(of):]}
}

// cases are the cases of tests that ran.
func (r Result) cases() (list []testCase) {
	for _, name := range slices.Concat(r.Rows, r.Passing, r.Failing) {
		if c := caseOf(name); c.row != "" {
			list = append(list, c)
		}
	}
	return list
}

// inPlaceOf gives the cases of a test that stand where one of them stood; none where the test has
// fewer cases now. Where their order is not known, all new ones do.
func inPlaceOf(c testCase, before, after Result) []testCase {
	of := func(r Result) (rows []string) {
		for _, d := range r.cases() {
			if d.of == c.of {
				rows = append(rows, d.row+"\n")
			}
		}
		return rows
	}
	inOrder := func(r Result) bool { // failing cases are listed after passing ones
		return !slices.ContainsFunc(r.Failing, func(name string) bool { return caseOf(name).of == c.of })
	}
	was, is := of(before), of(after)
	if len(is) < len(was) {
		return nil
	}
	there := except(is, was)
	if inOrder(before) && inOrder(after) && slices.Equal(except(was, except(was, is)), except(is, there)) {
		at := func(e diff.Edit) bool { return slices.Contains(was[e.From:e.To], c.row+"\n") }
		edits := diff.Edits(was, is)
		i := slices.IndexFunc(edits, at)
		if i < 0 {
			return nil
		}
		there = edits[i].New
	}
	var out []testCase
	for _, row := range there {
		out = append(out, testCase{c.of, strings.TrimSuffix(row, "\n")})
	}
	return out
}

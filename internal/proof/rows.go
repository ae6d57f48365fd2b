package proof

import (
	"slices"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/failure"
)

// replacement is a failure of a test as it stood on the new code, and the failure on the old code
// of the test that replaces it; nil if it is gone.
type replacement struct{ was, is *failure.Failure }

// replacements returns one for each failure; false if a test is weaker, because its replacement
// passes on the old code. A case whose values changed may have another name: another case of the
// same test, at the same place, replaces it. For a case that is still there, perhaps with other
// inputs, any case of its test counts.
func (r Ran) replacements(broken []failure.Failure) (out []replacement, ok bool) {
	var shown []failure.Failure
	if r.New != nil {
		shown = r.steady(r.New.Failures)
	}
	used, beside := make([]bool, len(shown)), make([]bool, len(shown))
	before, after := r.Before.cases(), r.After.cases()
	for n, f := range broken {
		c := caseOf(f.Test)
		lost := slices.Contains(before, c) && !slices.Contains(after, c)
		var there []testCase
		if lost {
			there = besideOf(c, r.Before, r.After)
		}
		found := first(shown, func(i int) bool {
			return lost && !used[i] && r.sameTest(f, shown[i]) &&
				slices.Contains(there, caseOf(shown[i].Test))
		})
		if !lost {
			found = r.stillThere(f, shown, beside)
		}
		switch {
		case found >= 0:
			used[found], beside[found] = used[found] || lost, true
			out = append(out, replacement{&broken[n], &shown[found]})
		case r.gone(f, shown):
			out = append(out, replacement{was: &broken[n]})
		default:
			return nil, false
		}
	}
	return out, true
}

// stillThere finds a failure of the same test: of one that fails more than once, each failure has
// its own beside it where there are as many.
func (r Ran) stillThere(f failure.Failure, shown []failure.Failure, taken []bool) (found int) {
	same := func(i int) bool { return r.sameTest(f, shown[i]) }
	found = first(shown, func(i int) bool { return same(i) && !taken[i] && caseOf(shown[i].Test) == caseOf(f.Test) })
	for _, fits := range []func(i int) bool{func(i int) bool { return same(i) && !taken[i] }, same} {
		if found < 0 {
			found = first(shown, fits)
		}
	}
	return found
}

// first is the index of the first of some failures that fits, or -1.
func first(failures []failure.Failure, fits func(i int) bool) int {
	for i := range failures {
		if fits(i) {
			return i
		}
	}
	return -1
}

// gone reports whether a test that passed before, or a case of it, does not run any more, with
// nothing in its place that passes on the old code and may be a weaker form of it.
func (r Ran) gone(f failure.Failure, shown []failure.Failure) bool {
	if f.Test == "" || r.After.Passing == nil || f.ID().Among(failure.IDs(r.Before.Failures)) {
		return false
	}
	c := caseOf(f.Test)
	if _, renamed := r.renamedTo(f); renamed || slices.Contains(r.Moved, failure.FunctionOf(f.Test)) {
		return false
	}
	failing := failure.IDs(r.After.Failures)
	if f.ID().Among(failing) || c.row != "" && !slices.Contains(r.Before.cases(), c) {
		return false
	}
	was, is := slices.Concat(r.Before.Passing, r.Before.Failing),
		slices.Concat(r.After.Passing, r.After.Failing)
	for _, name := range slices.Concat(is, r.After.Rows) { // a report may name the file before it
		d := caseOf(name)
		if (d.of == c.of || strings.HasSuffix(d.of, " "+c.of)) && (c.row == "" || d.row == c.row) {
			return false
		}
	}
	there := besideOf(c, r.Before, r.After)
	for _, name := range except(is, was) { // a case that is a test of its own, by its name
		if c.row == "" && withoutDigits(name) == withoutDigits(f.Test) {
			there = append(there, caseOf(name))
		}
	}
	return !slices.ContainsFunc(there, func(d testCase) bool {
		return !slices.ContainsFunc(shown, func(g failure.Failure) bool { return caseOf(g.Test) == d })
	})
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

// casesOf are the forms that the test of a failure may have: a runner's report names its file, its
// output may not.
func casesOf(f failure.Failure) []testCase {
	list := []testCase{caseOf(f.Test)}
	if f.Place != "" {
		list = append(list, caseOf(f.Place+"::"+f.Test))
	}
	return list
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

// rowsOf are the rows of a case's test.
func (r Result) rowsOf(c testCase) (rows []string) {
	for _, d := range r.cases() {
		if d.of == c.of {
			rows = append(rows, d.row+"\n")
		}
	}
	return rows
}

// besideOf returns the new cases of a test at the place of an old one. If their order is not known,
// these are all new ones.
func besideOf(c testCase, before, after Result) (out []testCase) {
	inOrder := func(r Result) bool { // failing cases are listed after passing ones
		return !slices.ContainsFunc(r.Failing, func(name string) bool { return caseOf(name).of == c.of })
	}
	was, is := before.rowsOf(c), after.rowsOf(c)
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
	for _, row := range there {
		out = append(out, testCase{c.of, strings.TrimSuffix(row, "\n")})
	}
	return out
}

// removed are the cases that did not run of tests that did and have fewer of them now, without
// another one in their place.
func removed(before, after Result) (names []string) {
	was := slices.Concat(before.Rows, before.Passing, before.Failing)
	is := slices.Concat(after.Rows, after.Passing, after.Failing)
	for _, name := range withoutRenumbered(except(was, is), except(is, was)) {
		c := caseOf(name)
		if c.row == "" || slices.Contains(names, name) {
			continue
		}
		if now := len(after.rowsOf(c)); now > 0 && now < len(before.rowsOf(c)) &&
			len(besideOf(c, before, after)) == 0 {
			names = append(names, name)
		}
	}
	return names
}

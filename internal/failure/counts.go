package failure

import (
	"iter"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/testreport"
)

// Count counts the tests of one run: those that its report names or, where there is none,
// those that were printed, and then at least the tests that failures name have failed. A
// case of a table is one, and what only holds cases is none.
func Count(ran testreport.Run, printed testreport.Counts, failures []Failure) testreport.Counts {
	if ran != nil {
		return ran.Counts()
	}
	c := printed
	tests := slices.DeleteFunc(slices.Clone(failures), func(f Failure) bool { return f.Kind != "" && f.Kind != "test" })
	if n := CountTests(tests); c.Failed != nil && n > *c.Failed {
		c.Failed = &n
	}
	return c
}

// CountTests counts the tests that failures name, those of each check for themselves:
// several messages may be of one test. A test is not counted beside a case of its own.
func CountTests(failures []Failure) int { return len(IDs(Cases(failures))) }

// Cases leaves out the failures of tests of which a case failed, too.
func Cases(failures []Failure) []Failure {
	cases := map[holder]places{}
	for _, id := range IDs(failures) {
		for name := range holders(id.Name) {
			h := holder{id.Check, name}
			if cases[h] == nil {
				cases[h] = places{}
			}
			cases[h][id.Place] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(failures), func(f Failure) bool {
		return f.Test != "" && cases[holder{f.Check, f.Test}].have(f.Place)
	})
}

// holder is what may hold cases: a name in the report of a check.
type holder struct{ check, name string }

// places are those of the cases of a holder; "" is not known.
type places map[string]bool

// have reports whether one may be this place.
func (p places) have(place string) bool { return p[place] || p[""] || place == "" && len(p) > 0 }

// holders yields the names of the tests that a name can be a case of: TestA of TestA/row,
// test_a of test_a[row], a and a > b of a > b > c.
func holders(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range name {
			rest := name[i:]
			for _, sep := range [...]string{"/", "[", " > ", " › "} {
				if strings.HasPrefix(rest, sep) && !yield(name[:i]) {
					return
				}
			}
		}
	}
}

package failure

import (
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
	ids := IDs(failures)
	return slices.DeleteFunc(slices.Clone(failures), func(f Failure) bool {
		return f.Test != "" && slices.ContainsFunc(ids, f.ID().holds)
	})
}

// holds reports whether another test is a case of this one.
func (i ID) holds(j ID) bool {
	if i.Check != j.Check || !alike(i.Place, j.Place) {
		return false
	}
	rest, longer := strings.CutPrefix(j.Name, i.Name)
	return longer && slices.ContainsFunc([]string{"/", "[", " > ", " › "}, func(sep string) bool { return strings.HasPrefix(rest, sep) })
}

package proof

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/booty-cli/booty/internal/failure"
)

// Lost are tests that ran before and no longer run.
type Lost struct {
	// N is how many, Names which, if both runs name them in the same form. Otherwise only the
	// numbers Before and Now are known.
	N           int
	Names       []string
	Before, Now int
	// Unreported says that nothing is known of any test: the runner wrote a report before, and none
	// now. Printed output is not trusted then.
	Unreported bool
	// Rows are cases that passed before. A table of the product may have fewer on purpose.
	Rows []string
}

// Missing returns the tests that ran before and not after: by name if both runs name them in the
// same form, else by number.
func Missing(before, after Result) Lost {
	now := after.Counts.Ran()
	if now < 0 && before.Counts.Ran() > 0 && (before.Passed || before.AlwaysCounts) &&
		!strings.Contains(before.As, failure.LeftReport) {
		now = 0 // it counted before, and would again
	}
	switch {
	case before.reported() && !after.reported():
		return Lost{N: max(before.Counts.Ran(), 1), Before: before.Counts.Ran(), Unreported: true}
	case after.As != "" && after.As == before.As:
		return gone(before, after)
	case before.Counts.Ran() <= 0 || now < 0 || now >= before.Counts.Ran():
		return Lost{}
	}
	return Lost{N: before.Counts.Ran() - now, Before: before.Counts.Ran(), Now: now}
}

// Words describe it; "" if nothing is lost.
func (l Lost) Words() string {
	switch {
	case l.N == 0:
		return ""
	case l.Unreported:
		return "the test runner wrote no report"
	case len(l.Names) > 0:
		return "tests that ran before did not run: " + someOf(l.Names, 5)
	}
	return tests(l.N) + " that ran before did not run"
}

func someOf(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// gone says by their names which tests were not run.
func gone(before, after Result) Lost {
	was, is := slices.Concat(before.Passing, before.Failing), slices.Concat(after.Passing, after.Failing)
	missing := withoutRenumbered(except(was, is), except(is, was))
	failing := failure.IDs(after.Failures)
	// What failed before must pass now, or fail as before. Its name may have an unknown form: if no
	// fewer tests ran, it is among them.
	for _, f := range before.Failures {
		if after.Counts.Ran() < 0 || after.Counts.Ran() >= before.Counts.Ran() ||
			after.As == failure.OwnReport {
			break
		}
		if f.Test == "" || f.Kind != "" && f.Kind != "test" || slices.Contains(missing, f.Test) {
			continue
		}
		if !f.ID().Among(failing) && !failure.NamedIn(f.Test, after.Passing) {
			missing = append(missing, f.Test)
		}
	}
	failed, passed := lostRows(before, after, missing)
	missing = append(missing, failed...)
	return Lost{N: len(missing), Names: missing, Before: before.Counts.Ran(), Now: after.Counts.Ran(),
		Rows: passed}
}

// except returns the names that are not among others; names may occur more than once.
func except(names, others []string) []string {
	left := map[string]int{}
	for _, name := range others {
		left[name]++
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		left[name]--
		return left[name] >= 0
	})
}

// lostRows returns the cases that did not run, of tests that did: those that failed before, and
// those that passed. A case with other numbers in its name did run.
func lostRows(before, after Result, missing []string) (failed, passed []string) {
	if before.Rows == nil {
		return nil, nil
	}
	for _, row := range withoutRenumbered(except(before.Rows, after.Rows), except(after.Rows, before.Rows)) {
		if slices.Contains(missing, failure.FunctionOf(row)) {
			continue
		}
		if slices.ContainsFunc(before.Failures, func(f failure.Failure) bool { return f.Test == row }) {
			failed = append(failed, row)
		} else {
			passed = append(passed, row)
		}
	}
	return failed, passed
}

// withoutRenumbered leaves out cases whose names differ from those of new ones only in numbers,
// such as a time.
func withoutRenumbered(gone, fresh []string) []string {
	left := map[string]int{}
	for _, name := range fresh {
		left[withoutDigits(name)]++
	}
	return slices.DeleteFunc(gone, func(name string) bool {
		plain := withoutDigits(name)
		if failure.FunctionOf(name) == name || plain == name || left[plain] == 0 {
			return false
		}
		left[plain]--
		return true
	})
}

func withoutDigits(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, name)
}

// Fixed are the failures of tests that failed before, and pass now.
func Fixed(before, after Result) []failure.Failure {
	failing := failure.IDs(after.Failures)
	var out []failure.Failure
	for _, f := range before.Failures {
		switch {
		case f.Test == "" || f.ID().Among(failing) || slices.Contains(before.Flaky, f.Test):
		case f.NotLoaded(): // a file: its tests run now
			if before.Counts.Ran() < 0 || after.Counts.Ran() < 0 || after.Counts.Ran() > before.Counts.Ran() {
				out = append(out, f)
			}
		case !passes(f.Test, after.Passing):
		case slices.Contains(before.Rows, f.Test) && !slices.Contains(after.Rows, f.Test): // a case that is not there
		default:
			out = append(out, f)
		}
	}
	return out
}

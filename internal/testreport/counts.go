package testreport

import (
	"fmt"
	"strings"
)

// Counts are test numbers; nil where the output does not tell.
type Counts struct {
	Passed  *int `json:"passed"`
	Failed  *int `json:"failed"`
	Skipped *int `json:"skipped"`
}

// Plus is nil where one of the two does not tell.
func (c Counts) Plus(d Counts) Counts {
	return Counts{Passed: sum(c.Passed, d.Passed), Failed: sum(c.Failed, d.Failed),
		Skipped: sum(c.Skipped, d.Skipped)}
}

func sum(a, b *int) *int {
	if a == nil || b == nil {
		return nil
	}
	n := *a + *b
	return &n
}

// Ran is how many tests ran, -1 where it is not known.
func (c Counts) Ran() int {
	switch {
	case c.Passed == nil:
		return -1
	case c.Failed == nil:
		return *c.Passed
	}
	return *c.Passed + *c.Failed
}

// Same reports whether two tell the same numbers.
func (c Counts) Same(d Counts) bool {
	same := func(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	return same(c.Passed, d.Passed) && same(c.Failed, d.Failed) && same(c.Skipped, d.Skipped)
}

// Sum adds up the counts of several commands. A number that one of them does not tell is nil.
func Sum(all ...Counts) Counts {
	if len(all) == 0 {
		return Counts{}
	}
	sum := all[0]
	for _, c := range all[1:] {
		sum = sum.Plus(c)
	}
	return sum
}

// Words are what screen, reports and comments say of them; "" where nothing is known.
func (c Counts) Words() string {
	var parts []string
	for _, x := range []struct {
		n    *int
		word string
	}{{c.Failed, "failed"}, {c.Passed, "passed"}, {c.Skipped, "skipped"}} {
		if x.n != nil && (*x.n > 0 || x.word == "passed") {
			parts = append(parts, fmt.Sprintf("%d %s", *x.n, x.word))
		}
	}
	return strings.Join(parts, ", ")
}

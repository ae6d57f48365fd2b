package failure

import (
	"strings"
	"testing"
)

func TestSays(t *testing.T) {
	const strict = "AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:"
	for _, c := range []struct {
		name string
		f    Failure
		want string
	}{
		{"node's assert", Failure{Message: strict, Expected: "900", Actual: "-9000"}, "expected 900, got -9000"},
		{"Jest", Failure{Message: "expect(received).toBe(expected) // Object.is equality\n\nExpected: 3",
			Expected: "3", Actual: "-1"}, "expected 3, got -1"},
		{"a message of its own", Failure{Message: "the total is wrong", Expected: "3", Actual: "-1"}, "the total is wrong"},
		{"no values", Failure{Message: strict}, strict},
		{"one value", Failure{Message: strict, Expected: "900"}, strict},
		{"a long value", Failure{Message: strict, Expected: strings.Repeat("9", 31), Actual: "1"}, strict},
		{"several lines", Failure{Message: strict, Expected: "[\n1\n]", Actual: "1"}, strict},
	} {
		if got := c.f.Says(); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

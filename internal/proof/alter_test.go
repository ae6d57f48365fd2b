package proof

import (
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/failure"
)

func TestAlterations(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		failed     failure.Failure
		want       string // what is altered, in this order, "in" what it becomes
	}{
		{"Go", "func TestA(t *testing.T) {\n\tif got := Add(2, 3); got != 5 {\n\t\tt.Errorf(\"got %d, want 5\", got)\n\t}\n}\n", 3,
			failure.Failure{}, "5 changed to 6"},
		{"Python", "def test_a():\n    assert add(2, 3) == 5, 'sum'\n", 2, failure.Failure{}, "5 changed to 6"},
		{"JavaScript", "test('adds 1', () => {\n  expect(ok('x')).toBe(true)\n})\n", 2, failure.Failure{}, "true changed to false"},
		{"a float", "assert_eq!(half(1), 0.5);\n", 1, failure.Failure{}, "0.5 changed to 1.5"},
		{"what is expected stands first", "assertEquals(150, fare(2, 10));\n", 1, failure.Failure{Expected: "150", Actual: "300"}, "150 changed to 151"},
		{"inputs of other rows", "rows := []row{\n\t{1, true},\n\t{2, false},\n}\nfor _, r := range rows {\n\tif got := f(r.in); got != r.want {\n\t\tt.Errorf(\"f(%d)\", r.in)\n\t}\n}\n", 7, failure.Failure{Message: "f(1)"}, ""},
		{"a row, as the failure says", "rows := []row{\n\t{1, 20},\n\t{2, 30},\n}\nfor _, r := range rows {\n\tif got := f(r.in); got != r.want {\n\t\tt.Errorf(\"f(%d) = %d, want %d\", r.in, got, r.want)\n\t}\n}\n", 7, failure.Failure{Message: "f(2) = 1, want 30"}, "30 changed to 31"},
		{"an input of the expected value, in a line above", "options = { maxAge: 0 }\nfake('OPTIONS')\nassert.equal(res.header('Max-Age'), '0')\n", 3,
			failure.Failure{Expected: "0", Actual: "undefined"}, "'0' changed to 'a' in Age'), 'a')"},
		{"one in the same line", "expect(half(2)).toBe(2)\n", 1, failure.Failure{Expected: "2", Actual: "1"}, "2 changed to 3 in toBe(3)"},
		{"one in the same line, with what is expected first", "assertEquals(2, fare(2));\n", 1, failure.Failure{Expected: "2", Actual: "1"}, "2 changed to 3 in assertEquals(3, fare(2))"},
		{"no place of one says which it is", "check(2, fare(2), a)\n", 1, failure.Failure{Expected: "2", Actual: "1"}, ""},
		{"a row with a name for it", "rows := []row{\n\t{in: 2, want: 2},\n}\nfor _, r := range rows {\n\tif got := f(r.in); got != r.want {\n\t\tt.Errorf(\"want %d\", r.want)\n\t}\n}\n", 6,
			failure.Failure{Message: "want 2"}, "2 changed to 3 in want: 3"},
		{"no literal", "assert f(a) == b\n", 1, failure.Failure{}, ""},
		{"a comment", "# 5 is right\nassert f(a) == b\n", 2, failure.Failure{}, ""},
		{"far away", strings.Repeat("x = y\n", 20) + "assert f(a) == b\n", 21, failure.Failure{}, ""},
		{"beyond the end", "assert f(1)\n", 40, failure.Failure{}, ""},
	} {
		var got []string
		want, in, _ := strings.Cut(c.want, " in ")
		for _, a := range Alterations([]byte(c.text), c.line, c.failed) {
			got = append(got, a.What)
			if !strings.Contains(string(a.Text), in) || string(a.Text) == c.text || strings.Count(string(a.Text), "\n") != strings.Count(c.text, "\n") {
				t.Errorf("%s: %s gives %q", c.name, a.What, a.Text)
			}
		}
		if list := strings.Join(got, ", "); list != want {
			t.Errorf("%s: got %s, want %s", c.name, list, want)
		}
	}
}

func FuzzAlterations(f *testing.F) {
	f.Add([]byte("assert f(1) == 'a'\n"), 1)
	f.Fuzz(func(t *testing.T, text []byte, line int) {
		for _, a := range Alterations(text, line, failure.Failure{}) {
			if string(a.Text) == string(text) {
				t.Errorf("%s alters nothing", a.What)
			}
		}
	})
}

package proof

import (
	"strings"
	"testing"
)

func TestAlterations(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		want       string // what is altered, in this order
	}{
		{"Go", "func TestA(t *testing.T) {\n\tif got := Add(2, 3); got != 5 {\n\t\tt.Errorf(\"got %d, want 5\", got)\n\t}\n}\n", 3,
			"2 changed to 3, 3 changed to 4, 5 changed to 6"},
		{"Python", "def test_a():\n    assert add(2, 3) == 5, 'sum'\n", 2, "2 changed to 3, 3 changed to 4, 5 changed to 6, 'sum' changed to 'sumx'"},
		{"JavaScript", "test('adds 1', () => {\n  expect(ok('x')).toBe(true)\n})\n", 2, "true changed to false, 'x' changed to 'xx'"},
		{"a float", "assert_eq!(half(1), 0.5);\n", 1, "1 changed to 2, 0.5 changed to 1.5"},
		{"no literal", "assert f(a) == b\n", 1, ""},
		{"a comment", "# 5 is right\nassert f(a) == b\n", 2, ""},
		{"far away", strings.Repeat("x = y\n", 20) + "assert f(a) == b\n", 21, ""},
		{"beyond the end", "assert f(1)\n", 40, ""},
	} {
		var got []string
		for _, a := range Alterations([]byte(c.text), c.line) {
			got = append(got, a.What)
			if string(a.Text) == c.text || strings.Count(string(a.Text), "\n") != strings.Count(c.text, "\n") {
				t.Errorf("%s: %s gives %q", c.name, a.What, a.Text)
			}
		}
		if list := strings.Join(got, ", "); list != c.want {
			t.Errorf("%s: got %s, want %s", c.name, list, c.want)
		}
	}
}

func FuzzAlterations(f *testing.F) {
	f.Add([]byte("assert f(1) == 'a'\n"), 1)
	f.Fuzz(func(t *testing.T, text []byte, line int) {
		for _, a := range Alterations(text, line) {
			if string(a.Text) == string(text) {
				t.Errorf("%s alters nothing", a.What)
			}
		}
	})
}

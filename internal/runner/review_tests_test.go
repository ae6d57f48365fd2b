package runner

import "testing"

func TestATestIsShownAroundItsFailure(t *testing.T) {
	const golang = "package a\n\nfunc TestA(t *testing.T) {\n\tone()\n\n\ttwo()\n}\n\nfunc TestB(t *testing.T) {\n\tif x() {\n\t\tt.Error(1)\n\t}\n}\n"
	const python = "class T(TestCase):\n    def test_a(self):\n        one()\n\n    def test_b(self):\n        two()\n        three()\n\n    def test_c(self):\n        four()\n"
	const js = "describe('a', () => {\n  it('goes up', () => {\n    one();\n  });\n  it('goes down', () => {\n    two();\n  });\n});\n"
	long := ""
	for range 100 {
		long += "\tline\n"
	}
	for _, c := range []struct {
		name, text, test string
		line, from, rows int
	}{
		{"a function", golang, "example.com/a.TestA", 4, 3, 5},
		{"a line deep in one", golang, "example.com/a.TestB/row", 11, 9, 5},
		{"a method", python, "test_t.T.test_b", 7, 5, 4},
		{"a title", js, "a > goes up", 3, 2, 3},
		{"a title that is not found", js, "a > goes sideways", 3, 1, 8},
		{"no more than there is room for", long, "TestA", 60, 40, 27},
		{"a line that is not there", js, "a", 90, 90, 0},
	} {
		from, part := around([]byte(c.text), c.line, c.test)
		rows := 0
		for _, b := range part {
			if b == '\n' {
				rows++
			}
		}
		if from != c.from || rows != c.rows {
			t.Errorf("%s: %d lines from %d:\n%s", c.name, rows, from, part)
		}
	}
}

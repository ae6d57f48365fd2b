package proof

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSpoil: of each comparison one literal is made wrong, of nothing else any.
func TestSpoil(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, numbers, texts string
	}{
		"input and result do not move alike": {"if (max(1, 2) != 2) {\n", "if (max(1, 2) != 3) {\n", ""},
		"a text is no number":                {"assert f(1) == \"abc\"\n", "assert f(2) == \"abc\"\n", "assert f(1) == \"abcx\"\n"},
		"on lines of its own":                {"assert_eq!(\n    f(),\n    7,\n);\n", "assert_eq!(\n    f(),\n    8,\n);\n", ""},
		"what a shell compares":              {"[ \"$(sh hi.sh)\" = hello ] || exit 1\n", "[ \"$(sh hi.sh)\" = hellox ] || exit 1\n", ""},
		"a truth":                            {"expect(ok).toBe(true)\n", "expect(ok).toBe(false)\n", ""},
		"a letter stays one":                 {"assert(c == 'a');\n", "", "assert(c == 'b');\n"},
		"a letter in quotes":                 {"assert c == \"k\"\n", "", "assert c == \"kx\"\n"},
		"an empty text":                      {"assert c == \"\"\n", "", "assert c == \"x\"\n"},
		"three quotes are no empty text":     {"assert c == \"\"\"k\n", "", ""},
		"nothing is compared":                {"import \"fmt\"\nx := 3\n// want 3\n", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for texts, want := range map[bool]string{false: c.numbers, true: c.texts} {
				got, n := Spoil([]byte(c.text), nil, texts)
				if want == "" && n == 0 {
					want = c.text
				}
				if diff := cmp.Diff(want, string(got)); diff != "" {
					t.Errorf("texts %t (-want +got):\n%s", texts, diff)
				}
			}
		})
	}
	if _, n := Spoil([]byte("a == 1\nb == 2\n"), map[int]bool{2: true}, false); n != 1 {
		t.Errorf("of one line of two %d places were made wrong", n)
	}
}

func TestNegated(t *testing.T) {
	t.Parallel()
	text := "x == y\nif a == b && c != \"\" {\nassert a === {}\nz = 3\n// a == b\nx == y\n"
	got, n := negated([]byte(text), map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true})
	if want := "x != y\nif a == b && c == \"\" {\nassert a !== {}\nz = 3\n// a == b\nx == y\n"; string(got) != want || n != 3 {
		t.Errorf("got %d places:\n%s", n, got)
	}
}

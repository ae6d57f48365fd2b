package source

import (
	"slices"
	"testing"
)

func FuzzNamesAreFoundAsTheExpressionDoes(f *testing.F) {
	for _, s := range []string{"a.b(c1, $d) _e 1f naïve x->y A::B ..z \xff\x80q", "", "9", "$", "é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var got []string
		for from, to := nextName(line, 0); from < to; from, to = nextName(line, to) {
			got = append(got, line[from:to])
		}
		if want := Ident().FindAllString(line, -1); !slices.Equal(got, want) {
			t.Errorf("in %q: got %q, want %q", line, got, want)
		}
	})
}

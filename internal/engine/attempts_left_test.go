package engine

import (
	"testing"

	"github.com/booty-cli/booty/internal/failure"
)

func TestAttemptsLeft(t *testing.T) {
	for _, c := range []struct {
		most, used, left int
		err              string
	}{
		{3, 0, 3, ""},
		{3, 2, 1, ""},
		{3, 3, 0, "all 3 attempts of it are used up"},
		{1, 1, 0, "the only attempt of it is used up"},
		{2, 2, 0, "both attempts of it are used up"},
		{3, 12, 0, "all 12 attempts of it are used up"},
	} {
		left, err := AttemptsLeft(c.most, c.used, "it")
		text := ""
		if err != nil {
			text = err.Error()
		}
		if left != c.left || text != c.err {
			t.Errorf("%d of %d: got %d, %q; want %d, %q", c.used, c.most, left, text, c.left, c.err)
		}
	}
	for _, c := range []struct{ most, earlier, made, want int }{{3, 0, 1, 3}, {3, 0, 3, 6}, {3, 2, 1, 4}, {5, 2, 1, 3}} {
		m := Memory{Earlier: c.earlier, Attempts: make([]Attempt, c.made)}
		if got := m.AttemptsAgain(c.most); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}

func TestWhatIsAFlake(t *testing.T) {
	for _, c := range []struct {
		name string
		x    failure.Reran
		want string
	}{
		{"it passes the second time", failure.Reran{Failed: []string{"a", "b"}, Passed: true}, "a, b"},
		{"another one fails the second time", failure.Reran{Failed: []string{"a"}, Still: []string{"b"}}, "a"},
		{"it fails again among the others", failure.Reran{Failed: []string{"a", "b"}, Still: []string{"b"}}, "a"},
		{"the second run names none", failure.Reran{Failed: []string{"a"}}, ""},
	} {
		if got := list(verdict(failure.Verdict{Reran: []failure.Reran{c.x}}).flakes()); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

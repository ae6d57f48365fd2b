package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// addsBesideBlankLines tells a change that adds and nothing else once the blank
// lines are left out: where one stands and how many there are says nothing, but
// two versions compared by lines part cases at them that were added whole.
func (f *file) addsBesideBlankLines(old, new []string) bool {
	if added(old, new) == added(worded(old), worded(new)) {
		return false // they part nothing; this needs no reading
	}
	a, b := f.withoutBlankLines(old), f.withoutBlankLines(new)
	if len(a) == 0 || len(a) == len(old) && len(b) == len(new) {
		return false
	}
	_, lost := diff.Greedy(a, b)
	return lost == "" && f.judgeAdditions(a, b).Why == ""
}

// added are the lines with words in them that a change adds, by hunks; none where it
// does not only add.
func added(old, new []string) string {
	ways, _ := diff.Additions(old, new)
	if ways == nil {
		return ""
	}
	var b strings.Builder
	for _, h := range ways[0] {
		if lines := worded(new[h.From:h.To]); len(lines) > 0 {
			b.WriteString(strings.Join(lines, "") + "\x00")
		}
	}
	return b.String()
}

// worded are the lines with words in them.
func worded(lines []string) []string {
	var out []string
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

// withoutBlankLines leaves out the lines without a word that nothing is told by.
// Those in strings, below a line that goes on and below comments stay: they end it.
func (f *file) withoutBlankLines(lines []string) []string {
	t := f.keep(lines)
	var out []string
	worded := 0 // the last line with words in it
	for i, line := range lines {
		blank := strings.TrimSpace(line) == ""
		if i == 0 || !blank || t.EndsInString(i-1) || endedByBlank(t, worded) {
			out = append(out, line)
		}
		if !blank {
			worded = i
		}
	}
	return out
}

// endedByBlank tells a line that a blank one behind it brings to an end, or says to
// be no part of what follows: one that goes on, a comment, a text behind the code.
func endedByBlank(t *source.Text, i int) bool {
	return t.Blank(i) || strings.HasSuffix(strings.TrimSpace(t.Lines[i]), `\`)
}

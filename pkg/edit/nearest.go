package edit

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// unmatched describes the text nearest to a search text that was not found.
func (m *matcher) unmatched(search, replace []string) error {
	if len(replace) > 0 && strings.TrimSpace(strings.Join(replace, "")) != "" {
		if at := m.find(replace, butTrailing); len(at) > 0 {
			return fmt.Errorf("does not match: its search text is not in the file, but its replacement "+
				"already stands at line %d", at[0]+1)
		}
	}
	from, to, ok := m.similar(search)
	if !ok || strings.TrimSpace(joinLines(m.lines[from:to])) == "" {
		return errors.New("does not match: nothing like its search text is in the file; copy the lines " +
			"exactly from the current content")
	}
	where := fmt.Sprintf("line %d", from+1)
	if to > from+1 {
		where = fmt.Sprintf("lines %d to %d", from+1, to)
	}
	var w strings.Builder
	fmt.Fprintf(&w, "does not match the file. The nearest text, %s, is:", where)
	for _, l := range m.lines[from:to] {
		w.WriteString("\n" + clip(l.text)) // without numbers, which would come back in the next reply
	}
	return errors.New(w.String())
}

const nearestLines = 12

func clip(s string) string {
	const most = 160
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "..."
}

// similar finds the part of the file that shares most with the search text. Each line of
// the file votes for where the block would begin if it were the line of the block that it
// resembles. Common words do not vote.
func (m *matcher) similar(search []string) (from, to int, ok bool) {
	const common = 20
	where := make(map[string][]int) // lines of the search text, whole and by their words
	for j, t := range search {
		for _, w := range marks(t) {
			if at := where[w]; len(at) < common && (len(at) == 0 || at[len(at)-1] != j) {
				where[w] = append(at, j)
			}
		}
	}
	votes := make(map[int]int)
	best := 0
	for i, l := range m.lines {
		for _, w := range marks(l.text) {
			for _, j := range where[w] {
				votes[i-j] += min(len(w), 100)
				if n := votes[i-j] - votes[best]; n > 0 || n == 0 && i-j < best {
					best = i - j
				}
			}
		}
	}
	from = max(0, best)
	to = min(len(m.lines), max(best+len(search), from+1), from+nearestLines)
	return from, to, votes[best] >= 4 && from < to
}

// marks returns what identifies a line: itself, and a few of its words.
func marks(t string) []string {
	t = strings.TrimSpace(t[:min(len(t), 400)])
	out := []string{"\x00" + t + strings.Repeat(" ", 100)} // a whole line counts most
	if len(t) < 3 {
		return nil
	}
	for _, w := range strings.FieldsFunc(t,
		func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) > 2 && len(out) < 30 {
			out = append(out, w)
		}
	}
	return out
}

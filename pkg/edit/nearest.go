package edit

import (
	"errors"
	"fmt"
	"strings"
)

// unmatched says what is nearest to a search text that is not there.
func (m *matcher) unmatched(search, replace []string) error {
	if len(replace) > 0 && strings.TrimSpace(strings.Join(replace, "")) != "" {
		if at := m.find(replace, butTrailing); len(at) > 0 {
			return fmt.Errorf("does not match: its search text is not in the file, but its replacement already stands at line %d", at[0]+1)
		}
	}
	from, to, ok := m.similar(search)
	if !ok || strings.TrimSpace(joinLines(m.lines[from:to])) == "" {
		return errors.New("does not match: nothing like its search text is in the file; copy the lines exactly from the current content")
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

// similar finds the stretch of the file that shares most with the search text:
// each line of the file votes for where the block would begin if it were the
// line of the block that it resembles. Lines that are everywhere do not vote.
func (m *matcher) similar(search []string) (from, to int, ok bool) {
	const common = 20
	where := make(map[string][]int)
	words := make(map[string][]int)
	for j, t := range search {
		t = strings.TrimSpace(t)
		if len(t) > 2 {
			where[t] = append(where[t], j)
		}
		for _, w := range tokens(t) {
			if at := words[w]; len(at) == 0 || at[len(at)-1] != j {
				words[w] = append(at, j)
			}
		}
	}
	votes := make(map[int]int)
	for i, l := range m.lines {
		t := strings.TrimSpace(l.text)
		for n, j := range where[t] {
			if n == common {
				break
			}
			votes[i-j] += 100
		}
		for _, w := range tokens(t) {
			for n, j := range words[w] {
				if n == common {
					break
				}
				votes[i-j] += len(w)
			}
		}
	}
	best, most := 0, 0
	for at, n := range votes {
		if n > most || n == most && at < best {
			best, most = at, n
		}
	}
	if most < 4 {
		return 0, 0, false
	}
	from = max(0, best)
	to = min(len(m.lines), max(best+len(search), from+1), from+nearestLines)
	return from, to, from < to
}

// tokens are the words of a line, a few only.
func tokens(t string) []string {
	if len(t) > 400 {
		t = t[:400]
	}
	ws := strings.FieldsFunc(t, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 0x7f)
	})
	out := ws[:0]
	for _, w := range ws {
		if len(w) > 2 && len(out) < 30 {
			out = append(out, w)
		}
	}
	return out
}

package edit

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

func indentOf(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, " \t"))]
}

var errIndent = errors.New("matches only without regard to indentation, and differently from line to line, so the indentation of the new lines is not known: copy the lines with their indentation")

// reindenter carries the indentation of a reply over to that of the file: from
// lines that correspond it learns which indentation stands for which.
func reindenter(search []string, file []line) func(string) (string, error) {
	known := make(map[string]string)
	unsure := make(map[string]bool)
	for i, t := range search {
		if strings.TrimSpace(t) == "" || strings.TrimSpace(file[i].text) == "" {
			continue
		}
		s, f := indentOf(t), indentOf(file[i].text)
		if was, ok := known[s]; ok && was != f {
			unsure[s] = true
		}
		known[s] = f
	}
	per := unit(known)
	return func(t string) (string, error) {
		body := strings.TrimLeft(t, " \t")
		if body == "" {
			return t, nil
		}
		want := indentOf(t)
		if unsure[want] {
			return "", errIndent
		}
		if f, ok := known[want]; ok {
			return f + body, nil
		}
		below, above, found := "", "", false
		for s := range known {
			if unsure[s] {
				continue
			}
			if strings.HasPrefix(want, s) && (!found || len(s) >= len(below)) {
				below, found = s, true
			}
			if strings.HasPrefix(s, want) && (above == "" || len(s) < len(above)) {
				above = s
			}
		}
		switch {
		case found:
			return known[below] + per.convert(want[len(below):]) + body, nil
		case above != "":
			less := len(per.convert(above[len(want):]))
			f := known[above]
			return f[:max(0, len(f)-less)] + body, nil
		}
		return "", errIndent
	}
}

// ratio says how many characters of the reply's indentation make one of the file's.
type ratio struct {
	from, to string
	n        int // characters of from for one of to, or the other way round if negative
}

// unit learns it from two indentations, or from one against none.
func unit(known map[string]string) ratio {
	indents := slices.Sorted(maps.Keys(known))
	for _, s1 := range indents {
		for _, s2 := range indents {
			f1, f2 := known[s1], known[s2]
			s, ok1 := strings.CutPrefix(s1, s2)
			f, ok2 := strings.CutPrefix(f1, f2)
			if s1 == s2 {
				s, f, ok1, ok2 = s1, f1, true, true
			}
			if !ok1 || !ok2 || s == "" || f == "" || s[0] == f[0] || mixedIndent(s) || mixedIndent(f) {
				continue
			}
			if len(s)%len(f) == 0 {
				return ratio{s[:1], f[:1], len(s) / len(f)}
			}
			if len(f)%len(s) == 0 {
				return ratio{s[:1], f[:1], -len(f) / len(s)}
			}
		}
	}
	return ratio{}
}

func mixedIndent(s string) bool { return strings.Trim(s, s[:1]) != "" }

// convert writes further indentation in the file's way.
func (r ratio) convert(more string) string {
	if r.n == 0 || more == "" || mixedIndent(more) || more[:1] != r.from {
		return more
	}
	if r.n > 0 {
		return strings.Repeat(r.to, (len(more)+r.n-1)/r.n)
	}
	return strings.Repeat(r.to, -r.n*len(more))
}

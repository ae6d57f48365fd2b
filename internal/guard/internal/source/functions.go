package source

import (
	"strings"
)

// BodyOf gives the code of the function whose header is line i, without the
// header up to column at.
func BodyOf(t *Text, i, at int) string {
	out := []string{strings.TrimLeft(t.Code[i][at:], ") ")}
	if t.Source.Lang.Indent {
		if _, body, ok := strings.Cut(t.Code[i][at:], ":"); ok {
			out[0] = body
		}
	}
	base := t.Outline.At[i]
	for k := i + 1; k < len(t.Code) && k < i+40; k++ {
		if strings.TrimSpace(t.Code[k]) == "" {
			continue
		}
		b := t.Outline.At[k]
		if b == base && len(out) == 1 && strings.HasPrefix(strings.TrimSpace(t.Code[k]), "{") {
			continue // the brace on a line of its own
		}
		if b == base || !Within(b, base) {
			break
		}
		out = append(out, strings.TrimSpace(t.Code[k]))
	}
	return strings.Join(out, "\n")
}

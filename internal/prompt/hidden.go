package prompt

import (
	"fmt"
	"strings"
	"unicode"
)

// showHidden writes out invisible characters that a model reads all the same: text direction
// marks and tags. Files are shown without it, since an edit must find their lines again.
func showHidden(s string) string {
	hidden := func(r rune) bool { return unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r <= 0xe007f }
	if !strings.ContainsFunc(s, hidden) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if hidden(r) {
			fmt.Fprintf(&b, "[U+%04X]", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

package work

import (
	"slices"
	"strings"
)

// ProseIn takes the paragraphs between the line of the summary and the first edit.
func ProseIn(reply string) string {
	lines := strings.Split(strings.ReplaceAll(reply, "\r\n", "\n"), "\n")
	at := slices.IndexFunc(lines, func(l string) bool {
		return strings.HasPrefix(strings.ToLower(strings.TrimLeft(l, "*# ")), "summary:")
	})
	if at < 0 {
		return ""
	}
	var out []string
	for _, part := range strings.Split(strings.Join(lines[at+1:], "\n"), "\n\n") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if !isProse(part) {
			break
		}
		out = append(out, part)
	}
	return strings.Join(out, "\n\n")
}

// isProse tells a paragraph of sentences from an edit and from what announces
// one: a path, a heading, a line that ends in a colon.
func isProse(part string) bool {
	for _, sign := range []string{"```", "~~~", "<<<<<<<", "DELETE ", "RENAME ", "diff --git ", "--- ", "*** ", "#", "<"} {
		if strings.HasPrefix(part, sign) || strings.Contains(part, "\n"+sign) {
			return false
		}
	}
	return strings.Contains(part, " ") && !strings.HasSuffix(part, ":")
}

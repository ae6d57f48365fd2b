package runner

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// ProseIn returns the paragraphs between the summary line and the first edit.
func ProseIn(reply string) string {
	lines := strings.Split(strings.ReplaceAll(reply, "\r\n", "\n"), "\n")
	at := slices.IndexFunc(lines, isSummary)
	if at < 0 {
		return ""
	}
	return sentences(lines[at+1:])
}

// saidIn returns what the screen shows of a reply: those paragraphs or, if there are none, what
// comes before the summary.
func saidIn(reply string) string {
	if said := ProseIn(reply); said != "" {
		return said
	}
	lines := strings.Split(strings.ReplaceAll(reply, "\r\n", "\n"), "\n")
	if at := slices.IndexFunc(lines, isSummary); at >= 0 {
		lines = lines[:at]
	}
	return sentences(lines)
}

// answers are lines for reviewers, which are posted where they asked.
var answers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[ \t>*-]*ANSWER \d{1,3}\b.*\n?`) })

func isSummary(line string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimLeft(line, "*# ")), "summary:")
}

// sentences takes the paragraphs up to the first edit.
func sentences(lines []string) string {
	var out []string
	for _, part := range strings.Split(strings.Join(lines, "\n"), "\n\n") {
		part = strings.TrimSpace(answers().ReplaceAllString(part, ""))
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

// isProse reports whether a paragraph is sentences, not an edit or its announcement: a path, a
// heading, a line that ends in a colon.
func isProse(part string) bool {
	for _, sign := range []string{"```", "~~~", "<<<<<<<", "DELETE ", "RENAME ", "diff --git ", "--- ", "*** ", "#", "<"} {
		if strings.HasPrefix(part, sign) || strings.Contains(part, "\n"+sign) {
			return false
		}
	}
	return strings.Contains(part, " ") && !strings.HasSuffix(part, ":")
}

package pullrequest

import (
	"regexp"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/report"
)

var conventionalSubject = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z]+(\([^()\s]+\))?!?: \S`)
})

// spelledSubject matches a conventional subject with a capitalized type.
var spelledSubject = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?i:feat|fix|docs|style|refactor|perf|tests?|build|ci|chore|revert)(\([^()\s]+\))?!?: \S`)
})

// maxSubject is the longest subject of a commit, in characters.
const maxSubject = 72

// conventional turns a summary into a conventional commit subject. The labels of the issue
// help to tell a fix from a feature.
func conventional(summary string, labels ...string) string {
	s := strings.Join(strings.Fields(strings.ToValidUTF8(report.FirstLine(summary), "\uFFFD")), " ")
	if s == "" {
		return ""
	}
	if spelledSubject().MatchString(s) {
		kind, rest, _ := strings.Cut(s, ":")
		s = strings.ToLower(kind) + ":" + rest
	}
	if !conventionalSubject().MatchString(s) {
		first, size := s[:1], 1
		// not an abbreviation
		if r := []rune(s); len(r) > 1 && strings.ToUpper(string(r[1])) != string(r[1]) {
			first, size = strings.ToLower(string(r[0])), len(string(r[0]))
		}
		s = kindOfChange(s, labels) + ": " + first + s[size:]
	}
	if r := []rune(s); len(r) > maxSubject {
		s = strings.TrimSpace(string(r[:maxSubject-1])) + "…"
	}
	return strings.TrimSuffix(s, ".")
}

func kindOfChange(s string, labels []string) string {
	all := strings.ToLower(strings.Join(labels, " "))
	word, _, _ := strings.Cut(strings.ToLower(s), " ")
	switch {
	case strings.HasPrefix(word, "fix") || strings.HasPrefix(word, "repair") ||
		strings.HasPrefix(word, "mend") || strings.Contains(all, "bug"):
		return "fix"
	case strings.HasPrefix(word, "document") || strings.Contains(all, "documentation"):
		return "docs"
	case strings.HasPrefix(word, "add") || strings.HasPrefix(word, "implement") ||
		strings.HasPrefix(word, "support") ||
		strings.Contains(all, "enhancement") || strings.Contains(all, "feature"):
		return "feat"
	}
	return "chore"
}

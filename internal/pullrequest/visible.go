package pullrequest

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// hiddenComment matches an HTML comment, which readers of an issue do not see. An unclosed
// one hides the rest.
var hiddenComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`) })

// unseen matches what GitHub does not show: elements with the attribute hidden, and link
// definitions used as comments, as in "[//]: # (text)".
var unseen = sync.OnceValue(func() []*regexp.Regexp {
	out := []*regexp.Regexp{regexp.MustCompile(`(?m)^ {0,3}\[[^\]\n]*\]:[ \t]*(?:#|<>)[ \t]*(?:["'(].*)?$\n?`)}
	for _, tag := range []string{"a", "b", "code", "details", "div", "em", "i", "p", "pre", "span", "strong",
		"sub", "sup", "table"} {
		out = append(out, regexp.MustCompile(`(?is)<`+tag+`\b[^>]*\s(?:hidden\b|style\s*=\s*["'][^"'>]*display\s*:\s*none)[^>]*>.*?</`+tag+`\s*>`))
	}
	return out
})

// visible returns the text of an issue or pull request as readers see it: without HTML
// comments and invisible characters. Comments inside code blocks stay, since they are
// shown.
func visible(s string) string {
	s = tidyText(s)
	var b strings.Builder
	var prose []string
	flush := func() {
		text := hiddenComment().ReplaceAllString(strings.Join(prose, ""), "")
		for _, re := range unseen() {
			text = re.ReplaceAllString(text, "")
		}
		b.WriteString(text)
		prose = nil
	}
	fence := ""
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			b.WriteString(line)
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~"):
			if open := strings.Join(prose, ""); strings.LastIndex(open, "<!--") > strings.LastIndex(open, "-->") {
				prose = append(prose, line) // a fence inside a comment
				continue
			}
			flush()
			fence = trimmed[:3]
			b.WriteString(line)
		default:
			prose = append(prose, line)
		}
	}
	flush()
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef {
			return -1
		}
		return r
	}, b.String()))
}

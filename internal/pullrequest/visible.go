package pullrequest

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// hiddenComment is an HTML comment, which no reader of an issue sees; one that is not
// closed hides all that follows.
var hiddenComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?(?:-->|\z)`) })

// unseen are what GitHub does not show: elements with the attribute hidden, and link
// definitions that people use as comments, as in "[//]: # (text)".
var unseen = sync.OnceValue(func() []*regexp.Regexp {
	out := []*regexp.Regexp{regexp.MustCompile(`(?m)^ {0,3}\[[^\]\n]*\]:[ \t]*(?:#|<>)[ \t]*(?:["'(].*)?$\n?`)}
	for _, tag := range []string{"a", "b", "code", "details", "div", "em", "i", "p", "pre", "span", "strong", "sub", "sup", "table"} {
		out = append(out, regexp.MustCompile(`(?is)<`+tag+`\b[^>]*\s(?:hidden\b|style\s*=\s*["'][^"'>]*display\s*:\s*none)[^>]*>.*?</`+tag+`\s*>`))
	}
	return out
})

// visible gives a text of an issue or pull request as its readers see it: without HTML
// comments and without characters that have no form. Comments in code stay: they are shown.
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
				prose = append(prose, line) // a fence within a comment
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

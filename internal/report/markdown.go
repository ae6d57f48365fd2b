package report

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// GitHub's limits. Bodies are counted in bytes here, which is never less than
// what GitHub counts.
const (
	maxBody  = 65536
	maxTitle = 120 // of 256: what is left readable in lists
)

// apart stands between a sign and what would give it a meaning: GitHub looks for
// mentions and references in the rendered text, where backslashes do not help.
const apart = "\u200b"

// Clean makes foreign text safe for a terminal.
func Clean(s string) string { return clean(s) }

// Plain makes foreign text safe for a place that shows it as it is and reads
// mentions and references in it, such as a commit's message.
func Plain(s string) string { return inert(clean(s)) }

// ciWords are what build services take, anywhere in a message or title, for an order not to
// check the commit.
var ciWords = sync.OnceValue(func() *regexp.Regexp {
	const service = `(?:ci|cd|actions?|builds?|checks?|github|travis|circleci|appveyor|azurepipelines|azp|netlify|vercel|` +
		`cirrus|semaphore|jenkins|drone|woodpecker|render|deploys?|previews?|pipelines?)`
	return regexp.MustCompile(`(?i)\s?\[\s*(?:(?:skip|no)[ _-]?` + service + `|` + service +
		`[ _-]?skip)\s*\]` +
		`|\*\*\*\s*no_ci\s*\*\*\*|(?m:^[ \t]*skip-checks:[ \t]*true[ \t]*$\n?)`)
})

// clean makes foreign text printable: line ends become \n, tabs stay, escape
// sequences, other control characters, signs that turn the direction of text and
// tags, which nobody sees, go.
func clean(s string) string {
	s = stripEscapes(s)
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r' || r == '\u2028' || r == '\u2029':
			return '\n'
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == '\ufeff', r >= 0xe0000 && r <= 0xe007f:
			return -1
		case r == utf8.RuneError:
			return '\ufffd'
		}
		return r
	}, s)
}

// stripEscapes removes terminal sequences: ESC [ ... final, ESC ] ... BEL or ST,
// and ESC with one more byte.
func stripEscapes(s string) string {
	if !strings.Contains(s, "\x1b") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, 0x1b)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		switch {
		case strings.HasPrefix(s, "["):
			n := 1
			for n < len(s) && (s[n] < 0x40 || s[n] > 0x7e) && s[n] >= 0x20 {
				n++
			}
			s = s[min(n+1, len(s)):]
		case strings.HasPrefix(s, "]"):
			if end := strings.IndexAny(s, "\a\x1b\n"); end >= 0 {
				s = s[end:] // BEL goes as a control character, ST as the next sequence
			} else {
				s = ""
			}
		case s != "":
			_, n := utf8.DecodeRuneInString(s)
			s = s[n:]
		}
	}
}

// oneLine is clean text without line breaks, cut to limit runes.
func oneLine(s string, limit int) string {
	s = strings.Join(strings.Fields(clean(s)), " ")
	return cutRunes(s, limit)
}

func cutRunes(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	r := []rune(s)
	return strings.TrimRight(string(r[:max(limit-1, 0)]), " ") + "…"
}

// inert takes orders to skip checks out, and the meaning from mentions (@name, @org/team), references (#12,
// GH-12), addresses (https://…/issues/12 closes issues too) and www. links.
func inert(s string) string {
	var b strings.Builder
	s = ciWords().ReplaceAllString(strings.ToValidUTF8(s, "\ufffd"), "")
	for i, r := range s {
		b.WriteRune(r)
		rest := s[i+utf8.RuneLen(r):]
		next, _ := utf8.DecodeRuneInString(rest)
		switch {
		case r == '@' && (unicode.IsLetter(next) || unicode.IsDigit(next)),
			r == '#' && unicode.IsDigit(next),
			r == '-' && unicode.IsDigit(next) && i >= 2 && strings.EqualFold(s[i-2:i], "gh"),
			r == ':' && strings.HasPrefix(rest, "//"),
			(r == 'w' || r == 'W') && strings.HasPrefix(rest, "."):
			b.WriteString(apart)
		}
	}
	return b.String()
}

// signs is what Markdown takes for a sign anywhere in a line, lineSigns what only
// counts where a line begins. Each of them may follow a backslash; the angle
// brackets and the ampersand become entities.
const (
	signs     = "\\`*_[]|~$"
	lineSigns = "#+-="
)

// Inline gives foreign text as literal Markdown text within a line.
func Inline(s string) string { return inline(s, 1000) }

func inline(s string, limit int) string {
	s = inert(oneLine(s, limit))
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '&':
			b.WriteString("&amp;")
		case strings.ContainsRune(signs, r), i == 0 && strings.ContainsRune(lineSigns, r), listMark(s, i, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// listMark finds the "." or ")" of a line that begins like a numbered list.
func listMark(s string, i int, r rune) bool {
	return (r == '.' || r == ')') && i > 0 && i < 10 && strings.Trim(s[:i], "0123456789") == ""
}

// cell gives foreign text for a table cell: short, and without a bare pipe.
func cell(s string) string { return inline(s, 160) }

// codeCell gives foreign text as a code span in a table, where a pipe would end
// the cell even inside one.
func codeCell(s string) string { return strings.ReplaceAll(Code(s), "|", "\\|") }

// Code gives foreign text as a code span.
func Code(s string) string {
	s = oneLine(s, 160)
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// Fence gives foreign text as a code block whose fence is longer than any run of
// backticks inside, so that nothing in it can close it.
func Fence(info, s string) string {
	s = strings.Trim(clean(s), "\n")
	ticks := strings.Repeat("`", max(3, longestRun(s, '`')+1))
	return ticks + info + "\n" + s + "\n" + ticks + "\n"
}

func longestRun(s string, sign byte) int {
	longest, n := 0, 0
	for i := 0; i < len(s); i++ {
		if s[i] != sign {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}

// quote gives foreign text of several lines as a quotation, line by line literal.
func quote(s string) string {
	var b strings.Builder
	lines := strings.Split(strings.Trim(clean(s), "\n"), "\n")
	for i, line := range lines {
		text := Inline(line)
		switch {
		case text == "":
			b.WriteString(">\n")
		case i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "":
			b.WriteString("> " + text + "\\\n") // a hard break
		default:
			b.WriteString("> " + text + "\n")
		}
	}
	return b.String()
}

// details folds body away under a title.
func details(title, body string) string {
	return "<details>\n<summary>" + htmlText(title) + "</summary>\n\n" + strings.TrimRight(body, "\n") + "\n\n</details>\n"
}

func htmlText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(inert(oneLine(s, 200)))
}

// Marker gives a hidden comment by which booty finds its own texts again. The
// value cannot end the comment.
func Marker(name, value string) string {
	keep := func(r rune) rune {
		if r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._/:=+ ", r)) {
			return r
		}
		if r == '-' || r == '#' {
			return r
		}
		return '_'
	}
	v := strings.Map(keep, value)
	for strings.Contains(v, "--") {
		v = strings.ReplaceAll(v, "--", "-")
	}
	if v = strings.Trim(v, " -"); v != "" {
		v = " " + v
	}
	return fmt.Sprintf("<!-- booty:%s%s -->", name, v)
}

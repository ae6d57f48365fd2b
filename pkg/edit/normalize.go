package edit

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// On its way a reply may have been typeset: quotes are curly, hyphens are
// dashes, blanks do not break, signs are HTML entities. Such a search text is
// matched last, by what its characters stand for; the file keeps its own, and
// what is new is written in the file's way.

// sign is what counts as one character in such a comparison.
type sign struct{ raw, plain string }

var entities = map[string]string{
	"&lt;": "<", "&gt;": ">", "&amp;": "&", "&quot;": `"`, "&#34;": `"`, "&#39;": "'", "&#x27;": "'",
	"&apos;": "'", "&nbsp;": " ", "&#160;": " ",
}

// plainRune is what a typographic character stands for.
func plainRune(r rune) (string, bool) {
	switch r {
	case '“', '”', '„', '‟', '″', '«', '»':
		return `"`, true
	case '‘', '’', '‚', '‛', '′':
		return "'", true
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return "-", true
	case '…':
		return "...", true
	case '\u00a0', '\u202f', '\u2007', '\u2009', '\u2002', '\u2003', '\u3000':
		return " ", true
	}
	if r == '\u200b' || r == '\u200c' || r == '\u200d' || r == '\u2060' || r == '\u00ad' || r == '\ufeff' {
		return "", true
	}
	return "", false
}

// signs divides a text. What cannot be seen is no sign.
func signs(s string) []sign {
	var out []sign
	for s != "" {
		u := nextSign(s)
		s = s[len(u.raw):]
		if u.plain != "" {
			out = append(out, u)
		}
	}
	return out
}

func nextSign(s string) sign {
	switch s[0] {
	case '&':
		if i := strings.IndexByte(s[:min(len(s), 8)], ';'); i > 0 {
			if plain, ok := entities[strings.ToLower(s[:i+1])]; ok {
				return sign{s[:i+1], plain}
			}
		}
	case '-':
		n := 1
		for n < len(s) && s[n] == '-' {
			n++
		}
		return sign{s[:n], "-"}
	case '.':
		if strings.HasPrefix(s, "...") {
			return sign{"...", "..."}
		}
	}
	r, n := utf8.DecodeRuneInString(s)
	if plain, ok := plainRune(r); ok {
		return sign{s[:n], plain}
	}
	return sign{s[:n], s[:n]}
}

// plainText is a text with every character replaced by what it stands for.
func plainText(s string) string {
	if isPlain(s) {
		return strings.TrimRight(s, " \t\r")
	}
	var b strings.Builder
	for _, u := range signs(s) {
		b.WriteString(u.plain)
	}
	return strings.TrimRight(b.String(), " \t\r")
}

// isPlain tells lines, nearly all of a file's, that stand for themselves.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c != '\t' && c < ' ' || c > '~' || c == '&' || c == '-' && i > 0 && s[i-1] == '-' {
			return false
		}
	}
	return true
}

// retyper writes new lines in the way of the file that the search text matched.
type retyper struct {
	learned map[string]string
	file    string
}

// learn compares lines of the search text with those of the file.
func (r *retyper) learn(search, file string) {
	a, b := signs(search), signs(file)
	for i := range min(len(a), len(b)) {
		if a[i].raw != a[i].plain || b[i].raw != a[i].raw {
			r.learned[a[i].raw] = b[i].raw
		}
	}
}

// line writes one new line. Where it begins and ends as the line that it
// replaces does, the file's own characters stay.
func (r *retyper) line(t, search, file string) (string, error) {
	u, s, f := signs(t), signs(search), signs(file)
	head := 0
	for head < len(u) && head < len(s) && head < len(f) && u[head].raw == s[head].raw {
		head++
	}
	tail := 0
	for tail < len(u)-head && tail < len(s)-head && tail < len(f)-head && u[len(u)-1-tail].raw == s[len(s)-1-tail].raw {
		tail++
	}
	var b strings.Builder
	for i, c := range u {
		switch {
		case i < head:
			b.WriteString(f[i].raw)
		case i >= len(u)-tail:
			b.WriteString(f[len(f)-len(u)+i].raw)
		default:
			text, err := r.sign(c)
			if err != nil {
				return "", err
			}
			b.WriteString(text)
		}
	}
	return b.String(), nil
}

func (r *retyper) sign(c sign) (string, error) {
	typographic := c.raw != c.plain && c.raw[0] != '-'
	switch own, ok := r.learned[c.raw]; {
	case typographic && ok:
		return own, nil
	case !typographic || strings.Contains(r.file, c.raw):
		return c.raw, nil
	case c.raw == "—" || c.raw == "―":
		return "", fmt.Errorf("matches, but its replacement holds %s, which the file does not: write the characters that are meant", c.raw)
	}
	return c.plain, nil
}

// retyped puts a block in place whose search text matched by what it stands for.
func (m *matcher) retyped(i int, search, replace []string, b Block) error {
	r := retyper{learned: make(map[string]string), file: joinLines(m.lines)}
	for k, t := range search {
		r.learn(t, m.lines[i+k].text)
	}
	var out []line
	at, j, gone := 0, 0, 0
	for _, op := range align(search, replace) {
		switch op {
		case keep:
			out = append(out, m.lines[i+at])
			at, j = at+1, j+1
			gone = at
		case drop:
			at++
		case add:
			was, own := "", ""
			if gone < at {
				was, own = search[gone], m.lines[i+gone].text
				gone++
			}
			t, err := r.line(replace[j], was, own)
			if err != nil {
				return err
			}
			out = append(out, line{t, m.endAt(min(i+max(gone-1, 0), i+len(search)-1))})
			j++
		}
	}
	m.splice(i, len(search), out, b)
	return nil
}

// unescaped is content that was escaped as a whole: it holds entities where no
// string is, and none of the signs that they stand for.
func unescaped(name, content string) string {
	if !isCode(name) || !strings.Contains(content, "&") {
		return content
	}
	if !hasEntity(strings.Join(codeLines(name, content), "\n")) || strings.ContainsAny(withoutEntities(content), "<>&") {
		return content
	}
	var b strings.Builder
	for s := content; s != ""; {
		i := strings.IndexByte(s, '&')
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		u := nextSign(s[i:])
		b.WriteString(u.plain)
		s = s[i+len(u.raw):]
	}
	return b.String()
}

func hasEntity(s string) bool { return withoutEntities(s) != s }

func withoutEntities(s string) string {
	for e := range entities {
		s = strings.ReplaceAll(s, e, "")
	}
	return s
}

// leftTypography finds typographic characters and entities in new code, where no
// language has them.
func leftTypography(c Change, old, now string, _ []Edit) string {
	if !strings.ContainsFunc(now, func(r rune) bool { return r > unicode.MaxASCII || r == '&' }) {
		return ""
	}
	now = strings.TrimPrefix(now, bom)
	if !isCode(c.Path) || strings.HasPrefix(extension(c.Path)[1:], "js") && strings.Contains(now, "</") {
		return leftMarkup(c, old, now) // of JSX too
	}
	before := make(map[string]bool)
	for _, l := range codeLines(c.Path, old) {
		before[l] = true
	}
	for i, l := range strings.Split(now, "\n") {
		if strings.ContainsAny(l, "\u200b\u2060\ufeff") && !strings.ContainsAny(old, "\u200b\u2060\ufeff") {
			return fmt.Sprintf("line %d of the new %s holds a character that cannot be seen: %s; write it without", i+1,
				c.Path, clip(strings.TrimSpace(l)))
		}
	}
	for i, l := range codeLines(c.Path, now) {
		if before[l] {
			continue
		}
		if e := withoutEntities(l); e != l {
			return fmt.Sprintf("line %d of the new %s holds an HTML entity (&lt;, &gt;, &amp; …) for the sign itself: %s; write the signs as they are", i+1, c.Path, clip(strings.TrimSpace(l)))
		}
		for _, r := range l {
			if plain, ok := plainRune(r); ok && !strings.ContainsRune(old, r) {
				return fmt.Sprintf("line %d of the new %s holds %s where code has %s: %s; write it plainly", i+1, c.Path,
					runeName(r), plainName(plain), clip(strings.TrimSpace(l)))
			}
		}
	}
	return ""
}

// quotedSentence is a value of YAML that is a whole sentence in such quotes: those of its author.
var quotedSentence = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\w-]+:\s+“[^“”]+(?:\s+[^\s“”]+){5,}”$`)
})

// delimiter is a typographic quote where markup or data has a plain one.
var delimiter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[=:,\[({]\s*[“”„‘’]|^\s*(?:- )?[“”„].*[“”]\s*:`)
})

// leftMarkup is leftTypography for files that are neither code nor prose.
func leftMarkup(c Change, old, now string) string {
	code := false // within an example of code in prose
	for i, l := range splitLines(now) {
		if _, size, _ := fenceRun(l.text); size > 0 {
			code = !code
		}
		if strings.Contains(old, l.text) {
			continue
		}
		t := strings.TrimSpace(l.text)
		if r, n := utf8.DecodeRuneInString(l.text); n > 1 {
			if plain, ok := plainRune(r); ok && strings.TrimSpace(plain) == "" && r != '\u3000' && r != '\ufeff' {
				return fmt.Sprintf("line %d of the new %s begins with %s: %s; write it plainly", i+1, c.Path, runeName(r), clip(t))
			}
		}
		if isProse(c.Path) && !code || aside().MatchString(t) {
			continue // what a remark says is text
		}
		if strings.HasPrefix(t, "&lt;") && strings.HasSuffix(t, "&gt;") {
			return fmt.Sprintf("line %d of the new %s is a tag written with HTML entities: %s; write the signs as they are", i+1, c.Path, clip(t))
		}
		if delimiter().MatchString(t) && !delimiter().MatchString(old) && !quotedSentence().MatchString(t) {
			return fmt.Sprintf("line %d of the new %s holds typographic quotes where plain ones belong: %s; write it plainly", i+1, c.Path, clip(t))
		}
		for at, r := range t {
			if plain, ok := plainRune(r); ok && strings.TrimSpace(plain) == "" && !strings.ContainsRune(old, r) && !joins(t, at) {
				return fmt.Sprintf("line %d of the new %s holds %s: %s; write it plainly", i+1, c.Path, runeName(r), clip(t))
			}
		}
	}
	return ""
}

// joins tells a joiner that belongs to the sign it stands in, as in a family of three
// or in Persian.
func joins(s string, at int) bool {
	r, n := utf8.DecodeRuneInString(s[at:])
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at+n:])
	return (r == '\u200c' || r == '\u200d') && before > unicode.MaxASCII && after > unicode.MaxASCII
}

func plainName(s string) string {
	switch s {
	case " ":
		return "an ordinary blank"
	case "":
		return "nothing"
	}
	return s
}

func runeName(r rune) string {
	switch p, _ := plainRune(r); p {
	case " ":
		return fmt.Sprintf("a no-break blank (%U)", r)
	case "":
		return fmt.Sprintf("a character that cannot be seen (%U)", r)
	}
	return string(r)
}

package edit

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// On its way a reply may have been typeset: quotes are curly, hyphens are
// dashes, spaces do not break, signs are HTML entities. Such a search text is
// matched last, by what its characters stand for. The file keeps its own.

// plainRunes are what typographic characters stand for; what cannot be seen
// stands for nothing.
var plainRunes = sync.OnceValue(func() map[rune]string {
	out := make(map[rune]string)
	for plain, runes := range map[string]string{
		`"`: "“”„‟″«»", "'": "‘’‚‛′", "-": "‐‑‒–—―−", "...": "…", " ": "\u00a0\u202f\u2007\u2009\u2002\u2003\u3000",
		"": "\u200b\u200c\u200d\u2060\u00ad\ufeff",
	} {
		for _, r := range runes {
			out[r] = plain
		}
	}
	return out
})

var entities = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&#39;", "'", "&#x27;", "'", "&apos;", "'", "&nbsp;", " ", "&#160;", " ", "&amp;", "&")
})

func hasEntity(s string) bool { return strings.Contains(s, "&") && entities().Replace(s) != s }

// plainText is a text with every character replaced by what it stands for. Runs
// of hyphens are one, as typesetters make a dash of them.
func plainText(s string) string {
	if isASCII(s) && !strings.Contains(s, "&") && !strings.Contains(s, "--") {
		return strings.TrimRight(s, " \t\r")
	}
	var b strings.Builder
	last := ""
	for _, r := range entities().Replace(s) {
		plain, ok := plainRunes()[r]
		if !ok {
			plain = string(r)
		}
		if plain != "-" || last != "-" {
			b.WriteString(plain)
		}
		last = plain
	}
	return strings.TrimRight(b.String(), " \t\r")
}

// retyped are the texts of a block in the way of the file. Lines that stay keep the
// file's own signs; new ones are written plainly where the search text had signs
// that the file has plainly.
func retyped(search, replace []string, lines []line) (file, out []string, err error) {
	file, out = bare(lines), make([]string, len(replace))
	own := make(map[string]string)
	for k, t := range search {
		own[plainText(t)] = file[k]
		learn(own, t, file[k])
	}
	for k, t := range replace {
		if l, ok := own[plainText(t)]; ok {
			out[k] = l
			continue
		}
		if out[k], err = retypedLine(t, own, strings.Join(file, "\n")); err != nil {
			return nil, nil, err
		}
		if k < len(search) {
			out[k] = withEnds(out[k], t, search[k], file[k])
		}
	}
	return file, out, nil
}

// withEnds keeps the file's own signs where a new line begins and ends as the
// line that it replaces.
func withEnds(line, t, search, file string) string {
	l, n, s, f := []rune(line), []rune(t), []rune(search), []rune(file)
	if len(l) != len(n) || len(s) != len(f) {
		return line
	}
	most := min(len(n), len(s))
	head, tail := 0, 0
	for head < most && n[head] == s[head] {
		head++
	}
	for tail < most-head && n[len(n)-1-tail] == s[len(s)-1-tail] {
		tail++
	}
	return string(f[:head]) + string(l[head:len(l)-tail]) + string(f[len(f)-tail:])
}

// learn notes which of the file's signs the typographic ones of a line stand for.
func learn(own map[string]string, line, file string) {
	a, b := []rune(entities().Replace(line)), []rune(file)
	for i := 0; i < len(a) && len(a) == len(b); i++ {
		if _, ok := plainRunes()[a[i]]; ok {
			own[string(a[i])] = string(b[i])
		}
	}
}

// retypedLine is a new line in the way of the file.
func retypedLine(t string, own map[string]string, file string) (string, error) {
	if hasEntity(t) && !hasEntity(file) {
		t = entities().Replace(t)
	}
	var b strings.Builder
	for _, r := range t {
		sign, ok := own[string(r)]
		plain, typographic := plainRunes()[r]
		switch {
		case ok && typographic:
			b.WriteString(sign)
		case !typographic || strings.ContainsRune(file, r):
			b.WriteRune(r)
		case r == '—' || r == '―':
			return "", fmt.Errorf("matches, but its replacement holds %c, which the file does not: write the characters that are meant", r)
		default:
			b.WriteString(plain)
		}
	}
	return b.String(), nil
}

// unescaped is content that was escaped as a whole: it holds entities where no
// string is, and none of the signs that they stand for.
func unescaped(name, content string) string {
	if !isCode(name) || !hasEntity(strings.Join(codeLines(name, content), "\n")) || strings.ContainsAny(withoutEntities(content), "<>&") {
		return content
	}
	return entities().Replace(content)
}

var entity = pattern(`&(?:lt|gt|quot|#34|#39|#x27|apos|nbsp|#160|amp);`)

func withoutEntities(s string) string { return entity().ReplaceAllString(s, "") }

// delimiter is a typographic quote where markup or data has a plain one.
var delimiter = pattern(`[=:,\[({]\s*[“”„‘’]|^\s*(?:- )?[“”„].*[“”]\s*:|^\s*&lt;.*&gt;\s*$|^\s*[\x{00a0}\x{200b}\x{2060}]|[=:]\x{00a0}|\x{00a0}[\w-]+=`)

// leftTypography finds typographic characters and entities in new code, where no
// language has them: in code outside of its strings and comments, elsewhere in
// the places of delimiters.
func leftTypography(c Change, old, now string, _ []Edit) string {
	if isASCII(now) && !strings.Contains(now, "&") {
		return ""
	}
	now = strings.TrimPrefix(now, bom)
	lines := strings.Split(now, "\n")
	code := isCode(c.Path) && !(strings.HasPrefix(extension(c.Path), ".js") && strings.Contains(now, "</")) // JSX is markup
	stands := make(map[string]bool)
	bare, was := lines, strings.Split(old, "\n")
	if code {
		bare, was = codeLines(c.Path, now), codeLines(c.Path, old)
	}
	for _, l := range was {
		stands[l] = true
	}
	example := false // within an example of code in prose
	for i, l := range bare {
		l = strings.TrimRight(l, "\r")
		example = example != fenceRunAt(l)
		if code && strings.ContainsAny(lines[i], "\u200b\u2060\ufeff") && !strings.ContainsAny(old, "\u200b\u2060\ufeff") {
			l += "\u200b" // in strings and comments too
		}
		if stands[l] || stands[l+"\r"] || isProse(c.Path) && !example {
			continue
		}
		what := ""
		switch {
		case code:
			what = oddSign(l, old)
		case delimiter().MatchString(l) && !aside().MatchString(l) && !delimiter().MatchString(old) && !quotedSentence().MatchString(l):
			what = "typographic characters or entities where plain ones belong"
		}
		if what != "" {
			return fmt.Sprintf("line %d of the new %s holds %s: %s; write it plainly", i+1, c.Path, what, clip(strings.TrimSpace(lines[i])))
		}
	}
	return ""
}

// quotedSentence is a value of YAML that is a whole sentence in such quotes: those of its author.
var quotedSentence = pattern(`^[\w-]+:\s+“[^“”]+(?:\s+[^\s“”]+){5,}”$`)

// oddSign names a sign of a line of code that no language has.
func oddSign(l, old string) string {
	if hasEntity(l) {
		return "an HTML entity (&lt;, &gt;, &amp; …) for the sign itself"
	}
	for _, r := range l {
		plain, ok := plainRunes()[r]
		switch {
		case !ok || strings.ContainsRune(old, r) || r == utf8.RuneError:
		case strings.TrimSpace(plain) == "":
			return fmt.Sprintf("a no-break blank or another character that cannot be seen (%U)", r)
		default:
			return fmt.Sprintf("%c where code has %s", r, plain)
		}
	}
	return ""
}

package edit

import (
	"fmt"
	"strings"
	"sync"
)

// A reply may have been typeset on its way: quotes are curly, hyphens are dashes, spaces
// are non-breaking, signs are HTML entities. Such a search text is matched last, by what
// its characters stand for. The file keeps its own characters.

// plainRunes maps typographic characters to plain ones; invisible ones map to nothing.
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
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#34;", `"`, "&#39;", "'",
		"&#x27;", "'",
		"&apos;", "'", "&nbsp;", " ", "&#160;", " ", "&amp;", "&")
})

func hasEntity(s string) bool { return strings.Contains(s, "&") && entities().Replace(s) != s }

// plainText replaces every character by what it stands for. Runs of hyphens count as one,
// since typesetters make a dash of them.
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

// retyped returns a block's replacement in the style of the matched lines. Unchanged lines
// keep the file's characters; new ones are plain.
func retyped(replace []string, file []line) ([]string, error) {
	all := strings.Join(bare(file), "\n")
	own, signs := make(map[string]string), ""
	for _, l := range file {
		own[plainText(l.text)] = l.text
	}
	stays := make(map[string]bool)
	for _, t := range replace {
		stays[plainText(t)] = true
	}
	for _, l := range file {
		if !stays[plainText(l.text)] {
			signs += l.text
		}
	}
	out := make([]string, len(replace))
	for k, t := range replace {
		if l, ok := own[plainText(t)]; ok {
			out[k] = l
			continue
		}
		if hasEntity(t) && !hasEntity(all) {
			t = entities().Replace(t)
		}
		var b strings.Builder
		for _, r := range t {
			plain, typographic := plainRunes()[r]
			switch {
			case !typographic || strings.ContainsRune(all, r):
				b.WriteRune(r)
			case r == '—' || r == '―':
				return nil, fmt.Errorf(
					"matches, but its replacement holds %c, which the file does not: write the "+
						"characters that are meant", r)
			default:
				b.WriteString(plain)
			}
		}
		out[k] = b.String()
	}
	now := strings.Join(out, "\n")
	for _, r := range signs {
		if _, ok := plainRunes()[r]; ok && !strings.ContainsRune(now, r) {
			return nil, fmt.Errorf("matches, but the file has %q where the reply has plain signs: copy the "+
				"lines exactly as they are", r)
		}
	}
	return out, nil
}

// leftTypography refuses whole-file content that has a line of the file in typographic
// characters: it was typeset on its way.
func leftTypography(old, now string) error {
	plain, exact := make(map[string]string), make(map[string]bool)
	for _, l := range strings.Split(now, "\n") {
		exact[l] = true
	}
	for _, l := range strings.Split(old, "\n") {
		l = strings.TrimRight(l, "\r")
		if !exact[l] {
			plain[plainText(l)] = l
		}
	}
	for i, l := range strings.Split(now, "\n") {
		if was, ok := plain[plainText(l)]; ok &&
			strings.TrimRight(was, " \t") != strings.TrimRight(l, " \t") {
			return fmt.Errorf("has line %d in other signs than the file, curly quotes, dashes or HTML "+
				"entities: %s; give it as it was, or change it with a search and replace block", i+1, clip(l))
		}
	}
	return nil
}

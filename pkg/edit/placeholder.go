package edit

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/aymanbagabas/go-udiff"
)

// A placeholder stands for code that the model did not want to write again. In a
// file it is a comment, and the code is gone.

// elision is a comment or a bare line that stands for code left out.
var elision = sync.OnceValue(func() *regexp.Regexp {
	const comment = `(?://+|#+|--|/\*+|<!--|;+|%+|\{/\*|\*|"""|'''|\(\*)`
	const what = `(?:code|files?|functions?|methods?|class(?:es)?|implementations?|modules?|contents?|logic|body|imports?|tests?|lines?|fields?|handlers?|cases?|definitions?|parts?|stuff|things|` +
		`pages?|markup|styles?|rules?|templates?|documents?|scripts?|components?|configs?|configuration|settings|properties|props|tables?|columns?|entries|routes?|` +
		`options?|elements?|items?|sections?|statements?|attributes?|variables?|constants?|types?|queries|dependencies|targets?|steps?|jobs?|keys?|values?)`
	const same = `(?:unchanged|the same|same as|as before|as is|stays?|remains?|omitted|for brevity|goes here|go here|left out|not shown|elided)`
	return regexp.MustCompile(`(?i)^\s*(?:` +
		`(?:` + comment + `\s*[\[(]?(?:\.{3,}|…)|[\[(]?(?:\.{3,}|…)\s)\s*.*\b(?:rest|remaining|remainder|existing|other|previous|unchanged|omitted|as before|original|elided|same|no changes?)\b.*` + `|` +
		comment + `\s*[\[(]?(?:the\s+|your\s+|all\s+)?(?:(?:rest|remainder)\s+of\s+\w+(?:\s+\w+)?|(?:existing|remaining|other|previous|original)\s+` + what + `)\s*(?:\w+\s*){0,2}(?:\.{3,}|…)\s*[\])]?\s*(?:\*+/|-->|\}|\*\))*` + `|` +
		comment + `\s*[\[(]?(?:the\s+)?(?:rest|remainder)\s+of\s+(?:the\s+|your\s+|this\s+)?(?:\w+\s+)?` + what +
		`\b.*\b` + same + `\b.*` + `|` +
		comment + `\s*[\[(]?(?:the\s+|all\s+)?(?:existing|previous|other|remaining)\s+` + what + `\s+(?:\w+\s+)?` +
		same + `\b(?:\s+(?:from|as|for|in|here|above|below)\b.*|\W*)` + `|` +
		comment + `\s*[\[(]?(?:the\s+|all\s+)?same\s+` + what +
		`\s+as\s+(?:before|above|the\s+original|in\s+the\s+original)\b.*` + `|` +
		comment + `\s*[\[(]?keep\s+(?:the\s+|all\s+|your\s+)?(?:(?:existing|remaining|other|previous|original)\s+` +
		what + `|rest\b.*|everything(?:\s+else)?)\s+(?:above|below|here|as\s+is|as\s+before|unchanged|the\s+same)\b.*` + `|` +
		comment + `\s*[\[(]?(?:existing|unchanged)\s+code\s*(?:here)?\s*[\])]?\s*(?:\*+/|-->|\})*` +
		`)$`)
})

// aside is a line that is nothing but a comment, a remark in brackets or dots.
var aside = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:(?://+|#+|--+|/\*+|<!--|;+|%+|\{/\*|\*+|"""|'''|\(\*|\[|\()\s*(.*?)\s*(?:\*+/\s*\}?|--+>?|\]|\)|"""|'''|\*\))?|(\.{3,}|…))\s*$`)
})

// proseAside is the same for text, where signs of comments mean something else.
var proseAside = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(?:(?:<!--|\[|\()\s*(.*?)\s*(?:-->|\]|\))|(\.{3,}|…))\s*$`)
})

// foreignRest are words of other languages than English.
const foreignRest = `unverändert|restlich|wie (?:zuvor|bisher|oben)|bleib(?:t|en)\b.*\b(?:gleich|so)|inchang|reste du|reste de la|sans (?:changement|modification)|sin (?:cambios|modificar)|resto del?\b|` +
	`inalterad|sem (?:alteraç|mudança)|restante|invariat|senza modifiche|без изменений|остальн|не мен[яи]|不变|其余|其他(?:代码|方法|函数|部分)|省略|同上|保持原|変更なし|以下同|残りの|そのまま|그대로|나머지|생략|동일`

// restWords say in several languages that something stays as it is and is not
// shown, or name what is not shown.
var restWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:rest|remaining|remainder|unchanged|untouched|unmodified|unaltered|omitted|elided|snip(?:ped)?|truncated|no (?:further |other |more )?changes?)\b|` +
		`\bsame\b.*\b(?:as|like) (?:before|above|is|was|in the)|\bas (?:before|above|is|was|it (?:is|was)|they (?:are|were)|in the original)\b|\bstays? (?:the same|as)\b|\b(?:remains?|kept) (?:the same|as)\b|` +
		`\b(?:other|existing|previous|original)\s+(?:\w+\s+)?(?:code|methods?|functions?|class(?:es)?|imports?|tests?|fields?|handlers?|cases?|parts?|routes?|rules?|steps?|jobs?|keys?|sections?|lines?|content|definitions?|tables?|types?|logic|stuff|things)\b|` + foreignRest)
})

// stayWords are those that speak of nothing else, whatever stands beside them.
var stayWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:unchanged|untouched|unmodified|as (?:before|above|is)|as (?:it|they) (?:is|are|was|were)|the same|existing code|(?:keep|rest of) the)\b|` + foreignRest)
})

// keepWords do so only where nothing else stands in the place.
var keepWords = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:keep|same|others?|existing|previous|above|below|goes here|etc)\b`)
})

// leftOut finds placeholders for code. In an old file they count where code
// goes away in the same place; what the old file says already is its own affair.
func leftOut(c Change, old, now string, edits []Edit) string {
	said := make(map[string]bool)
	for _, l := range strings.Split(old, "\n") {
		said[strings.TrimSpace(l)] = true
	}
	written := writesOut(edits)
	for _, g := range gaps(c, old) {
		for _, text := range g.added {
			t := strings.TrimSpace(text)
			if len(text) > 300 || said[t] {
				continue
			}
			placeholder := !isProse(c.Path) && elision().MatchString(text) &&
				(g.removed > 0 || old == "" || blockSays(edits, text)) && !(written && len(strings.Fields(text)) > 10)
			if placeholder || g.filledBy(c, t, now) && !(written && g.meant(c, t)) {
				return fmt.Sprintf("the new %s leaves code out with a placeholder: %q; give every line, or use search and replace blocks", c.Path, clip(t))
			}
		}
	}
	return ""
}

// writesOut tells edits that give each line that goes away.
func writesOut(edits []Edit) bool {
	return !slices.ContainsFunc(edits, func(e Edit) bool { return !e.Ordered })
}

// gap is a place in which lines go away.
type gap struct {
	removed int      // lines with text
	gone    int      // how many of these are more than a comment
	added   []string // lines with text that stand in their place
	code    int      // how many of these are more than a comment
}

// gaps are the places of a change. Those apart by nothing but blank lines and
// closing ones ("}", "end"), which a comparison matches at will, are one.
func gaps(c Change, old string) []gap {
	lines := splitLines(old)
	var out []gap
	end := -1 // the old line behind the last hunk
	for _, h := range c.hunks(0) {
		if end < 0 || !idleLines(lines, end, h.FromLine-1) {
			out = append(out, gap{})
		}
		g := &out[len(out)-1]
		end = h.FromLine - 1
		for _, l := range h.Lines {
			if l.Kind != udiff.Insert {
				end++
			}
			g.take(l)
		}
	}
	return out
}

func idleLines(lines []line, from, to int) bool {
	for _, l := range lines[min(from, len(lines)):max(from, min(to, len(lines)))] {
		if len(strings.TrimSpace(l.text)) > 3 {
			return false
		}
	}
	return true
}

func (g *gap) take(l udiff.Line) {
	text := strings.TrimRight(l.Content, "\r\n")
	switch {
	case strings.TrimSpace(text) == "":
	case l.Kind == udiff.Delete:
		g.removed++
		if !aside().MatchString(text) {
			g.gone++
		}
	case l.Kind == udiff.Insert:
		g.added = append(g.added, text)
		if !aside().MatchString(text) {
			g.code++
		}
	}
}

// filledBy tells whether a line stands for the lines that went away.
func (g gap) filledBy(c Change, t, now string) bool {
	prose := isProse(c.Path)
	form := aside()
	if prose && !onlyDots(t) && (g.removed < 3 || g.code > 0 && !stayWords().MatchString(t)) {
		form = proseAside() // a heading, unless nothing else stands there or its words say so
	}
	m := form.FindStringSubmatch(t)
	if g.removed == 0 || m == nil {
		return false
	}
	if m[2] != "" {
		return g.dots(c, t, now)
	}
	words := len(strings.Fields(m[1]))
	more := g.removed >= 2 && g.removed > len(g.added)
	switch {
	case onlyDots(m[1]):
		return g.removed >= 2 // however much is added beside it
	case restWords().MatchString(m[1]) && !g.goesOn(t):
		return more || words <= 3 && g.code == 0 || words <= 7 && g.removed >= 2 && stayWords().MatchString(m[1])
	case prose:
		return false
	case strings.HasPrefix(m[1], "...") || strings.HasSuffix(m[1], "...") || strings.HasPrefix(m[1], "…") || strings.HasSuffix(m[1], "…"):
		return more && g.code == 0
	}
	return more && g.code == 0 && words <= 8 && keepWords().MatchString(m[1])
}

// meant tells a line of a diff that is a remark like any other, though it has words of one
// that stands for code: in a diff what goes away is named line by line, and where
// other code comes in its place, or none went, there is none to stand for.
func (g gap) meant(c Change, t string) bool {
	switch {
	case isProse(c.Path) && onlyDots(t), g.gone == 0:
		return true
	case onlyDots(t):
		return false
	}
	return g.code > 0 || !restWords().MatchString(t)
}

// goesOn tells a remark that is a part of a sentence which the remark above begins.
func (g gap) goesOn(t string) bool {
	at := slices.IndexFunc(g.added, func(l string) bool { return strings.TrimSpace(l) == t })
	if at < 1 {
		return false
	}
	mark, text := remark(t)
	above, begins := remark(strings.TrimSpace(g.added[at-1]))
	ends := strings.HasSuffix(text, ".")
	if !ends && at+1 < len(g.added) {
		below, more := remark(strings.TrimSpace(g.added[at+1]))
		ends = below == mark && isLower(more)
	}
	return mark != "" && mark == above && ends && !strings.Contains(text, "..") && isLower(text) &&
		begins != "" && begins[0] >= 'A' && begins[0] <= 'Z' && len(strings.Fields(begins)) >= 6 &&
		!strings.HasSuffix(begins, ".") && !strings.Contains(begins, "..") && !strings.ContainsAny(begins, "…:;")
}

func isLower(text string) bool { return text != "" && text[0] >= 'a' && text[0] <= 'z' }

// remark parts a remark of one line into its mark and its text, which begins with a letter.
func remark(line string) (mark, text string) {
	at := strings.IndexFunc(line, unicode.IsLetter)
	if at < 0 {
		return "", ""
	}
	return strings.TrimSpace(line[:at]), line[at:]
}

// onlyDots tells a remark of nothing but dots, which is no heading either.
func onlyDots(t string) bool {
	return strings.Trim(t, "/#.…-=*[]() ") == "" && strings.ContainsAny(t, ".…")
}

// dots judges a line of nothing but dots. In Python they are the body of what
// has none, which a method of a protocol or an overload may become.
func (g gap) dots(c Change, t, now string) bool {
	if !isPython(c.Path) {
		return g.removed >= 2
	}
	at := slices.IndexFunc(g.added, func(l string) bool { return strings.TrimSpace(l) == t })
	if path.Ext(c.Path) == ".pyi" || at > 0 && strings.HasSuffix(g.added[at-1], ":") {
		return false // the head of what has the body is new as well
	}
	for _, w := range []string{"Protocol", "abstractmethod", "overload", "TYPE_CHECKING"} {
		if strings.Contains(now, w) {
			return g.removed >= 5
		}
	}
	return true
}

// blockSays tells whether a placeholder stands in a block's replacement, where
// it can only be meant for lines that are in the file already.
func blockSays(edits []Edit, text string) bool {
	for _, e := range edits {
		for _, b := range e.Blocks {
			if strings.Contains(b.Replace, strings.TrimSpace(text)) {
				return true
			}
		}
	}
	return false
}

func isPython(name string) bool {
	ext := path.Ext(name)
	return ext == ".py" || ext == ".pyi"
}

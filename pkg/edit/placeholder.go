package edit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"
)

// A placeholder stands for code that the model did not want to write again. In a
// file it is a comment, and the code is gone. It is told by its form, a line that
// is nothing but a comment, a note in brackets or dots; by its words; and by its
// place, where lines went away.

// aside is such a line; its text is a group, dots alone another.
var aside = pattern(`^\s*(?:(?://+|#+|--+|/\*+|<!--|;+|%+|\{/\*|\*+|"""|'''|\(\*|\[|\()\s*(.*?)\s*(?:\*+/\s*\}?|--+>?|\]|\)|"""|'''|\*\))?|(\.{3,}|…))\s*$`)

// proseAside is the same for text, where signs of comments mean something else.
var proseAside = pattern(`^\s*(?:(?:<!--|\[|\()\s*(.*?)\s*(?:-->|\]|\))|(\.{3,}|…))\s*$`)

const things = `(?:code|methods?|functions?|class(?:es)?|imports?|tests?|fields?|handlers?|cases?|parts?|routes?|rules?|steps?|jobs?|keys?|sections?|lines?|content|definitions?|tables?|types?|logic|stuff|things|` +
	`implementations?|modules?|settings|properties|entries|options?|statements?|variables?|constants?|body|file)`

// unmistakable words say that code is left out, wherever the line stands.
var unmistakable = pattern(`(?i)^[\[(]?(?:\.{3,}|…).*\b(?:rest|remaining|remainder|existing|other|previous|unchanged|omitted|as before|original|elided|same|no changes?)\b|` +
	`\b(?:rest|remainder) of\b.*(?:\.{3,}|…|\b(?:unchanged|the same|as before|omitted|for brevity|goes here|not shown)\b)|` +
	`^[\[(]?(?:the |your |all )?(?:existing|remaining|other|previous|original) ` + things + `\b(?:\s+\w+)?\s*(?:\.{3,}|…|(?:unchanged|the same|omitted|for brevity|goes? here|not shown|here)(?:\s+(?:as|from|for|in|here|above|below)\b.*)?\W*$|[\])]?$)|` +
	`^(?:the )?same ` + things + ` as (?:before|above|the original)|^keep (?:the |all )?(?:(?:existing|remaining|other) ` + things + `|rest|everything)|^unchanged code`)

// foreign are words of other languages than English.
const foreign = `unverändert|restlich|wie (?:zuvor|bisher|oben)|bleib(?:t|en)\b.*\b(?:gleich|so)|inchang|reste du|reste de la|sans (?:changement|modification)|sin (?:cambios|modificar)|resto del?\b|` +
	`inalterad|sem (?:alteraç|mudança)|restante|invariat|senza modifiche|без изменений|остальн|не мен[яи]|不变|其余|其他(?:代码|方法|函数|部分)|省略|同上|保持原|変更なし|以下同|残りの|そのまま|그대로|나머지|생략|동일`

// restWords say that something stays as it is and is not shown, or name what is not shown.
var restWords = pattern(`(?i)\b(?:rest|remaining|remainder|unchanged|untouched|unmodified|unaltered|omitted|elided|snip(?:ped)?|truncated|no (?:further |other |more )?changes?)\b|` +
	`\bsame\b.*\b(?:as|like) (?:before|above|is|was|in the)|\bas (?:before|above|is|was|it (?:is|was)|they (?:are|were)|in the original)\b|\bstays? (?:the same|as)\b|\b(?:remains?|kept) (?:the same|as)\b|` +
	`\b(?:other|existing|previous|original)\s+(?:\w+\s+)?` + things + `\b|` + foreign)

// stayWords speak of nothing else, whatever stands beside them; keepWords do so
// only where nothing else stands in the place.
var stayWords = pattern(`(?i)\b(?:unchanged|untouched|unmodified|as (?:before|above|is)|as (?:it|they) (?:is|are|was|were)|the same|existing code|(?:keep|rest of) the)\b|` + foreign)

var keepWords = pattern(`(?i)\b(?:keep|same|others?|existing|previous|above|below|goes here|etc)\b|^(?:\.{3}|…)|(?:\.{3}|…)$`)

// placeholder finds placeholders for code. What the old file says already is its own affair.
func placeholder(c Change, old, now string, edits []Edit) string {
	said := make(map[string]bool)
	for _, l := range strings.Split(old, "\n") {
		said[strings.TrimSpace(l)] = true
	}
	// Hunks name each line that goes away, so that a remark beside new code is one.
	named := !slices.ContainsFunc(edits, func(e Edit) bool { return !e.Ordered })
	for _, g := range gaps(c, old) {
		for i, text := range g.added {
			t := strings.TrimSpace(text)
			if len(text) > 300 || said[t] {
				continue
			}
			m := aside().FindStringSubmatch(t)
			sure := m != nil && !isProse(c.Path) && unmistakable().MatchString(m[1]) && (g.removed > 0 || old == "" || blockSays(edits, t)) && !(named && len(strings.Fields(t)) > 10)
			if sure || g.filledBy(c, i, now) && !(named && g.isRemark(c, t)) {
				return fmt.Sprintf("the new %s leaves code out with a placeholder: %q; give every line, or use search and replace blocks", c.Path, clip(t))
			}
		}
	}
	return ""
}

// gap is a place in which lines go away.
type gap struct {
	removed, gone int      // lines with text, and how many of these are more than a comment
	added         []string // lines with text that stand in their place
	code          int      // how many of these are more than a comment
}

// gaps are the places of a change. Those apart by nothing but blank lines and
// closing ones ("}", "end"), which a comparison matches at will, are one.
func gaps(c Change, old string) []gap {
	lines := splitLines(old)
	var out []gap
	end := -1 // the old line behind the last hunk
	for _, h := range c.hunks(0) {
		idle := end >= 0
		for i := max(end, 0); i < min(h.FromLine-1, len(lines)); i++ {
			idle = idle && len(strings.TrimSpace(lines[i].text)) <= 3
		}
		if !idle {
			out = append(out, gap{})
		}
		g := &out[len(out)-1]
		end = h.FromLine - 1
		for _, l := range h.Lines {
			text := strings.TrimRight(l.Content, "\r\n")
			code := 1
			if aside().MatchString(text) {
				code = 0
			}
			if l.Kind != udiff.Insert {
				end++
			}
			switch {
			case strings.TrimSpace(text) == "":
			case l.Kind == udiff.Delete:
				g.removed, g.gone = g.removed+1, g.gone+code
			case l.Kind == udiff.Insert:
				g.added, g.code = append(g.added, text), g.code+code
			}
		}
	}
	return out
}

// filledBy reports whether the added line i stands for the lines that went away.
func (g gap) filledBy(c Change, i int, now string) bool {
	t := strings.TrimSpace(g.added[i])
	prose := isProse(c.Path)
	form := aside()
	if prose && !onlyDots(t) && (g.removed < 3 || g.code > 0 && !stayWords().MatchString(t)) {
		form = proseAside() // a heading, unless nothing else stands there or its words say so
	}
	m := form.FindStringSubmatch(t)
	if g.removed == 0 || m == nil {
		return false
	}
	words := len(strings.Fields(m[1]))
	more := g.removed >= 2 && g.removed > len(g.added)
	switch {
	case m[2] != "" && (extension(c.Path) == ".py" || extension(c.Path) == ".pyi"):
		// In Python dots are the body of what has none.
		head := i > 0 && strings.HasSuffix(g.added[i-1], ":")
		return extension(c.Path) == ".py" && !head && (g.removed >= 5 || !strings.Contains(now, "Protocol") && !strings.Contains(now, "abstractmethod") && !strings.Contains(now, "overload"))
	case m[2] != "", onlyDots(m[1]):
		return g.removed >= 2 // however much is added beside it
	case restWords().MatchString(m[1]) && !g.goesOn(i):
		return more || words <= 3 && g.code == 0 || words <= 7 && g.removed >= 2 && stayWords().MatchString(m[1])
	}
	return !prose && more && g.code == 0 && words <= 8 && keepWords().MatchString(m[1])
}

// isRemark tells a line of a diff that is a remark like any other, though it has
// words of one that stands for code: where other code comes in the place of what
// goes, or none went, there is none to stand for.
func (g gap) isRemark(c Change, t string) bool {
	if onlyDots(t) {
		return isProse(c.Path) || g.gone == 0
	}
	return g.gone == 0 || g.code > 0 || !restWords().MatchString(t)
}

// goesOn reports whether a line is the middle of a sentence that the line above begins.
func (g gap) goesOn(i int) bool {
	letter := func(s string) string { return s[max(strings.IndexFunc(s, unicode.IsLetter), 0):] }
	if i == 0 {
		return false
	}
	t, above := letter(g.added[i]), letter(g.added[i-1])
	return t[0] >= 'a' && t[0] <= 'z' && above[0] >= 'A' && above[0] <= 'Z' && len(strings.Fields(above)) >= 6 &&
		!strings.HasSuffix(above, ".") && !strings.ContainsAny(above, "…:;")
}

// onlyDots tells a remark of nothing but dots, which is no heading either.
func onlyDots(t string) bool {
	return strings.Trim(t, "/#.…-=*[]() ") == "" && strings.ContainsAny(t, ".…")
}

// blockSays reports whether a placeholder stands in a block's replacement, where
// it can only be meant for lines that are in the file already.
func blockSays(edits []Edit, t string) bool {
	return slices.ContainsFunc(edits, func(e Edit) bool {
		return slices.ContainsFunc(e.Blocks, func(b Block) bool { return strings.Contains(b.Replace, t) })
	})
}

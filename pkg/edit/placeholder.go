package edit

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"
)

// A placeholder stands for code that the model did not want to repeat. In a file it would
// be a comment, and the code would be gone. It is recognized by its form (a line that is
// only a comment, a note in brackets, or dots), by its words, and by its place, where lines
// were removed.

// aside matches such a line; its text is a group.
var aside = pattern(`^\s*(?:(?://+|#+|--+|/\*+|<!--|;+|%+|\{/\*|\*+|"""|'''|\(\*|\[|` +
	`\()\s*(.*?)\s*(?:\*+/\s*\}?|--+>?|\]|\)|"""|'''|\*\))?|(\.{3,}|…))\s*$`)

// proseAside is the same for prose, where comment signs have other meanings.
var proseAside = pattern(`^\s*(?:(?:<!--|\[|\()\s*(.*?)\s*(?:-->|\]|\))|(\.{3,}|…))\s*$`)

const things = `(?:code|methods?|functions?|class(?:es)?|imports?|tests?|fields?|handlers?|cases?|` +
	`parts?|routes?|rules?|steps?|keys?|sections?|` +
	`lines?|content|definitions?|types?|logic|implementations?|properties|entries|options?|statements?|` +
	`body|file)`

// unmistakable words say that code is left out, wherever the line is.
var unmistakable = pattern(`(?i)^[\[(]?(?:\.{3,}|…).*\b(?:rest|remaining|existing|other|previous|` +
	`unchanged|omitted|as before|original|same|no changes?)\b|` +
	`\b(?:rest|remainder) of\b.*(?:\.{3,}|…|\b(?:unchanged|the same|as before|omitted|for brevity|` +
	`goes here|not shown)\b)|` +
	`^[\[(]?(?:the |your |all )?(?:existing|remaining|other|previous|original) ` + things +
	`\b(?:\s+\w+)?\s*(?:\.{3,}|…|(?:unchanged|the same|omitted|for brevity|goes? here|not shown|` +
	`here)(?:\s+(?:as|from|for|in|here|above|below)\b.*)?\W*$|[\])]?$)|` +
	`^(?:the )?same ` + things + ` as (?:before|above|the original)`)

// restWords say that something stays unchanged and is not shown, or name it; stayWords are
// about nothing else.
var (
	restWords = pattern(`(?i)\b(?:rest|remaining|remainder|untouched|unmodified|omitted|elided|` +
		`snip(?:ped)?|truncated|no (?:further |other |more )?changes?|keep)\b|` +
		`\b(?:other|existing|previous|original)\s+(?:\w+\s+)?` + things + `\b`)
	stayWords = pattern(`(?i)\b(?:unchanged|as (?:before|above|is|was)|as (?:it|they) (?:is|are|was|` +
		`were)|(?:the|stays?|remains?) same|existing code|(?:keep|rest of) the|` +
		`unverändert|restlich|wie (?:zuvor|bisher|oben)|bleib(?:t|en)\b.*\b(?:gleich|so))\b|inchang|reste d|` +
		`sans (?:changement|modification)|sin (?:cambios|modificar)|resto del?\b|` +
		`inalterad|sem (?:alteraç|mudança)|restante|invariat|senza modifiche|без изменений|остальн|` +
		`не мен[яи]|不变|其余|其他(?:代码|方法|函数|部分)|省略|同上|保持原|変更なし|以下同|残りの|そのまま|그대로|나머지|생략|동일`)
)

// bodiless matches what has dots as its body in Python.
var bodiless = pattern(`Protocol|abstractmethod|overload`)

// placeholder finds placeholders that the old file does not have.
func placeholder(c Change, old string, edits []Edit) string {
	said := make(map[string]bool)
	for _, l := range strings.Split(old, "\n") {
		said[strings.TrimSpace(l)] = true
	}
	// Hunks name each removed line, so a comment next to new code is just a comment.
	named := !slices.ContainsFunc(edits, func(e Edit) bool { return !e.Ordered })
	inBlock := slices.ContainsFunc(edits, func(e Edit) bool { return e.Op == Modify })
	for _, g := range gaps(c, old) {
		for i, t := range g.added {
			if len(t) <= 300 && !said[t] && g.filledBy(c, i, named, inBlock) {
				return fmt.Sprintf("the new %s leaves code out with a placeholder: %q; give every line, "+
					"or use search and replace "+
					"blocks", c.Path, clip(t))
			}
		}
	}
	return ""
}

// gap is a place where lines are removed.
type gap struct {
	removed, gone int      // non-empty lines, and how many of these are more than a comment
	added         []string // non-empty lines in their place
	code          int      // how many of these are more than a comment
}

// gaps returns the gaps of a change. Gaps separated only by empty and closing lines ("}",
// "end"), which a comparison matches arbitrarily, count as one.
func gaps(c Change, old string) []gap {
	lines := splitLines(old)
	var out []gap
	end := -1 // the old line after the last hunk
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
			text, code := strings.TrimSpace(l.Content), 1
			if aside().MatchString(text) {
				code = 0
			}
			if l.Kind != udiff.Insert {
				end++
			}
			switch {
			case text == "":
			case l.Kind == udiff.Delete:
				g.removed, g.gone = g.removed+1, g.gone+code
			case l.Kind == udiff.Insert:
				g.added, g.code = append(g.added, text), g.code+code
			}
		}
	}
	return out
}

// filledBy reports whether the added line i stands for the removed lines; named means that
// each of these was named, inBlock that a block has the line.
func (g gap) filledBy(c Change, i int, named, inBlock bool) bool {
	t, prose := g.added[i], isProse(c.Path)
	dots := strings.Trim(t, "/#.…-=*[]() ") == "" && strings.ContainsAny(t, ".…")
	form := aside()
	if prose && !dots && (g.removed < 3 || g.code > 0 && !stayWords().MatchString(t)) {
		form = proseAside() // a heading, unless it is alone or its words say otherwise
	}
	m := form.FindStringSubmatch(t)
	if m == nil {
		return false
	}
	words := len(strings.Fields(m[1]))
	if !prose && unmistakable().MatchString(m[1]) && (g.removed > 0 || c.Old == nil || inBlock) {
		return !named || g.gone > 0 && words <= 10
	}
	remark := named && (g.gone == 0 || !dots && g.code > 0 || dots && prose)
	switch {
	case remark || g.removed == 0 || g.continues(i):
		return false
	case dots && strings.HasPrefix(extension(c.Path), ".py") && m[2] != "":
		// The body of something without one.
		return !strings.HasSuffix(g.added[max(i-1, 0)], ":") &&
			(g.removed >= 5 || !bodiless().Match(c.New) && extension(c.Path) == ".py")
	case dots:
		return g.removed >= 2
	}
	more := g.removed >= 2 && g.removed > len(g.added)
	stay := stayWords().MatchString(m[1])
	return (stay || restWords().MatchString(m[1])) &&
		(more || words <= 3 && g.code == 0 || stay && words <= 7 && g.removed >= 2)
}

// continues reports whether a line continues a sentence of the line above.
func (g gap) continues(i int) bool {
	letter := func(s string) string { return s[max(strings.IndexFunc(s, unicode.IsLetter), 0):] }
	if i == 0 {
		return false
	}
	t, above := letter(g.added[i]), letter(g.added[i-1])
	return t[0] >= 'a' && t[0] <= 'z' && above[0] >= 'A' && above[0] <= 'Z' &&
		len(strings.Fields(above)) >= 6 &&
		!strings.HasSuffix(above, ".") && !strings.ContainsAny(above, "…:;")
}

package edit

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// A sentence deletes nothing, however it is meant, and is told. A line that
// stands alone and says nothing but which file to delete is no sentence.

// wish notes a sentence that deletes or renames a file.
func (p *parser) wish(t string, i, to int) {
	if name, ok := onlyDeletes(t); ok && p.alone(i, to) {
		p.add(Edit{Kind: Remove, Path: name, Line: i + 1, Tentative: true, surety: aWord, wished: true})
		return
	}
	if m := wish().FindStringSubmatch(t); m != nil {
		p.deed(strings.TrimRight(m[1], ".,:;"), t, i, false)
	}
}

var wish = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:[-*+•]\\s+|#+\\s+|\\d+[.)]\\s+)*\\**(?:(?:[Tt]hen|[Aa]lso|[Ff]inally|[Pp]lease|and)\\s+)*(?:[Dd]elete|[Rr]emove|[Rr]ename|[Mm]ove|[Dd]rop)\\**:?\\s+(?:the\\s+)?(?:file\\s+)?\\**(`[^`]+`|\\S+)")
})

var deletes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:Delete|Remove):? (?:the )?(?:file )?(`[^`]+`|[^`\\s]+)$")
})

// onlyDeletes is the file of a line that says nothing but to delete it.
func onlyDeletes(t string) (string, bool) {
	m := deletes().FindStringSubmatch(t)
	if m == nil {
		return "", false
	}
	name, ok := operand(m[1], false)
	return name, ok
}

// hedges make what stands beside them a thought rather than a wish.
var hedges = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:if|unless|until|once|later|optional|optionally|could|would|may|might|maybe|perhaps|do not|don['’]t|instead|todo|follow-?up)\b`)
})

// mostOrders bounds how far to look for the ends of a list of them, so that
// parsing stays linear.
const mostOrders = 50

// alone tells whether a line is a paragraph of its own, together with others of
// its kind, that no text around it puts under a condition.
func (p *parser) alone(i, to int) bool {
	from, end := i, i+1
	for from > 0 && i-from < mostOrders && isOrder(p.lines[from-1]) {
		from--
	}
	for end < to && end-i < mostOrders && isOrder(p.lines[end]) {
		end++
	}
	if from > 0 && !p.parts(from-1) || end < to && !p.parts(end) {
		return false
	}
	above, below := from-1, p.firstText(end, to)
	for above >= 0 && strings.TrimSpace(p.lines[above]) == "" {
		above--
	}
	if above >= 0 {
		t := strings.TrimRight(p.lines[above], "*_ \t")
		if strings.HasSuffix(t, ":") || hedges().MatchString(t) && !p.parts(above) {
			return false
		}
	}
	return below >= to || p.parts(below) || !hedges().MatchString(p.lines[below])
}

// isOrder tells a line that deletes or renames a file and says nothing else.
func isOrder(text string) bool {
	t := strings.TrimSpace(text)
	_, ok := onlyDeletes(t)
	return ok || (&parser{}).directive(t, 0)
}

// parts tells lines that are blank or belong to an edit, not to a paragraph.
func (p *parser) parts(i int) bool {
	text := p.lines[i]
	t := strings.TrimSpace(text)
	return t == "" || fenceRunAt(text) || isReplaceEnd(text) || isEnvelope(t) || t == endPatch || isSummary(t)
}

func isSummary(t string) bool {
	return strings.HasPrefix(strings.ToLower(strings.TrimLeft(t, "#*_- ")), "summary")
}

// settleWish judges a line that deletes a file which is there or not.
func (t *tree) settleWish(e Edit, there bool) (Edit, bool, error) {
	if there {
		return e, true, nil
	}
	if n, ok := t.now[e.Path]; ok && n == nil && t.orig[e.Path] != nil {
		return e, false, nil // it went
	}
	if s := t.known(e.Path); s != "" {
		return e, false, fmt.Errorf("%s cannot be deleted: there is no such file; did you mean %s?", e.Path, s)
	}
	return e, false, nil // a word of the text
}

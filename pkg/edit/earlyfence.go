package edit

import (
	"slices"
	"strings"
)

// A fence line at the margin inside a file, in a docstring or a template, looks
// like the end of the fence around the file; and the last fence may not be
// closed at all. Where both readings are possible nothing is applied.

// endsEarly reports whether the fence of a file that seems to end at line end
// may go on behind it: other text follows at once, or the content is left open,
// and there are further fence lines before the next file.
func (p *parser) endsEarly(f fenceLine, name string, i, end, to int) bool {
	if end+1 >= to || !f.closes(p.lines[end]) {
		return false
	}
	next := p.lines[end+1]
	open := !isProse(name) && leftOpen(p.lines[i+1:end])
	if !open && (f.path == "" && p.pend == nil || strings.TrimSpace(next) == "" || isTalk(next) ||
		strings.HasSuffix(next, ":") || p.beginsOther(end+1)) {
		return false
	}
	for k := end + 1; k < to; k++ {
		if f.closes(p.lines[k]) {
			return true
		}
		if k > end+1 && p.headsFence(k, to) {
			return false
		}
	}
	return false
}

// beginsOther reports whether a line begins something else than content.
func (p *parser) beginsOther(i int) bool {
	t := strings.TrimSpace(p.lines[i])
	if _, ok := pathLine(t); ok {
		return true
	}
	_, fence := openFence(t)
	_, said := sentencePath(t)
	return fence || said || isSearch(t) || isEnvelope(t) || strings.ContainsAny(t[:1], "<#*-") ||
		p.directives(t, 0) != nil || isSummary(t)
}

// headsFence reports whether line i is a path line with a fence in a language under it.
func (p *parser) headsFence(i, to int) bool {
	if _, ok := pathLine(p.lines[i]); !ok {
		return false
	}
	next := p.firstText(i+1, to)
	if next >= to {
		return false
	}
	f, ok := openFence(p.lines[next])
	return ok && (f.lang != "" || i > 0 && strings.TrimSpace(p.lines[i-1]) == "")
}

var hereWord = pattern(`<<[-~]?\s*['"]?([A-Z][A-Z_]+)\b`)

// leftOpen reports whether code ends inside a text over several lines.
func leftOpen(lines []string) bool {
	text := strings.Join(lines, "\n")
	for _, mark := range []string{`"""`, "'''", "`"} {
		if strings.Count(text, mark)%2 != 0 {
			return true
		}
	}
	for _, pair := range [][2]string{{"/*", "*/"}, {"<!--", "-->"}, {`r#"`, `"#`}} {
		if strings.Count(text, pair[0]) > strings.Count(text, pair[1]) {
			return true
		}
	}
	for _, m := range hereWord().FindAllStringSubmatch(text, -1) {
		if !slices.ContainsFunc(lines, func(l string) bool { return strings.TrimRight(strings.TrimSpace(l), ";") == m[1] }) {
			return true
		}
	}
	return false
}

// unclosed reads a fence that the reply does not close. Models forget the last
// one; but a server may also have cut the text without a word. So what it holds
// counts only where the reply is known to have come to its end, or the content
// shows its own.
func (p *parser) unclosed(f fenceLine, i, to int) int {
	edits, was := len(p.reply.Edits), p.reply.Truncated
	p.wholeHunk = false
	p.content(f, i, to, deepest)
	added := p.reply.Edits[edits:]
	last := p.lines[p.lastText(i, to)]
	switch {
	case p.complete:
		if len(added) == 1 && added[0].Op == Write && !isProse(added[0].Path) && isTalk(last) {
			p.problem(added[0].Path, "the fence at line %d of the reply is not closed, and text that is no content seems to follow: close the fence where the content ends", i+1)
		}
	case len(added) > 0 && (p.wholeHunk || strings.TrimSpace(last) == endPatch):
	case len(added) == 0 && edits+len(p.reply.Problems) > 0: // it explains something, behind the edits
	default:
		was = true
		p.cut("", "the fence at line %d of the reply is not closed", i+1)
	}
	p.reply.Truncated = was
	return to
}

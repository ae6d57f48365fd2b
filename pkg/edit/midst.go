package edit

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// A fence line at the margin inside a file, in a docstring or a template, looks
// like the end of the fence around the file. Taking it for the end cuts the
// file off there, so where both are possible nothing is applied.

// endsInMidst tells whether the fence of a file that seems to end at line end
// may go on behind it: other text follows at once, or the content is left open,
// and there are further fence lines before the next file.
func (p *parser) endsInMidst(f fenceLine, name string, i, end, to int) bool {
	if end+1 >= to || !f.closes(p.lines[end]) {
		return false
	}
	if isProse(name) && slices.ContainsFunc(p.lines[i+1:end], f.opensInside) && p.unpaired(f, end+1, to) {
		return true
	}
	next := p.lines[end+1]
	open := !isProse(name) && leftOpen(p.lines[i+1:end])
	if !open && (f.path == "" && !p.pend.sure() || strings.TrimSpace(next) == "" || isTalk(next) ||
		strings.HasSuffix(next, ":") || p.beginsOther(end+1, to)) {
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

// unpaired tells whether a fence line is left over before the next file.
func (p *parser) unpaired(f fenceLine, i, to int) bool {
	open := false
	for ; i < to && !p.headsFence(i, to); i++ {
		if f.closes(p.lines[i]) {
			open = !open
		} else if f.opensInside(p.lines[i]) {
			open = true
		}
	}
	return open
}

// beginsOther tells lines that begin something else than content.
func (p *parser) beginsOther(i, to int) bool {
	t := strings.TrimSpace(p.lines[i])
	if _, ok := pathLine(t); ok {
		return true
	}
	if _, ok := openFence(t); ok || isSearch(t) || isEnvelope(t) || t[0] == '<' || t[0] == '#' ||
		t[0] == '*' || t[0] == '-' {
		return true
	}
	_, said := sentencePath(t)
	return said || (&parser{}).directive(t, 0) || strings.HasPrefix(strings.ToLower(t), "summary")
}

// headsFence tells a path line with a fence in a language under it.
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

// nextFile is the line that heads the next file, or to.
func (p *parser) nextFile(i, to int) int {
	for ; i < to; i++ {
		if p.headsFence(i, to) {
			break
		}
	}
	return i
}

var hereWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<<[-~]?\s*['"]?([A-Z][A-Z_]+)\b`) })

// leftOpen tells code that ends inside a text over several lines.
func leftOpen(lines []string) bool {
	text := strings.Join(lines, "\n")
	for _, mark := range []string{`"""`, "'''", "`"} {
		if strings.Count(text, mark)%2 != 0 {
			return true
		}
	}
	if strings.Count(text, "/*") > strings.Count(text, "*/") || strings.Count(text, "<!--") > strings.Count(text, "-->") ||
		strings.Count(text, `r#"`) > strings.Count(text, `"#`) {
		return true
	}
	for _, m := range hereWord().FindAllStringSubmatch(text, -1) {
		ended := false
		for _, l := range lines {
			ended = ended || strings.TrimSpace(l) == m[1] || strings.TrimSpace(l) == m[1]+";"
		}
		if !ended {
			return true
		}
	}
	return false
}

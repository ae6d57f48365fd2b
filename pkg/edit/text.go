package edit

import "strings"

// text is a run of lines of a reply: the reply itself, or the content of a fence, between
// tags or in a here-document. No form changes it.
type text struct {
	lines []string
	// before counts the lines of the reply before it; above is the last of them that is not
	// empty.
	before int
	above  string
	// atEnd reports whether the reply ends with it.
	atEnd bool
	// missing are closing marks that a search did not find. All texts of a reply share them.
	missing map[mark]bool
}

// mark is a closing mark and the line of the reply up to which it was not found.
type mark struct {
	text string
	to   int
}

// newText returns the lines of a reply, without line ends.
func newText(s string) text {
	t := text{atEnd: true, missing: make(map[mark]bool)}
	if s = strings.TrimPrefix(s, bom); s == "" {
		return t
	}
	t.lines = strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	for i, l := range t.lines {
		t.lines[i] = strings.TrimSuffix(l, "\r")
	}
	return t
}

// part returns the lines from one to another.
func (t text) part(from, end int) text {
	t.above = t.lastText(from)
	t.atEnd = t.atEnd && end == len(t.lines)
	t.before += from
	t.lines = t.lines[from:end]
	return t
}

// dedented returns the text without the indentation of the fence around it.
func (t text) dedented(indent int) text {
	if indent == 0 {
		return t
	}
	lines := make([]string, len(t.lines))
	for i, l := range t.lines {
		lines[i] = l[min(indent, len(indentOf(l))):]
	}
	t.lines = lines
	return t
}

// number returns the number of line i in the reply, from 1.
func (t text) number(i int) int { return t.before + i + 1 }

// trimmed returns a line without the spaces around it.
func (t text) trimmed(i int) string { return strings.TrimSpace(t.lines[i]) }

// firstText returns the first line from i on that is not empty, or the number of lines.
func (t text) firstText(i int) int {
	for i < len(t.lines) && t.trimmed(i) == "" {
		i++
	}
	return i
}

// lastText returns what the last line before i says that is not empty, or "".
func (t text) lastText(i int) string {
	for i--; i >= 0; i-- {
		if t.trimmed(i) != "" {
			return t.lines[i]
		}
	}
	return t.above
}

// sentenceAbove returns the line of talk above line i, or "".
func (t text) sentenceAbove(i int) string {
	s := strings.TrimSpace(t.lastText(i))
	if isFence(s) || isReplaceEnd(s) || isEnvelope(s) || s == endPatch || isSummary(s) {
		return ""
	}
	return s
}

// find returns the first line from i on that is the closing mark, or -1. Each mark is
// searched in vain once, and only so many are, so that parsing stays linear.
func (t text) find(closing string, i int, is func(i int) bool) int {
	if t.lacks(closing) {
		return -1
	}
	for ; i < len(t.lines); i++ {
		if is(i) {
			return i
		}
	}
	t.noteMissing(closing)
	return -1
}

// lacks reports whether a search for a closing mark already failed, or too many did.
func (t text) lacks(closing string) bool {
	const most = 100
	return len(t.missing) > most || t.missing[mark{closing, t.before + len(t.lines)}]
}

func (t text) noteMissing(closing string) { t.missing[mark{closing, t.before + len(t.lines)}] = true }

package edit

import (
	"cmp"
	"slices"
	"strings"
)

// fenced is a fence with what it holds.
type fenced struct {
	fenceLine
	in      text // the text around it
	at, end int  // the lines of that text where it opens and closes
	body    text
}

// fence reads what a fence holds: blocks, a diff, a patch, commands, JSON, a whole file, or
// an explanation.
func fence(t text, i int, c context) *found {
	l, ok := openFence(t.lines[i])
	if !ok {
		return nil
	}
	if l.path == "" && isToken(l.word) && c.isFile(l.word) {
		l.path = l.word
	}
	if first := t.firstText(i + 1); blocksFollow(t, first) {
		return fencedBlocks(l, t, i, first, c)
	}
	var end int
	end, c.flat = l.wholeEnd(t, i, c)
	if end < 0 {
		return unclosed(l, t, i, c)
	}
	x := newFenced(l, t, i, end)
	name := cmp.Or(l.path, c.pend.path)
	if first := t.firstText(i + 1); name == "" && first < end {
		name, _ = l.commented(t.lines[first], c.files)
	}
	if name != "" && endsEarly(l, name, t, end, c) {
		f := c.begin()
		f.problem(name, "the fence at line %d of the reply seems to end early, at line %d, inside %s: "+
			"a fence line stands within the content. Put a longer fence around it (%s)",
			t.number(i), t.number(end), name, strings.Repeat(string(l.char), l.size+1))
		for f.next = end + 1; f.next < len(t.lines) && !headsFence(t, f.next); f.next++ {
		}
		return f
	}
	f := x.content(c)
	f.next = end + 1
	return f
}

func newFenced(l fenceLine, t text, i, end int) fenced {
	return fenced{fenceLine: l, in: t, at: i, end: end, body: t.part(i+1, end).dedented(l.indent)}
}

// endsEarly reports whether a file's fence may continue after its apparent end: other text
// follows at once, and there is another fence line before the next file.
func endsEarly(l fenceLine, name string, t text, end int, c context) bool {
	if end+1 >= len(t.lines) {
		return false
	}
	next := t.trimmed(end + 1)
	if n, ok := pathLine(next); next == "" || isTalk(next) || strings.HasSuffix(next, ":") ||
		ok && n.path != name || !ok && beginsOther(next, c) {
		return false
	}
	for k := end + 1; k < len(t.lines) && (k == end+1 || !headsFence(t, k)); k++ {
		if l.closes(t.lines[k]) {
			return true
		}
	}
	return false
}

// beginsOther reports whether a line begins something other than content.
func beginsOther(l string, c context) bool {
	_, directed := directed(l, c)
	return directed || isFence(l) || isSearch(l) || isEnvelope(l) || strings.ContainsAny(l[:1], "<#*-") ||
		isSummary(l)
}

// headsFence reports whether line i is a path line with a fence under it.
func headsFence(t text, i int) bool {
	if t.trimmed(i) == "" {
		return false
	}
	next := t.firstText(i + 1)
	if next == len(t.lines) || !isFence(t.lines[next]) {
		return false
	}
	_, ok := pathLine(t.lines[i])
	return ok
}

// unclosed reads a fence that the reply does not close. Models forget the last one, but a
// server may also have cut the text silently. So its content counts only if the reply is
// known to be complete.
func unclosed(l fenceLine, t text, i int, c context) *found {
	c.depth = deepest
	f := newFenced(l, t, i, len(t.lines)).content(c)
	f.next = len(t.lines)
	if !c.complete {
		f.breaksOff(c.complete, "", "the fence at line %d of the reply is not closed", t.number(i))
	} else if made := f.reply().Edits; len(made) == 1 && made[0].Op == Write && !isProse(made[0].Path) &&
		isTalk(t.lastText(len(t.lines))) {
		f.problem(made[0].Path, "the fence at line %d of the reply is not closed, and text that is no content "+
			"seems to follow: close the fence where the content ends", t.number(i))
	}
	return f
}

// content reads the lines of a fence without blocks.
func (x fenced) content(c context) *found {
	over := c.pend
	if x.path != "" {
		over = heading{}
	}
	name, from := cmp.Or(x.path, over.path), 0
	c.pend = heading{}
	first := x.body.firstText(0)
	if first < len(x.body.lines) {
		switch {
		case isEnvelope(x.body.trimmed(first)) && !isPatchFile(name):
			c.depth = deepest
			return c.nested(x.body, c)
		case x.holdsDiff(x.body, first, name):
			return fencedDiff(x.body, first, name, x.above(), c)
		case name == "":
			var own bool
			if name, own = x.commented(x.body.lines[first], c.files); own {
				from = first
			} else {
				from = first + 1
			}
		}
	}
	if name == "" {
		return x.unnamed(first, c)
	}
	f := c.begin()
	switch {
	case over.waits() && isShell(x.lang) && !x.mayBeScript(name, first, c.files):
		// A command, or its output, under a heading that happens to name a file, or content
		// marked as commands.
		f = commands(x.body, x.above(), c)
		if old, _ := c.files.text(name); !over.head || alike(old, linesText(x.body.lines)) {
			f.unplaced(x, name, c)
		}
	case over.part || over.loose:
		f.unplaced(x, name, c)
	default:
		f.whole(name, x.in.number(x.at), x.body.lines[from:])
	}
	return f
}

// above returns the sentence above the fence.
func (x fenced) above() string { return x.in.sentenceAbove(x.at) }

// mayBeScript reports whether commands may be the content of a file.
func (x fenced) mayBeScript(name string, first int, files *files) bool {
	old, _ := files.text(name)
	return holdsShell(name) && (!isToken(name) || !strings.HasPrefix(old, "#!") ||
		first < len(x.body.lines) && strings.HasPrefix(x.body.lines[first], "#!"))
}

// commented returns the path in a comment on the first line of a fence. The comment is the
// file's own only if the file already begins with it.
func (f fenceLine) commented(first string, files *files) (name string, own bool) {
	name, ok := commentPath(first)
	if !ok || isShell(f.lang) {
		return "", false
	}
	old, _ := files.text(name)
	return name, old != "" && firstLine(old) == strings.TrimSpace(first)
}

// unnamed reads a fence without a path: it wraps a reply, holds commands or JSON, or
// explains something.
func (x fenced) unnamed(first int, c context) *found {
	if first == len(x.body.lines) {
		return c.begin()
	}
	if g := fencedJSON(x.lang, x.body, first, c); g != nil {
		return g
	}
	f := c.begin()
	if c.depth < deepest && (x.lang == "" || isProse("."+x.lang) || x.lang == "text" || x.lang == "markdown") &&
		wraps(x.body.lines[first:], c) {
		inner := c
		inner.depth++
		f = c.nested(x.body, inner)
		if r := f.reply(); len(r.Edits)+len(r.Problems) > 0 || f.pend.waits() {
			return f
		}
	}
	if isShell(x.lang) || x.lang == "" && hereDoc().MatchString(x.body.lines[first]) {
		c.state = f.state
		f.then(commands(x.body, x.above(), c))
	}
	f.unplaced(x, x.ownPath(first), c)
	return f
}

// ownPath returns the path in the first lines of a fence that became no edit, or "".
func (x fenced) ownPath(first int) string {
	lines := x.body.lines[first:]
	if !isShell(x.lang) {
		// A path on its first line may be its own, unless it begins a list of paths.
		if n, ok := pathLine(lines[0]); ok && !n.set && len(lines) > 1 {
			if _, list := pathLine(lines[1]); !list {
				return n.path
			}
		}
		return ""
	}
	// So may one in a comment above commands, or below an interpreter.
	for _, l := range lines[:min(2, len(lines))] {
		if name, ok := commentPath(l); ok && holdsShell(name) {
			return name
		} else if !isScript(l) {
			break
		}
	}
	return ""
}

// wraps reports whether lines contain edits.
func wraps(lines []string, c context) bool {
	return slices.ContainsFunc(lines, func(l string) bool {
		t := strings.TrimSpace(l)
		if isFence(l) || isSearch(l) || isEnvelope(t) {
			return true
		}
		_, ok := directed(t, c)
		return ok
	})
}

// uncdata removes the marks of a CDATA section around a text.
func uncdata(s string) string {
	body, ok := strings.CutPrefix(strings.TrimLeft(s, " \t\r\n"), "<![CDATA[")
	if ok {
		body, ok = strings.CutSuffix(strings.TrimRight(body, " \t\r\n"), "]]>")
	}
	if !ok {
		return s
	}
	return strings.TrimPrefix(strings.TrimPrefix(body, "\r"), "\n")
}

// commentPath returns the path in a comment that holds nothing else.
func commentPath(text string) (string, bool) {
	t := strings.TrimSpace(text)
	for _, c := range [][2]string{{"<!--", "-->"}, {"/*", "*/"}, {"{/*", "*/}"}, {"//", ""}, {"#", ""},
		{"--", ""}, {";", ""}} {
		body, ok := strings.CutPrefix(t, c[0])
		if ok {
			body, ok = strings.CutSuffix(body, c[1])
		}
		if !ok {
			continue
		}
		label, rest, labelled := strings.Cut(body, ":")
		if labelled = labelled && onlyPhrases(label); labelled {
			body = rest
		}
		body = cleanPath(cutRemark(strings.TrimSpace(body)))
		return body, looksLikePath(body, labelled) && !strings.ContainsAny(body, " !") &&
			(labelled || strings.ContainsAny(body, "/."))
	}
	return "", false
}

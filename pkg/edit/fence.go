package edit

import (
	"cmp"
	"slices"
	"strings"
)

// fence reads what a fence holds: blocks, a diff, a patch, commands, JSON, a whole file, or
// an explanation.
func (p *parser) fence(f fenceLine, i, to, depth int) int {
	if f.path == "" && isToken(f.word) && p.isFile(f.word) {
		f.path = f.word
	}
	if t, first := p.within(to), p.firstText(i+1, to); blocksFollow(t, first) {
		return p.use(fencedBlocks(f, t, i, first, p.context))
	}
	end := p.wholeEnd(f, i, to)
	if end < 0 {
		return p.unclosed(f, i, to)
	}
	name := f.path
	name = cmp.Or(name, p.pend.path)
	if first := p.firstText(i+1, end); name == "" && first < end {
		name, _ = p.commented(f, first)
	}
	if name != "" && p.endsEarly(f, name, end, to) {
		p.pend = heading{}
		p.problem(name, "the fence at line %d of the reply seems to end early, at line %d, inside %s: "+
			"a fence line stands within the content. Put a longer fence around it (%s)",
			i+1, end+1, name, strings.Repeat(string(f.char), f.size+1))
		for end++; end < to && !p.headsFence(end, to); end++ {
		}
		return end
	}
	p.content(f, i, end, depth)
	return end + 1
}

// endsEarly reports whether a file's fence may continue after its apparent end: other text
// follows at once, and there is another fence line before the next file.
func (p *parser) endsEarly(f fenceLine, name string, end, to int) bool {
	if end+1 >= to {
		return false
	}
	next := strings.TrimSpace(p.lines[end+1])
	if n, ok := pathLine(next); next == "" || isTalk(next) || strings.HasSuffix(next, ":") ||
		ok && n.path != name || !ok && p.beginsOther(next) {
		return false
	}
	for k := end + 1; k < to && (k == end+1 || !p.headsFence(k, to)); k++ {
		if f.closes(p.lines[k]) {
			return true
		}
	}
	return false
}

// beginsOther reports whether a line begins something other than content.
func (p *parser) beginsOther(t string) bool {
	return isFence(t) || isSearch(t) || isEnvelope(t) || strings.ContainsAny(t[:1], "<#*-") ||
		p.directives(t, 0) != nil || isSummary(t)
}

// headsFence reports whether line i is a path line with a fence under it.
func (p *parser) headsFence(i, to int) bool {
	if strings.TrimSpace(p.lines[i]) == "" {
		return false
	}
	next := p.firstText(i+1, to)
	if next == to || !isFence(p.lines[next]) {
		return false
	}
	_, ok := pathLine(p.lines[i])
	return ok
}

// unclosed reads a fence that the reply does not close. Models forget the last one, but a
// server may also have cut the text silently. So its content counts only if the reply is
// known to be complete.
func (p *parser) unclosed(f fenceLine, i, to int) int {
	edits, drafts := len(p.reply.Edits), p.drafts
	p.content(f, i, to, deepest)
	if drafts != p.drafts {
		edits = 0
	}
	if added := p.reply.Edits[edits:]; p.complete && len(added) == 1 && added[0].Op == Write &&
		!isProse(added[0].Path) && isTalk(p.lines[p.lastText(i, to)]) {
		p.problem(added[0].Path,
			"the fence at line %d of the reply is not closed, and text that is no content "+
				"seems to follow: close the fence where the content ends", i+1)
	} else if !p.complete {
		p.cut("", "the fence at line %d of the reply is not closed", i+1)
	}
	return to
}

// content reads the lines of a fence without blocks.
func (p *parser) content(f fenceLine, i, end, depth int) {
	p.dedent(i+1, end, f.indent)
	first := p.firstText(i+1, end)
	q := p.take()
	name, from := f.path, i+1
	if name == "" && q.waits() {
		name = q.path
	} else {
		q = heading{}
	}
	if first < end {
		switch {
		case isEnvelope(strings.TrimSpace(p.lines[first])) && !isPatchFile(name):
			p.run(i+1, end, deepest)
			return
		case f.holdsDiff(p.within(end), first, name):
			p.use(fencedDiff(p.within(end), first, name, p.sentenceAbove(i), p.context))
			return
		}
	}
	if name == "" && first < end {
		name, from = p.commented(f, first)
	}
	switch {
	case name == "":
		p.unnamed(f, i, first, end, depth)
	case q.waits() && isShell(f.lang) && !p.mayBeScript(name, first, end):
		// A command, or its output, under a heading that happens to name a file, or content
		// marked as commands.
		p.commands(i+1, end, depth)
		if old, _ := p.files.text(name); !q.head || alike(old, linesText(p.lines[i+1:end])) {
			p.unplaced(f, i, end, name)
		}
	case q.waits() && (q.part || q.loose):
		p.unplaced(f, i, end, name)
	default:
		p.addWhole(name, i, p.lines[from:end])
	}
}

// mayBeScript reports whether commands may be the content of a file.
func (p *parser) mayBeScript(name string, first, end int) bool {
	old, _ := p.files.text(name)
	return holdsShell(name) && (!isToken(name) || !strings.HasPrefix(old, "#!") ||
		first < end && strings.HasPrefix(p.lines[first], "#!"))
}

// commented returns the path in a comment on the first line of a fence, and the line where
// the content begins.
func (p *parser) commented(f fenceLine, first int) (name string, from int) {
	name, ok := commentPath(p.lines[first])
	if !ok || isShell(f.lang) {
		return "", first
	}
	// The comment belongs to the file only if the file already begins with it.
	if old, _ := p.files.text(name); old != "" && firstLine(old) == strings.TrimSpace(p.lines[first]) {
		return name, first
	}
	return name, first + 1
}

// unnamed reads a fence without a path: it wraps a reply, holds commands or JSON, or
// explains something.
func (p *parser) unnamed(f fenceLine, i, first, end, depth int) {
	if first >= end {
		return
	}
	if g := fencedJSON(f.lang, p.text.part(i+1, end), first-i-1, p.context); g != nil {
		p.use(g)
		return
	}
	if f.lang == "" || isProse("."+f.lang) || f.lang == "text" || f.lang == "markdown" {
		if depth < deepest && p.wraps(first, end) {
			was := len(p.reply.Edits) + len(p.reply.Problems)
			lines, drafts := slices.Clone(p.lines[first:end]), p.drafts
			p.run(first, end, depth+1)
			copy(p.lines[first:end], lines)
			if drafts != p.drafts {
				was = 0
			}
			if len(p.reply.Edits)+len(p.reply.Problems) > was || p.pend.waits() {
				return
			}
		}
	}
	if isShell(f.lang) || f.lang == "" && hereDoc().MatchString(p.lines[first]) {
		p.commands(i+1, end, depth)
	}
	// A path on its first line may be its own, unless it begins a list of paths.
	name := ""
	if n, ok := pathLine(p.lines[first]); ok && !n.set && first+1 < end && !isShell(f.lang) {
		if _, list := pathLine(p.lines[first+1]); !list {
			name = n.path
		}
	}
	// So may one in a comment above commands, or below an interpreter.
	for k := first; k < min(first+2, end) && isShell(f.lang) && name == ""; k++ {
		if c, ok := commentPath(p.lines[k]); ok && holdsShell(c) {
			name = c
		} else if !isScript(p.lines[k]) {
			break
		}
	}
	p.unplaced(f, i, end, name)
}

// wraps reports whether lines contain edits.
func (p *parser) wraps(i, end int) bool {
	return slices.ContainsFunc(p.lines[i:end], func(l string) bool {
		t := strings.TrimSpace(l)
		return isFence(l) || isSearch(l) || isEnvelope(t) || p.directives(t, 0) != nil
	})
}

// addWhole adds a file's complete content.
func (p *parser) addWhole(name string, i int, lines []string) {
	p.last = name
	p.add(Edit{Op: Write, Path: name, Content: uncdata(linesText(lines)), Line: i + 1})
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

// dedent removes the indentation of a fence from its lines.
func (p *parser) dedent(from, end, indent int) {
	for i := from; indent > 0 && i < end; i++ {
		p.lines[i] = p.lines[i][min(indent, len(indentOf(p.lines[i]))):]
	}
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

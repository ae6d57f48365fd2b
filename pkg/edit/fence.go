package edit

import (
	"cmp"
	"path"
	"regexp"
	"strings"
	"sync"
)

// fenceLine is an opening fence.
type fenceLine struct {
	fenceInfo
	char   byte
	size   int
	indent int
}

// fenceRun measures the run of fence characters that a line begins with.
func fenceRun(text string) (char byte, size, indent int) {
	indent = len(text) - len(strings.TrimLeft(text, " \t"))
	rest := text[indent:]
	if len(rest) < 3 || rest[0] != '`' && rest[0] != '~' {
		return 0, 0, indent
	}
	for size < len(rest) && rest[size] == rest[0] {
		size++
	}
	if size < 3 {
		return 0, 0, indent
	}
	return rest[0], size, indent
}

func fenceRunAt(text string) bool {
	_, size, _ := fenceRun(text)
	return size > 0
}

func openFence(text string) (fenceLine, bool) {
	char, size, indent := fenceRun(text)
	if size == 0 {
		return fenceLine{}, false
	}
	info := cutTokens(text[indent+size:])
	if char == '`' && strings.ContainsRune(info, '`') {
		// Three back-ticks that close on the same line are code in a sentence.
		if !strings.HasPrefix(strings.TrimSpace(info), "`") || strings.HasSuffix(strings.TrimSpace(info), "```") {
			return fenceLine{}, false
		}
	}
	return fenceLine{parseInfo(info), char, size, indent}, true
}

// closes tells whether text ends fence f.
func (f fenceLine) closes(text string) bool {
	char, size, indent := fenceRun(text)
	return char == f.char && size >= f.size && indent <= f.indent && isBehindFence(text[indent+size:])
}

// isBehindFence tells what may stand behind a fence that closes: nothing but
// what a server or a model in haste adds, and the end of a tag around it all.
func isBehindFence(t string) bool {
	t = strings.TrimSpace(cutTokens(t))
	return t == "" || isTalk(t) || tagEnd().MatchString(t)
}

var tagEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^</[A-Za-z_]+>$`) })

// opensInside tells whether text opens a fence within f that a bare line closes.
func (f fenceLine) opensInside(text string) bool {
	char, size, indent := fenceRun(text)
	if char != f.char || size < f.size || indent > f.indent {
		return false
	}
	info := strings.TrimSpace(text[indent+size:])
	return info != "" && !strings.ContainsRune(info, '`') && !strings.ContainsAny(info, "\"'()")
}

// fenceEnd finds the line that closes the fence opened before line i, or -1.
// With nested, fences with an info string inside are closed first.
func (p *parser) fenceEnd(f fenceLine, i, to int, nested bool) int {
	depth := 0
	for ; i < to; i++ {
		text := p.lines[i]
		if c := strings.TrimLeft(text, " \t"); len(c) < 3 || c[0] != f.char {
			continue
		}
		switch {
		case f.closes(text):
			if depth == 0 && !(nested && p.opensBare(f, i, to)) {
				return i
			} else if depth == 0 {
				depth++
				continue
			}
			depth--
		case nested && f.opensInside(text):
			depth++
		}
	}
	return -1
}

// opensBare tells whether a bare fence line within Markdown opens an example:
// there is text directly below it and directly above the one that closes it,
// and one more follows for the end of the Markdown.
func (p *parser) opensBare(f fenceLine, i, to int) bool {
	if !p.holdsMarkdown(f) || i+1 >= to || strings.TrimSpace(p.lines[i+1]) == "" {
		return false
	}
	if _, isPath := pathLine(p.lines[i+1]); isPath {
		return false
	}
	inside := true
	for j := i + 1; j < to; j++ {
		char, size, indent := fenceRun(p.lines[j])
		if char != f.char || size < f.size || indent > f.indent {
			continue
		}
		above := p.lastText(i, j)
		switch _, isPath := pathLine(p.lines[above]); {
		case isPath, inside && (above < j-1 || above == i || !f.closes(p.lines[j])):
			return false
		case !inside:
			return true
		}
		inside = false
	}
	return false
}

// blockFenceEnd is fenceEnd for a fence of blocks: what stands between the
// markers of a block never closes it.
func (p *parser) blockFenceEnd(f fenceLine, i, to int) int {
	inside := false
	for ; i < to; i++ {
		text := p.lines[i]
		switch {
		case inside:
			inside = !isReplaceEnd(text)
		case isSearch(text):
			inside = true
		case f.closes(text):
			return i
		}
	}
	return -1
}

// fence reads what a fence holds.
func (p *parser) fence(f fenceLine, i, to, depth int) int {
	first := p.firstText(i+1, to)
	if p.stray(f, first, to) {
		return i + 1
	}
	if start, ok := p.blocksFollow(first, to); ok {
		return p.fencedBlocks(f, i, start, to)
	}
	end := p.wholeEnd(f, i, to)
	if end < 0 {
		return p.unclosed(f, i, to)
	}
	if name := p.nameOf(f, first, end); name != "" && p.endsInMidst(f, name, i, end, to) {
		p.pend = nil
		p.problem(name, "the fence at line %d of the reply seems to end at line %d, in the midst of %s: a fence line stands within the content. Put a longer fence around it (%s)",
			i+1, end+1, name, strings.Repeat(string(f.char), f.size+1))
		return p.nextFile(end+1, to)
	}
	p.content(f, i, end, depth)
	if end < to && f.closes(p.lines[end]) {
		return end + 1
	}
	return end
}

// nameOf is the file that a fence seems to hold.
func (p *parser) nameOf(f fenceLine, first, end int) string {
	if f.path != "" || p.pend != nil {
		return cmp.Or(f.path, p.pendingPath())
	}
	if first < end && !isShell(f.lang) {
		if c, ok := commentPath(p.lines[first]); ok {
			return c
		}
		if n, ok := pathLine(p.lines[first]); ok && !n.marked {
			return n.path
		}
	}
	return f.word
}

func (p *parser) pendingPath() string {
	if p.pend == nil {
		return ""
	}
	return p.pend.path
}

// firstText is the first line with text from i on, or to.
func (p *parser) firstText(i, to int) int {
	for i < to && strings.TrimSpace(p.lines[i]) == "" {
		i++
	}
	return i
}

// stray tells a closing fence too many, or a fence around the whole reply, from
// an opening one: nothing follows, or right behind it a path and another fence.
func (p *parser) stray(f fenceLine, first, to int) bool {
	if f.lang != "" && f.lang != "text" && f.lang != "markdown" && f.lang != "md" || f.path != "" ||
		p.pend.sure() && !p.pend.loose {
		return false
	}
	if first >= to {
		return true
	}
	if _, ok := pathLine(p.lines[first]); ok {
		if next := p.firstText(first+1, to); next < to {
			if _, ok := openFence(p.lines[next]); !ok {
				return false
			}
			if !f.closes(p.lines[next]) || next > first+1 {
				return true
			}
			// A fence around a path alone is followed by the fence it belongs to.
			after := p.firstText(next+1, to)
			if after >= to {
				return false
			}
			_, ok := openFence(p.lines[after])
			return !ok
		}
	}
	t := strings.TrimSpace(p.lines[first])
	return strings.HasPrefix(strings.ToLower(strings.TrimLeft(t, "*# ")), "summary:")
}

// blocksFollow tells whether the fence holds blocks, perhaps after a line with
// their path; start is the line to begin at.
func (p *parser) blocksFollow(first, to int) (start int, ok bool) {
	if first >= to {
		return 0, false
	}
	if isSearch(p.lines[first]) {
		return first, true
	}
	next := p.firstText(first+1, to)
	if next >= to || !isSearch(p.lines[next]) {
		return 0, false
	}
	_, isPath := pathLine(p.lines[first])
	_, isComment := commentPath(p.lines[first])
	t := strings.TrimSpace(p.lines[first])
	return first, isPath || isComment || !strings.ContainsAny(t, " (){};=")
}

// patience bounds how often the rest of a reply is searched for the end of a
// fence of blocks in vain, so that parsing stays linear.
const patience = 8

// fencedBlocks reads the blocks of a fence.
func (p *parser) fencedBlocks(f fenceLine, i, start, to int) int {
	name := p.blockPath()
	if f.path != "" {
		name, p.guess = f.path, nil
	}
	end := -1
	if p.open < patience {
		end = p.blockFenceEnd(f, i+1, to)
	}
	stop := end
	if end < 0 {
		p.open++
		// The fence or a block is not closed: read on to where the fence would end.
		if stop = p.fenceEnd(f, i+1, to, false); stop < 0 {
			stop = to
			// Where the last block is whole, only the fence's end was forgotten;
			// talk may follow, but no path that waits for more.
			if inside, more := p.moreToCome(i+1, to); more && !(inside && p.complete) && !p.reply.Truncated {
				p.cut(name, "the fence of blocks at line %d of the reply is not ended", i+1)
			}
		}
	}
	for j := start; j < stop; {
		t := strings.TrimSpace(p.lines[j])
		switch {
		case isSearch(p.lines[j]):
			j = p.blocks(j, stop, p.markedPath(j, name), true)
			name, p.guess = p.last, p.lastGuess
			continue
		case t == "" || t == "...":
		default:
			if n, ok := p.pathAt(j, stop); ok {
				name, p.guess, p.lastGuess = n.path, nil, nil
			} else if c, ok := commentPath(t); ok {
				name, p.guess, p.lastGuess = c, nil, nil
			}
		}
		j++
	}
	p.guess = nil
	if stop < to {
		return stop + 1
	}
	return stop
}

// moreToCome tells whether blocks break off, and whether that is inside one,
// which is told where it is read, or behind a path.
func (p *parser) moreToCome(i, to int) (inside, more bool) {
	any := false
	for j := i; j < to; j++ {
		if isSearch(p.lines[j]) {
			inside, any = true, true
		} else if isReplaceEnd(p.lines[j]) {
			inside = false
		}
	}
	_, isPath := pathLine(p.lines[p.lastText(i, to)])
	return inside, inside || !any || isPath || !p.endsLine && !isReplaceEnd(p.lines[p.lastText(i, to)])
}

// wholeEnd finds where a fence ends that holds a file or an explanation.
func (p *parser) wholeEnd(f fenceLine, i, to int) int {
	if p.nested {
		if end := p.fenceEnd(f, i+1, to, true); end >= 0 {
			return end
		}
		if p.holdsMarkdown(f) {
			return -1
		}
		// Not balanced, so equal fences do not stand in each other in this reply.
		p.nested = false
	}
	end := p.fenceEnd(f, i+1, to, false)
	limit := end
	if limit < 0 {
		limit = to
	}
	if before := p.forgotten(f, i+1, limit); before >= 0 {
		return before
	}
	return end
}

// forgotten finds the place where a fence was left open: the path line of the
// next file, with its fence under it.
func (p *parser) forgotten(f fenceLine, i, to int) int {
	if p.holdsMarkdown(f) {
		return -1
	}
	for j := i + 1; j < to; j++ {
		if !f.opensInside(p.lines[j]) {
			continue
		}
		k := j - 1
		for k > i && strings.TrimSpace(p.lines[k]) == "" {
			k--
		}
		_, isPath := pathLine(p.lines[k])
		_, isSentence := sentencePath(strings.TrimSpace(p.lines[k]))
		if (isPath || isSentence) && k > i {
			for k > i && strings.TrimSpace(p.lines[k-1]) == "" {
				k--
			}
			return k
		}
	}
	return -1
}

func (p *parser) holdsMarkdown(f fenceLine) bool {
	if f.path != "" {
		return isProse(f.path)
	}
	if p.pend.sure() {
		return isProse(p.pend.path)
	}
	return f.lang == "md" || f.lang == "markdown" || f.lang == "mdx"
}

// isProse names files in which fences and examples of every kind are at home.
func isProse(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt", ".qmd", ".rmd", ".mdc":
		return true
	}
	return false
}

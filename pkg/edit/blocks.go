package edit

import (
	"slices"
	"strconv"
	"strings"
)

// The markers of a block. A few spaces before them are allowed, as in fences within lists.
var (
	searchMark = pattern(`(?i)^[ \t]{0,4}(?:<{5,9}\s*(?:SEARCH|ORIGINAL|HEAD|OLD|FIND|` +
		`BEFORE)[>:]*(?: .*)?|-{5,9} SEARCH\s*)$`)
	dividerMark = pattern(`^[ \t]{0,4}={5,9}[ \t]*$`)
	replaceMark = pattern(`^[ \t]{0,4}(?:>{5,9}(?:[ \t][^>]*)?|\+{5,9} REPLACE)$`)
)

func isSearch(text string) bool  { return begins(text, "<-") && searchMark().MatchString(text) }
func isDivider(text string) bool { return begins(text, "=") && dividerMark().MatchString(text) }
func isReplaceEnd(text string) bool {
	return begins(text, ">+") && replaceMark().MatchString(cutTokens(text))
}

// begins reports whether a line begins with one of the signs, as a quick check before a
// pattern.
func begins(text, signs string) bool {
	t := strings.TrimLeft(text, " \t")
	return t != "" && strings.IndexByte(signs, t[0]) >= 0
}

// searchPath returns the path after the word SEARCH, if any.
func searchPath(text string) string {
	_, name, _ := strings.Cut(strings.TrimSpace(text), " SEARCH ")
	if n, ok := pathLine(name); ok {
		return n.path
	}
	return ""
}

// blocksFollow reports whether a fence holds blocks, perhaps after a line with their path;
// start is the first line.
func (p *parser) blocksFollow(first, to int) (start int, ok bool) {
	if first >= to || isSearch(p.lines[first]) {
		return first, first < to
	}
	next := p.firstText(first+1, to)
	_, isPath := pathLine(p.lines[first])
	_, isComment := commentPath(p.lines[first])
	return first, next < to && isSearch(p.lines[next]) &&
		(isPath || isComment || !strings.ContainsAny(strings.TrimSpace(p.lines[first]), " (){};="))
}

// fencedBlocks reads the blocks in a fence. Text between the markers of a block never
// closes the fence.
func (p *parser) fencedBlocks(f fenceLine, i, start, to int) int {
	name := p.blockPath()
	if f.path != "" {
		name = f.path
	}
	j := start
	for j < to && !f.closes(p.lines[j]) {
		if isSearch(p.lines[j]) {
			was := p.reply.Truncated
			next := p.blocks(j, to, name)
			if next < 0 { // the block is open: continue after the fence's end
				if next = p.fenceEnd(f, j, to, false); next < 0 {
					return to
				}
				p.reply.Truncated = was // a mistake, not a truncated reply
				return next + 1
			}
			j, name = next, p.last
			continue
		}
		if n, ok := p.pathAt(j, to); ok {
			name = n.path
		} else if c, ok := commentPath(p.lines[j]); ok {
			name = c
		}
		j++
	}
	if j < to {
		return j + 1
	}
	// If the last block is whole, only the fence's end was forgotten.
	if last := p.lines[p.lastText(i, to)]; !p.complete && !isReplaceEnd(last) && !isTalk(last) {
		p.cut(name, "the fence of blocks at line %d of the reply is not ended", i+1)
	}
	return to
}

// blocks reads a run of blocks for one path. It returns -1 after one that is not closed in
// a fence that continues; in open text it continues to the end.
func (p *parser) blocks(i, to int, name string) int {
	e := Edit{Op: Modify, Path: name, Line: i + 1}
	p.last = name
	next := i
	for next < to && isSearch(p.lines[next]) {
		if own := searchPath(p.lines[next]); own != "" && own != name {
			if len(e.Blocks) > 0 {
				break
			}
			name, e.Path, p.last = own, own, own
		}
		b, end := p.block(name, next, to)
		if end < 0 {
			i = -1
			break
		}
		if b != nil {
			e.Blocks = append(e.Blocks, *b)
		}
		next = p.firstText(end, to)
		i = next
	}
	switch {
	case len(e.Blocks) == 0:
	case name == "":
		p.problem("", "the block at line %d of the reply names no file: put the path on the line directly "+
			"above it", e.Line)
	default:
		p.add(e)
	}
	return i
}

// block reads one block from its marker on. end is the line after it, -1 if it is not
// closed; b is nil if it cannot be understood, which is reported.
func (p *parser) block(name string, i, to int) (b *Block, end int) {
	b = &Block{Line: i + 1}
	from := blockHeader(b, p.lines, i+1, to)
	var at []int
	stop := -1
	for j := from; j < to && stop < 0 && !p.gone(">>>", to); j++ {
		if text := p.lines[j]; isDivider(text) {
			at = append(at, j)
		} else if isReplaceEnd(text) {
			stop = j
		} else if isSearch(text) && len(at) > 0 {
			break // the next block begins, so this one was left open
		}
		if j == to-1 && stop < 0 {
			p.markNotFound(">>>", to)
		}
	}
	switch {
	case stop < 0:
		if to == len(p.lines) && !p.complete {
			p.reply.Truncated = true
		}
		p.blockProblem(name, i, "the block at line %d of the reply is not closed: >>>>>>> REPLACE is missing",
			i+1)
		return nil, -1
	case len(at) == 0:
		p.blockProblem(name, i,
			"the block at line %d of the reply has no ======= line between what to search for "+
				"and what to put in its place", i+1)
		return nil, stop + 1
	}
	if !p.divide(b, name, from, stop, at) {
		p.blockProblem(name, i, "block at line %d of the reply holds more than one ======= line, so it is "+
			"not clear where its "+
			"search text ends: give the block with one, or, where the text itself has such a line, the "+
			"complete file", i+1)
		return nil, stop + 1
	}
	return b, stop + 1
}

func (p *parser) blockProblem(name string, i int, format string, args ...any) {
	p.problem(name, format, args...)
	p.reply.Problems[len(p.reply.Problems)-1].Lines = []int{i + 1}
}

// divide splits a block in two. If several lines could be the divider, the longest search
// text found in the file wins. Lines like the divider at the edges of the replacement are a
// slip, unless the file has such lines; elsewhere they make the block ambiguous.
func (p *parser) divide(b *Block, name string, from, stop int, at []int) bool {
	cut := at[0]
	if len(at) > 1 {
		old, _ := p.files.text(name)
		m := matcher{lines: splitLines(old)}
		const most = 4 // more dividers are no accident
		for _, d := range slices.Backward(at[:min(len(at), most)]) {
			if d > from && len(m.find(p.lines[from:d], butIndent)) > 0 {
				cut = d
				break
			}
		}
	}
	search := p.lines[from:cut]
	replace := p.lines[min(stop, blockHeader(&Block{}, p.lines, cut+1, stop)):stop]
	own := 0 // if the file has such lines, so may the replacement
	for _, t := range search {
		if isDivider(t) {
			own++
		}
	}
	for own == 0 && len(replace) > 0 && isDivider(replace[0]) {
		replace = replace[1:]
	}
	for n := len(replace) - 1; own == 0 && n >= 0 && isDivider(replace[n]) &&
		!isProse(name); n-- { // a heading in text
		replace = replace[:n]
	}
	for _, t := range replace {
		if isDivider(t) {
			own--
		}
	}
	b.Search, b.Replace = linesText(search), linesText(replace)
	return own >= 0
}

// blockHeader skips the lines in which some assistants give the place of a block.
func blockHeader(b *Block, lines []string, i, to int) int {
	for start := i; i < to; i++ {
		t := strings.TrimSpace(lines[i])
		if n, ok := strings.CutPrefix(t, ":start_line:"); ok {
			b.Near, _ = strconv.Atoi(strings.TrimSpace(n))
		} else if !strings.HasPrefix(t, ":end_line:") && !(i > start && t == "-------") {
			break
		}
	}
	return i
}

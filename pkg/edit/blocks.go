package edit

import (
	"cmp"
	"fmt"
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

// openBlocks reads blocks in open text. After one that is not closed nothing can be told
// from its content.
func openBlocks(t text, i int, c context) *found {
	if !isSearch(t.lines[i]) {
		return nil
	}
	f := c.begin()
	if f.blocks(t, i, c.blockPath(), c); f.next < 0 {
		f.next = len(t.lines)
	}
	return f
}

// blockPath returns the path for blocks that begin here: the waiting one, however much text
// came between, or that of a sentence before, or that of the previous edit. Search texts
// guard against a wrong guess.
func (c context) blockPath() string { return cmp.Or(c.pend.path, c.last) }

// blocksFollow reports whether a fence holds blocks, perhaps after a line with their path;
// first is its first line.
func blocksFollow(t text, first int) bool {
	if first >= len(t.lines) || isSearch(t.lines[first]) {
		return first < len(t.lines)
	}
	next := t.firstText(first + 1)
	_, isPath := pathLine(t.lines[first])
	_, isComment := commentPath(t.lines[first])
	return next < len(t.lines) && isSearch(t.lines[next]) &&
		(isPath || isComment || !strings.ContainsAny(t.trimmed(first), " (){};="))
}

// fencedBlocks reads the blocks in the fence at line i, from its first line of text on. Text
// between the markers of a block never closes the fence.
func fencedBlocks(l fenceLine, t text, i, first int, c context) *found {
	f := c.begin()
	name := cmp.Or(l.path, c.blockPath())
	j := first
	for j < len(t.lines) && !l.closes(t.lines[j]) {
		if isSearch(t.lines[j]) {
			g := &found{state: f.state}
			if g.blocks(t, j, name, c); g.next < 0 { // the block is open: continue after the fence's end
				if g.next = l.end(t, j, false) + 1; g.next == 0 {
					g.next = len(t.lines)
				} else {
					g.reply().Truncated = false // a mistake, not a truncated reply
				}
				f.then(g)
				return f
			}
			f.then(g)
			c.note(g.reply().Edits) // a word above the next block may name a file that this one made
			j, name = g.next, g.last
			continue
		}
		if n, ok := pathAt(t, j, c); ok {
			name = n.path
		} else if c, ok := commentPath(t.lines[j]); ok {
			name = c
		}
		j++
	}
	f.next = j + 1
	if j == len(t.lines) {
		f.next = j
		// If the last block is whole, only the fence's end was forgotten.
		if last := t.lastText(j); !c.complete && !isReplaceEnd(last) && !isTalk(last) {
			f.breaksOff(c.complete, name, "the fence of blocks at line %d of the reply is not ended", t.number(i))
		}
	}
	return f
}

// blocks adds a run of blocks for one path, and sets what comes next; -1 if one of them is
// not closed.
func (f *found) blocks(t text, i int, name string, c context) {
	e := Edit{Op: Modify, Path: name, Line: t.number(i)}
	f.last = name
	for f.next = i; f.next >= 0 && f.next < len(t.lines) && isSearch(t.lines[f.next]); {
		if own := searchPath(t.lines[f.next]); own != "" && own != name {
			if len(e.Blocks) > 0 {
				break
			}
			name, e.Path, f.last = own, own, own
		}
		var b *Block
		if b, f.next = f.block(t, f.next, name, c); b != nil {
			e.Blocks = append(e.Blocks, *b)
		}
		if f.next >= 0 {
			f.next = t.firstText(f.next)
		}
	}
	switch {
	case len(e.Blocks) == 0:
	case name == "":
		f.problem("", "the block at line %d of the reply names no file: put the path on the line directly "+
			"above it", e.Line)
	default:
		f.edit(e)
	}
}

// block reads one block from its marker on. end is the line after it, -1 if it is not
// closed; b is nil if it cannot be understood, which is reported.
func (f *found) block(t text, i int, name string, c context) (b *Block, end int) {
	b = &Block{Line: t.number(i)}
	from := blockHeader(b, t.lines, i+1, len(t.lines))
	var at []int
	stop := t.find(">>>", from, func(j int) bool {
		switch l := t.lines[j]; {
		case isDivider(l):
			at = append(at, j)
			return false
		case isReplaceEnd(l):
			return true
		default:
			return isSearch(l) && len(at) > 0 // the next block begins, so this one was left open
		}
	})
	switch {
	case stop < 0 || !isReplaceEnd(t.lines[stop]):
		f.reply().Truncated = f.reply().Truncated || t.atEnd && !c.complete
		f.blockProblem(b, name, "the block at line %d of the reply is not closed: >>>>>>> REPLACE is missing")
		return nil, -1
	case len(at) == 0:
		f.blockProblem(b, name, "the block at line %d of the reply has no ======= line between what to search "+
			"for and what to put in its place")
		return nil, stop + 1
	}
	if !divide(b, t.lines, from, stop, at, name, c.files) {
		f.blockProblem(b, name, "block at line %d of the reply holds more than one ======= line, so it is "+
			"not clear where its search text ends: give the block with one, or, where the text itself has "+
			"such a line, the complete file")
		return nil, stop + 1
	}
	return b, stop + 1
}

func (f *found) blockProblem(b *Block, name, format string) {
	r := f.reply()
	r.Problems = append(r.Problems,
		Problem{Path: name, Reason: fmt.Sprintf(format, b.Line), Lines: []int{b.Line}})
}

// divide splits a block in two. If several lines could be the divider, the longest search
// text found in the file wins. Lines like the divider at the edges of the replacement are a
// slip, unless the file has such lines; elsewhere they make the block ambiguous.
func divide(b *Block, ls []string, from, stop int, at []int, name string, files *files) bool {
	cut := at[0]
	if len(at) > 1 {
		old, _ := files.text(name)
		m := matcher{lines: splitLines(old)}
		const most = 4 // more dividers are no accident
		for _, d := range slices.Backward(at[:min(len(at), most)]) {
			if d > from && len(m.find(ls[from:d], butIndent)) > 0 {
				cut = d
				break
			}
		}
	}
	search := ls[from:cut]
	replace := ls[min(stop, blockHeader(&Block{}, ls, cut+1, stop)):stop]
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

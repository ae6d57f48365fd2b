package edit

import (
	"strconv"
	"strings"
)

// marker reads a run of 5 to 9 of one character and the text behind it.
func marker(text string, char byte) (rest string, ok bool) {
	n := 0
	for n < len(text) && text[n] == char {
		n++
	}
	if n < 5 || n > 9 {
		return "", false
	}
	rest = text[n:]
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' && char != '<' {
		return "", false
	}
	return strings.TrimSpace(rest), true
}

// isSearch tells the line that opens a block.
func isSearch(text string) bool {
	t := unindentMarker(text)
	if t == "" || t[0] != '<' && t[0] != '-' {
		return false
	}
	rest, ok := marker(t, t[0])
	if !ok {
		return false
	}
	word, _, _ := strings.Cut(rest, " ")
	word = strings.ToUpper(strings.TrimRight(word, ">:"))
	if t[0] == '-' {
		return word == "SEARCH"
	}
	switch word {
	case "SEARCH", "ORIGINAL", "HEAD", "OLD", "FIND", "BEFORE":
		return true
	}
	return false
}

// searchPath is the path behind the word SEARCH, if one is there.
func searchPath(text string) string {
	t := unindentMarker(text)
	if !strings.HasPrefix(t, "<") {
		return ""
	}
	rest, _ := marker(t, '<')
	if n, ok := pathLine(strings.TrimSpace(strings.TrimPrefix(rest, "SEARCH"))); ok && strings.HasPrefix(rest, "SEARCH ") {
		return n.path
	}
	return ""
}

// markedPath is the path of the block at line i, where its marker tells one,
// else name.
func (p *parser) markedPath(i int, name string) string {
	if own := searchPath(p.lines[i]); own != "" {
		p.guess = nil
		return own
	}
	return name
}

// unindentMarker allows a few blanks before a marker, as in fences within lists.
func unindentMarker(text string) string {
	t := strings.TrimLeft(text, " \t")
	if len(text)-len(t) > 4 {
		return ""
	}
	return t
}

func isDivider(text string) bool {
	rest, ok := marker(strings.TrimRight(unindentMarker(text), " \t"), '=')
	return ok && rest == ""
}

// isReplaceEnd tells the line that ends a block.
func isReplaceEnd(text string) bool {
	t := cutTokens(unindentMarker(text))
	if rest, ok := marker(t, '>'); ok {
		return !strings.Contains(rest, ">")
	}
	rest, ok := marker(t, '+')
	return ok && strings.EqualFold(rest, "REPLACE")
}

// blocks reads a run of blocks for one path. In a fence, a block that is not
// closed is a mistake; outside, at the end of the text, it is cut off.
func (p *parser) blocks(i, to int, name string, fenced bool) int {
	e := Edit{Kind: Replace, Path: name, Line: i + 1}
	p.lastGuess, p.guess = p.guess, nil
	if q := p.lastGuess; q != nil {
		e.Path, e.instead, e.surety, e.Tentative = q.path, name, q.surety, true
	}
	for i < to && isSearch(p.lines[i]) {
		b, end, dividers := p.block(i, to)
		if end < 0 {
			p.brokenBlock(name, i, to, dividers, fenced)
			i = to
			break
		}
		if b == nil {
			p.problem(name, "the block at line %d of the reply has no ======= line between what to search for and what to put in its place", i+1)
			i = end
			break
		}
		e.Blocks = append(e.Blocks, *b)
		next := p.firstText(end, to)
		if next < to && strings.TrimSpace(p.lines[next]) == "..." {
			next = p.firstText(next+1, to)
		}
		i = end
		if next < to && isSearch(p.lines[next]) {
			i = next
			if other := searchPath(p.lines[i]); other != "" && other != name {
				break
			}
		}
	}
	p.last = name
	switch {
	case len(e.Blocks) == 0:
	case e.Path == "":
		p.problem("", "the block at line %d of the reply names no file: put the path on the line directly above it", e.Line)
	default:
		p.add(e)
	}
	return i
}

func (p *parser) brokenBlock(name string, i, to, dividers int, fenced bool) {
	if to == len(p.lines) && !p.complete {
		p.reply.Truncated = true
	}
	missing := ">>>>>>> REPLACE"
	if dividers == 0 {
		missing = "======= and >>>>>>> REPLACE"
	}
	p.problem(name, "the block at line %d of the reply is not closed: %s is missing", i+1, missing)
}

// block reads one block from its marker on. end is the line after it, -1 if it
// is not closed; b is nil if it is not divided.
func (p *parser) block(i, to int) (b *Block, end, dividers int) {
	b = &Block{Line: i + 1, divided: true}
	from := p.blockHeader(b, i+1, to)
	var at []int
	stop := -1
	for j := from; j < to; j++ {
		if text := p.lines[j]; isDivider(text) {
			at = append(at, j)
		} else if isReplaceEnd(text) {
			stop = j
			break
		} else if isSearch(text) && len(at) > 0 {
			break // the next block begins, so this one was left open
		}
	}
	if stop < 0 {
		return nil, -1, len(at)
	}
	if len(at) == 0 {
		return nil, stop + 1, 0
	}
	b.Search, b.Replace = p.text(from, at[0]), p.text(p.blockHeader(&Block{}, at[0]+1, stop), stop)
	const most = 4 // ways to cut; more dividers than that are no accident
	for _, d := range at[1:min(len(at), most)] {
		b.others = append(b.others, cut{p.text(from, d), p.text(p.blockHeader(&Block{}, d+1, stop), stop)})
	}
	return b, stop + 1, len(at)
}

// blockHeader skips the lines with which some assistants say where a block is.
func (p *parser) blockHeader(b *Block, i, to int) int {
	start := i
	for i < to {
		t := strings.TrimSpace(p.lines[i])
		n, isStart := strings.CutPrefix(t, ":start_line:")
		switch {
		case isStart:
			b.Near, _ = strconv.Atoi(strings.TrimSpace(n))
		case strings.HasPrefix(t, ":end_line:"):
		case i > start && t == "-------":
		default:
			return i
		}
		i++
	}
	return i
}

func (p *parser) text(from, to int) string {
	if from >= to {
		return ""
	}
	return strings.Join(p.lines[from:to], "\n") + "\n"
}

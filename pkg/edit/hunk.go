package edit

import (
	"strconv"
	"strings"
)

// hunkReader reads the hunks of diffs and of envelopes.
type hunkReader struct {
	text
	// inText is set if the hunks are in open text, which may continue after them. Otherwise
	// all lines belong to them.
	inText bool
	// envelope is set if there are no file headers between the hunks.
	envelope bool
}

// hunk collects the lines of one hunk.
type hunk struct {
	Block
	search, replace     []string
	last                byte
	changed             bool
	oldLeft, newLeft    int // from its header, -1 if unknown
	tellsEnd, bareAtEnd bool
}

// read reads one hunk. A body without its @@ line is accepted.
func (r *hunkReader) read(i int) (blocks []Block, next int) {
	h := hunk{Block: Block{Line: r.number(i)}, oldLeft: -1, newLeft: -1}
	for ; i < len(r.lines) && isHunkHead(r.lines[i]); i++ {
		h.head(strings.TrimSpace(r.lines[i]))
	}
	for ; i < len(r.lines) && !r.ends(&h, i); i++ {
		t := r.lines[i]
		switch {
		case strings.HasPrefix(t, `\`):
			h.tellsEnd = true
			h.bareAtEnd = h.bareAtEnd || h.last != '-'
		case strings.TrimSpace(t) == endOfFile:
			h.AtEnd = true
		case t == "":
			h.add(' ', "")
		case isBodyLine(t):
			h.add(t[0], t[1:])
		default:
			h.add(' ', t) // context with its space missing
		}
	}
	if i < len(r.lines) && r.inText && strings.TrimSpace(r.lines[i]) == "" {
		i++
	}
	return h.blocks(), i
}

func isHunkHead(t string) bool {
	return strings.HasPrefix(t, "@@") || strings.HasPrefix(t, " ") && strings.TrimSpace(t) == "@@"
}

// ends reports whether line i is after the hunk.
func (r *hunkReader) ends(h *hunk, i int) bool {
	t := r.lines[i]
	if isHunkHead(t) {
		return true
	}
	if !r.envelope && isDiffStart(r.text, i) &&
		!(h.oldLeft > 0 && h.newLeft > 0 && r.changesDashes(i)) {
		return true
	}
	if !r.inText {
		return false
	}
	if strings.TrimSpace(t) == "" {
		// A line that begins with a dash and a space is a list item, unless the counts of
		// the hunk say that old lines are missing.
		goesOn := i+1 < len(r.lines) && isBodyLine(r.lines[i+1]) &&
			(h.oldLeft > 0 || !strings.HasPrefix(r.lines[i+1], "- "))
		return h.oldLeft == 0 && h.newLeft == 0 || !goesOn
	}
	return !isBodyLine(t)
}

// changesDashes tells a line "-- x" that becomes "++ y" from the header of the next file,
// within a hunk that is incomplete by its counts: no hunk follows.
func (r *hunkReader) changesDashes(i int) bool {
	return strings.HasPrefix(r.lines[i], "--- ") && (i+2 >= len(r.lines) || !strings.HasPrefix(r.lines[i+2], "@@"))
}

var hunkHead = pattern(`^@@(?: -(\d+)(?:,(\d+))?(?: \+\d+(?:,(\d+))?)?)?(.*)$`)

// head reads "@@ -a,b +c,d @@ section".
func (h *hunk) head(t string) {
	m := hunkHead().FindStringSubmatch(t)
	if m == nil {
		return
	}
	if m[1] != "" {
		h.Near, _ = strconv.Atoi(m[1])
		h.oldLeft, h.newLeft = 1, 1
		for i, left := range []*int{&h.oldLeft, &h.newLeft} {
			if m[2+i] != "" {
				*left, _ = strconv.Atoi(m[2+i])
			}
		}
	}
	_, section, closed := strings.Cut(m[4], "@@")
	if !closed && m[1] == "" {
		section = m[4]
	}
	if s := strings.TrimSpace(section); s != "" && s != "..." {
		h.Anchors = append(h.Anchors, s)
	}
}

func (h *hunk) add(op byte, text string) {
	if op != '+' {
		h.search = append(h.search, text)
		h.oldLeft--
	}
	if op != '-' {
		h.replace = append(h.replace, text)
		h.newLeft--
	}
	h.changed = h.changed || op != ' '
	h.last = op
}

// blocks returns the hunk as a block; a hunk of only context changes nothing.
func (h *hunk) blocks() []Block {
	if !h.changed {
		return nil
	}
	b := h.Block
	b.Search, b.Replace = linesText(h.search), linesText(h.replace)
	switch {
	case h.bareAtEnd:
		b.FinalNewline = WithoutNewline
	case h.tellsEnd:
		b.FinalNewline = WithNewline
	}
	return []Block{b}
}

func linesText(ls []string) string {
	if len(ls) == 0 {
		return ""
	}
	return strings.Join(ls, "\n") + "\n"
}

package edit

import (
	"strings"
)

const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	addFile    = "*** Add File:"
	updateFile = "*** Update File:"
	deleteFile = "*** Delete File:"
	moveTo     = "*** Move to:"
	endOfFile  = "*** End of File"
)

func isEnvelope(t string) bool {
	return t == beginPatch || isEnvelopeFile(t)
}

func isEnvelopeFile(t string) bool {
	return strings.HasPrefix(t, addFile) || strings.HasPrefix(t, updateFile) || strings.HasPrefix(t, deleteFile)
}

// envelope reads from the first *** line to *** End Patch. Within a fence its
// end serves as well; in open text without one the envelope is cut off.
func (p *parser) envelope(i, to int) int {
	p.pend = nil
	opened := strings.TrimSpace(p.lines[i]) == beginPatch
	if opened {
		i++
	}
	for i < to {
		t := cutTokens(strings.TrimSpace(p.lines[i]))
		switch {
		case t == endPatch:
			return i + 1
		case t == "" && strings.TrimSpace(p.lines[i]) != "":
			return i + 1 // a token that ends the turn
		case t == "" || t == beginPatch:
			i++
		case isEnvelopeFile(t):
			i = p.envelopeFile(t, i, to)
		default:
			if strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~") {
				return i
			}
			if !opened || isTalk(t) {
				return i
			}
			if isDiffStart(p.lines, i, to) {
				i = p.topDiff(i, to)
				continue
			}
			p.problem("", "line %d of the reply stands in a patch but belongs to no file: %s", i+1, clip(t))
			return p.skipEnvelope(i, to)
		}
	}
	// Who leaves out the beginning leaves out the end.
	if to == len(p.lines) && opened && !p.complete && !p.saysEnd(to) {
		p.cut("", "%s is missing", endPatch)
	}
	return i
}

// saysEnd tells a section whose last line is the end of its file.
func (p *parser) saysEnd(to int) bool {
	return strings.TrimSpace(p.lines[p.lastText(0, to)]) == endOfFile
}

// skipEnvelope finds the next file or the end, to go on after a mistake.
func (p *parser) skipEnvelope(i, to int) int {
	for i++; i < to; i++ {
		t := strings.TrimSpace(p.lines[i])
		if t == endPatch {
			return i + 1
		}
		if isEnvelopeFile(t) {
			return p.envelope(i, to)
		}
	}
	return i
}

func envelopePath(t string) string {
	_, name, _ := strings.Cut(t, ":")
	name, _ = unquote(strings.TrimSpace(name))
	return cleanPath(name)
}

// envelopeFile reads one file's section.
func (p *parser) envelopeFile(t string, i, to int) int {
	name := envelopePath(t)
	e := Edit{Path: name, Line: i + 1}
	end := i + 1
	for end < to && !p.sectionEnds(end) {
		end++
	}
	if name == "" {
		p.problem("", "line %d of the reply names no file", i+1)
		return end
	}
	switch {
	case strings.HasPrefix(t, deleteFile):
		e.Kind = Remove
	case strings.HasPrefix(t, addFile):
		e.Kind, e.New, e.Content = Whole, true, p.addedText(i+1, end)
	default:
		e.Kind = Patch
		start := i + 1
		if start < end {
			if m := strings.TrimSpace(p.lines[start]); strings.HasPrefix(m, moveTo) {
				e.From, e.Path = name, envelopePath(m)
				if e.Path == "" {
					p.problem(name, "line %d of the reply moves %s but does not say where to", start+1, name)
					return end
				}
				start++
			}
		}
		e.Blocks = p.envelopeHunks(start, end)
		if len(e.Blocks) == 0 {
			if e.From == "" {
				p.problem(name, "the patch at line %d of the reply updates %s but changes nothing in it", i+1, name)
				return end
			}
			e.Kind = Move
		}
	}
	p.add(e)
	return end
}

func (p *parser) sectionEnds(i int) bool {
	text := p.lines[i]
	if text == "" || text[0] == '+' || text[0] == '-' {
		return false
	}
	t := strings.TrimSpace(text)
	if t == "" {
		return false
	}
	t = cutTokens(t)
	if t == "" || i > 0 && strings.TrimSpace(p.lines[i-1]) == "" && isTalk(text) && !p.patchGoesOn(i) {
		return true
	}
	if !strings.HasPrefix(t, "***") {
		return strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")
	}
	return t == endPatch || t == beginPatch || isEnvelopeFile(t)
}

// patchGoesOn tells whether the end of a patch, or another part, is to come.
func (p *parser) patchGoesOn(i int) bool {
	if p.patchMark == 0 {
		p.patchMark = -1
		for k, l := range p.lines {
			if t := strings.TrimSpace(l); t == endPatch || isEnvelopeFile(t) {
				p.patchMark = k
			}
		}
	}
	return p.patchMark > i
}

// addedText is the content of a new file: lines with a plus, or, where none
// has it, the lines as they stand.
func (p *parser) addedText(from, end int) string {
	plus := false
	for _, l := range p.lines[from:end] {
		plus = plus || strings.HasPrefix(l, "+")
	}
	var out []string
	for _, l := range p.lines[from:end] {
		switch {
		case strings.TrimSpace(l) == endOfFile:
		case strings.HasPrefix(l, "+"):
			out = append(out, l[1:])
		case !plus:
			out = append(out, l)
		case strings.TrimSpace(l) == "":
			out = append(out, "")
		default:
			out = append(out, strings.TrimPrefix(l, " "))
		}
	}
	for len(out) > 0 && out[len(out)-1] == "" && !strings.HasPrefix(p.lines[end-1], "+") {
		out = out[:len(out)-1]
		end--
	}
	return linesText(out)
}

// envelopeHunks divides a section at its @@ lines.
func (p *parser) envelopeHunks(from, end int) []Block {
	var out []Block
	h := hunkText{at: from + 1}
	var atEnd bool
	flush := func() {
		for _, b := range h.block() {
			b.AtEnd = atEnd
			out = append(out, b)
		}
	}
	for i := from; i < end; i++ {
		t := p.lines[i]
		switch {
		case strings.HasPrefix(t, "@@") || strings.HasPrefix(strings.TrimSpace(t), "@@") && strings.TrimSpace(t) == "@@":
			near, _, _, anchors := hunkHeader(strings.TrimSpace(t))
			if len(h.search)+len(h.replace) > 0 {
				flush()
				h, atEnd = hunkText{at: i + 1}, false
			}
			h.near = max(h.near, near)
			h.anchors = append(h.anchors, anchors...)
		case strings.TrimSpace(t) == endOfFile:
			atEnd = true
		case t == "":
			h.add(' ', "")
		case t[0] == '+' || t[0] == '-' || t[0] == ' ':
			h.add(t[0], t[1:])
		case t[0] == '\\':
			h.noNewline()
		default:
			h.add(' ', t) // context with its blank missing
		}
	}
	flush()
	return out
}

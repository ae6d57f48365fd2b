package edit

import (
	"slices"
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

func isEnvelope(t string) bool { return t == beginPatch || isEnvelopeFile(t) }

func isEnvelopeFile(t string) bool {
	return strings.HasPrefix(t, addFile) || strings.HasPrefix(t, updateFile) ||
		strings.HasPrefix(t, deleteFile)
}

// envelope reads from the first *** line to *** End Patch. The end of a fence serves as
// well; in open text an envelope without an end is truncated.
func (p *parser) envelope(i, to int) int {
	p.pend = nil
	opened := strings.TrimSpace(p.lines[i]) == beginPatch
	if opened {
		i++
	}
	for i < to {
		t := cutTokens(strings.TrimSpace(p.lines[i]))
		switch {
		case t == endPatch, t == "" && strings.TrimSpace(p.lines[i]) != "": // a token that ends the turn
			return i + 1
		case t == "" || t == beginPatch:
			i++
		case isEnvelopeFile(t):
			i = p.envelopeFile(t, i, to)
		case isFence(p.lines[i]), !opened, isTalk(t):
			return i
		default:
			p.problem("", "line %d of the reply stands in a patch but belongs to no file: %s", i+1, clip(t))
			for i++; i < to && !p.sectionEnds(i); i++ {
			}
		}
	}
	// Whoever leaves out the beginning leaves out the end.
	if to == len(p.lines) && opened && !p.complete &&
		strings.TrimSpace(p.lines[p.lastText(0, to)]) != endOfFile {
		p.cut("", "%s is missing", endPatch)
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
	e := Edit{Op: Modify, Path: name, Line: i + 1}
	start, end := i+1, i+1
	for end < to && !p.sectionEnds(end) {
		end++
	}
	switch {
	case name == "":
		p.problem("", "line %d of the reply names no file", i+1)
		return end
	case strings.HasPrefix(t, deleteFile):
		e.Op = Delete
	case strings.HasPrefix(t, addFile):
		e.Op, e.Content = Create, p.addedText(start, end)
	default:
		if start < end && strings.HasPrefix(strings.TrimSpace(p.lines[start]), moveTo) {
			e.Op, e.From, e.Path = Rename, name, envelopePath(p.lines[start])
			start++
		}
		r := hunkReader{lines: p.lines, to: end, envelope: true}
		for start < end {
			var blocks []Block
			blocks, start = r.read(start)
			for _, b := range blocks {
				b.AtEnd = b.AtEnd || b.Search == "" && len(b.Anchors) == 0
				e.Op, e.Blocks, e.Ordered = Modify, append(e.Blocks, b), true
			}
		}
		if e.Path == "" || len(e.Blocks) == 0 && e.From == "" {
			p.problem(name, "the patch at line %d of the reply updates %s but changes nothing in it, or does "+
				"not say where to", i+1, name)
			return end
		}
	}
	p.add(e)
	return end
}

// sectionEnds reports whether line i is after the section of a file.
func (p *parser) sectionEnds(i int) bool {
	text := p.lines[i]
	t := strings.TrimSpace(text)
	if t == "" || text[0] == '+' || text[0] == '-' {
		return false
	}
	t = cutTokens(t)
	if t == "" || i > 0 && strings.TrimSpace(p.lines[i-1]) == "" && isTalk(text) {
		return true
	}
	if !strings.HasPrefix(t, "***") {
		return strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~")
	}
	return t == endPatch || t == beginPatch || isEnvelopeFile(t)
}

// addedText returns the content of a new file: lines with a plus, or, if none has one, all
// lines. Empty lines at the end belong to the patch.
func (p *parser) addedText(from, end int) string {
	lines := p.lines[from:end]
	plus := slices.ContainsFunc(lines, func(l string) bool { return strings.HasPrefix(l, "+") })
	var out []string
	last := 0
	for _, l := range lines {
		if strings.TrimSpace(l) == endOfFile {
			continue
		}
		rest, marked := strings.CutPrefix(l, "+")
		if plus && !marked {
			rest = strings.TrimPrefix(l, " ")
		}
		if out = append(out, rest); marked || strings.TrimSpace(l) != "" {
			last = len(out)
		}
	}
	return linesText(out[:last])
}

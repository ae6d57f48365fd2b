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
func envelope(t text, i int, c context) *found {
	if !isEnvelope(t.trimmed(i)) {
		return nil
	}
	f := c.begin()
	opened := t.trimmed(i) == beginPatch
	if opened {
		i++
	}
	for i < len(t.lines) {
		l := cutTokens(t.trimmed(i))
		switch {
		case l == endPatch, l == "" && t.trimmed(i) != "": // a token that ends the turn
			f.next = i + 1
			return f
		case l == "" || l == beginPatch:
			i++
		case isEnvelopeFile(l):
			i = f.envelopeFile(l, t, i)
		case isFence(t.lines[i]), !opened, isTalk(l):
			f.next = i
			return f
		default:
			f.problem("", "line %d of the reply stands in a patch but belongs to no file: %s", t.number(i), clip(l))
			i = sectionEnd(t, i+1)
		}
	}
	// Whoever leaves out the beginning leaves out the end.
	if t.atEnd && opened && !c.complete && strings.TrimSpace(t.lastText(i)) != endOfFile {
		f.breaksOff(c.complete, "", "%s is missing", endPatch)
	}
	f.next = i
	return f
}

func envelopePath(t string) string {
	_, name, _ := strings.Cut(t, ":")
	name, _ = unquote(strings.TrimSpace(name))
	return cleanPath(name)
}

// envelopeFile adds one file's section, which begins with line i, and returns its end.
func (f *found) envelopeFile(head string, t text, i int) int {
	name := envelopePath(head)
	e := Edit{Op: Modify, Path: name, Line: t.number(i)}
	start, end := i+1, sectionEnd(t, i+1)
	switch {
	case name == "":
		f.problem("", "line %d of the reply names no file", t.number(i))
		return end
	case strings.HasPrefix(head, deleteFile):
		e.Op = Delete
	case strings.HasPrefix(head, addFile):
		e.Op, e.Content = Create, addedText(t.lines[start:end])
	default:
		if start < end && strings.HasPrefix(t.trimmed(start), moveTo) {
			e.Op, e.From, e.Path = Rename, name, envelopePath(t.lines[start])
			start++
		}
		r := hunkReader{text: t.part(0, end), envelope: true}
		for start < end {
			var blocks []Block
			blocks, start = r.read(start)
			for _, b := range blocks {
				b.AtEnd = b.AtEnd || b.Search == "" && len(b.Anchors) == 0
				e.Op, e.Blocks, e.Ordered = Modify, append(e.Blocks, b), true
			}
		}
		if e.Path == "" || len(e.Blocks) == 0 && e.From == "" {
			f.problem(name, "the patch at line %d of the reply updates %s but changes nothing in it, or does "+
				"not say where to", t.number(i), name)
			return end
		}
	}
	f.edit(e)
	return end
}

// sectionEnd returns the first line from i on that is not in the section of a file.
func sectionEnd(t text, i int) int {
	for i < len(t.lines) && !endsSection(t.lines[i], i > 0 && t.trimmed(i-1) == "") {
		i++
	}
	return i
}

func endsSection(line string, afterBlank bool) bool {
	t := strings.TrimSpace(line)
	if t == "" || line[0] == '+' || line[0] == '-' {
		return false
	}
	t = cutTokens(t)
	if t == "" || afterBlank && isTalk(line) {
		return true
	}
	if !strings.HasPrefix(t, "***") {
		return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
	}
	return t == endPatch || t == beginPatch || isEnvelopeFile(t)
}

// addedText returns the content of a new file: lines with a plus, or, if none has one, all
// lines. Empty lines at the end belong to the patch.
func addedText(lines []string) string {
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

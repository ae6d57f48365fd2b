package retrieval

import (
	"fmt"
	"slices"
	"strings"
)

// The importance of a line in an excerpt. The least important lines are dropped first.
const (
	windowLine uint8 = iota + 1
	topLine          // a declaration at the top level
	innerLine        // a nested declaration
	docLine          // the comment of a declaration
)

// excerpt is a file of which some lines are shown.
type excerpt struct {
	lines []string // with their line ends
	keep  []uint8  // 0: left out
}

func newExcerpt(text string) *excerpt {
	e := &excerpt{lines: strings.SplitAfter(text, "\n")}
	if n := len(e.lines); n > 0 && e.lines[n-1] == "" {
		e.lines = e.lines[:n-1]
	}
	e.keep = make([]uint8, len(e.lines))
	return e
}

// mark keeps the lines from..to, counted from zero, to exclusive.
func (e *excerpt) mark(from, to int, level uint8) {
	for i := max(from, 0); i < min(to, len(e.lines)); i++ {
		if e.keep[i] == 0 || e.keep[i] > level {
			e.keep[i] = level
		}
	}
}

// spans returns the runs of lines that are shown, from 1.
func (e *excerpt) spans() [][2]int {
	var out [][2]int
	for i, k := range e.keep {
		switch {
		case k == 0:
		case len(out) > 0 && out[len(out)-1][1] == i:
			out[len(out)-1][1] = i + 1
		default:
			out = append(out, [2]int{i + 1, i + 1})
		}
	}
	return out
}

// smallGap is the number of lines that are never left out, since a mark would hardly be
// shorter.
const smallGap = 9

// close shows small gaps between shown lines, and at both ends of the file.
func (e *excerpt) close() {
	last := -1
	for i := 0; i <= len(e.keep); i++ {
		if i < len(e.keep) && e.keep[i] == 0 {
			continue
		}
		if i-last-1 <= smallGap {
			e.mark(last+1, i, windowLine)
		}
		last = i
	}
}

// dropBelow drops the lines above a level and closes the small gaps between the others.
func (e *excerpt) dropBelow(most uint8) {
	for i, k := range e.keep {
		if k > most {
			e.keep[i] = 0
		}
	}
	e.close()
}

// text writes the lines of the levels up to max, after a line with the file's length, with
// a mark for each gap. Shown lines are exactly those of the file.
func (e *excerpt) text(most uint8) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[Parts of a file of %d lines.]\n", len(e.lines))
	gap, shown := 0, false
	flush := func(to int) {
		switch {
		case gap == 1:
			fmt.Fprintf(&b, "[… line %d …]\n", to)
		case gap > 0:
			fmt.Fprintf(&b, "[… lines %d-%d …]\n", to-gap+1, to)
		}
		gap = 0
	}
	for i, line := range e.lines {
		if e.keep[i] == 0 || e.keep[i] > most {
			gap++
			continue
		}
		flush(i)
		b.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
		shown = true
	}
	flush(len(e.lines))
	if !shown {
		return ""
	}
	return b.String()
}

// fit returns the richest text within max bytes and the lines it shows. If even the small
// gaps do not fit, it shows only what was bought; "" if there is none.
func (e *excerpt) fit(max int) (string, [][2]int) {
	for most := docLine; most >= windowLine; most-- {
		rich := &excerpt{lines: e.lines, keep: slices.Clone(e.keep)}
		rich.dropBelow(most)
		if s := rich.text(docLine); s != "" && len(s) <= max {
			return s, rich.spans()
		}
	}
	bare := &excerpt{lines: e.lines, keep: slices.Clone(e.keep)}
	for i, k := range bare.keep {
		if k > windowLine {
			bare.keep[i] = 0
		}
	}
	if s := bare.text(windowLine); s != "" && len(s) <= max+slack {
		return s, bare.spans()
	}
	return "", nil
}

// slack is how much longer than its bought lines an excerpt may be, for its marks.
const slack = 256

// outline marks the declarations of a file, or a substitute if it has none.
func (e *excerpt) outline(p, text string) {
	l := languageOf(p)
	from, to := importsOf(l, e.lines)
	e.mark(from, to, topLine)
	switch {
	case l == golang && e.goOutline(text):
	case l.code():
		e.codeOutline(l)
	case l == prose:
		for i, line := range e.lines {
			if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "==") ||
				strings.HasPrefix(line, "--") && i > 0 {
				e.mark(i, i+1, topLine)
			}
		}
		e.mark(0, 25, innerLine)
	case l == config:
		for i, line := range e.lines {
			if line != "" && (letter(line[0]) || line[0] == '[' || strings.HasPrefix(line, "  \"")) {
				e.mark(i, i+1, innerLine)
			}
		}
	}
	kept := 0
	for _, k := range e.keep {
		if k != 0 {
			kept++
		}
	}
	if kept < 3 {
		e.mark(0, 30, topLine)
	}
}

// maxSignature is how many lines a signature may have.
const maxSignature = 6

// codeOutline marks declarations by their first words.
func (e *excerpt) codeOutline(l lang) {
	for i, raw := range e.lines {
		line := strings.TrimRight(raw, "\r\n")
		d, ok := define(l, line)
		if !ok || d.indent > 8 || d.value && d.indent > 0 {
			continue
		}
		level := topLine
		if d.indent > 0 {
			level = innerLine
		}
		end, depth := i, 0
		for ; end < len(e.lines) && end < i+maxSignature; end++ {
			depth += strings.Count(e.lines[end], "(") - strings.Count(e.lines[end], ")")
			if depth <= 0 {
				break
			}
		}
		if depth > 0 {
			end = i
		}
		e.mark(i, end+1, level)
		if i > 0 {
			if above := strings.TrimSpace(e.lines[i-1]); commentStart(above) && above != "*/" ||
				strings.HasPrefix(above, "@") {
				e.mark(i-1, i, docLine)
			}
		}
		if l == python && end+1 < len(e.lines) {
			if below := strings.TrimSpace(e.lines[end+1]); strings.HasPrefix(below, `"""`) ||
				strings.HasPrefix(below, "'''") {
				e.mark(end+1, end+2, docLine)
			}
		}
	}
}

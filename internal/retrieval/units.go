package retrieval

import (
	"cmp"
	"slices"
	"strings"
)

// Units gives the functions and types of a text that some lines are in, counted from 1, whole and
// with the comments above them, among the heads of its other declarations, and of these the nearest
// whole while there is room; the whole text where that is no longer than max bytes.
func Units(path, text string, lines []int, max int) File {
	if len(text) <= max {
		return File{Path: path, Content: text, Part: "full"}
	}
	e := newExcerpt(text)
	e.outline(path, text)
	blocks := blocksOf(languageOf(path), e.lines)
	for _, b := range blocks {
		if slices.ContainsFunc(lines, func(n int) bool { return n > b.from && n <= b.to }) {
			e.mark(b.from, b.to, windowLine)
		}
	}
	e.addNearest(blocks, lines, max)
	content, spans := e.fit(max)
	return File{Path: path, Content: content, Part: "excerpt", Lines: spans}
}

// addNearest marks other blocks that fit as well, those first that are nearest to some lines.
func (e *excerpt) addNearest(blocks []block, lines []int, most int) {
	away := func(b block) int {
		least := len(e.lines)
		for _, n := range lines {
			least = min(least, max(b.from-n, n-b.to))
		}
		return least
	}
	blocks = slices.Clone(blocks)
	slices.SortStableFunc(blocks, func(a, b block) int { return cmp.Compare(away(a), away(b)) })
	for _, b := range blocks {
		wider := &excerpt{lines: e.lines, keep: slices.Clone(e.keep)}
		wider.mark(b.from, b.to, windowLine)
		if s := wider.text(docLine); len(s) <= most {
			e.keep = wider.keep
		}
	}
}

// NewHeads gives the first lines of declarations of a text that another version of it lacks, in
// this form: what callers need to know, and nothing of what is inside.
func NewHeads(path, old, now string) (heads []string) {
	l := languageOf(path)
	if !l.code() {
		return nil
	}
	had := map[string]bool{}
	for line := range strings.Lines(old) {
		had[strings.TrimSpace(line)] = true
	}
	lines := strings.Split(now, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		d, is := define(l, line)
		if !is || d.name == "" || d.value || d.indent > 4 || had[strings.TrimSpace(line)] {
			continue
		}
		head := strings.TrimSpace(line)
		for next := i + 1; strings.Count(head, "(") > strings.Count(head, ")") && next < len(lines) && next < i+maxSignature; next++ {
			head += " " + strings.TrimSpace(lines[next])
		}
		heads = append(heads, strings.TrimSpace(strings.TrimSuffix(head, "{")))
	}
	return heads
}

package retrieval

import (
	"cmp"
	"regexp"
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

// Sample gives the parts of a text that show how it is written: its beginning, then the functions
// and types that hold most of some names, whole, within max bytes.
func Sample(path, text string, names []string, max int) File {
	if len(text) <= max {
		return File{Path: path, Content: text, Part: "full"}
	}
	e := newExcerpt(text)
	blocks := uncut(blocksOf(languageOf(path), e.lines))
	if len(blocks) > 1 {
		blocks = append(blocks[:1:1], e.holding(blocks[1:], names)...)
	}
	e.addWhole(blocks, max)
	content, spans := e.fit(max)
	return File{Path: path, Content: content, Part: "excerpt", Lines: spans}
}

// uncut puts the parts of long declarations together again.
func uncut(blocks []block) (whole []block) {
	for _, b := range blocks {
		if n := len(whole); n > 0 && b.name == whole[n-1].name && (b.from-whole[n-1].from)%maxBlock == 0 {
			whole[n-1].to = b.to
			continue
		}
		whole = append(whole, b)
	}
	return whole
}

// holding sorts blocks by how many of some names they hold, and leaves out those that hold none
// where others hold some.
func (e *excerpt) holding(blocks []block, names []string) []block {
	held := map[int]int{} // by the first line
	for _, name := range names {
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
		for _, b := range blocks {
			if slices.ContainsFunc(e.lines[b.from:b.to], word.MatchString) {
				held[b.from]++
			}
		}
	}
	blocks = slices.Clone(blocks)
	slices.SortStableFunc(blocks, func(a, b block) int { return cmp.Compare(held[b.from], held[a.from]) })
	if n := slices.IndexFunc(blocks, func(b block) bool { return held[b.from] == 0 }); n > 0 {
		return blocks[:n]
	}
	return blocks
}

// Named gives the names of the functions and types that some lines of a text are in, once each.
func Named(path, text string, lines []int) (names []string) {
	l := languageOf(path)
	if !l.code() {
		return nil
	}
	for _, b := range blocksOf(l, strings.SplitAfter(text, "\n")) {
		if b.name != "" && !b.titled && !slices.Contains(names, b.name) &&
			slices.ContainsFunc(lines, func(n int) bool { return n > b.from && n <= b.to }) {
			names = append(names, b.name)
		}
	}
	return names
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
	e.addWhole(blocks, most)
}

// addWhole marks the blocks that fit, in their order.
func (e *excerpt) addWhole(blocks []block, most int) {
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
		for next := i + 1; strings.Count(head, "(") > strings.Count(head, ")") && next < len(lines) &&
			next < i+maxSignature; next++ {
			head += " " + strings.TrimSpace(lines[next])
		}
		heads = append(heads, strings.TrimSpace(strings.TrimSuffix(head, "{")))
	}
	return heads
}

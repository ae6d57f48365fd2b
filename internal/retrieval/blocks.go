package retrieval

import (
	"math"
	"strings"
)

// block is a run of lines that is shown as a whole or not at all: a function with the
// comment above it, a type, a stretch of other lines.
type block struct {
	from, to int // lines from 0; to is exclusive
	name     string
	// titled blocks are tests that are calls with a title, not functions.
	titled bool
	bytes  int
}

// maxBlock is how many lines a block may have; longer ones are cut.
const maxBlock = 60

// blocksOf cuts a file at its declarations.
func blocksOf(l lang, lines []string) []block {
	var out []block
	start, name, titled := 0, "", false
	end := func(to int) {
		for from := start; from < to; from += maxBlock {
			b := block{from: from, to: min(from+maxBlock, to), name: name, titled: titled}
			for _, line := range lines[b.from:b.to] {
				b.bytes += len(line)
			}
			out = append(out, b)
		}
		start = to
	}
	for i, raw := range lines {
		line := strings.TrimRight(raw, "\r\n")
		d, ok, title := definition{}, false, ""
		if l.code() {
			d, ok = define(l, line)
			title = titleOf(line)
		}
		if title != "" {
			d, ok = definition{name: title}, true
		}
		if !ok || d.indent > 8 || d.value {
			continue
		}
		from := i
		for from > start {
			above := strings.TrimSpace(lines[from-1])
			if above == "" || !commentStart(above) && !strings.HasPrefix(above, "@") &&
				!strings.HasPrefix(above, "#[") && !strings.HasPrefix(above, "template") {
				break
			}
			from--
		}
		if from-start < 3 && len(out) == 0 && start == 0 && from > 0 {
			name, titled = d.name, title != "" // a head of one or two lines belongs to the next block
			continue
		}
		if from > start {
			end(from)
		}
		name, titled = d.name, title != ""
	}
	end(len(lines))
	return out
}

// head returns the line, from 0, that begins the declaration of a block, below the comment and
// decorators above it; -1 for a later part of a long one.
func (b block) head(l lang, lines []string) int {
	for at := b.from; at < b.to; at++ {
		line := strings.TrimRight(lines[at], "\r\n")
		if d, ok := define(l, line); ok && d.name == b.name || titleOf(line) == b.name {
			return at
		}
	}
	return -1
}

// rareWords returns the words of a query with their weights in this repository.
func (ix *Index) rareWords(q map[term]float64) map[term]float64 {
	out := make(map[term]float64, len(q))
	all := float64(len(ix.docs))
	for t, w := range q {
		n := 0.0
		ix.postings(t, func(int32, float64) { n++ })
		out[t] = w * math.Log(1+(all-min(n, all)+0.5)/(n+0.5))
	}
	return out
}

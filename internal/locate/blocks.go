package locate

import (
	"math"
	"strings"
)

// block is a run of lines that is shown as a whole or not at all: a function
// with what is said above it, a type, a stretch of other lines.
type block struct {
	from, to int // lines from 0, to not included
	name     string
	// titled blocks are tests that are calls with a title, not functions.
	titled bool
	bytes  int
	// worth is how likely the block is the place, as against the others of its file.
	worth float64
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
			if above == "" || !commentStart(above) && !strings.HasPrefix(above, "@") && !strings.HasPrefix(above, "#[") && !strings.HasPrefix(above, "template") {
				break
			}
			from--
		}
		if from-start < 3 && len(out) == 0 && start == 0 && from > 0 {
			name, titled = d.name, title != "" // a head of a line or two belongs to what follows
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

// rareWords are the words of a query with what each is worth here.
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

// weigh says of each block how likely it is the place in question: by the
// words and names of the texts, by lines that they name, and by its size.
func (r *ranking) weigh(i int32, blocks []block, lines []string) {
	said, most := 0.0, 0.0
	inQuestion := map[int]bool{}
	for _, list := range [][]int{r.n.Lines[r.ix.docs[i].path], r.fail.lines[i], r.task.lines[i]} {
		for _, n := range list {
			inQuestion[n-1] = true
		}
	}
	counts, in := make([]map[term]float64, len(blocks)), map[term]float64{}
	for k, b := range blocks {
		counts[k] = map[term]float64{}
		for n := b.from; n < b.to; n++ {
			eachTerm(lines[n], 3, func(t term) {
				if r.rare[t] > 0 {
					counts[k][t]++
				}
			})
			if inQuestion[n] {
				blocks[k].worth += 200
			}
		}
		for t := range counts[k] {
			in[t]++
		}
	}
	all := math.Log(1 + float64(len(blocks)))
	for k := range blocks {
		b := &blocks[k]
		for t, n := range counts[k] { // what all blocks say tells nothing
			b.worth += r.rare[t] * n / (n + 1.2) * math.Log(1+float64(len(blocks))/in[t]) / all
		}
		if b.name != "" {
			b.worth += 30 * max(r.task.names[b.name], r.fail.names[b.name])
		}
		b.worth /= 1 + float64(b.to-b.from)/300
		said, most = said+b.worth, max(most, b.worth)
	}
	bySize := bySize
	if most > said/2 && len(blocks) > 3 {
		bySize /= 8 // one place is meant
	}
	for k := range blocks {
		b := &blocks[k]
		size := float64(b.to-b.from) / float64(max(len(lines), 1))
		if said > 0 {
			b.worth = (1-bySize)*b.worth/said + bySize*size
		} else {
			b.worth = size
		}
	}
	if len(blocks) > 1 && blocks[0].name == "" && r.ix.docs[i].lang.code() {
		head := &blocks[0]
		head.worth += headWorth * float64(head.bytes) / headBytes
	}
}

// A change often needs one more import: the head of a file, before its first
// declaration, has headWorth for each headBytes, whatever it says.
const headWorth, headBytes = 0.05, 1200

// bySize is the part of a block's likelihood that its size alone gives: what a
// task speaks of need not be said in the words of the place.
const bySize = 0.6

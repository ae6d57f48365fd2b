package locate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
)

const (
	// certainShare is how much of the budget, in percent, one file may fill that
	// certainly belongs; likelyShare one that only seems likely.
	certainShare, likelyShare = 80, 60
	// maxCandidates bounds the files whose parts are weighed.
	maxCandidates = 40
	// overhead is what a file's first part costs beside its lines: its head, the
	// marks of what is left out.
	overhead = 200
	// nearlyWhole is the share of a file, in percent, from which on it is shown whole:
	// a file of which that much speaks for itself is more likely the one, and its rest
	// more likely the place, than the next file.
	nearlyWhole = 20
	// unlikely is how many times less than the best a part may be worth for its
	// size: what is less likely is not shown, though there be room.
	unlikely = 400
	// maxOutline bounds the declarations that are shown around a file's parts.
	maxOutline = 3 << 10
)

// candidate is a ranked file with its text.
type candidate struct {
	i      int32
	text   string
	lines  []string
	blocks []block
	weight float64 // how likely it is meant
	taken  []bool
	bytes  int // what is taken
	whole  bool
	// asked are the parts that must be shown, outlined that the outline is one.
	asked    []Part
	outlined bool
	// unlikely says that a part of it was passed over for being so.
	unlikely bool
}

// offer is one block of a candidate.
type offer struct {
	c, b  int
	worth float64 // per byte
}

// fill takes the ranked files into the budget: what is likeliest for its size
// first, whole functions at a time. Files that certainly belong come whole
// where there is room.
func (r *ranking) fill(ctx context.Context) (Choice, error) {
	cs, err := r.candidates(ctx)
	if err != nil {
		return Choice{}, err
	}
	left, asked := r.n.Budget-r.testBytes, 0
	for _, c := range cs {
		asked += c.mustShow()
	}
	for _, c := range cs {
		share := certainShare
		if r.ix.docs[c.i].test {
			share = likelyShare / 2 // of a test, what fails may do
		}
		if c.outlined || c.whole {
			continue
		}
		if r.score[c.i] >= known && len(c.text) <= min(left, r.n.Budget*share/100) {
			c.whole, c.bytes = true, len(c.text)
			left -= c.bytes
		}
	}
	r.takeBlocks(cs, left)
	var out []File
	left = r.n.Budget + asked
	for _, c := range cs {
		if f, ok := r.show(c, left); ok {
			left -= len(f.Content)
			out = append(out, f)
		}
	}
	return Choice{Files: out, LeftOut: r.leftOut(cs, out)}, nil
}

// mustShow takes what is asked for of a candidate, and gives its bytes.
func (c *candidate) mustShow() int {
	before := c.bytes
	for _, p := range c.asked {
		switch {
		case p.Outline:
			c.outlined = true
			c.bytes += maxOutline
		case p.From == 0:
			c.whole, c.bytes = true, len(c.text)
		default:
			e := newExcerpt(c.text)
			c.bytes += overhead
			for _, line := range e.lines[min(max(p.From-1, 0), len(e.lines)):min(max(p.To, 0), len(e.lines))] {
				c.bytes += len(line)
			}
		}
	}
	return c.bytes - before
}

// asked reads the files that must be shown, those of failing tests among them.
func (r *ranking) asked() []*candidate {
	var cs []*candidate
	for _, p := range r.n.Asked {
		i, ok := r.ix.byPath[p.Path]
		if !ok {
			continue
		}
		at := slices.IndexFunc(cs, func(c *candidate) bool { return c.i == i })
		if at < 0 {
			c := &candidate{i: i}
			if k := slices.IndexFunc(r.tests, func(c *candidate) bool { return c.i == i }); k >= 0 {
				c = r.tests[k]
			} else if c.text, ok = r.loadAny(i); !ok {
				continue
			}
			c.weight = 1
			at, cs = len(cs), append(cs, c)
		}
		cs[at].asked = append(cs[at].asked, p)
	}
	return cs
}

// candidates reads the files in their order: those that must be shown, those of
// failing tests, the others.
func (r *ranking) candidates(ctx context.Context) ([]*candidate, error) {
	cs := r.asked()
	for _, c := range r.tests {
		if !slices.Contains(cs, c) {
			cs = append(cs, c)
		}
	}
	first := len(cs)
	for _, i := range r.order {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("choose files: %w", err)
		}
		if len(cs) == first+maxCandidates {
			break
		}
		if at := slices.IndexFunc(cs, func(c *candidate) bool { return c.i == i }); at >= 0 {
			continue
		}
		text, ok := r.load(i)
		if !ok {
			continue
		}
		c := &candidate{i: i, text: text}
		place := float64(len(cs) - first)
		c.weight = math.Pow(min(r.score[i], known)/known, 1.2) / math.Pow(place+1, 0.8)
		cs = append(cs, c)
	}
	return cs, nil
}

// cut makes the blocks of a file.
func (c *candidate) cut(l lang) {
	if c.blocks != nil {
		return
	}
	c.lines = newExcerpt(c.text).lines
	c.blocks = blocksOf(l, c.lines)
	c.taken = make([]bool, len(c.blocks))
}

// load reads a file that may be shown, and is no tool's work unless it is named.
func (r *ranking) load(i int32) (string, bool) {
	text, ok := r.loadAny(i)
	d := &r.ix.docs[i]
	return text, ok && (r.score[i] >= named/2 || d.include || !generated(d.path, []byte(text)))
}

// loadAny reads a file that may be shown.
func (r *ranking) loadAny(i int32) (string, bool) {
	d := &r.ix.docs[i]
	if !plain(r.root, d.path) || !r.ix.allowed(d.path) {
		return "", false
	}
	data, info, err := readFile(r.root, d.path, maxShown)
	if err != nil || info.Size() > maxShown || binary(data) {
		return "", false
	}
	return string(data), true
}

// takeBlocks takes the blocks that are worth the most for their size.
func (r *ranking) takeBlocks(cs []*candidate, left int) {
	var offers []offer
	for k, c := range cs {
		if c.whole || c.outlined {
			continue
		}
		c.cut(r.ix.docs[c.i].lang)
		r.weigh(c.i, c.blocks, c.lines)
		for b := range c.blocks {
			if worth := c.weight * c.blocks[b].worth; worth > 0 && !c.taken[b] {
				offers = append(offers, offer{k, b, worth / float64(c.blocks[b].bytes+60)})
			}
		}
	}
	sort.SliceStable(offers, func(i, j int) bool { return offers[i].worth > offers[j].worth })
	for _, o := range offers {
		c := cs[o.c]
		if o.worth < offers[0].worth/unlikely {
			c.unlikely = true
			continue
		}
		cost, most := c.blocks[o.b].bytes, r.n.Budget*likelyShare/100
		if c.bytes == 0 {
			cost += overhead
		}
		if r.score[c.i] >= known {
			most = r.n.Budget * certainShare / 100
		}
		if c.whole || cost > left || c.bytes+cost > most {
			continue
		}
		c.taken[o.b] = true
		c.bytes += cost
		left -= cost
		if rest := len(c.text) - c.bytes; c.bytes*100 >= len(c.text)*nearlyWhole && rest <= left {
			c.whole = true
			c.bytes += rest
			left -= rest
		}
	}
}

// show gives what was taken of a file, with as many of its other declarations
// as there is room for.
func (r *ranking) show(c *candidate, left int) (File, bool) {
	d := &r.ix.docs[c.i]
	if c.bytes == 0 {
		return File{}, false
	}
	if c.whole && len(c.text) <= left {
		return File{Path: d.path, Content: c.text, Part: "full", Why: r.why(c), Asked: len(c.asked) > 0}, true
	}
	e := newExcerpt(c.text)
	for _, p := range c.asked {
		e.mark(p.From-1, p.To, windowLine)
	}
	for b, taken := range c.taken {
		if taken {
			e.mark(c.blocks[b].from, c.blocks[b].to, windowLine)
		}
	}
	e.close(3)
	spans := e.spans()
	e.outline(d.path, c.text)
	around := maxOutline
	if r.score[c.i] >= known {
		around = max(maxOutline, r.n.Budget/2)
	}
	f := File{Path: d.path, Part: "excerpt", Lines: spans, Why: r.why(c), Asked: len(c.asked) > 0, Content: e.fit(min(left, c.bytes+around))}
	if len(spans) == 0 {
		f.Part = "outline"
	}
	return f, f.Content != ""
}

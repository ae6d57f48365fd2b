package locate

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/tokens"
)

const (
	// certainShare is how much of the budget, in percent, one file may fill that
	// certainly belongs; of a test, what fails may do, and testWhole is enough.
	certainShare, testWhole = 80, 30
	// maxCandidates bounds the files whose parts are weighed.
	maxCandidates = 60
	// overhead is what a file's first part costs beside its lines: its head and its
	// delimiters; gapCost what each part does for the mark of what is left out.
	overhead, gapCost = 160, 20
	// maxOutline bounds the declarations that are shown around a file's parts;
	// outlineShare is how much of the budget, in percent, is put by for them.
	maxOutline, outlineShare = 3 << 10, 3
)

// candidate is a ranked file with its text.
type candidate struct {
	i      int32
	text   string
	lines  []string
	blocks []block
	p      float64 // how likely it changes
	facts  []unitFacts
	best   passages
	taken  []bool
	bytes  int // what is taken
	whole  bool
}

// fill takes the ranked files into the budget. Files that certainly belong come
// whole where there is room; of the others, what is likeliest to be all that changes
// for what it costs.
func (r *ranking) fill(ctx context.Context) (Choice, error) {
	cs, err := r.candidates(ctx)
	if err != nil {
		return Choice{}, err
	}
	if r.n.Pieces > 0 {
		r.n.Budget = int(float64(r.n.Pieces) * density(cs))
	}
	left := r.n.Budget - r.testBytes
	for _, c := range cs {
		share := certainShare
		if r.ix.docs[c.i].test {
			share = testWhole
		}
		if r.score[c.i] >= known && !c.whole && len(c.text) <= min(left, r.n.Budget*share/100) {
			c.whole, c.bytes = true, len(c.text)
			left -= c.bytes
		}
	}
	left -= r.takeUnits(cs, left-r.outlines(cs, left))
	var out []File
	room := r.n.Budget
	for _, c := range cs {
		before := c.bytes
		if f, ok := r.show(c, room, max(left, 0)); ok {
			room -= len(f.Content)
			left -= max(len(f.Content)-before, 0)
			out = append(out, f)
		}
	}
	return Choice{Files: out, LeftOut: r.leftOut(cs, out)}, nil
}

// density is how many bytes a piece has in the likeliest candidates.
func density(cs []*candidate) float64 {
	const most, bytes = 20, 16 << 10
	size, pieces := 0, 0
	for _, c := range cs[:min(len(cs), most)] {
		text := c.text[:min(len(c.text), bytes)]
		size, pieces = size+len(text), pieces+tokens.Pieces(text)
	}
	if pieces == 0 {
		return tokens.Usual
	}
	return float64(size) / float64(pieces)
}

// outlines is the room to put by for declarations around the parts of files: some, and
// enough for those of a file that is certainly meant and too large.
func (r *ranking) outlines(cs []*candidate, left int) int {
	room := r.n.Budget * outlineShare / 100
	for _, c := range cs {
		if r.score[c.i] >= known && !c.whole {
			e := newExcerpt(c.text)
			e.outline(r.ix.docs[c.i].path, c.text)
			room = max(room, min(len(e.text(docLine)), r.n.Budget/4))
		}
	}
	return min(room, left/2)
}

// candidates reads the files in their order: those of failing tests, the others.
func (r *ranking) candidates(ctx context.Context) ([]*candidate, error) {
	cs := slices.Clone(r.tests)
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
		c.p = likely(r.score[i])
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

// takeUnits takes of the candidates what is worth the most for its cost, and gives
// what that is.
func (r *ranking) takeUnits(cs []*candidate, budget int) int {
	var some []*candidate
	for _, c := range cs {
		if !c.whole {
			c.cut(r.ix.docs[c.i].lang)
			some = append(some, c)
		}
	}
	r.unitEvidence(some)
	r.reconsider(cs)
	wares := make([]ware, len(some))
	for k, c := range some {
		wares[k] = r.ware(c)
	}
	spent := 0
	for k, got := range buy(wares, budget, r.price()) {
		c := some[k]
		c.whole = got.whole
		for _, b := range got.units {
			c.taken[b] = true
		}
		c.bytes += got.cost
		spent += got.cost
	}
	return spent
}

// price is what a byte must be worth.
func (r *ranking) price() float64 {
	if r.failed() && !r.n.Wide && r.told > 0.5 {
		return dear
	}
	return price
}

// ware is a candidate as something to spend on.
func (r *ranking) ware(c *candidate) ware {
	w := ware{p: c.p, whole: len(c.text) - c.bytes}
	if c.bytes == 0 {
		w.entry = overhead
		w.whole += overhead
	}
	all := 0.0
	for b, block := range c.blocks {
		u := wareUnit{odds: r.ix.weights.unitOdds(&c.facts[b]), cost: block.bytes + gapCost, had: c.taken[b]}
		w.units = append(w.units, u)
		all += u.odds
	}
	inQuestion := r.inQuestion(c.i)
	for b, block := range c.blocks { // against these all others are little
		if slices.ContainsFunc(inQuestion, func(n int) bool { return block.from < n && n <= block.to }) {
			w.units[b].odds = all * certain / (1 - certain)
		}
	}
	return w
}

// inQuestion gives the lines of a file that the texts name.
func (r *ranking) inQuestion(i int32) []int {
	return slices.Concat(r.n.Lines[r.ix.docs[i].path], r.fail.lines[i], r.task.lines[i])
}

// show gives what was taken of a file, with as many of its other declarations
// as there is room for.
func (r *ranking) show(c *candidate, room, spare int) (File, bool) {
	d := &r.ix.docs[c.i]
	if c.bytes == 0 {
		return File{}, false
	}
	if c.whole && len(c.text) <= room {
		return File{Path: d.path, Content: c.text, Part: "full", Why: r.why(c)}, true
	}
	e := newExcerpt(c.text)
	for b, taken := range c.taken {
		if taken {
			e.mark(c.blocks[b].from, c.blocks[b].to, windowLine)
		}
	}
	units := len(e.spans()) > 0
	e.outline(d.path, c.text)
	around := min(spare, maxOutline)
	if r.score[c.i] >= known {
		around = spare
	}
	f := File{Path: d.path, Part: "excerpt", Why: r.why(c)}
	if f.Content, f.Lines = e.fit(min(room, c.bytes+around)); !units {
		f.Part = "outline"
	}
	return f, f.Content != ""
}

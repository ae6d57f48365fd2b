package retrieval

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/tokens"
)

const (
	// wholeShare is how much of the budget a file that is served first may take as a whole,
	// partShare how much its best parts may take, in percent.
	wholeShare, partShare = 25, 20
	// changedShare is the same for the files of the last change.
	changedShare = 50
	// maxCandidates bounds the files whose parts are compared.
	maxCandidates = 60
	// overhead is the cost of a file's first part besides its lines (head and delimiters),
	// gapCost that of a gap mark.
	overhead, gapCost = 160, 20
	// maxOutline bounds the declarations shown around a file's parts, in bytes.
	// outlineShare is the part of the budget, in percent, reserved for them and for small
	// gaps.
	maxOutline, outlineShare = 3 << 10, 6
	// testOutline bounds them around the cases shown of the test to extend.
	testOutline = 1 << 10
)

// candidate is a ranked file with its text.
type candidate struct {
	i      int32
	lang   lang
	text   string
	lines  []string
	blocks []block
	facts  []blockFeatures
	// phrases is the phrase score of its best block, relative to the best file.
	phrases float64
	taken   []bool
	bytes   int // what was chosen
	whole   bool
}

// fill fits the ranked files into the budget. Files to be served first get their best
// parts; then the likeliest changes for their cost are added until nothing is likely
// enough.
func (r *ranking) fill(ctx context.Context) (Choice, error) {
	cs, err := r.candidates(ctx)
	if err != nil {
		return Choice{}, err
	}
	if r.n.Pieces > 0 {
		r.n.Budget = int(float64(r.n.Pieces) * density(cs))
	}
	for _, c := range cs {
		c.cut(r.ix.docs[c.i].lang)
	}
	r.scoreBlocks(cs)
	r.reconsider(cs)
	left := r.serve(cs, r.n.Budget-r.testBytes)
	left -= r.buyParts(cs, left-r.n.Budget*outlineShare/100)
	left -= r.complete(cs, left-r.n.Budget*outlineShare/100)
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
	return Choice{Files: out, LeftOut: r.leftOut(ctx, cs, out)}, nil
}

// reconsider scores the likeliest files again now that their texts are known, and sorts
// them.
func (r *ranking) reconsider(cs []*candidate) {
	for _, c := range cs[len(r.tests):] {
		if f, d := r.files[c.i], &r.ix.docs[c.i]; !f.first && d.lang.code() && !d.test && len(c.facts) > 0 {
			f.p = r.ix.weights.reconsider(f.p, c.phrases)
		}
	}
	slices.SortStableFunc(cs[len(r.tests):], func(a, b *candidate) int { return r.compare(a.i, b.i) })
}

// density returns the bytes per piece of the likeliest candidates.
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

// serve takes the best parts of the files that come first and of the likeliest ones, or the
// whole file if it is small enough. It returns the rest of the budget.
func (r *ranking) serve(cs []*candidate, budget int) int {
	left, likeliest := budget, true
	served := 0
	for _, c := range cs {
		f, d := r.files[c.i], &r.ix.docs[c.i]
		top := likeliest && d.lang.code() && !d.test && f.p > 0.2
		if top {
			likeliest = false
		}
		if !f.first && !top || served == maxFirst {
			continue
		}
		served++
		if c.i == r.toExtend {
			left -= r.takeToExtend(c, min(left, r.n.Budget*partShare/100))
			continue
		}
		whole, part := wholeShare, partShare
		if slices.Contains(r.last, c.i) {
			whole, part = changedShare, changedShare
		}
		if cost := len(c.text) - c.bytes; cost <= min(left, r.n.Budget*whole/100) {
			c.whole = true
			c.bytes += cost
			left -= cost
			continue
		}
		w := r.item(c)
		w.whole = len(c.text) * 2 // only its parts
		got := buy([]item{w}, min(left, r.n.Budget*part/100), minValue/2)[0]
		c.take(got)
		left -= got.cost
	}
	return left
}

const (
	// smallTest is the size, in bytes, up to which the test to extend is shown as a whole;
	// nearest is how many of its cases are shown of a larger one.
	smallTest, nearest = 3 << 10, 2
)

// takeToExtend takes of the test to extend what a new case is written after: its imports, the
// cases nearest to the task, and its end. It returns what they cost.
func (r *ranking) takeToExtend(c *candidate, budget int) int {
	if cost := len(c.text) - c.bytes; cost <= min(budget, smallTest) {
		c.whole = true
		c.bytes += cost
		return cost
	}
	order := make([]int, len(c.blocks))
	for b := range order {
		order[b] = b
	}
	odds := func(b int) float64 { return r.ix.weights.unitOdds(&c.facts[b]) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(odds(b), odds(a)) })
	wanted := append(c.importBlocks(), order[:min(nearest, len(order))]...)
	wanted = append(wanted, len(c.blocks)-1)
	spent := overhead
	for _, b := range wanted {
		if cost := c.blocks[b].bytes + gapCost; !c.taken[b] && spent+cost <= budget {
			c.taken[b] = true
			c.bytes += cost
			spent += cost
		}
	}
	return spent
}

// importBlocks returns the blocks that hold the imports of a file; the first block where it has none.
func (c *candidate) importBlocks() (list []int) {
	from, to := importsOf(c.lang, c.lines)
	for b, block := range c.blocks {
		if block.from < to && from < block.to {
			list = append(list, b)
		}
	}
	if list == nil {
		return []int{0}
	}
	return list
}

// take records what was bought of a file.
func (c *candidate) take(got bought) {
	c.whole = c.whole || got.whole
	for _, b := range got.units {
		c.taken[b] = true
	}
	c.bytes += got.cost
}

// candidates reads the files in order, those of failing tests first.
func (r *ranking) candidates(ctx context.Context) ([]*candidate, error) {
	cs := slices.Clone(r.tests)
	for _, i := range r.order {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("choose files: %w", err)
		}
		if len(cs) == len(r.tests)+maxCandidates {
			break
		}
		if slices.ContainsFunc(cs, func(c *candidate) bool { return c.i == i }) {
			continue
		}
		if text, ok := r.load(i); ok {
			cs = append(cs, &candidate{i: i, text: text})
		}
	}
	for _, c := range r.tests {
		r.file(c.i)
	}
	return cs, nil
}

// cut splits a file into blocks.
func (c *candidate) cut(l lang) {
	if c.blocks != nil {
		return
	}
	c.lang, c.lines = l, newExcerpt(c.text).lines
	c.blocks = blocksOf(l, c.lines)
	c.taken = make([]bool, len(c.blocks))
}

// load reads a file that may be shown, and is not generated unless it is named.
func (r *ranking) load(i int32) (string, bool) {
	text, ok := r.loadAny(i)
	d := &r.ix.docs[i]
	return text, ok && (r.file(i).p >= 0.5 || d.include || !generated(d.path, []byte(text)))
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

// buyParts spends the budget on parts of the candidates and returns what they cost.
func (r *ranking) buyParts(cs []*candidate, budget int) int {
	var some []*candidate
	var items []item
	for _, c := range cs {
		if !c.whole && c.i != r.toExtend {
			some, items = append(some, c), append(items, r.item(c))
		}
	}
	spent, least := 0, minValue
	if r.n.Wide {
		least = wideValue
	}
	for k, got := range buy(items, budget, least) {
		some[k].take(got)
		spent += got.cost
	}
	return spent
}

// item returns a candidate as an item to buy.
func (r *ranking) item(c *candidate) item {
	w := item{p: r.files[c.i].p, whole: len(c.text) - c.bytes}
	if c.bytes == 0 {
		w.entry = overhead
		w.whole += overhead
	}
	all := 0.0
	for b, block := range c.blocks {
		u := itemUnit{odds: r.ix.weights.unitOdds(&c.facts[b]), cost: block.bytes + gapCost, had: c.taken[b]}
		w.units = append(w.units, u)
		all += u.odds
	}
	inQuestion := r.inQuestion(c.i)
	for b, block := range c.blocks { // all others matter little compared with these
		if slices.ContainsFunc(inQuestion, func(n int) bool { return block.from < n && n <= block.to }) {
			w.units[b].odds = all * certain / (1 - certain)
		}
	}
	had, total := 0.0, 0.0
	for _, u := range w.units {
		if total += u.odds; u.had {
			had += u.odds
		}
	}
	if had > 0 { // the rest of the file is as likely to change as it is not shown yet
		w.p *= 1 - covered(had/total)
	}
	return w
}

// inQuestion returns the lines of a file that the texts name.
func (r *ranking) inQuestion(i int32) []int {
	return slices.Concat(r.n.Lines[r.ix.docs[i].path], r.fail.lines[i], r.task.lines[i])
}

// show returns the chosen parts of a file, with as many of its other declarations as fit.
func (r *ranking) show(c *candidate, room, spare int) (File, bool) {
	f := File{Path: r.ix.docs[c.i].path, Why: r.why(c), Part: "full", Content: c.text}
	if c.bytes == 0 {
		return File{}, false
	}
	if c.whole && len(c.text) <= room {
		return f, true
	}
	e := newExcerpt(c.text)
	for b, taken := range c.taken {
		if taken {
			e.mark(c.blocks[b].from, c.blocks[b].to, windowLine)
		}
	}
	f.Part = "excerpt"
	if len(e.spans()) == 0 {
		f.Part = "outline"
	}
	e.outline(f.Path, c.text)
	around := maxOutline
	switch {
	case c.i == r.toExtend:
		around = testOutline
	case r.files[c.i].first:
		around *= 4
	}
	f.Content, f.Lines = e.fit(min(room-slack, c.bytes+min(spare, around)))
	if len(f.Lines) == 1 && f.Lines[0] == [2]int{1, len(e.lines)} && len(c.text) <= room {
		f.Part, f.Content, f.Lines = "full", c.text, nil
	}
	return f, f.Content != ""
}

// why returns the main reason to show a file.
func (r *ranking) why(c *candidate) string {
	if f := r.files[c.i]; !slices.Contains(r.tests, c) && f.why != "" {
		return f.why
	}
	if slices.Contains(r.failing, c.i) {
		return "the failing test"
	}
	return "helps the failing test"
}

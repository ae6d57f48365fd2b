package retrieval

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/booty-cli/booty/internal/tokens"
)

const (
	// repairHeads bounds the declarations shown around the parts of a file, in bytes.
	repairHeads = 1 << 10
	// calledShare is how much of the budget what a failing test calls may take, in percent,
	// calledUnit the bytes of one function or type of it.
	calledShare, calledUnit = 25, 3 << 10
)

// Repair chooses what a request to correct a change shows besides what the run has shown and
// what has changed: the failing tests with what they need, the functions at the lines that the
// failure names, and those that the tests call. Files of the last change that v does not show
// are whole, where there is room. No words of the task or of the failure choose anything: what
// they are about was chosen before.
func (ix *Index) Repair(ctx context.Context, n Need, v *View) (files []File, err error) {
	if err := ix.Warm(ctx); err != nil {
		return nil, err
	}
	err = ix.reading(func(r *ranking) error {
		r.n, r.files, r.toExtend = n, map[int32]*file{}, -1
		r.n.Budget = int(float64(n.Pieces) * tokens.Usual)
		r.suspects, r.last = r.ids(n.Suspects), r.ids(n.Last)
		ix.touch(r.root, append(slices.Clone(r.suspects), r.last...))
		r.task, r.fail = &mentions{}, ix.mentioned(n.Failure)
		left := r.n.Budget
		body := r.failingTests()
		cs := slices.Clone(r.tests)
		for _, c := range cs {
			left -= c.bytes
		}
		cs, left = r.placesNamed(cs, left)
		cs, left = r.newFiles(cs, v, left)
		cs = r.called(cs, body, min(left, r.n.Budget*calledShare/100))
		for _, c := range cs {
			if err := ctx.Err(); err != nil {
				return fmt.Errorf("choose files: %w", err)
			}
			if f, ok := r.show(c, r.n.Budget, repairHeads); ok {
				files = append(files, f)
			}
		}
		return nil
	})
	return files, err
}

// part is the candidate for a file among some, added if it may be shown.
func (r *ranking) part(cs []*candidate, i int32, why string) (*candidate, []*candidate) {
	if k := slices.IndexFunc(cs, func(c *candidate) bool { return c.i == i }); k >= 0 {
		return cs[k], cs
	}
	r.addReason(i, suspected, why)
	text, ok := r.load(i)
	if !ok {
		return nil, cs
	}
	c := &candidate{i: i, text: text}
	c.cut(r.ix.docs[i].lang)
	return c, append(cs, c)
}

// placesNamed takes the functions at the lines that the failure names.
func (r *ranking) placesNamed(cs []*candidate, left int) ([]*candidate, int) {
	named := map[int32][]int{}
	for i, lines := range r.fail.lines {
		named[i] = append(named[i], lines...)
	}
	for path, lines := range r.n.Lines {
		if i := r.ix.known(r.root, path); i >= 0 {
			named[i] = append(named[i], lines...)
		}
	}
	for _, i := range slices.Sorted(maps.Keys(named)) {
		if r.excluded(i) {
			continue
		}
		var c *candidate
		if c, cs = r.part(cs, i, "the failure points to it"); c == nil {
			continue
		}
		for b := range c.blocks {
			in := func(n int) bool { return c.blocks[b].from < n && n <= c.blocks[b].to }
			if slices.ContainsFunc(named[i], in) {
				left -= c.takeWithin(b, left)
			}
		}
	}
	return cs, left
}

// newFiles takes the files of the last change of which nothing was shown.
func (r *ranking) newFiles(cs []*candidate, v *View, left int) ([]*candidate, int) {
	for _, i := range r.last {
		if v.Shows(r.ix.docs[i].path) {
			continue
		}
		var c *candidate
		if c, cs = r.part(cs, i, "changed last"); c != nil && len(c.text)-c.bytes <= left {
			left -= len(c.text) - c.bytes
			c.whole, c.bytes = true, len(c.text)
		}
	}
	return cs, left
}

// called takes the functions and types that the body of a test names, where the name is that
// of one alone.
func (r *ranking) called(cs []*candidate, body string, left int) []*candidate {
	for _, name := range namesIn(body).sortedNames() {
		in := slices.DeleteFunc(r.ix.definers(name), func(i int32) bool {
			return r.ix.docs[i].test || r.excluded(i) || chronicle(r.ix.docs[i].path) ||
				sample(r.ix.docs[i].path)
		})
		if len(in) != 1 {
			continue
		}
		var c *candidate
		if c, cs = r.part(cs, in[0], "the failing test calls it"); c == nil {
			continue
		}
		for b, block := range c.blocks {
			if block.name == name && block.bytes <= calledUnit {
				left -= c.takeWithin(b, left)
			}
		}
	}
	return cs
}

// takeWithin takes a block where it fits, and returns what it costs.
func (c *candidate) takeWithin(b, budget int) int {
	cost := c.blocks[b].bytes + gapCost
	if c.whole || c.taken[b] || cost > budget {
		return 0
	}
	c.taken[b] = true
	c.bytes += cost
	return cost
}

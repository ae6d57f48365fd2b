package locate

import (
	"cmp"
	"slices"
)

// behindTests counts what failing tests test: the source named alike, what
// they import and what that imports, most used first.
func (r *ranking) behindTests() {
	scale, after := 1.0, tested
	for _, v := range r.score {
		if v >= known && v < included && (scale == 1 || v < after) {
			scale, after = 0.5, v
		}
	}
	for k, t := range r.failing {
		w := scale / (1 + 0.2*float64(k))
		use := r.uses(t)
		pair := r.ix.sourcesOf(t)
		for _, i := range pair {
			r.raise(i, w*(tested+280+20*use[i]))
		}
		direct := r.ix.imports(t)
		for _, i := range direct {
			if d := &r.ix.docs[i]; r.dull(i) {
				continue
			} else if d.test { // helpers of tests
				r.raise(i, w*behind)
				continue
			}
			v := tested*0.6 + 280*use[i]
			if use[i] > 0 || len(direct) <= 6 {
				v += tested * 0.4
			}
			r.raise(i, w*v)
		}
		r.second(append(pair, direct...), use, w)
		r.raise(t, min(after, failingTest)-step*float64(k+1))
	}
}

// second counts what the files under test import themselves.
func (r *ranking) second(from []int32, use map[int32]float64, w float64) {
	from = unique(slices.Clone(from))
	slices.SortStableFunc(from, func(a, b int32) int { return cmp.Compare(use[b], use[a]) })
	for _, i := range from[:min(len(from), 8)] {
		through := r.uses(i)
		list := r.ix.imports(i)
		if len(list) > maxFan {
			continue
		}
		for _, j := range list {
			if !r.dull(j) && !r.ix.docs[j].test {
				r.raise(j, w*(behind+60*max(through[j], use[j])))
			}
		}
	}
}

// uses tells how much of what file i speaks of each other file defines; the
// most has 1.
func (r *ranking) uses(i int32) map[int32]float64 {
	out := map[int32]float64{}
	data, _, err := readFile(r.root, r.ix.docs[i].path, maxIndexed)
	if err != nil || binary(data) {
		return out
	}
	m := namesIn(string(data))
	most := 0.0
	for _, name := range m.sortedNames() {
		in := r.ix.definers(name)
		if len(in) == 0 || len(in) > 12 || slices.Contains(in, i) {
			continue
		}
		for _, j := range in {
			out[j] += 1 / float64(len(in))
			most = max(most, out[j])
		}
	}
	for j := range out {
		out[j] /= most
	}
	return out
}

// neighbours counts what the files in question import and who imports them.
func (r *ranking) neighbours() {
	seeds := append(slices.Clone(r.suspects), r.last...)
	for i, sure := range r.task.files {
		if sure >= 0.5 {
			seeds = append(seeds, i)
		}
	}
	seeds = r.best(unique(seeds), 8)
	var ring []int32
	for _, s := range seeds {
		if r.dull(s) {
			continue
		}
		use := map[int32]float64{}
		if r.ix.docs[s].lang.code() {
			use = r.uses(s)
		}
		list := r.ix.imports(s)
		for _, i := range list {
			if len(list) <= maxFan || use[i] > 0 {
				r.near(i, neighbour*(0.4+0.8*use[i]))
				ring = append(ring, i)
			}
		}
		back := neighbour * 0.6
		if r.n.Wide {
			back = neighbour * 1.4
		}
		for _, i := range r.ix.importers(s) {
			r.near(i, back)
			ring = append(ring, i)
		}
		for _, i := range r.ix.testsOf(s) {
			r.near(i, neighbour)
		}
	}
	if !r.n.Wide {
		return
	}
	for _, i := range r.best(unique(ring), 40) {
		for _, j := range append(r.ix.imports(i), r.ix.importers(i)...) {
			r.near(j, neighbour*0.4)
		}
	}
}

func (r *ranking) near(i int32, v float64) {
	if r.dull(i) {
		return
	}
	if r.ix.docs[i].test {
		v *= 0.6
	}
	r.raise(i, v)
}

// best keeps the n files that have the highest score so far.
func (r *ranking) best(ids []int32, n int) []int32 {
	slices.SortStableFunc(ids, func(a, b int32) int { return cmp.Compare(r.score[b], r.score[a]) })
	return ids[:min(len(ids), n)]
}

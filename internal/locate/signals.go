package locate

import (
	"math"
	"slices"
	"strings"
)

// symbols counts the places where named functions and types are defined.
func (r *ranking) symbols() {
	got := map[int32]float64{}
	count := func(m *mentions, weight float64) {
		for _, name := range m.sortedNames() {
			like := m.names[name]
			in := slices.DeleteFunc(r.ix.definers(name), func(i int32) bool { return r.dull(i) || r.ix.docs[i].test })
			if len(in) == 0 || len(in) > 25 || like < 0.5 && len(in) > 4 {
				continue
			}
			for _, i := range in {
				got[i] += bySymbol * weight * like / math.Pow(float64(len(in)), 0.7)
			}
		}
	}
	weight := 1.0
	if r.failed() {
		weight = 0.5
	}
	count(r.task, weight)
	count(r.fail, 0.8)
	for i, v := range got {
		r.weak[i] += min(v, maxSymbols)
	}
	r.stems(r.task)
	r.stems(r.fail)
}

// stems counts files and folders that are called by their bare name: the
// scope of a commit's subject, a module, a package.
func (r *ranking) stems(m *mentions) {
	for _, name := range m.sortedNames() {
		like := m.names[name]
		var in []int32
		for _, i := range r.ix.byStem[strings.ToLower(name)] {
			if d := &r.ix.docs[i]; d.lang.code() && !d.test && !r.dull(i) {
				in = append(in, i)
			}
		}
		if len(in) > 0 && len(in) <= 6 {
			for _, i := range in {
				r.weak[i] += byStem * max(like, 0.5) / float64(len(in))
			}
		}
		for _, n := range r.ix.dirsByBase[strings.ToLower(name)] {
			if files := r.ix.dirs[n].files; len(files) <= maxFan && len(r.ix.dirsByBase[name]) <= 3 {
				for _, i := range files {
					r.weak[i] += inFolder * max(like, 0.5)
				}
			}
		}
	}
}

// words counts the words that texts and files have in common, and folders that
// the texts name.
func (r *ranking) words() {
	q := map[term]float64{}
	weight, points := 1.0, byWords
	if r.failed() {
		weight = 0.4
	}
	if len(r.suspects) > 0 {
		points = byWords / 2
	}
	r.ix.query(r.n.Task, weight, q)
	r.ix.query(r.n.Failure, 1, q)
	score := r.ix.bm25(q)
	least := 0.15
	if top := slices.Sorted(func(yield func(float64) bool) {
		for _, v := range score {
			if v >= least && !yield(v) {
				return
			}
		}
	}); len(top) > maxByWords {
		least = top[len(top)-maxByWords]
	}
	for i, v := range score {
		if v >= least {
			r.weak[int32(i)] += points * v
		}
	}
	for _, m := range []*mentions{r.task, r.fail} {
		for n := range m.dirs {
			if files := r.ix.dirs[n].files; len(files) <= maxFan {
				for _, i := range files {
					r.weak[i] += inFolder
				}
			}
		}
	}
}

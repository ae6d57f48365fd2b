package locate

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// signal is one way in which the words of a task or failure speak for a file.
type signal int

const (
	byContent    signal = iota // words in the contents and the path, by BM25
	byPlace                    // how far from the first it is by them
	byPathWords                // words in the path alone
	byDefinition               // it defines names that are spoken of
	byBareName                 // its bare name is spoken of
	byScope                    // the subject begins with the part of the program that it is in
	byPast                     // past changes that were told in such words changed it
	byLatest                   // the last few changes changed it
	byRecent                   // it changed lately
	byImport                   // the likeliest files import it, or it them
	byPhrase                   // words beside one another as there in its best unit
	bySpelling                 // names spelt as there in its best unit
	signals
)

// passing are the signals of a file that its path and what is kept of it tell; those
// after them need its text, which the likeliest files alone are asked for.
const passing = byPhrase

// latest and recently are after how many commits a change tells a third of what the
// last one does.
const latest, recently = 8.0, 250.0

// add counts a signal of at most 1.
func (r *ranking) add(i int32, s signal, v float64) {
	if r.dull(i) {
		return
	}
	all := r.signals[i]
	if all == nil {
		all = new([signals]float64)
		r.signals[i] = all
	}
	all[s] = min(all[s]+v, 1)
}

// read collects all signals but those that need a first order; body is the code
// of the failing tests.
func (r *ranking) read(body string) {
	weight := 1.0
	if r.failed() {
		weight = 0.4
	}
	q := map[term]float64{}
	r.ix.query(r.n.Task, weight, q)
	r.ix.query(r.n.Failure, 1, q)
	if body != "" {
		r.ix.query(body, 0.5, q)
		r.names(namesIn(body), 0.5)
	}
	r.rare = r.ix.rareWords(q)
	r.words = slices.Sorted(maps.Keys(r.rare))
	r.content(q)
	r.names(r.task, weight)
	r.names(r.fail, 0.8)
	for _, name := range scopes(r.n.Task) {
		r.scope(name)
	}
	if p := r.ix.past; p != nil && !r.failed() {
		for i, v := range p.alike(q) {
			r.add(i, byPast, math.Sqrt(v))
		}
		for i, in := range p.of {
			r.add(i, byLatest, math.Exp(-float64(in[0])/latest))
			r.add(i, byRecent, math.Exp(-float64(in[0])/recently))
		}
	}
}

// names counts the files that define what is named, or are byBareName so.
func (r *ranking) names(m *mentions, weight float64) {
	got := map[int32]float64{}
	for _, name := range m.sortedNames() {
		like := m.names[name]
		in := slices.DeleteFunc(r.ix.definers(name), func(i int32) bool { return r.dull(i) || r.ix.docs[i].test })
		if len(in) > 0 && len(in) <= 25 && (like >= 0.5 || len(in) <= 4) {
			for _, i := range in {
				got[i] += weight * like / math.Pow(float64(len(in)), 0.7)
			}
		}
		r.bareName(strings.ToLower(name), max(like, 0.5))
	}
	for i, v := range got {
		r.add(i, byDefinition, v/2)
	}
}

// bareName counts files that are called by their bare name: a module, a class.
func (r *ranking) bareName(name string, like float64) {
	var in []int32
	for _, i := range r.ix.byStem[name] {
		if d := &r.ix.docs[i]; d.lang.code() && !d.test && !r.dull(i) {
			in = append(in, i)
		}
	}
	if len(in) <= 6 {
		for _, i := range in {
			r.add(i, byBareName, like/math.Sqrt(float64(len(in))))
		}
	}
}

// content counts the words that texts and files have in common.
func (r *ranking) content(q map[term]float64) {
	score := r.ix.bm25(q)
	least := 0.1
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
			r.add(int32(i), byContent, v)
		}
	}
	for i, v := range r.ix.pathWords(q) {
		r.add(i, byPathWords, math.Sqrt(v))
	}
}

// pathWords scores files by the words of their paths, the best with 1; a word
// of the file's own name counts more than one of a folder.
func (ix *Index) pathWords(q map[term]float64) map[int32]float64 {
	out := map[int32]float64{}
	all := float64(len(ix.docs))
	for t, w := range q {
		in := ix.pathTerms[t]
		rare := math.Log(1 + (all-float64(len(in))+0.5)/(float64(len(in))+0.5))
		for _, i := range in {
			share := 0.5
			eachTerm(stemOf(ix.docs[i].path), 2, func(u term) {
				if u == t {
					share = 1
				}
			})
			out[i] += w * rare * share
		}
	}
	return best1(out)
}

// around counts what goes with the likeliest files so far.
func (r *ranking) around() {
	const top = 5
	order := make([]int32, 0, len(r.signals))
	sum := map[int32]float64{}
	for i := range r.signals {
		if d := &r.ix.docs[i]; d.lang.code() && !d.test {
			sum[i] = r.logit(i, &r.ix.weights.file) + 10*likely(r.score[i])
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := cmp.Compare(sum[b], sum[a]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	for k, i := range order[:min(len(order), top)] {
		share := 1 / (1 + 0.5*float64(k))
		if list := r.ix.imports(i); len(list) <= maxFan {
			for _, j := range list {
				r.add(j, byImport, share*0.5)
			}
		}
		for _, j := range r.ix.importers(i) {
			r.add(j, byImport, share*0.3)
		}
	}
}

// scopes are the parts of a program that a subject names before its colon:
// `fix(compiler-core): …`, `tsdb/index: …`, `[router] …`.
func scopes(task string) []string {
	subject, _, _ := strings.Cut(task, "\n")
	head, _, ok := strings.Cut(subject, ":")
	if from := strings.IndexAny(head, "(["); from >= 0 {
		if to := strings.IndexAny(head[from:], ")]"); to > 0 {
			head, ok = head[from+1:from+to], true
		}
	}
	if !ok || len(head) > 60 {
		return nil
	}
	return strings.FieldsFunc(strings.ToLower(head),
		func(c rune) bool { return c == ',' || c == ' ' || c == '/' || c == '|' || c == '&' || c == '*' })
}

// scope counts all files below the folders of that name, or called so.
func (r *ranking) scope(name string) {
	within := map[int32]bool{}
	for _, n := range r.ix.dirsByBase[name] {
		within[n] = true
	}
	if len(within) > 0 && len(within) <= 6 {
		for i := range r.ix.docs {
			for d := r.ix.docs[i].path; d != ""; {
				d = dir(d)
				if within[r.ix.dirNumber[d]] {
					r.add(int32(i), byScope, 1)
					break
				}
			}
		}
	}
	for _, i := range r.ix.byStem[name] {
		r.add(i, byScope, 1)
	}
}

package locate

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"
)

// What speaks for a file, in points. The steps between the levels are wide, so
// that small signals order files within a level but do not lift them over.
const (
	included    = 10000.0
	suspected   = 2000.0
	lastChanged = 1500.0
	named       = 1000.0 // by the task
	failedIn    = 800.0  // named by the failure
	failingTest = 700.0  // at most: it comes after the sources
	known       = 480.0  // from here on a file is certainly meant
	tested      = 300.0  // what a failing test imports
	strong      = 250.0  // no file beside the likely ones has more
	behind      = 150.0  // what that imports
	neighbour   = 100.0
	small       = 120.0 // at least, for the files of a small repository
	helpful     = 80.0  // manifests
	relevant    = 15.0  // below, a file is not looked at
	step        = 5.0   // scores that differ by less are a tie
)

const (
	// tinyRepo files are all shown, where they fit.
	tinyRepo = 40
	// maxByWords bounds the files that words bring in.
	maxByWords = 300
)

// ranking is one choice under way.
type ranking struct {
	ix         *Index
	root       *os.Root
	n          Need
	score      map[int32]float64
	signals    map[int32]*[signals]float64
	task, fail *mentions
	suspects   []int32
	last       []int32
	failing    []int32      // failing test files
	tests      []*candidate // files of failing tests and of their helpers
	testBytes  int          // what is taken of them
	order      []int32
	rare       map[term]float64 // the words of the texts and what each is worth
	words      []term
	odd        map[int32]float64 // how likely each file is by its signals
	rest       map[int32]float64 // the scores by all else
	told       float64           // how surely the failure tells the place
}

// rank orders the files by what speaks for them.
func (ix *Index) rank(root *os.Root, n Need) *ranking {
	r := &ranking{ix: ix, root: root, n: n, score: map[int32]float64{}, signals: map[int32]*[signals]float64{}}
	_ = r.ids(ix.o.Include) // what git ignores is not in the list
	r.suspects, r.last = r.ids(n.Suspects), r.ids(n.Last)
	ix.touch(root, append(slices.Clone(r.suspects), r.last...))
	r.task, r.fail = ix.mentioned(n.Task), ix.mentioned(n.Failure)
	r.explicit()
	body := r.failingTests()
	r.behindTests()
	r.neighbours()
	r.read(body)
	r.standing()
	r.around()
	r.standing() // of those too that go with others
	r.settle()
	r.examples()
	r.helpers()
	r.sort()
	return r
}

func (r *ranking) ids(paths []string) []int32 {
	var out []int32
	for _, p := range paths {
		if i := r.ix.known(r.root, p); i >= 0 && !slices.Contains(out, i) {
			out = append(out, i)
		}
	}
	return out
}

func (r *ranking) raise(i int32, to float64) { r.score[i] = max(r.score[i], to) }

// dull tells files that only an explicit word brings in.
func (r *ranking) dull(i int32) bool {
	d := &r.ix.docs[i]
	return (d.left || d.unread) && !d.include
}

// failed tells whether there is a failure to mend.
func (r *ranking) failed() bool { return r.n.Failure != "" || len(r.n.Suspects) > 0 }

// explicit counts what is named outright.
func (r *ranking) explicit() {
	for i := range r.ix.docs {
		if r.ix.docs[i].include {
			r.score[int32(i)] = included
		}
	}
	for k, i := range r.suspects {
		switch d := &r.ix.docs[i]; {
		case r.dull(i):
		case d.test:
			r.failing = append(r.failing, i)
		default:
			r.raise(i, suspected-20*float64(min(k, 20)))
		}
	}
	for k, i := range r.last {
		v := lastChanged - 5*float64(min(k, 30))
		if r.ix.docs[i].test {
			v -= 200
		}
		r.raise(i, v)
	}
	for i, sure := range r.task.files {
		if !r.dull(i) || sure >= 0.9 {
			r.raise(i, named*sure-2*float64(min(r.task.order[i], 40)))
		}
	}
	var tests []int32
	for i, sure := range r.fail.files {
		switch d := &r.ix.docs[i]; {
		case r.dull(i):
		case d.test && sure >= 0.25:
			tests = append(tests, i)
		case d.test:
		case !d.lang.code():
			r.raise(i, failedIn*sure/2-2*float64(min(r.fail.order[i], 40)))
		default:
			r.raise(i, failedIn*sure-2*float64(min(r.fail.order[i], 40)))
		}
	}
	slices.SortFunc(tests, func(a, b int32) int { return cmp.Compare(r.fail.order[a], r.fail.order[b]) })
	for _, i := range tests {
		if !slices.Contains(r.failing, i) {
			r.failing = append(r.failing, i)
		}
	}
	r.failing = r.failing[:min(len(r.failing), 8)]
}

// settle joins how likely a file is by its signals with what else speaks for it; less
// so of files that are seldom meant.
func (r *ranking) settle() {
	r.odd, r.rest = r.odds(maps.Keys(r.signals), &r.ix.weights.file), maps.Clone(r.score)
	if r.failed() {
		for i, v := range r.score {
			if d := &r.ix.docs[i]; d.lang.code() && !d.test {
				r.told = max(r.told, likely(v)/certain)
			}
		}
	}
	for i, p := range r.odd {
		r.join(i, p)
	}
	if len(r.ix.docs) > tinyRepo {
		return
	}
	for i := range r.ix.docs {
		if d := &r.ix.docs[i]; d.lang.code() && !r.dull(int32(i)) {
			r.raise(int32(i), small)
		}
	}
}

// join adds how likely a file is by its signals to what else speaks for it.
func (r *ranking) join(i int32, p float64) {
	r.odd[i] = p * r.share(i) * max(1-r.told, 0.01) // words tell little where the failure tells the place
	// What is named outright keeps the order in which it is named.
	if v := r.rest[i]; v < known {
		r.score[i] = min(scored(1-(1-likely(v))*(1-r.odd[i])), known-step)
	}
}

// reconsider judges the likeliest files again, now that their texts are known, and
// puts them in the order of that.
func (r *ranking) reconsider(cs []*candidate) {
	var at []int
	var again []*candidate
	for k, c := range cs {
		if r.doubtful(c) {
			c.best.tell(r.signals[c.i])
			at, again = append(at, k), append(again, c)
		}
	}
	files := func(yield func(int32) bool) {
		for _, c := range again {
			if !yield(c.i) {
				return
			}
		}
	}
	for i, p := range r.odds(files, &r.ix.weights.again) {
		r.join(i, p)
	}
	for _, c := range again {
		if len(r.ix.docs) <= tinyRepo {
			r.raise(c.i, small)
		}
		c.p = likely(r.score[c.i])
	}
	slices.SortStableFunc(again, func(a, b *candidate) int { return r.compare(a.i, b.i) })
	for k, c := range again {
		cs[at[k]] = c
	}
}

// doubtful tells candidates that are in for their signals alone.
func (r *ranking) doubtful(c *candidate) bool {
	d := &r.ix.docs[c.i]
	return d.lang.code() && !d.test && !manifest(d.path) && r.signals[c.i] != nil && r.score[c.i] < known &&
		len(c.facts) > 0 && !slices.Contains(r.tests, c)
}

// share is what of its signals a file gets: less where it is seldom meant.
func (r *ranking) share(i int32) float64 {
	d, v := &r.ix.docs[i], 1.0
	switch {
	case d.test && !r.failed():
		v = 0.1
	case d.test:
		v = 0.4
	case chronicle(d.path):
		v = 0.02
	case d.lang == prose, d.lang == config:
		v = 0.07
	case d.lang == noLang:
		v = 0.05
	}
	if sample(d.path) {
		v *= 0.5
	}
	return v
}

// chronicle tells files that speak of everything and are changed for nothing.
func chronicle(p string) bool {
	if strings.HasPrefix(p, ".") && strings.Contains(p, "/") {
		return true // .github and the like
	}
	name := strings.ToLower(stemOf(p))
	for _, s := range []string{"change", "history", "news", "authors", "contribut", "release", "license",
		"code_of_conduct", "security"} {
		if strings.HasPrefix(name, s) && !languageOf(p).code() {
			return true
		}
	}
	return false
}

func sample(p string) bool {
	for part := range strings.SplitSeq(dir(p), "/") {
		switch part {
		case "testdata", "fixtures", "examples", "example", "samples", "benchmarks", "docs":
			return true
		}
	}
	return false
}

// sort orders what is relevant: by score, ties by path, so that small changes
// between attempts leave the order as it was.
func (r *ranking) sort() {
	for i, v := range r.score {
		if v >= relevant {
			r.order = append(r.order, i)
		}
	}
	slices.SortFunc(r.order, r.compare)
}

// compare orders the files with the higher score first.
func (r *ranking) compare(a, b int32) int {
	level := func(i int32) int { return int(r.score[i] / step) }
	return cmp.Or(cmp.Compare(level(b), level(a)), cmp.Compare(r.ix.docs[a].path, r.ix.docs[b].path))
}

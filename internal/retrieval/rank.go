package retrieval

import (
	"cmp"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
)

// How likely a file changes, given one direct reason. Other reasons add to it.
const (
	certain       = 0.95 // last changed, included
	suspected     = 0.9  // a failure of the change points to it
	namedInTask   = 0.95
	namedInOutput = 0.6
	testedByName  = 0.6  // a failing test is named after it
	declared      = 0.35 // it defines what a failure names
	paired        = 0.4  // at most: a test of a likely change, if the task names no test
	leastPaired   = 0.3  // the least that counts of the chance of the file that it tests
	inTiny        = 0.08 // in a repository small enough to show as a whole
	relevant      = 1e-4 // below this a file is ignored
	// second is the weight of a task's words if there is also a failure, and the other way
	// round.
	second = 0.7
)

const (
	// tinyRepo is the number of files up to which all are shown, if they fit.
	tinyRepo = 40
	// behindAll is the order of files that are served first, but after likelier ones.
	behindAll = 500
	// maxFirst bounds the files that get their best parts before anything else is bought.
	maxFirst = 8
)

// file is what is known about a file for one choice.
type file struct {
	p float64 // probability of a change
	// first files get their best parts before anything else is bought, in this order.
	first bool
	order int
	// why is the strongest reason for it, weight its strength.
	why    string
	weight float64
}

// ranking is one choice under way.
type ranking struct {
	ix         *Index
	root       *os.Root
	n          Need
	files      map[int32]*file
	task, fail *mentions
	suspects   []int32
	last       []int32
	failing    []int32      // failing test files
	tests      []*candidate // files of failing tests and of their helpers
	testBytes  int          // size of the parts chosen from them
	toExtend   int32        // the test that a change should extend, -1 for none
	order      []int32
	rare       map[term]float64 // the words of the texts and their weights
	words      []term
	// texts holds the signals of the task and of the failure.
	texts []textSignals
}

// rank orders the files by how likely they change.
func (ix *Index) rank(root *os.Root, n Need) *ranking {
	r := &ranking{ix: ix, root: root, n: n, files: map[int32]*file{}, toExtend: -1}
	_ = r.ids(ix.o.Include) // ignored files are not in the list
	r.suspects, r.last = r.ids(n.Suspects), r.ids(n.Last)
	ix.touch(root, append(slices.Clone(r.suspects), r.last...))
	r.task, r.fail = ix.mentioned(n.Task), ix.mentioned(n.Failure)
	r.explicit()
	body := r.failingTests()
	r.underTest()
	r.readTexts(body)
	r.exports()
	r.sort()
	r.testsToExtend()
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

// file returns what is known about a file, creating it if needed.
func (r *ranking) file(i int32) *file {
	f := r.files[i]
	if f == nil {
		f = &file{}
		r.files[i] = f
	}
	return f
}

// addReason adds a reason for a file to those it has.
func (r *ranking) addReason(i int32, p float64, why string) *file {
	f := r.file(i)
	f.p = min(1-(1-f.p)*(1-p), certain)
	if p > f.weight {
		f.why, f.weight = why, p
	}
	return f
}

// put marks a file to be served first.
func (r *ranking) put(f *file, order int) {
	if !f.first {
		f.first, f.order = true, order
	}
	f.order = min(f.order, order)
}

// excluded reports whether only an explicit mention brings a file in.
func (r *ranking) excluded(i int32) bool {
	d := &r.ix.docs[i]
	return (d.left || d.unread) && !d.include
}

// failed reports whether there is a failure to fix.
func (r *ranking) failed() bool { return r.n.Failure != "" || len(r.n.Suspects) > 0 }

// explicit counts explicit mentions: first what was changed last, then what the settings
// include, what the failure points to, and what the task names.
func (r *ranking) explicit() {
	for k, i := range r.last {
		r.put(r.addReason(i, certain, "changed last"), k)
	}
	for i := range r.ix.docs {
		if r.ix.docs[i].include {
			r.put(r.addReason(int32(i), certain, "context.include names it"), 100)
		}
	}
	for k, i := range r.suspects {
		switch d := &r.ix.docs[i]; {
		case r.excluded(i):
		case d.test:
			r.failing = append(r.failing, i)
		default:
			f := r.addReason(i, suspected*math.Pow(0.8, float64(k)), "the failure points to it")
			r.put(f, 200+k)
		}
	}
	for i, sure := range r.task.files {
		if r.excluded(i) && sure < 0.9 {
			continue
		}
		if f := r.addReason(i, namedInTask*sure, "named in the task"); sure >= 0.4 {
			r.put(f, 300+r.task.order[i])
		}
	}
	var tests []int32
	for i, sure := range r.fail.files {
		d := &r.ix.docs[i]
		switch {
		case r.excluded(i):
		case d.test && sure >= 0.25:
			tests = append(tests, i)
		case d.test:
		case !d.lang.code():
			r.addReason(i, namedInOutput*sure/2, "named in the failure")
		default:
			f := r.addReason(i, namedInOutput*sure, "named in the failure")
			if len(r.fail.lines[i]) > 0 && sure >= 0.4 {
				r.put(f, 400+r.fail.order[i])
			}
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

// underTest counts the files that the failing tests are named after.
func (r *ranking) underTest() {
	for k, t := range r.failing {
		share := math.Pow(0.8, float64(k))
		r.addReason(t, 0.5*share, "the failing test")
		if source := r.ix.sourceOf(t); source >= 0 {
			r.put(r.addReason(source, testedByName*share, "the failing test is called after it"), 350+k)
		}
	}
}

// testsToExtend adds, for a task, a test of one of the files that are likeliest to change. The
// change should extend it, and it shows how things are tested here.
func (r *ranking) testsToExtend() {
	if r.failed() || slices.ContainsFunc(r.order,
		func(i int32) bool { return r.ix.docs[i].test && r.files[i].p > paired }) {
		return
	}
	var sources []int32
	for _, i := range r.order {
		d := &r.ix.docs[i]
		if d.test || !d.lang.code() {
			continue
		}
		if len(sources) == maxSources || len(sources) > 0 && r.files[i].p < r.files[sources[0]].p/2 {
			break
		}
		sources = append(sources, i)
	}
	if t, source := r.testFor(sources); t >= 0 {
		r.put(r.addReason(t, paired*max(r.files[source].p, leastPaired), "test of "+r.ix.docs[source].path),
			behindAll)
		r.toExtend = t
	}
}

// maxSources bounds the likely files of which one is tested by the test to extend.
const maxSources = 3

// Signs that a test is the one to extend for a source, each at most one. That it failed when
// the source was changed says that it runs it. The task's words count as much: several tests
// touch the same source.
const (
	testNoticed  = 1.0
	testWords    = 1.0
	testNamed    = 0.8 // after the source
	testTogether = 0.4 // changed together in the past
)

// testFor returns the test file to extend for a change to one of some sources, likeliest first, and
// that source: among the tests named after them, those that past commits changed along with them and
// those that failed when they were changed, the one that the task's words fit best; -1 if there is none.
func (r *ranking) testFor(sources []int32) (test, source int32) {
	q := map[term]float64{}
	r.ix.query(r.n.Task, 1, q)
	words, best := r.ix.bm25(q), 0.0
	score, of := map[int32]float64{}, map[int32]int32{}
	for _, s := range sources {
		share := r.files[s].p / r.files[sources[0]].p
		for i, v := range r.signsOfTests(s, words) {
			if _, ok := of[i]; !ok || share*v > score[i] {
				score[i], of[i] = share*v, s
			}
			best = max(best, words[i])
		}
	}
	test = -1
	for _, i := range slices.Sorted(maps.Keys(score)) {
		if best > 0 {
			score[i] += testWords * words[i] / best
		}
		if test < 0 || score[i] > score[test] {
			test, source = i, of[i]
		}
	}
	return test, source
}

// signsOfTests returns the tests that may be of a source, with how much speaks for each besides
// the words of the task.
func (r *ranking) signsOfTests(source int32, words []float64) map[int32]float64 {
	score := map[int32]float64{}
	if named := r.ix.testOf(source); named >= 0 {
		score[named] = testNamed
	}
	if past := r.ix.past; past != nil {
		together := map[int32]int{}
		for _, n := range past.of[source] {
			for _, i := range past.changes[n].files {
				together[i]++
			}
		}
		r.ix.addShares(score, together, testTogether)
		r.ix.addShares(score, past.noticed[source], testNoticed)
	}
	for i, v := range words { // tests of the same folder, or of the one that mirrors it
		d := &r.ix.docs[i]
		near := dir(d.path) == dir(r.ix.docs[source].path) || sharedParts(r.ix.docs[source].path, d.path) > 0
		if v > 0 && near && d.test && !d.left && d.lang == r.ix.docs[source].lang {
			score[int32(i)] += 0
		}
	}
	return score
}

// addShares adds to the scores of tests: weight to the one that was counted most often, a
// share of it to the others.
func (ix *Index) addShares(score map[int32]float64, counted map[int32]int, weight float64) {
	most, tests := 0, map[int32]int{}
	for i, n := range counted {
		if d := &ix.docs[i]; d.test && !d.left && d.lang.code() {
			tests[i], most = n, max(most, n)
		}
	}
	for i, n := range tests {
		score[i] += weight * float64(n) / float64(most)
	}
}

// share is the fraction of its word score that a file keeps: less for files that are rarely
// meant.
func (r *ranking) share(i int32) float64 {
	d, v := &r.ix.docs[i], 1.0
	switch {
	case d.test && !r.failed():
		v = 0.1
	case d.test:
		v = 0.3
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

// chronicle reports whether a file mentions everything but rarely needs a change, such as a
// changelog.
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

// sort orders the relevant files: first files in their order, then by likelihood, ties by
// path, so that small changes between attempts keep the order.
func (r *ranking) sort() {
	r.order = r.order[:0]
	if len(r.ix.docs) <= tinyRepo {
		for i := range r.ix.docs {
			if f := r.file(int32(i)); f.p < inTiny && r.ix.docs[i].lang.code() && !r.excluded(int32(i)) {
				f.p = inTiny
				f.why = cmp.Or(f.why, "the repository is small")
			}
		}
	}
	for i, f := range r.files {
		if f.p >= relevant {
			r.order = append(r.order, i)
		}
	}
	slices.SortFunc(r.order, r.compare)
}

func (r *ranking) compare(a, b int32) int {
	place := func(i int32) int {
		if f := r.files[i]; f.first && f.order < behindAll {
			return f.order
		}
		return math.MaxInt
	}
	level := func(i int32) int { return int(math.Round(-20 * math.Log10(r.files[i].p))) }
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(level(a), level(b)),
		cmp.Compare(r.ix.docs[a].path, r.ix.docs[b].path))
}

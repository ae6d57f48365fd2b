package retrieval

import (
	"cmp"
	"math"
	"os"
	"slices"
	"strings"
)

// How likely a file changes, by what speaks for it outright. What else speaks for it adds
// to that.
const (
	certain       = 0.95 // last changed, included
	suspected     = 0.9  // a failure of the change points to it
	namedInTask   = 0.95
	namedInOutput = 0.6
	testedByName  = 0.6  // a failing test is called after it
	declared      = 0.35 // it defines what a failure names
	paired        = 0.4  // at most: a test of what is likely to change, if the task has none of its own
	inTiny        = 0.08 // in a repository that could be shown as a whole
	relevant      = 1e-4 // below, a file is not looked at
	// second is what the words of a task count for beside a failure, and of a failure beside a task.
	second = 0.7
)

const (
	// tinyRepo files are all shown, where they fit.
	tinyRepo = 40
	// behindAll is the place of what is served first and yet stands behind likelier files.
	behindAll = 500
	// maxFirst bounds the files that get their best parts before anything else is bought.
	maxFirst = 8
)

// file is what is known of a file for one choice.
type file struct {
	p float64 // how likely it changes
	// first files get their best parts before anything else is bought; order is their
	// place among them.
	first bool
	order int
	// why is what speaks the most for it, weight how much that is.
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
	testBytes  int          // what is taken of them
	order      []int32
	rare       map[term]float64 // the words of the texts and what each is worth
	words      []term
	// voices are what the words of the task and of the failure say.
	voices []voice
}

// rank orders the files by how likely they change.
func (ix *Index) rank(root *os.Root, n Need) *ranking {
	r := &ranking{ix: ix, root: root, n: n, files: map[int32]*file{}}
	_ = r.ids(ix.o.Include) // what git ignores is not in the list
	r.suspects, r.last = r.ids(n.Suspects), r.ids(n.Last)
	ix.touch(root, append(slices.Clone(r.suspects), r.last...))
	r.task, r.fail = ix.mentioned(n.Task), ix.mentioned(n.Failure)
	r.explicit()
	body := r.failingTests()
	r.underTest()
	r.listen(body)
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

// file returns what is known of a file, which begins here.
func (r *ranking) file(i int32) *file {
	f := r.files[i]
	if f == nil {
		f = &file{}
		r.files[i] = f
	}
	return f
}

// speaks counts that something speaks for a file, beside what does so already.
func (r *ranking) speaks(i int32, p float64, why string) *file {
	f := r.file(i)
	f.p = min(1-(1-f.p)*(1-p), certain)
	if p > f.weight {
		f.why, f.weight = why, p
	}
	return f
}

// put makes a file one of those that are served first.
func (r *ranking) put(f *file, order int) {
	if !f.first {
		f.first, f.order = true, order
	}
	f.order = min(f.order, order)
}

// excluded reports whether only an explicit word brings a file in.
func (r *ranking) excluded(i int32) bool {
	d := &r.ix.docs[i]
	return (d.left || d.unread) && !d.include
}

// failed reports whether there is a failure to fix.
func (r *ranking) failed() bool { return r.n.Failure != "" || len(r.n.Suspects) > 0 }

// explicit counts what is named outright: what was changed last comes first, then what
// the settings include, what the failure points to, and what the task names.
func (r *ranking) explicit() {
	for k, i := range r.last {
		r.put(r.speaks(i, certain, "changed last"), k)
	}
	for i := range r.ix.docs {
		if r.ix.docs[i].include {
			r.put(r.speaks(int32(i), certain, "context.include names it"), 100)
		}
	}
	for k, i := range r.suspects {
		switch d := &r.ix.docs[i]; {
		case r.excluded(i):
		case d.test:
			r.failing = append(r.failing, i)
		default:
			f := r.speaks(i, suspected*math.Pow(0.8, float64(k)), "the failure points to it")
			r.put(f, 200+k)
		}
	}
	for i, sure := range r.task.files {
		if r.excluded(i) && sure < 0.9 {
			continue
		}
		if f := r.speaks(i, namedInTask*sure, "named in the task"); sure >= 0.4 {
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
			r.speaks(i, namedInOutput*sure/2, "named in the failure")
		default:
			f := r.speaks(i, namedInOutput*sure, "named in the failure")
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

// underTest counts what the failing tests are called after.
func (r *ranking) underTest() {
	for k, t := range r.failing {
		share := math.Pow(0.8, float64(k))
		r.speaks(t, 0.5*share, "the failing test")
		if source := r.ix.sourceOf(t); source >= 0 {
			r.put(r.speaks(source, testedByName*share, "the failing test is called after it"), 350+k)
		}
	}
}

// testsToExtend brings in, for a task, the test of the file that is likeliest to
// change: it is what the change should extend, and shows how things are tested here.
func (r *ranking) testsToExtend() {
	if r.failed() || slices.ContainsFunc(r.order, func(i int32) bool { return r.ix.docs[i].test && r.files[i].p > paired }) {
		return
	}
	for _, i := range r.order {
		d := &r.ix.docs[i]
		if d.test || !d.lang.code() {
			continue
		}
		if t := r.testFor(i); t >= 0 && r.files[i].p >= 0.1 {
			r.put(r.speaks(t, paired*r.files[i].p, "test of "+d.path), behindAll)
		}
		return
	}
}

// testFor returns the test file of a source: the one that is called after it, else the one
// that past changes changed along with it most often; -1 if there is none.
func (r *ranking) testFor(source int32) int32 {
	t := r.ix.testOf(source)
	if t >= 0 || r.ix.past == nil {
		return t
	}
	times := map[int32]int{}
	for _, n := range r.ix.past.of[source] {
		for _, i := range r.ix.past.changes[n].files {
			if d := &r.ix.docs[i]; !d.test || d.left {
				continue
			}
			if times[i]++; t < 0 || times[i] > times[t] {
				t = i
			}
		}
	}
	return t
}

// share is what of its words a file gets: less where it is seldom meant.
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

// chronicle reports whether a file speaks of everything and is changed for nothing.
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

// sort orders what is relevant: first files in their order, then by likelihood, ties by
// path, so that small changes between attempts leave the order as it was.
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

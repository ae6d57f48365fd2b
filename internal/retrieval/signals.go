package retrieval

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
)

// signal is a feature of a file, given the words of a task or failure.
type signal int

const (
	byContent    signal = iota // words in the contents and the path, by BM25
	byPlace                    // its distance from the best file by content
	byPathWords                // words in the path alone
	byDefinition               // it defines names that are mentioned
	byPast                     // past commits with similar messages changed it
	byLatest                   // the last few commits changed it
	byRecent                   // it changed recently
	signals
)

// reasons describe each signal to a person. Signals that every file has are empty.
var reasons = [signals]string{
	byContent: "has words of the %s", byPathWords: "its path has words of the %s",
	byDefinition: "defines what the %s names", byPast: "changed by past changes with words of the %s",
	byLatest: "changed lately", byRecent: "changed lately",
}

const (
	// latest and recently are the ages, in commits, at which the weight of a change drops
	// to a third.
	latest, recently = 8.0, 250.0
	// maxByWords bounds the files found by words.
	maxByWords = 300
)

// textSignals holds the signals of one text, the task or the failure.
type textSignals struct {
	of      string
	signals map[int32]*[signals]float64
	defines map[int32]string
}

// add adds to a signal, up to 1.
func (v *textSignals) add(i int32, s signal, x float64) {
	all := v.signals[i]
	if all == nil {
		all = new([signals]float64)
		v.signals[i] = all
	}
	all[s] = min(all[s]+x, 1)
}

// readTexts scores the words of the task, and those of the failure with the code of the
// failing tests. Each is scored separately, so that neither drowns out the other.
func (r *ranking) readTexts(body string) {
	task, fail := map[term]float64{}, map[term]float64{}
	r.ix.query(r.n.Task, 1, task)
	r.ix.query(r.n.Failure, 1, fail)
	failNames := r.fail
	if body != "" {
		r.ix.query(body, 0.5, fail)
		failNames = &mentions{names: maps.Clone(r.fail.names)}
		for name, like := range namesIn(body).names {
			failNames.names[name] = max(failNames.names[name], like/2)
		}
	}
	all := maps.Clone(task)
	for t, w := range fail {
		all[t] = max(all[t], w)
	}
	r.rare = r.ix.rareWords(all)
	r.words = slices.Sorted(maps.Keys(r.rare))
	if len(task) > 0 || !r.failed() {
		r.addText("task", task, r.task, r.failed())
	}
	if len(fail) > 0 {
		r.addText("failure", fail, failNames, r.n.Task != "")
		r.declarers()
	}
}

// addText scores the files for one text.
func (r *ranking) addText(of string, q map[term]float64, names *mentions, other bool) {
	v := textSignals{of: of, signals: map[int32]*[signals]float64{}, defines: map[int32]string{}}
	r.content(&v, q)
	r.names(&v, names)
	if p := r.ix.past; p != nil {
		for i, x := range p.alike(q) {
			r.count(&v, i, byPast, math.Sqrt(x))
		}
		for i, in := range p.of {
			r.count(&v, i, byLatest, math.Exp(-float64(in[0])/latest))
			r.count(&v, i, byRecent, math.Exp(-float64(in[0])/recently))
		}
	}
	v.addPlace(r.ix)
	r.texts = append(r.texts, v)
	for i, p := range v.odds(r.ix) {
		if p *= r.share(i); other {
			p *= second
		}
		if p >= relevant {
			r.addReason(i, p, v.reason(i, r.ix.weights))
		}
	}
}

func (r *ranking) count(v *textSignals, i int32, s signal, x float64) {
	if !r.excluded(i) {
		v.add(i, s, x)
	}
}

// reason returns the strongest reason for a file.
func (v *textSignals) reason(i int32, m *model) string {
	best, most := byContent, 0.0
	for s, x := range v.signals[i] {
		if w := m.file[s] * x; reasons[s] != "" && w > most {
			best, most = signal(s), w
		}
	}
	if best == byDefinition && v.defines[i] != "" {
		return "defines " + v.defines[i]
	}
	if strings.Contains(reasons[best], "%s") {
		return fmt.Sprintf(reasons[best], v.of)
	}
	return reasons[best]
}

// names scores the files that define a mentioned name.
func (r *ranking) names(v *textSignals, m *mentions) {
	got, most := map[int32]float64{}, map[int32]float64{}
	for _, name := range m.sortedNames() {
		like := m.names[name]
		in := r.definers(name)
		if len(in) == 0 || len(in) > 25 || like < 0.5 && len(in) > 4 {
			continue
		}
		worth := like / math.Pow(float64(len(in)), 0.7)
		for _, i := range in {
			if got[i] += worth; worth > most[i] {
				most[i], v.defines[i] = worth, name
			}
		}
	}
	for i, x := range got {
		r.count(v, i, byDefinition, x/2)
	}
}

// definers returns the product files that define a name.
func (r *ranking) definers(name string) []int32 {
	return slices.DeleteFunc(r.ix.definers(name),
		func(i int32) bool { return r.excluded(i) || r.ix.docs[i].test })
}

// declarers scores the files that declare what a failure names: the type that lacks a
// method, the function that wants another argument.
func (r *ranking) declarers() {
	const few = 3
	for _, name := range r.fail.sortedNames() {
		if r.fail.names[name] < 0.5 && !upper(name[0]) {
			continue
		}
		if in := r.definers(name); len(in) <= few {
			for _, i := range in {
				r.addReason(i, declared/float64(len(in)), "defines "+name)
			}
		}
	}
}

// exports follows files that re-export what others define. If the likeliest file does
// little else, the files behind the mentioned names are meant.
func (r *ranking) exports() {
	const short, most = 80, 3
	r.sort()
	for _, i := range r.order[:min(len(r.order), most)] {
		text, ok := r.loadAny(i)
		if !ok || strings.Count(text, "\n") > short {
			continue
		}
		handed, other := map[string]bool{}, 0
		for line := range lines(text) {
			switch trimmed := strings.TrimSpace(line); {
			case trimmed == "" || commentStart(trimmed):
			case reexports(trimmed):
				eachName(trimmed, func(from, to int) { handed[trimmed[from:to]] = true })
			default:
				other++
			}
		}
		if len(handed) <= other {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(handed)) {
			if !r.mentionsWordOf(name) {
				continue
			}
			for _, j := range r.definers(name) {
				r.addReason(j, r.files[i].p/2, r.ix.docs[i].path+" hands on "+name+" of it")
			}
		}
	}
}

// reexports reports whether a line re-exports what another file defines.
func reexports(line string) bool {
	return strings.HasPrefix(line, "export {") || strings.HasPrefix(line, "export *") ||
		strings.HasPrefix(line, "export type {") ||
		strings.HasPrefix(line, "from ") && strings.Contains(line, " import ") ||
		strings.HasPrefix(line, "pub use ")
}

// mentionsWordOf reports whether a text contains a word of a name.
func (r *ranking) mentionsWordOf(name string) bool {
	found := false
	eachTerm(name, 3, func(t term) { found = found || r.rare[t] > 0 })
	return found
}

// content scores the words that a text and the files share.
func (r *ranking) content(v *textSignals, q map[term]float64) {
	score := r.ix.bm25(q)
	least := leastOf(slices.Values(score), 0.1)
	for i, x := range score {
		if x >= least {
			r.count(v, int32(i), byContent, x)
		}
	}
	words := r.ix.pathWords(q)
	least = leastOf(maps.Values(words), 0)
	for i, x := range words {
		if x >= least || v.signals[i] != nil {
			r.count(v, i, byPathWords, math.Sqrt(x))
		}
	}
}

// leastOf returns the lowest of the maxByWords highest values, but at least least.
func leastOf(values iter.Seq[float64], least float64) float64 {
	var top []float64
	for x := range values {
		if x >= least {
			top = append(top, x)
		}
	}
	if len(top) <= maxByWords {
		return least
	}
	slices.Sort(top)
	return top[len(top)-maxByWords]
}

// pathWords scores files by the words of their paths, scaled so that the best is 1. A word
// of the file's name counts more than one of a folder.
func (ix *Index) pathWords(q map[term]float64) map[int32]float64 {
	out := map[int32]float64{}
	all := float64(len(ix.docs))
	for _, t := range slices.Sorted(maps.Keys(q)) { // sums of floating point numbers depend on the order
		var in []int32
		for i := range ix.pathTerms.of(t) {
			in = append(in, int32(i))
		}
		rare := math.Log(1 + (all-float64(len(in))+0.5)/(float64(len(in))+0.5))
		for _, i := range in {
			share := 0.5
			eachTerm(stemOf(ix.docs[i].path), 2, func(u term) {
				if u == t {
					share = 1
				}
			})
			out[i] += q[t] * rare * share
		}
	}
	return scaleToBest(out)
}

// addPlace adds the rank of each file by its words.
func (v *textSignals) addPlace(ix *Index) {
	order := make([]int32, 0, len(v.signals))
	for i := range v.signals {
		if d := &ix.docs[i]; d.lang.code() && !d.test {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(v.signals[b][byContent], v.signals[a][byContent]), cmp.Compare(a, b))
	})
	place := map[int32]int{}
	last := 0
	for k, i := range order {
		if v.signals[i][byContent] > 0 {
			last = k + 1
		}
		place[i] = min(k, last)
	}
	for i, s := range v.signals {
		at, ok := place[i]
		if !ok {
			at, _ = slices.BinarySearchFunc(order[:last], s[byContent], func(j int32, x float64) int {
				return cmp.Compare(x, v.signals[j][byContent])
			})
		}
		s[byPlace] = math.Log(1+float64(at)) / 5
	}
}

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

// signal is one way in which the words of a task or failure speak for a file.
type signal int

const (
	byContent    signal = iota // words in the contents and the path, by BM25
	byPlace                    // how far from the first it is by them
	byPathWords                // words in the path alone
	byDefinition               // it defines names that are spoken of
	byPast                     // past changes that were told in such words changed it
	byLatest                   // the last few changes changed it
	byRecent                   // it changed lately
	signals
)

// reasons say of each signal what it means for a person; what each file has is none.
var reasons = [signals]string{
	byContent: "has words of the %s", byPathWords: "its path has words of the %s",
	byDefinition: "defines what the %s names", byPast: "changed by past changes with words of the %s",
	byLatest: "changed lately", byRecent: "changed lately",
}

const (
	// latest and recently are after how many commits a change tells a third of what the
	// last one does.
	latest, recently = 8.0, 250.0
	// maxByWords bounds the files that words bring in.
	maxByWords = 300
)

// voice is what a text says of the files: the task, or the failure.
type voice struct {
	of      string
	signals map[int32]*[signals]float64
	defines map[int32]string
}

// add counts a signal of at most 1.
func (v *voice) add(i int32, s signal, x float64) {
	all := v.signals[i]
	if all == nil {
		all = new([signals]float64)
		v.signals[i] = all
	}
	all[s] = min(all[s]+x, 1)
}

// listen counts what the words of the task say, and those of the failure with the code
// of the failing tests. Each is heard for itself, so that neither drowns the other.
func (r *ranking) listen(body string) {
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
		r.hear("task", task, r.task, r.failed())
	}
	if len(fail) > 0 {
		r.hear("failure", fail, failNames, r.n.Task != "")
		r.declarers()
	}
}

// hear counts what one text says.
func (r *ranking) hear(of string, q map[term]float64, names *mentions, other bool) {
	v := voice{of: of, signals: map[int32]*[signals]float64{}, defines: map[int32]string{}}
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
	v.standing(r.ix)
	r.voices = append(r.voices, v)
	for i, p := range v.odds(r.ix) {
		if p *= r.share(i); other {
			p *= second
		}
		if p >= relevant {
			r.speaks(i, p, v.reason(i, r.ix.weights))
		}
	}
}

func (r *ranking) count(v *voice, i int32, s signal, x float64) {
	if !r.excluded(i) {
		v.add(i, s, x)
	}
}

// reason says what speaks the most for a file.
func (v *voice) reason(i int32, m *model) string {
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

// names counts the files that define what is named.
func (r *ranking) names(v *voice, m *mentions) {
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

// definers are the product files that define a name.
func (r *ranking) definers(name string) []int32 {
	return slices.DeleteFunc(r.ix.definers(name), func(i int32) bool { return r.excluded(i) || r.ix.docs[i].test })
}

// declarers counts the files that declare what a failure names: the type that lacks a
// method, the function that wants another argument.
func (r *ranking) declarers() {
	const few = 3
	for _, name := range r.fail.sortedNames() {
		if r.fail.names[name] < 0.5 && !upper(name[0]) {
			continue
		}
		if in := r.definers(name); len(in) <= few {
			for _, i := range in {
				r.speaks(i, declared/float64(len(in)), "defines "+name)
			}
		}
	}
}

// exports follows the files that hand on what others define: where the likeliest is
// little else, the files behind the names that the task speaks of are meant.
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
			case handsOn(trimmed):
				eachName(trimmed, func(from, to int) { handed[trimmed[from:to]] = true })
			default:
				other++
			}
		}
		if len(handed) <= other {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(handed)) {
			if !r.spokenOf(name) {
				continue
			}
			for _, j := range r.definers(name) {
				r.speaks(j, r.files[i].p/2, r.ix.docs[i].path+" hands on "+name+" of it")
			}
		}
	}
}

// handsOn reports whether a line exports what another file defines.
func handsOn(line string) bool {
	return strings.HasPrefix(line, "export {") || strings.HasPrefix(line, "export *") || strings.HasPrefix(line, "export type {") ||
		strings.HasPrefix(line, "from ") && strings.Contains(line, " import ") || strings.HasPrefix(line, "pub use ")
}

// spokenOf reports whether a text has a word of a name.
func (r *ranking) spokenOf(name string) bool {
	found := false
	eachTerm(name, 3, func(t term) { found = found || r.rare[t] > 0 })
	return found
}

// content counts the words that a text and files have in common.
func (r *ranking) content(v *voice, q map[term]float64) {
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

// leastOf is the least of the maxByWords highest values, and at least what is given.
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

// pathWords scores files by the words of their paths, the best with 1; a word
// of the file's own name counts more than one of a folder.
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
	return best1(out)
}

// standing counts the place that a file has by its words.
func (v *voice) standing(ix *Index) {
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

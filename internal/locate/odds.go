package locate

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"
)

// How likely things change is told by linear models, whose weights are in
// weights.go. A file's signals make its logit; against those of all others, and by
// its place among them, that makes a probability. The likeliest files are judged again
// by what their texts say. A unit's signs make its odds against the others of its file.

// likely is how likely a file of a score changes; scored is its inverse.
func likely(score float64) float64 {
	v := max(score, 0) / known
	return min(v*v*v, certain)
}

func scored(p float64) float64 { return known * math.Cbrt(p) }

// certain is how likely a file changes that is named outright.
const certain = 0.95

func sigmoid(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// logit is what the signals of a file say together.
func (r *ranking) logit(i int32, weights *[signals]float64) float64 {
	v := 0.0
	if all := r.signals[i]; all != nil {
		for s, x := range all {
			v += weights[s] * x
		}
	}
	return v
}

// standing counts the place that a file has by its words.
func (r *ranking) standing() {
	order := make([]int32, 0, len(r.signals))
	for i := range r.signals {
		if d := &r.ix.docs[i]; d.lang.code() && !d.test {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(r.signals[b][byContent], r.signals[a][byContent]), cmp.Compare(a, b))
	})
	place := map[int32]int{}
	last := 0
	for k, i := range order {
		if r.signals[i][byContent] > 0 {
			last = k + 1
		}
		place[i] = min(k, last)
	}
	for i, s := range r.signals {
		at, ok := place[i]
		if !ok {
			at, _ = slices.BinarySearchFunc(order[:last], s[byContent], func(j int32, v float64) int {
				return cmp.Compare(v, r.signals[j][byContent])
			})
		}
		s[byPlace] = math.Log(1+float64(at)) / 5
	}
}

// judged is a file with its logit.
type judged struct {
	i     int32
	logit float64
}

// odds gives how likely each of some files changes, as far as its signals tell.
func (r *ranking) odds(files iter.Seq[int32], weights *[signals]float64) map[int32]float64 {
	var all, rest []judged
	for i := range files {
		s := judged{i, r.logit(i, weights)}
		if d := &r.ix.docs[i]; d.lang.code() && !d.test {
			all = append(all, s)
		} else {
			rest = append(rest, s)
		}
	}
	sort.SliceStable(all, func(i, j int) bool {
		if all[i].logit != all[j].logit {
			return all[i].logit > all[j].logit
		}
		return all[i].i < all[j].i
	})
	best, sum := 0.0, 0.0
	for k, s := range all {
		if k == 0 {
			best = s.logit
		}
		sum += math.Exp(s.logit - best)
	}
	out := make(map[int32]float64, len(all)+len(rest))
	total := best + math.Log(max(sum, 1))
	for k, s := range all {
		out[s.i] = r.ix.weights.chance(s.logit, best, total, k)
	}
	for _, s := range rest { // as if they were code
		k, _ := slices.BinarySearchFunc(all, s.logit, func(a judged, v float64) int {
			return cmp.Compare(v, a.logit)
		})
		out[s.i] = r.ix.weights.chance(s.logit, max(best, s.logit), max(total, s.logit), k)
	}
	return out
}

// model is what was fitted.
type model struct {
	// file has a weight for each signal but those of a file's text, again one for each;
	// place turns a logit, against all others and against the best, and a place into
	// a probability.
	file, again [signals]float64
	place       [4]float64
	// unit has a weight for each sign of a unit.
	unit [unitSigns]float64
}

func (m *model) chance(logit, best, total float64, place int) float64 {
	at := math.Log(1 + float64(place))
	return sigmoid(m.place[0] + m.place[1]*(logit-total) + m.place[2]*at + m.place[3]*(logit-best))
}

// unitOdds are how likely a unit changes, against the others of its file.
func (m *model) unitOdds(f *unitFacts) float64 {
	v := 0.0
	for s, x := range f {
		v += m.unit[s] * x
	}
	return math.Exp(v)
}

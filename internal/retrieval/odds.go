package retrieval

import (
	"cmp"
	"math"
	"slices"
)

// Linear models, whose weights are in weights.go, say how likely things change.
// A file's signals make its logit; against those of all others, and by
// its place among them, that makes a probability. A unit's signs make its odds against
// the others of its file.

func sigmoid(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// judged is a file with its logit.
type judged struct {
	i     int32
	logit float64
}

// odds returns how likely each file changes, as far as the words of one text tell.
func (v *voice) odds(ix *Index) map[int32]float64 {
	var all, rest []judged
	for i, s := range v.signals {
		j := judged{i, ix.weights.logit(s)}
		if d := &ix.docs[i]; d.lang.code() && !d.test {
			all = append(all, j)
		} else {
			rest = append(rest, j)
		}
	}
	slices.SortFunc(all, func(a, b judged) int { return cmp.Or(cmp.Compare(b.logit, a.logit), cmp.Compare(a.i, b.i)) })
	best, sum := 0.0, 0.0
	for k, j := range all {
		if k == 0 {
			best = j.logit
		}
		sum += math.Exp(j.logit - best)
	}
	out := make(map[int32]float64, len(all)+len(rest))
	total := best + math.Log(max(sum, 1))
	for k, j := range all {
		out[j.i] = ix.weights.chance(j.logit, best, total, k)
	}
	for _, j := range rest { // as if they were code
		k, _ := slices.BinarySearchFunc(all, j.logit, func(a judged, x float64) int {
			return cmp.Compare(x, a.logit)
		})
		out[j.i] = ix.weights.chance(j.logit, max(best, j.logit), max(total, j.logit), k)
	}
	return out
}

// model is what was fitted.
type model struct {
	// file has a weight for each signal; place turns a logit, against all others and
	// against the best, and a place into a probability.
	file  [signals]float64
	place [4]float64
	// again turns a probability, and how far the phrases of the file's best unit lead, into another.
	again [3]float64
	// unit has a weight for each sign of a unit.
	unit [unitSigns]float64
}

// reconsider judges how likely a file changes once more, now that its text is read.
func (m *model) reconsider(p, phrases float64) float64 {
	return sigmoid(m.again[0] + m.again[1]*math.Log(p/(1-p)) + m.again[2]*phrases)
}

// logit is what the signals of a file say together.
func (m *model) logit(s *[signals]float64) float64 {
	v := 0.0
	for k, x := range s {
		v += m.file[k] * x
	}
	return v
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

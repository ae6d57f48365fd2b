package retrieval

import (
	"cmp"
	"math"
	"slices"
)

// Linear models, with weights in weights.go, estimate how likely things change. A file's
// signals make its logit, which becomes a probability relative to all other files and its
// rank. A block's features make its odds relative to the other blocks of its file.

func sigmoid(v float64) float64 { return 1 / (1 + math.Exp(-v)) }

// scoredFile is a file with its logit.
type scoredFile struct {
	i     int32
	logit float64
}

// odds returns how likely each file changes, judging by the words of one text.
func (v *textSignals) odds(ix *Index) map[int32]float64 {
	var all, rest []scoredFile
	for i, s := range v.signals {
		j := scoredFile{i, ix.weights.logit(s)}
		if d := &ix.docs[i]; d.lang.code() && !d.test {
			all = append(all, j)
		} else {
			rest = append(rest, j)
		}
	}
	slices.SortFunc(all, func(a,
		b scoredFile) int {
		return cmp.Or(cmp.Compare(b.logit, a.logit), cmp.Compare(a.i, b.i))
	})
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
		k, _ := slices.BinarySearchFunc(all, j.logit, func(a scoredFile, x float64) int {
			return cmp.Compare(x, a.logit)
		})
		out[j.i] = ix.weights.chance(j.logit, max(best, j.logit), max(total, j.logit), k)
	}
	return out
}

// model holds the fitted weights.
type model struct {
	// file has a weight for each signal. place turns a logit, relative to all others and to
	// the best, and a rank into a probability.
	file  [signals]float64
	place [4]float64
	// again adjusts a probability by the lead of the phrases of the file's best block.
	again [3]float64
	// unit has a weight for each block feature.
	unit [blockFeatureCount]float64
}

// reconsider adjusts how likely a file changes after its text was read.
func (m *model) reconsider(p, phrases float64) float64 {
	return sigmoid(m.again[0] + m.again[1]*math.Log(p/(1-p)) + m.again[2]*phrases)
}

// logit combines the signals of a file.
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

// unitOdds returns how likely a block changes, relative to the others of its file.
func (m *model) unitOdds(f *blockFeatures) float64 {
	v := 0.0
	for s, x := range f {
		v += m.unit[s] * x
	}
	return math.Exp(v)
}

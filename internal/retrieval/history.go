package retrieval

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// PastChange is a commit of the repository's past: its message and the paths it changed. One
// with Failed is no commit but a change that was tried: the tests in those files failed with
// it and had not failed before.
type PastChange struct {
	Message string
	Files   []string
	Failed  []string
}

const (
	// maxPastFiles bounds the files of a useful past change. Larger ones are renames,
	// imports and the like.
	maxPastFiles = 20
	// likePast is how many past changes count for their files: those with the most words of
	// the task.
	likePast = 40
)

// past is what the repository's history says about its files.
type past struct {
	changes []pastChange // newest first
	// words maps a word to the changes whose message contains it.
	words map[term][]int32
	// of maps a file to its changes.
	of map[int32][]int32
	// noticed maps a source to the tests that failed when it changed, and how often.
	noticed map[int32]map[int32]int
}

type pastChange struct {
	files []int32
	terms int
}

// newPast reads a history, newest first.
func newPast(ix *Index, history []PastChange) *past {
	p := &past{words: map[term][]int32{}, of: map[int32][]int32{}, noticed: map[int32]map[int32]int{}}
	for _, h := range history {
		files := ix.numbers(h.Files)
		if h.Failed != nil {
			p.note(files, ix.numbers(h.Failed))
			continue
		}
		if len(files) == 0 || len(h.Files) > maxPastFiles ||
			2*len(files) > len(ix.docs) {
			continue // a change of most files, such as a first commit, says nothing about any
		}
		n := int32(len(p.changes))
		var terms []term
		subject, _, _ := strings.Cut(h.Message, "\n") // the weights were fitted to subjects only
		eachTerm(subject, 3, func(t term) {
			if !ix.stop[t] {
				terms = append(terms, t)
			}
		})
		terms = unique(terms)
		for _, t := range terms {
			p.words[t] = append(p.words[t], n)
		}
		for _, i := range files {
			p.of[i] = append(p.of[i], n)
		}
		p.changes = append(p.changes, pastChange{files: files, terms: len(terms)})
	}
	return p
}

// numbers returns the files of the index among paths, each once.
func (ix *Index) numbers(paths []string) []int32 {
	var files []int32
	for _, f := range paths {
		if i, ok := ix.number(f); ok {
			files = append(files, i)
		}
	}
	return unique(files)
}

// note counts tests that failed when files were changed.
func (p *past) note(files, failed []int32) {
	for _, i := range files {
		if p.noticed[i] == nil {
			p.noticed[i] = map[int32]int{}
		}
		for _, t := range failed {
			p.noticed[i][t]++
		}
	}
}

// alike returns the files of past changes whose messages share words with the query, scaled
// so that the best is 1.
func (p *past) alike(q map[term]float64) map[int32]float64 {
	score := map[int32]float64{}
	all := float64(len(p.changes))
	for _, t := range slices.Sorted(maps.Keys(q)) { // sums of floating point numbers depend on the order
		in := p.words[t]
		rare := math.Log(1 + (all-float64(len(in))+0.5)/(float64(len(in))+0.5))
		for _, n := range in {
			score[n] += q[t] * rare / math.Sqrt(4+float64(p.changes[n].terms))
		}
	}
	order := make([]int32, 0, len(score))
	for n := range score {
		order = append(order, n)
	}
	slices.SortFunc(order, func(a, b int32) int {
		if c := cmp.Compare(score[b], score[a]); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	out := map[int32]float64{}
	for _, n := range order[:min(len(order), likePast)] {
		share := score[n] / score[order[0]]
		for _, i := range p.changes[n].files {
			out[i] += share * share / math.Sqrt(float64(len(p.changes[n].files)))
		}
	}
	return scaleToBest(out)
}

// scaleToBest scales values so that the best is 1.
func scaleToBest(m map[int32]float64) map[int32]float64 {
	most := 0.0
	for _, v := range m {
		most = max(most, v)
	}
	if most > 0 {
		for i := range m {
			m[i] /= most
		}
	}
	return m
}

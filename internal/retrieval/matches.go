package retrieval

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// matchKind is a way in which a block can match the texts.
type matchKind int

const (
	inWords    matchKind = iota // the same words
	inPhrases                   // the same pairs of adjacent words
	inSpelling                  // names in the same spelling
	matchKinds
)

// vocabulary numbers the terms of one kind and holds their weights.
type vocabulary struct {
	number map[term]int32 // from 1
	worth  []float64
}

func (v *vocabulary) learn(t term, worth float64) {
	if v.number == nil {
		v.number = map[term]int32{}
	}
	if v.number[t] == 0 {
		v.worth = append(v.worth, worth)
		v.number[t] = int32(len(v.worth))
	}
}

// taskTerms are the terms of the task and the failure, by kind.
type taskTerms [matchKinds]vocabulary

// taskTerms collects the terms of the texts.
func (r *ranking) taskTerms() *taskTerms {
	var s taskTerms
	for _, t := range r.words {
		if r.rare[t] > 0 {
			s[inWords].learn(t, r.rare[t])
		}
	}
	for _, text := range []string{r.n.Task, r.n.Failure} {
		last := term(0)
		eachTerm(withoutTrailers(text[:min(len(text), maxMentionText)]), 2, func(t term) {
			if last != 0 && !(r.ix.stop[t] && r.ix.stop[last]) {
				s[inPhrases].learn(phrase(last, t), 1)
			}
			last = t
		})
	}
	spelt := maps.Clone(r.task.names)
	for name, like := range r.fail.names {
		spelt[name] = max(spelt[name], like)
	}
	for _, name := range slices.Sorted(maps.Keys(spelt)) {
		if spelt[name] >= 0.5 {
			s[inSpelling].learn(symbolOf(name), spelt[name])
		}
	}
	return &s
}

// phrase hashes an ordered pair of words.
func phrase(a, b term) term { return (a^b>>31)*fnvPrime ^ b }

// tally counts occurrences of a vocabulary's terms.
type tally struct {
	count []float64
	used  []int32
}

func (t *tally) add(number int32) {
	if t.count[number-1] == 0 {
		t.used = append(t.used, number-1)
	}
	t.count[number-1]++
}

// termCount is how often a block has a term.
type termCount struct {
	number int32
	times  float64
}

// take returns the counts in order of first occurrence, and resets them.
func (t *tally) take() []termCount {
	out := make([]termCount, len(t.used))
	for k, n := range t.used {
		out[k] = termCount{n, t.count[n]}
		t.count[n] = 0
	}
	t.used = t.used[:0]
	return out
}

// fileTally holds the matches of each block of a file, and the share of each that is space
// or comment.
type fileTally struct {
	units [matchKinds][][]termCount
	blank []float64
}

// countMatches counts the matches in the blocks of a file.
func (s *taskTerms) countMatches(c *candidate, tallies *[matchKinds]tally) *fileTally {
	h := &fileTally{blank: make([]float64, len(c.blocks))}
	for _, b := range c.blocks {
		last, quiet := term(0), 0
		for _, line := range c.lines[b.from:b.to] {
			eachTerm(line, 2, func(t term) {
				if n := s[inWords].number[t]; n > 0 {
					tallies[inWords].add(n)
				}
				if n := s[inPhrases].number[phrase(last, t)]; n > 0 {
					tallies[inPhrases].add(n)
				}
				last = t
			})
			if len(s[inSpelling].worth) > 0 {
				eachName(line, func(from, to int) {
					if n := s[inSpelling].number[symbolOf(line[from:to])]; n > 0 {
						tallies[inSpelling].add(n)
					}
				})
			}
			if text := strings.TrimSpace(line); text == "" || commentStart(text) {
				quiet++
			}
		}
		for way := range h.units {
			h.units[way] = append(h.units[way], tallies[way].take())
		}
		h.blank[len(h.units[0])-1] = float64(quiet) / float64(1+b.to-b.from)
	}
	return h
}

// downweightCommon lowers the weight of terms that many files have.
func (s *taskTerms) downweightCommon(all []*fileTally) {
	// words are already weighted by the whole repository
	for _, way := range []matchKind{inPhrases, inSpelling} {
		in := make([]float64, len(s[way].worth))
		last := make([]int, len(in))
		files := 0.0
		for k, h := range all {
			if len(h.blank) > 0 {
				files++
			}
			for _, unit := range h.units[way] {
				for _, w := range unit {
					if last[w.number] != k+1 {
						last[w.number] = k + 1
						in[w.number]++
					}
				}
			}
		}
		for n := range in {
			s[way].worth[n] *= math.Log(1 + files/max(in[n], 1))
		}
	}
}

// weigh scores each block. A term that all blocks of a file have says nothing.
func (s *taskTerms) weigh(units [][]termCount, way matchKind) []float64 {
	in := map[int32]float64{}
	for _, unit := range units {
		for _, w := range unit {
			in[w.number]++
		}
	}
	all := float64(len(units))
	out := make([]float64, len(units))
	for k, unit := range units {
		for _, w := range unit {
			rare := math.Log(1+all/in[w.number]) / math.Log(1+all)
			out[k] += s[way].worth[w.number] * w.times / (w.times + bm25K) * rare
		}
	}
	return out
}

package retrieval

import (
	"maps"
	"math"
	"slices"
	"strings"
)

// spoken is a way in which a unit of a file can say what the texts say.
type spoken int

const (
	inWords    spoken = iota // with the same words
	inPhrases                // with the same words beside one another
	inSpelling               // with names as they are spelt
	spokenWays
)

// vocabulary numbers what the texts say in one way, with what each is worth.
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

// speech is all that the texts say.
type speech [spokenWays]vocabulary

// speech reads the texts.
func (r *ranking) speech() *speech {
	var s speech
	for _, t := range r.words {
		if r.rare[t] > 0 {
			s[inWords].learn(t, r.rare[t])
		}
	}
	for _, text := range []string{r.n.Task, r.n.Failure} {
		last := term(0)
		eachTerm(told(text[:min(len(text), maxMentionText)]), 2, func(t term) {
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

// phrase stands for two words in this order.
func phrase(a, b term) term { return (a^b>>31)*fnvPrime ^ b }

// tally counts numbers of a vocabulary.
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

// said is what a unit says of a vocabulary.
type said struct {
	number int32
	times  float64
}

// take returns what was counted, in the order in which it came, and starts over.
func (t *tally) take() []said {
	out := make([]said, len(t.used))
	for k, n := range t.used {
		out[k] = said{n, t.count[n]}
		t.count[n] = 0
	}
	t.used = t.used[:0]
	return out
}

// heard is what the units of one file say, and how much of each is space or comment.
type heard struct {
	units  [spokenWays][][]said
	silent []float64
}

// listen goes through the units of a file.
func (s *speech) listen(c *candidate, tallies *[spokenWays]tally) *heard {
	h := &heard{silent: make([]float64, len(c.blocks))}
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
		h.silent[len(h.units[0])-1] = float64(quiet) / float64(1+b.to-b.from)
	}
	return h
}

// spread makes what all files say worth less.
func (s *speech) spread(all []*heard) {
	for _, way := range []spoken{inPhrases, inSpelling} { // words are weighed against the whole repository
		in := make([]float64, len(s[way].worth))
		last := make([]int, len(in))
		files := 0.0
		for k, h := range all {
			if len(h.silent) > 0 {
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

// weigh says how much each unit says; what all units of a file say tells nothing.
func (s *speech) weigh(units [][]said, way spoken) []float64 {
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

package retrieval

import "math"

// unitSign is one way in which something speaks for a unit of a file, if the file is
// to change: for a function, a type, the head of the file, a stretch between.
type unitSign int

const (
	unitLeads    unitSign = iota // words of the task in it, the best unit of all files has 1
	unitPhrases                  // words beside one another as there, the best unit of all files has 1
	unitSpelling                 // names spelt as there, the best unit of the file has 1
	unitNamed                    // its name is spoken of
	unitSilent                   // so much of it is space or comment
	unitPlain                    // it has no name
	unitSize                     // the logarithm of how much of the file it is
	unitSigns
)

type unitFacts [unitSigns]float64

// unitWorths is what each unit of a file says in each way, before that is set against others.
type unitWorths [spokenWays][]float64

// unitEvidence says of each unit of the candidates what speaks for it.
func (r *ranking) unitEvidence(cs []*candidate) {
	s := r.speech()
	var tallies [spokenWays]tally
	for way := range tallies {
		tallies[way].count = make([]float64, len(s[way].worth))
	}
	all, worths := make([]*heard, len(cs)), make([]unitWorths, len(cs))
	for k, c := range cs {
		all[k] = s.listen(c, &tallies)
	}
	s.spread(all)
	var most [spokenWays]float64
	for k, c := range cs {
		w := &worths[k]
		for way := range most {
			w[way] = s.weigh(all[k].units[way], spoken(way))
		}
		for u, b := range c.blocks {
			w[inWords][u] /= 1 + float64(b.to-b.from)/300
		}
		for way := range most {
			most[way] = max(most[way], largest(w[way]))
		}
	}
	for k, c := range cs {
		w := &worths[k]
		c.facts = r.unitFacts(c, w, &most)
		for u := range c.facts {
			c.facts[u][unitSilent] = all[k].silent[u]
		}
		c.phrases = outOf(largest(w[inPhrases]), most[inPhrases])
	}
}

// unitFacts sets what the units of a file say against one another and all others.
func (r *ranking) unitFacts(c *candidate, w *unitWorths, most *[spokenWays]float64) []unitFacts {
	words, spelling := w[inWords], w[inSpelling]
	mostSpelling := largest(spelling)
	out := make([]unitFacts, len(c.blocks))
	for k, b := range c.blocks {
		f := &out[k]
		f[unitLeads] = outOf(words[k], most[inWords])
		f[unitPhrases] = outOf(w[inPhrases][k], most[inPhrases])
		f[unitSpelling] = outOf(spelling[k], mostSpelling)
		f[unitNamed] = max(r.task.names[b.name], r.fail.names[b.name])
		if b.name == "" {
			f[unitPlain] = 1
		}
		f[unitSize] = math.Log(float64(b.bytes)/float64(1+len(c.text)) + 1e-4)
	}
	return out
}

func outOf(v, most float64) float64 {
	if most <= 0 {
		return 0
	}
	return v / most
}

func largest(values []float64) float64 {
	most := 0.0
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

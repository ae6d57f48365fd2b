package locate

import "math"

// unitSign is one way in which something speaks for a unit of a file, if the file is
// to change: for a function, a type, the head of the file, a stretch between.
type unitSign int

const (
	unitWords unitSign = iota // words of the task, the best unit of the file has 1
	unitSome                  // the root of it: some words are more than none
	unitLeads                 // the same words, the best unit of all files has 1
	unitNamed                 // its name is spoken of
	unitPart                  // so much of the file it is
	unitSize                  // the logarithm of it
	unitMany                  // the file has many
	unitSigns
)

type unitFacts [unitSigns]float64

// unitEvidence says of each unit of the candidates what speaks for it.
func (r *ranking) unitEvidence(cs []*candidate) {
	most := 0.0
	for _, c := range cs {
		c.facts = make([]unitFacts, len(c.blocks))
		most = max(most, r.unitWords(c))
	}
	for _, c := range cs {
		for b := range c.facts {
			c.facts[b][unitLeads] /= max(most, 1e-9)
		}
	}
}

// unitWords counts the words of the texts in the units of a file; the most of one
// unit is given.
func (r *ranking) unitWords(c *candidate) float64 {
	counts, in := make([]map[term]float64, len(c.blocks)), map[term]float64{}
	for k, b := range c.blocks {
		counts[k] = map[term]float64{}
		for _, line := range c.lines[b.from:b.to] {
			eachTerm(line, 3, func(t term) {
				if r.rare[t] > 0 {
					counts[k][t]++
				}
			})
		}
		for t := range counts[k] {
			in[t]++
		}
	}
	all, most := float64(len(c.blocks)), 0.0
	raw := make([]float64, len(c.blocks))
	for k, b := range c.blocks {
		for _, t := range r.words { // in one order: sums of floating point numbers depend on it
			if n := counts[k][t]; n > 0 { // what all units say tells nothing
				raw[k] += r.rare[t] * n / (n + bm25K) * math.Log(1+all/in[t]) / math.Log(1+all)
			}
		}
		raw[k] /= 1 + float64(b.to-b.from)/300
		most = max(most, raw[k])
	}
	for k, b := range c.blocks {
		f := &c.facts[k]
		if most > 0 {
			f[unitWords], f[unitSome] = raw[k]/most, math.Sqrt(raw[k]/most)
		}
		f[unitLeads] = raw[k]
		f[unitNamed] = max(r.task.names[b.name], r.fail.names[b.name])
		f[unitPart] = float64(b.bytes) / float64(1+len(c.text))
		f[unitSize] = math.Log(f[unitPart] + 1e-4)
		f[unitMany] = math.Log(all)
	}
	return most
}

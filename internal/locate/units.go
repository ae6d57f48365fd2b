package locate

import "math"

// unitSign is one way in which something speaks for a unit of a file, if the file is
// to change: for a function, a type, the head of the file, a stretch between.
type unitSign int

const (
	unitWords    unitSign = iota // words of the task, the best unit of the file has 1
	unitSome                     // the root of it: some words are more than none
	unitLeads                    // the same words, the best unit of all files has 1
	unitLead                     // it is the best of its file, or nearly
	unitNear                     // what stands beside it has such words
	unitMore                     // another part of the same function has
	unitNamed                    // its name is spoken of
	unitName                     // words of its name are
	unitTwin                     // the best unit of another file is called the same
	unitHead                     // it stands before the first declaration
	unitHeadSize                 // and is long
	unitPart                     // so much of the file it is
	unitSize                     // the logarithm of it
	unitMany                     // the file has many
	unitSigns
)

type unitFacts [unitSigns]float64

// unitEvidence says of each unit of the candidates what speaks for it.
func (r *ranking) unitEvidence(cs []*candidate) {
	most, leads := 0.0, map[string]*candidate{}
	for _, c := range cs {
		c.facts = make([]unitFacts, len(c.blocks))
		most = max(most, r.unitWords(c))
		for b, block := range c.blocks {
			if f := &c.facts[b]; f[unitWords] >= nearlyBest {
				f[unitLead] = 1
				if block.name != "" && leads[block.name] == nil {
					leads[block.name] = c
				}
			}
		}
	}
	for _, c := range cs {
		c.relate(leads, most)
	}
}

// nearlyBest is the share of the best unit's words from which on a unit leads too.
const nearlyBest = 0.7

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
		f[unitName] = r.nameWords(b.name)
		f[unitPart] = float64(b.bytes) / float64(1+len(c.text))
		f[unitSize] = math.Log(f[unitPart] + 1e-4)
		f[unitMany] = math.Log(all)
	}
	if len(c.blocks) > 1 && c.blocks[0].name == "" {
		c.facts[0][unitHead], c.facts[0][unitHeadSize] = 1, math.Log(float64(1+c.blocks[0].bytes))/8
	}
	return most
}

// nameWords says how much of a name is spoken of.
func (r *ranking) nameWords(name string) float64 {
	n, sum := 0.0, 0.0
	eachTerm(name, 3, func(t term) {
		n++
		sum += min(r.rare[t]/4, 1)
	})
	return sum / max(n, 1)
}

// relate counts what ties the units of a file to each other, and to the best ones of
// other files.
func (c *candidate) relate(leads map[string]*candidate, most float64) {
	byName := map[string]float64{}
	for b := range c.blocks {
		byName[c.blocks[b].name] = max(byName[c.blocks[b].name], c.facts[b][unitWords])
	}
	for b, block := range c.blocks {
		f := &c.facts[b]
		f[unitLeads] /= max(most, 1e-9)
		for _, n := range []int{b - 1, b + 1} {
			if n >= 0 && n < len(c.blocks) {
				f[unitNear] = max(f[unitNear], c.facts[n][unitWords])
			}
		}
		if block.name == "" {
			continue
		}
		if v := byName[block.name]; v > f[unitWords] {
			f[unitMore] = v
		}
		if l := leads[block.name]; l != nil && l != c {
			f[unitTwin] = 1
		}
	}
}

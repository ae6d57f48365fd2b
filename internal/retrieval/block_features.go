package retrieval

import "math"

// blockFeature is a feature of a block used to rank it. A block is a function, a type, the
// head of a file, or a stretch in between.
type blockFeature int

const (
	featureWords    blockFeature = iota // words of the task in it; 1 for the best block of all files
	featurePhrases                      // adjacent words of the task in it; 1 for the best block of all files
	featureSpelling                     // names in the same spelling; 1 for the best block of the file
	featureNamed                        // its name is mentioned
	featureBlank                        // share of spaces and comments
	featureUnnamed                      // it has no name
	featureSize                         // logarithm of its share of the file
	blockFeatureCount
)

type blockFeatures [blockFeatureCount]float64

// blockScores are raw scores per block and match kind, not normalized.
type blockScores [matchKinds][]float64

// scoreBlocks computes the features of each block of the candidates.
func (r *ranking) scoreBlocks(cs []*candidate) {
	s := r.taskTerms()
	var tallies [matchKinds]tally
	for way := range tallies {
		tallies[way].count = make([]float64, len(s[way].worth))
	}
	all, worths := make([]*fileTally, len(cs)), make([]blockScores, len(cs))
	for k, c := range cs {
		all[k] = s.countMatches(c, &tallies)
	}
	s.downweightCommon(all)
	var most [matchKinds]float64
	for k, c := range cs {
		w := &worths[k]
		for way := range most {
			w[way] = s.weigh(all[k].units[way], matchKind(way))
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
		c.facts = r.blockFeatures(c, w, &most)
		for u := range c.facts {
			c.facts[u][featureBlank] = all[k].blank[u]
		}
		c.phrases = outOf(largest(w[inPhrases]), most[inPhrases])
	}
}

// blockFeatures normalizes the scores of a file's blocks.
func (r *ranking) blockFeatures(c *candidate, w *blockScores, most *[matchKinds]float64) []blockFeatures {
	words, spelling := w[inWords], w[inSpelling]
	mostSpelling := largest(spelling)
	out := make([]blockFeatures, len(c.blocks))
	for k, b := range c.blocks {
		f := &out[k]
		f[featureWords] = outOf(words[k], most[inWords])
		f[featurePhrases] = outOf(w[inPhrases][k], most[inPhrases])
		f[featureSpelling] = outOf(spelling[k], mostSpelling)
		f[featureNamed] = max(r.task.names[b.name], r.fail.names[b.name])
		if b.name == "" {
			f[featureUnnamed] = 1
		}
		f[featureSize] = math.Log(float64(b.bytes)/float64(1+len(c.text)) + 1e-4)
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

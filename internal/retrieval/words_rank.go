package retrieval

import (
	"math"
	"slices"
	"sort"
	"strings"
)

const (
	// The usual constants of BM25: saturation of repetitions, and normalization by length.
	bm25K, bm25B = 1.2, 0.6
	// pathWeight is how many occurrences in the contents one in the path is worth.
	pathWeight = 4
	// maxQuery bounds the words of a query; the rarest are kept.
	maxQuery = 120
)

// queryTerm is a word of a query, its weight, and its occurrences.
type queryTerm struct {
	t      term
	weight float64
	hits   []hit
}

type hit struct {
	i int32
	n float64
}

// query adds the words of a text to into.
func (ix *Index) query(text string, weight float64, into map[term]float64) {
	count := map[term]int{}
	text = withoutTrailers(text[:min(len(text), maxMentionText)])
	eachTerm(text, 2, func(t term) {
		if !ix.stop[t] {
			count[t]++
		}
	})
	eachHyphened(text, func(t term) { count[t]++ })
	for t, n := range count {
		into[t] += weight * (1 + math.Log(float64(n)))
	}
}

// postings calls f for each file with t in its contents.
func (ix *Index) postings(t term, f func(i int32, n float64)) {
	ix.found.eachPosting(t, func(i int32, n uint32) {
		if ix.changed[i] == nil {
			f(i, float64(n))
		}
	})
	for _, i := range ix.changedOrder {
		if n := ix.changed[i].counts[t]; n > 0 {
			f(i, float64(n))
		}
	}
}

// bm25 scores all files for a query, scaled so that the best is 1.
func (ix *Index) bm25(q map[term]float64) []float64 {
	score := make([]float64, len(ix.docs))
	all := float64(len(ix.docs))
	average := float64(ix.found.words)/math.Max(1, float64(ix.found.files)) + 1
	var terms []queryTerm
	for t, w := range q {
		a := queryTerm{t: t, weight: w}
		ix.postings(t, func(i int32, n float64) { a.hits = append(a.hits, hit{i, n}) })
		for i := range ix.pathTerms.of(t) {
			a.hits = append(a.hits, hit{int32(i), pathWeight})
		}
		if len(a.hits) == 0 {
			continue
		}
		df := math.Min(float64(len(a.hits)), all)
		a.weight *= math.Log(1 + (all-df+0.5)/(df+0.5))
		terms = append(terms, a)
	}
	sort.Slice(terms, func(i, j int) bool {
		if a, b := terms[i].weight, terms[j].weight; a != b {
			return a > b
		}
		return terms[i].t < terms[j].t
	})
	count := make([]float64, len(ix.docs))
	for _, a := range terms[:min(len(terms), maxQuery)] {
		for _, h := range a.hits {
			count[h.i] += h.n
		}
		for _, h := range a.hits {
			if n := count[h.i]; n > 0 { // path and contents count once
				length := 1 - bm25B + bm25B*float64(ix.docs[h.i].words)/average
				score[h.i] += a.weight * n * (bm25K + 1) / (n + bm25K*length)
				count[h.i] = 0
			}
		}
	}
	best := slices.Max(append(score, 0))
	if best > 0 {
		for i := range score {
			score[i] /= best
		}
	}
	return score
}

// definers returns the files that define a name.
func (ix *Index) definers(name string) []int32 {
	t := symbolOf(name)
	var out []int32
	ix.found.eachDefiner(t, func(i int32) {
		if ix.changed[i] == nil {
			out = append(out, i)
		}
	})
	for _, i := range ix.changedOrder {
		if slices.Contains(ix.changed[i].defs, t) {
			out = append(out, i)
		}
	}
	return unique(out)
}

// withoutTrailers removes the parts of a text that say nothing about the code: addresses of
// web pages, and the trailers at its end.
func withoutTrailers(text string) string {
	var b strings.Builder
	for line := range lines(text) {
		if key, _, ok := strings.Cut(line, ": "); ok && strings.Contains(key, "-") &&
			!strings.ContainsAny(key, " \t") &&
			(strings.HasSuffix(strings.ToLower(key), "-by") || strings.EqualFold(key, "change-id") ||
				strings.EqualFold(key, "git-svn-id")) {
			continue
		}
		for {
			at := strings.Index(line, "://")
			if at < 0 {
				break
			}
			from, to := at, at+3
			for from > 0 && letter(line[from-1]) {
				from--
			}
			for to < len(line) && strings.IndexByte(" \t)>]\"'", line[to]) < 0 {
				to++
			}
			b.WriteString(line[:from])
			b.WriteByte(' ')
			line = line[to:]
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	return b.String()
}

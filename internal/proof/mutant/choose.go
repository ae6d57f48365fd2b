package mutant

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sort"
	"strings"
)

// Choose gives at most n of many mutants, in the order in which they are to be tried.
// Each place of the change has its turn before another one has its second. The same mutants
// and seed give the same choice.
func Choose(all []Mutant, n int, seed string) []Mutant {
	type placed struct {
		Mutant
		round int
		lot   uint64
	}
	list := make([]placed, len(all))
	for i, m := range all {
		sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d\x00%s", seed, m.Path, m.Line, m.Now))
		list[i] = placed{Mutant: m, lot: binary.BigEndian.Uint64(sum[:8])}
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].lot < list[j].lot })
	turns, lines := map[Place]int{}, map[string]int{}
	for i := range list {
		m := &list[i]
		line := fmt.Sprint(m.Path, "\x00", m.Line)
		lines[line]++
		turns[m.In()]++
		// A line that had its turn comes after the other lines of its place.
		m.round = turns[m.In()] + 100*(lines[line]-1)
	}
	sort.SliceStable(list, func(i, j int) bool { return list[i].round < list[j].round })
	out := make([]Mutant, 0, min(n, len(list)))
	for _, m := range list[:min(n, len(list))] {
		out = append(out, m.Mutant)
	}
	return out
}

// Place is where a mutant is: a file, and the number of a run of changed lines in it.
type Place struct {
	Path string
	Run  int
}

// In is the place of a mutant.
func (m Mutant) In() Place { return Place{m.Path, m.Place} }

// Places counts those of some mutants.
func Places(all []Mutant) int {
	places := map[Place]bool{}
	for _, m := range all {
		places[m.In()] = true
	}
	return len(places)
}

// placesOf numbers the runs of changed lines. A blank line parts two, as it parts paragraphs,
// and so does another indentation: what a condition leads to may never run where it does.
func placesOf(lines []string, changed map[int]bool) map[int]int {
	places, n, open, depth := map[int]int{}, 0, false, 0
	for i, line := range lines {
		if !changed[i+1] || strings.TrimSpace(line) == "" {
			open = false
			continue
		}
		in := len(line) - len(strings.TrimLeft(line, " \t"))
		if !open || in != depth {
			n++
		}
		open, depth = true, in
		places[i+1] = n
	}
	return places
}

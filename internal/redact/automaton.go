package redact

// automaton finds many literals in one pass (Aho and Corasick's way, as a full
// table): a look-up a byte, however many literals there are. Letters are
// folded; who needs the case looks again at the hit.
type automaton struct {
	class [256]uint8
	// next[state*width+class] is the state after a byte.
	next  []uint16
	width int
	// hits[state] are the patterns that end there, the longest first; ends says of which states there
	// are any, in so little memory that the look-up costs nothing.
	hits    [][]int
	ends    []bool
	lengths []int
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c | 32
	}
	return c
}

// newAutomaton makes one of the values and then the table's literals.
func newAutomaton(values []string) *automaton {
	patterns := make([]string, 0, len(values)+len(literals))
	patterns = append(patterns, values...)
	for _, l := range literals {
		patterns = append(patterns, l.text)
	}
	a := &automaton{width: 1}
	for _, p := range patterns {
		a.lengths = append(a.lengths, len(p))
		for i := range len(p) {
			if c := lower(p[i]); a.class[c] == 0 {
				a.class[c] = uint8(a.width)
				a.width++
			}
		}
	}
	for c := byte('a'); c <= 'z'; c++ {
		a.class[c-32] = a.class[c]
	}
	a.build(patterns)
	return a
}

func (a *automaton) length(pattern int) int { return a.lengths[pattern] }

// maxStates is what a state number can hold; values beyond are left out, which
// takes more secret text in the environment than there is room for in it.
const maxStates = 1<<16 - 1

func (a *automaton) build(patterns []string) {
	grow := func() int {
		a.next = a.next[:len(a.next)+a.width]
		a.hits = append(a.hits, nil)
		return len(a.hits) - 1
	}
	most := 1
	for _, p := range patterns {
		most += len(p)
	}
	most = min(most, maxStates)
	a.next, a.hits = make([]uint16, 0, most*a.width), make([][]int, 0, most)
	grow()
	// The table's own literals first: they must fit.
	for i := len(patterns) - 1; i >= 0; i-- {
		p := patterns[i]
		if len(a.hits)+len(p) > maxStates {
			continue
		}
		state := 0
		for j := range len(p) {
			at := state*a.width + int(a.class[lower(p[j])])
			if a.next[at] == 0 {
				n := grow()
				a.next[at] = uint16(n)
			}
			state = int(a.next[at])
		}
		a.hits[state] = append(a.hits[state], i)
	}
	a.link()
}

// link fills in where to go on when a literal does not.
func (a *automaton) link() {
	fail := make([]int, len(a.hits))
	var queue []int
	for c := range a.width {
		if n := int(a.next[c]); n != 0 {
			queue = append(queue, n)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		a.hits[s] = append(a.hits[s], a.hits[fail[s]]...)
		for c := range a.width {
			back := a.next[fail[s]*a.width+c]
			at := s*a.width + c
			if n := int(a.next[at]); n != 0 {
				fail[n] = int(back)
				queue = append(queue, n)
			} else {
				a.next[at] = back
			}
		}
	}
	a.ends = make([]bool, len(a.hits))
	for s, h := range a.hits {
		a.ends[s] = len(h) > 0
	}
}

// each calls found for every hit, in order of their ends.
func (a *automaton) each(s string, found func(pattern, end int)) {
	state := uint(0)
	width := uint(a.width)
	for i := 0; i < len(s); i++ {
		if state = uint(a.next[state*width+uint(a.class[s[i]])]); !a.ends[state] {
			continue
		}
		for _, p := range a.hits[state] {
			found(p, i+1)
		}
	}
}

package stream

import (
	"math/bits"
	"sync"
)

// Matcher is an Aho-Corasick automaton: it finds in one pass, at a fixed cost per byte,
// which of many words a line contains.
type Matcher struct {
	class [256]uint8
	next  []uint32 // by state and class the next state, with hit if words end there; behind those the number of the set
	n     uint32   // classes and one
	sets  []Set    // the rows whose words end in a state; the first is empty
}

// hit marks the steps to a state in which words end, so that a scan looks up nothing else.
const hit = 1 << 31

// Set is a set of numbers below 256.
type Set [4]uint64

func (s *Set) add(k int) { s[k>>6] |= 1 << (k & 63) }

// Has reports whether k is in the set.
func (s *Set) Has(k int) bool { return s[k>>6]&(1<<(k&63)) != 0 }

// Next returns the lowest number in the set that is at least k, or -1.
func (s *Set) Next(k int) int {
	for ; k < 64*len(s); k = k&^63 + 64 {
		if w := s[k>>6] >> (k & 63); w != 0 {
			return k + bits.TrailingZeros64(w)
		}
	}
	return -1
}

func (s *Set) join(t *Set) {
	for i := range s {
		s[i] |= t[i]
	}
}

// triggerWords make a line hot. Tools announce failures with them. Too many hits cost room,
// a missing one costs a failure.
var triggerWords = []string{
	"fail", "error", "panic", "exception", "traceback", "assert", "expected", "not ok ", "fatal",
	"undefined", "\u2715", "\u2717", "\u2718", "\u25cf ", "\u00d7", "\u2716", "\u274c", "broken",
	"timed out", "timeout", "segmentation", "data race", "cannot ", "unexpected", "mismatch", "aborted",
	"critical", "leak", "stack trace", "  at ", "warning: ", " --> ", "tests:", "tests run", " passed",
	" examples,", "test result", "summary", "no tests", "=== ", "[  passed", " runs, ", "killed",
}

// strongWords are marks of test runners and compilers, rarely found in logs.
var strongWords = []string{
	"--- fail", "fail\t", " failed", "failed ", "not ok ", "panicked at", "goroutine ", "traceback (most",
	"assertionerror", "assertion", "\u2715", "\u2717", "\u2718", "\u25cf ", "\u00d7", "\u2716", "\u274c",
	": error: ", "error[", " --> ", "failures:", "failures", "= errors =", "expected", "fail  ", "tests:",
	"tests run", " passed", " examples,", "test result", "short test summary", "[  failed", ": failure",
	"data race", "segmentation", "undefined reference", "(failed", "    at ", "error ts", "caused by",
	": error ts", "compilation error", "could not compile", "***", "<failure", "<error", "\"fail\"",
}

var strongTriggers = sync.OnceValue(func() *Matcher { return NewMatcher(true, strongWords) })

var triggers = sync.OnceValue(func() *Matcher { return NewMatcher(true, triggerWords) })

// NewMatcher builds an automaton from rows of words. With fold, the words must be in lower
// case, and match in any case.
func NewMatcher(fold bool, rows ...[]string) *Matcher {
	m := &Matcher{n: 1, sets: make([]Set, 1)}
	for _, words := range rows {
		for _, w := range words {
			for i := range len(w) {
				if m.class[w[i]] == 0 {
					m.class[w[i]] = uint8(m.n)
					m.n++
				}
			}
		}
	}
	for c := byte('a'); fold && c <= 'z'; c++ {
		m.class[c-'a'+'A'] = m.class[c]
	}
	m.n++
	m.next = make([]uint32, m.n)
	for k, words := range rows {
		for _, w := range words {
			m.end(w).add(k)
		}
	}
	m.link()
	return m
}

// end returns the set of the state in which a word ends.
func (m *Matcher) end(w string) *Set {
	st := uint32(0)
	for i := range len(w) {
		to := &m.next[st+uint32(m.class[w[i]])]
		if *to == 0 {
			*to = uint32(len(m.next))
		}
		if st = *to; int(st) == len(m.next) {
			m.next = append(m.next, make([]uint32, m.n)...)
		}
	}
	return m.set(st)
}

// set returns the set of a state, creating it if needed.
func (m *Matcher) set(st uint32) *Set {
	no := &m.next[st+m.n-1]
	if *no == 0 {
		*no = uint32(len(m.sets))
		m.sets = append(m.sets, Set{})
	}
	return &m.sets[*no]
}

// link adds the transitions for mismatches, breadth first.
func (m *Matcher) link() {
	fail := make([]uint32, len(m.next))
	var queue []uint32
	for c := range m.n - 1 {
		if to := m.next[c]; to != 0 {
			queue = append(queue, to)
		}
	}
	for len(queue) > 0 {
		st := queue[0]
		queue = queue[1:]
		if no := m.next[fail[st]+m.n-1]; no != 0 {
			shorter := m.sets[no]
			m.set(st).join(&shorter)
		}
		for c := range m.n - 1 {
			back := m.next[fail[st]+c]
			if to := &m.next[st+c]; *to != 0 {
				fail[*to] = back
				queue = append(queue, *to)
			} else {
				*to = back
			}
		}
	}
	last := m.n - 1
	for i, to := range m.next {
		if uint32(i)%m.n != last && m.next[to+last] != 0 {
			m.next[i] |= hit
		}
	}
}

// Match reports whether b contains one of the words.
func (m *Matcher) Match(b []byte) bool {
	st := uint32(0)
	for _, c := range b {
		if st = m.next[st+uint32(m.class[c])]; st&hit != 0 {
			return true
		}
	}
	return false
}

// First returns the first row with a word in a stream, or -1.
func (m *Matcher) First(d *Stream) int {
	var hits Set
	for i := range d.Lines {
		found := m.Find(d.Lines[i].S)
		hits.join(&found)
	}
	return hits.Next(0)
}

// Find returns the rows with a word in s.
func (m *Matcher) Find(s string) (hits Set) {
	st, last := uint32(0), m.n-1
	for i := range len(s) {
		if st = m.next[st+uint32(m.class[s[i]])]; st&hit != 0 {
			st &^= hit
			hits.join(&m.sets[m.next[st+last]])
		}
	}
	return hits
}

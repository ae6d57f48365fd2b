package stream

import "sync"

// Matcher is an Aho-Corasick automaton over lower-cased bytes: it tells in one
// pass, at a fixed cost for each byte, whether a line holds one of many words.
type Matcher struct {
	class [256]uint8
	next  []uint16 // state*classes + class
	n     int      // classes
	final []bool
}

// triggerWords make a line hot. They are the words with which tools announce
// failures; too many hits cost room, a missing one costs a failure.
var triggerWords = []string{
	"fail", "error", "panic", "exception", "traceback", "assert", "expected", "not ok ", "fatal", "undefined",
	"\u2715", "\u2717", "\u2718", "\u25cf ", "\u00d7", "\u2716", "\u274c", "broken", "timed out", "timeout",
	"segmentation",
	"data race", "cannot ", "unexpected", "mismatch", "aborted", "critical", "leak", "stack trace", "  at ",
	"warning: ", " --> ",
	"tests:", "tests run", " passed", " examples,", "test result", "summary", "no tests", "=== ",
	"[  passed", " runs, ", "killed",
}

// strongWords are marks of test runners and compilers rather than words of a
// log.
var strongWords = []string{
	"--- fail", "fail\t", " failed", "failed ", "not ok ", "panicked at", "goroutine ", "traceback (most",
	"assertionerror", "assertion",
	"\u2715", "\u2717", "\u2718", "\u25cf ", "\u00d7", "\u2716", "\u274c", ": error: ", "error[", " --> ",
	"failures:", "failures", "= errors =", "expected", "fail  ",
	"tests:", "tests run", " passed", " examples,", "test result", "short test summary", "[  failed",
	": failure", "data race", "segmentation", "undefined reference", "(failed",
	"    at ", "error ts", "caused by", ": error ts", "compilation error", "could not compile", "***",
	"<failure", "<error", "\"fail\"",
}

var strongTriggers = sync.OnceValue(func() *Matcher { return NewMatcher(strongWords) })

var triggers = sync.OnceValue(func() *Matcher { return NewMatcher(triggerWords) })

func NewMatcher(words []string) *Matcher {
	m := &Matcher{n: 1}
	for _, w := range words {
		for i := range len(w) {
			if m.class[w[i]] == 0 {
				m.class[w[i]] = uint8(m.n)
				m.n++
			}
		}
	}
	for c := byte('a'); c <= 'z'; c++ {
		m.class[c-'a'+'A'] = m.class[c]
	}
	add := func() uint16 {
		m.next = append(m.next, make([]uint16, m.n)...)
		m.final = append(m.final, false)
		return uint16(len(m.final) - 1)
	}
	add()
	for _, w := range words {
		st := uint16(0)
		for i := range len(w) {
			at := int(st)*m.n + int(m.class[w[i]])
			if m.next[at] == 0 {
				to := add()
				m.next[at] = to
			}
			st = m.next[at]
		}
		m.final[st] = true
	}
	m.link()
	return m
}

// link adds the transitions for mismatches, breadth first.
func (m *Matcher) link() {
	fail := make([]uint16, len(m.final))
	var queue []uint16
	for c := range m.n {
		if to := m.next[c]; to != 0 {
			queue = append(queue, to)
		}
	}
	for len(queue) > 0 {
		st := queue[0]
		queue = queue[1:]
		m.final[st] = m.final[st] || m.final[fail[st]]
		for c := range m.n {
			at := int(st)*m.n + c
			back := m.next[int(fail[st])*m.n+c]
			if to := m.next[at]; to != 0 {
				fail[to] = back
				queue = append(queue, to)
			} else {
				m.next[at] = back
			}
		}
	}
}

func (m *Matcher) Match(b []byte) bool {
	st := 0
	for _, c := range b {
		st = int(m.next[st*m.n+int(m.class[c])])
		if m.final[st] {
			return true
		}
	}
	return false
}

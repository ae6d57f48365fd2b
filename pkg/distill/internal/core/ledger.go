package core

import (
	"slices"
	"strings"
)

// event is one thing that a line says of a test.
type event struct {
	said   verdict
	name   string
	mark   string // the template of the line
	titles []string
	at     int      // the line
	block  []string // what stands below (or above) the line and belongs to it
	more   string   // what the line itself says besides
	proof  int      // how sure it is that this line speaks of a test at all
	place  Frame    // the place that the line itself names
}

// Proofs, the weakest first.
const (
	proofListed  = 1 // an entry of a list
	proofWord    = 2 // a word that logs use as well
	proofHeading = 3 // a heading with a message below it
	proofMark    = 4 // a mark that tests alone have
)

// entry is all that is known of one name.
type entry struct {
	key    string
	events []event
}

// ledger collects what the lines of a stream say of each test. The last result
// of a name counts.
type ledger struct {
	entries []*entry
	byKey   map[string]*entry
	byTail  map[string][]*entry // by the last word of the key
}

func newLedger() *ledger {
	return &ledger{byKey: map[string]*entry{}, byTail: map[string][]*entry{}}
}

// add files an event under its name. "melts" and "glaze melts" are one name if
// one is the end of the other and no other ends so.
func (l *ledger) add(e event) {
	key := NameKey(strings.Join(append(slices.Clone(e.titles), e.name), " "))
	if key == "" {
		return
	}
	x := l.find(key)
	if x == nil {
		x = &entry{key: key}
		l.entries = append(l.entries, x)
		l.byKey[key] = x
		tail := lastWord(key)
		l.byTail[tail] = append(l.byTail[tail], x)
	} else if len(key) > len(x.key) {
		l.byKey[key] = x
		x.key = key
	}
	x.events = append(x.events, e)
}

// find looks for the entry of a key: the same, or one that ends in it or in
// which it ends.
func (l *ledger) find(key string) *entry {
	if x := l.byKey[key]; x != nil {
		return x
	}
	var found *entry
	cands := l.byTail[lastWord(key)]
	for _, x := range cands[max(0, len(cands)-200):] {
		if endsIn(x.key, key) || endsIn(key, x.key) {
			if found != nil {
				return nil
			}
			found = x
		}
	}
	return found
}

func lastWord(key string) string { return key[strings.LastIndexByte(key, ' ')+1:] }

// endsIn tells whether a name is the end of a longer one.
func endsIn(long, short string) bool {
	more := len(long) - len(short)
	return more == 0 && long == short || more > 0 && long[more-1] == ' ' && long[more:] == short
}

// last gives the last event that is a result. Of a list at the end only the
// failing names are taken, since it may list all.
func (x *entry) last() *event {
	var r *event
	for i := range x.events {
		e := &x.events[i]
		if e.said == begun || e.said == unknown {
			continue
		}
		r = e
	}
	return r
}

// best gives the event with the most telling block.
func (x *entry) best() *event {
	var best *event
	top := -1
	for i := range x.events {
		e := &x.events[i]
		if e.said == passed || e.said == skipped {
			continue
		}
		score := tellingBlock(e.block)
		if e.more != "" {
			score += 2
		}
		if score > top {
			best, top = e, score
		}
	}
	return best
}

// tellingBlock says how much a block explains a failure.
func tellingBlock(lines []string) int {
	score := 0
	for i, s := range lines {
		if i > 40 {
			break
		}
		if n := Telling(s); n > 0 {
			score += min(n, 4)
		}
		if _, ok := ParseFrame(s); ok {
			score += 3
		}
		if _, _, ok := valueOf(s); ok {
			score += 4
		}
	}
	if len(lines) > 0 {
		score++
	}
	return score
}

// name gives the fullest form in which the name was told.
func (x *entry) name() string {
	name := ""
	for i := range x.events {
		e := &x.events[i]
		full := strings.Join(append(slices.Clone(e.titles), e.name), " > ")
		if len(NameKey(full)) > len(NameKey(name)) && e.said != passed {
			name = full
		}
	}
	return name
}

// proof is that of the surest line. A name that lines of two kinds tell is the
// name of a test.
func (x *entry) proof() int {
	p, mark := 0, ""
	for i := range x.events {
		e := &x.events[i]
		if e.said != failed {
			continue
		}
		if p > 0 && e.mark != mark && max(p, e.proof) >= proofHeading {
			return proofMark
		}
		p, mark = max(p, e.proof), e.mark
	}
	return p
}

// failing gives the entries whose last result is a failure, in the order of
// their first line. The parents of failing tests are left out.
func (l *ledger) failing() []*entry {
	var out []*entry
	parents := map[string]bool{}
	for _, x := range l.entries {
		if r := x.last(); r != nil && r.said == failed {
			out = append(out, x)
			for k := x.key; strings.Contains(k, " "); {
				k = k[:strings.LastIndexByte(k, ' ')]
				parents[k] = true
			}
		}
	}
	return slices.DeleteFunc(out, func(x *entry) bool {
		return parents[x.key] && tellingBlock(x.best().block) < 6 || x.wraps(out)
	})
}

// passing counts the names whose last result is a pass, -1 where there is none.
func (l *ledger) passing() int {
	n := 0
	for _, x := range l.entries {
		if e := x.last(); e != nil && e.said == passed {
			n++
		}
	}
	if n == 0 {
		return -1
	}
	return n
}

// wraps tells a test in which others ran, by a runner of its own: between its
// begin and its result stand failures with other marks.
func (x *entry) wraps(all []*entry) bool {
	from, to, key := -1, -1, ""
	for i := range x.events {
		switch e := &x.events[i]; e.said {
		case begun:
			from = e.at
		case failed:
			if to < from || from < 0 { // the lists at the end tell it again
				to, key = e.at, e.mark
			}
		}
	}
	if from < 0 || to < from {
		return false
	}
	return slices.ContainsFunc(all, func(y *entry) bool {
		return y != x && slices.ContainsFunc(y.events, func(e event) bool {
			return e.said == failed && e.at > from && e.at < to && e.mark != key && e.proof >= proofWord &&
				e.mark != "\x01counted" // its line is that of the name, not of the result
		})
	})
}

// open gives the names that began and have no result.
func (l *ledger) open() []*entry {
	var out []*entry
	for _, x := range l.entries {
		if x.last() == nil && slices.ContainsFunc(x.events, func(e event) bool { return e.said == begun }) {
			out = append(out, x)
		}
	}
	return out
}

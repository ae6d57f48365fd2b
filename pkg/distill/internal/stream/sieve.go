package stream

import (
	"bytes"
	"context"
	"errors"
	"io"
)

// Limits bounds what is kept of an output.
type Limits struct {
	Head int // bytes kept of the beginning
	Hot  int // bytes kept of the middle: lines that look like a failure
	Tail int // bytes kept of the end
	Line int // bytes kept of one line
	wide int // bytes kept of a line that may be a report in JSON or XML
}

// DefaultLimits keep a report of any runner and two megabytes of the rest.
var DefaultLimits = Limits{Head: 512 << 10, Hot: 1 << 20, Tail: 512 << 10, Line: 16 << 10, wide: 768 << 10}

// None keeps no line, but cuts them at the same length.
func (l Limits) None() Limits { return Limits{Line: l.Line, wide: l.wide} }

// room is how much to keep of a line that begins with b.
func (l *Limits) room(b []byte) int {
	if len(b) > 0 && (b[0] == '{' || b[0] == '[' || b[0] == '<') {
		return max(l.Line, l.wide)
	}
	return l.Line
}

// A hot line keeps its surroundings: what precedes a failing test is often its output, and
// what follows is its message.
const (
	hotBefore = 24
	hotAfter  = 80
	// sameHot is how often a line of the same shape (ignoring digits) makes its
	// surroundings hot. A log that repeats "ERROR: retrying" a million times must not push
	// out the one real failure.
	sameHot   = 64
	sameKept  = 128 // lines of the same shape among the hot ones
	maxShapes = 16384
)

// rawLine is one line as kept, without its end.
type rawLine struct {
	text []byte
	no   int64    // number in the output, from 1
	keys lineKeys // where lines are compared
}

// Kept is what the sieve lets through.
type Kept struct {
	lines []rawLine
	Total int64
	Bytes int64 // before they were decoded; the caller counts them
	Tally Tally
	Seen  *Seen // all its lines, where they are to be compared
}

func (k *Kept) size() (n int) {
	for _, l := range k.lines {
		n += len(l.text)
	}
	return n
}

// Tally counts dropped lines about passed tests, for formats without a total at the end.
type Tally struct {
	GoPass, GoSkip, TapOK, gtestOK int
}

// Sieve reads an output of any size and keeps a bounded part of it. Small outputs are kept
// whole.
type Sieve struct {
	lim   Limits
	stats Kept

	head      []rawLine
	headBytes int
	hot       []rawLine
	hotBytes  int
	tail      lineRing

	until int64 // lines up to this number are hot
	shape map[uint64]int

	seen   *Seen    // nil if nothing is compared
	slab   []byte   // room for the lines that are kept
	cur    []byte   // the line being read, at most lim.line bytes
	long   int      // bytes of the line beyond those
	dfa    *Matcher // words that may belong to a failure
	strong *Matcher // words with which runners mark one
}

// NewSieve makes a sieve that keeps as much as lim says.
func NewSieve(lim Limits) *Sieve {
	return &Sieve{lim: lim, tail: lineRing{max: lim.Tail}, shape: make(map[uint64]int), dfa: triggers(),
		strong: strongTriggers()}
}

// Compare has the sieve remember all lines for comparison.
func (s *Sieve) Compare() { s.seen = &Seen{} }

func (s *Sieve) ReadFrom(ctx context.Context, r io.Reader) error {
	buf := make([]byte, 128<<10)
	for empty := 0; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := r.Read(buf)
		s.Write(buf[:n])
		if err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if n > 0 {
			empty = 0
		} else if empty++; empty > 100 {
			return io.ErrNoProgress
		}
	}
}

func (s *Sieve) Write(b []byte) {
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		part := b
		if i >= 0 {
			part = b[:i]
		}
		first := s.cur
		if len(first) == 0 {
			first = part
		}
		most := s.lim.room(first)
		if room := most - len(s.cur); room >= len(part) {
			s.cur = append(s.cur, part...)
		} else {
			s.cur = append(s.cur, part[:room]...)
			s.long += len(part) - room
			// A progress bar may redraw one line forever; its last state counts.
			if cr := bytes.LastIndexByte(part[:len(part)-1], '\r'); cr >= 0 {
				last := part[cr+1:]
				s.cur, s.long = append(s.cur[:0], last[:min(len(last), most)]...), 0
			}
		}
		if i < 0 {
			return
		}
		b = b[i+1:]
		s.endLine()
	}
}

// endLine files the line in s.cur.
func (s *Sieve) endLine() {
	s.stats.Total++
	line := s.cur
	if s.long == 0 && len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1]
	}
	l := rawLine{text: line, no: s.stats.Total}
	if s.seen != nil {
		clean := cleaned(line)
		l.keys = keysOf(clean)
		s.seen.add(clean, l.keys)
	}
	if s.headBytes+len(line) <= s.lim.Head && len(s.head) == int(s.stats.Total)-1 {
		s.head = append(s.head, s.copied(l))
		s.headBytes += len(line) + 32
	} else {
		s.middle(l)
	}
	s.cur, s.long = s.cur[:0], 0
}

// copied gives a line memory of its own, many lines a piece.
func (s *Sieve) copied(l rawLine) rawLine {
	if len(l.text) > cap(s.slab)-len(s.slab) {
		s.slab = make([]byte, 0, max(slabSize, len(l.text)))
	}
	from := len(s.slab)
	s.slab = append(s.slab, l.text...)
	l.text = s.slab[from:len(s.slab):len(s.slab)]
	return l
}

const slabSize = 32 << 10

// middle decides about a line after the beginning: every line goes into the ring of last
// lines; hot lines are also kept for good.
func (s *Sieve) middle(l rawLine) {
	if s.hotBytes < s.lim.Hot && s.dfa.Match(l.text) {
		s.trigger(l.text, l.no)
	}
	if l.no <= s.until {
		s.keepHot(l)
	} else {
		s.stats.Tally.add(l.text)
	}
	s.tail.push(l)
}

// trigger decides how far a line that looks like a failure makes its surroundings hot.
// Repetitions get less each time, and words common in logs leave room for the marks of test
// runners.
func (s *Sieve) trigger(line []byte, no int64) {
	h := ShapeOf(line)
	if len(s.shape) < maxShapes || s.shape[h] > 0 {
		s.shape[h]++
	}
	strong := s.strong.Match(line)
	if !strong && s.hotBytes > s.lim.Hot/2 {
		return
	}
	switch n := s.shape[h]; {
	case n <= 4 || strong && n <= sameHot:
		s.until = max(s.until, no+hotAfter)
		s.rescue(hotBefore)
	case n <= sameHot:
		s.until = max(s.until, no)
	}
}

// rescue moves the last n lines of the ring to the hot lines.
func (s *Sieve) rescue(n int) {
	last := int64(0)
	if len(s.hot) > 0 {
		last = s.hot[len(s.hot)-1].no
	}
	for _, l := range s.tail.last(n) {
		if l.no > last {
			s.stats.Tally.sub(l.text)
			s.keepHot(l)
		}
	}
}

func (s *Sieve) keepHot(l rawLine) {
	h := ShapeOf(l.text) + 1
	if len(s.shape) < maxShapes || s.shape[h] > 0 {
		s.shape[h]++
	}
	if s.hotBytes >= s.lim.Hot || s.shape[h] > sameKept && len(l.text) > 8 {
		s.stats.Tally.add(l.text)
		return
	}
	s.hot = append(s.hot, s.copied(l))
	s.hotBytes += len(l.text) + 32
}

// Finish returns what was kept, in order and each line once.
func (s *Sieve) Finish() *Kept {
	if len(s.cur) > 0 || s.long > 0 {
		s.endLine()
	}
	k := s.stats
	k.Seen = s.seen
	tail, hot := s.tail.last(len(s.tail.lines)), s.hot
	k.lines = append(make([]rawLine, 0, len(s.head)+len(hot)+len(tail)), s.head...)
	for _, l := range tail {
		for len(hot) > 0 && hot[0].no < l.no {
			k.lines, hot = append(k.lines, hot[0]), hot[1:]
		}
		if len(hot) > 0 && hot[0].no == l.no {
			hot = hot[1:]
		} else {
			k.Tally.sub(l.text) // kept after all, so it is counted there
		}
		k.lines = append(k.lines, l)
	}
	k.lines = append(k.lines, hot...)
	return &k
}

// ShapeOf hashes a line without its digits.
func ShapeOf(line []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range line[:min(len(line), 200)] {
		if c >= '0' && c <= '9' {
			continue
		}
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h | 1
}

func (t *Tally) add(line []byte) { t.count(line, 1) }

func (t *Tally) sub(line []byte) { t.count(line, -1) }

func (t *Tally) count(line []byte, n int) {
	if len(line) < 4 {
		return
	}
	switch line[0] {
	case '-':
		if bytes.HasPrefix(line, []byte("--- PASS: ")) {
			t.GoPass += n
		} else if bytes.HasPrefix(line, []byte("--- SKIP: ")) {
			t.GoSkip += n
		}
	case 'o':
		if bytes.HasPrefix(line, []byte("ok ")) && line[3] >= '0' && line[3] <= '9' {
			t.TapOK += n
		}
	case '[':
		if bytes.HasPrefix(line, []byte("[       OK ] ")) {
			t.gtestOK += n
		}
	}
}

// lineRing holds the last lines up to max bytes, reusing its memory.
type lineRing struct {
	max, bytes int
	lines      []rawLine
	start, n   int
}

func (r *lineRing) push(l rawLine) {
	cost := len(l.text) + 32
	for r.n > 0 && r.bytes+cost > r.max {
		r.bytes -= len(r.lines[r.start].text) + 32
		r.start = (r.start + 1) % len(r.lines)
		r.n--
	}
	if r.n == len(r.lines) {
		grown := make([]rawLine, max(64, 2*r.n))
		for i := range r.n {
			grown[i] = r.lines[(r.start+i)%len(r.lines)]
		}
		r.lines, r.start = grown, 0
	}
	slot := &r.lines[(r.start+r.n)%len(r.lines)]
	if cap(slot.text) > 2048 && len(l.text) < 512 {
		slot.text = nil // do not hold a long line's memory for a short one
	}
	slot.text, slot.no, slot.keys = append(slot.text[:0], l.text...), l.no, l.keys
	r.n++
	r.bytes += cost
}

// last returns the last n lines, oldest first; valid until the next push.
func (r *lineRing) last(n int) []rawLine {
	n = min(n, r.n)
	out := make([]rawLine, 0, n)
	for i := r.n - n; i < r.n; i++ {
		out = append(out, r.lines[(r.start+i)%len(r.lines)])
	}
	return out
}

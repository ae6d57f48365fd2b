package redact

import (
	"bytes"
	"io"
	"sort"
	"strings"
	"sync"
)

// Bounds of what a Writer holds back.
const (
	// maxHeld is how much of one line waits for its end.
	maxHeld = 64 << 10
	// tailHeld is what stays behind when a line is longer than that.
	tailHeld = 16 << 10
)

// Writer redacts what is written to it. It holds back the line that is not
// ended and a key block that is not, so that a secret in two writes is found.
type Writer struct {
	r   *Redactor
	dst io.Writer

	mu   sync.Mutex
	held []byte
	err  error
}

// Writer gives a writer that redacts before dst. Close must be called: it
// writes what was held back. It does not close dst.
func (r *Redactor) Writer(dst io.Writer) *Writer { return &Writer{r: r, dst: dst} }

// Write implements io.Writer.
func (w *Writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(p)
	for len(p) > 0 && w.err == nil {
		part := p[:min(len(p), maxHeld)]
		if len(part) < len(p) { // behind a line, all of it can go out
			if end := bytes.LastIndexByte(part, '\n') + 1; end > 0 {
				part = part[:end]
			}
		}
		p = p[len(part):]
		w.held = append(w.held, part...)
		// Without a new line there is nothing to write yet, and no need to look.
		if len(w.held) > maxHeld || bytes.IndexByte(part, '\n') >= 0 {
			w.emit(false)
		}
	}
	if w.err != nil {
		return 0, w.err
	}
	return n, nil
}

// Close writes what is left.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.emit(true)
	return w.err
}

// emit writes as much of what is held as no later byte can change.
func (w *Writer) emit(all bool) {
	if w.err != nil || len(w.held) == 0 {
		return
	}
	s := string(w.held)
	cut := len(s)
	if all {
		s = w.r.String(s)
	} else {
		var spans []span
		if cut, spans = w.safe(s); cut < len(s) {
			s = w.r.String(s[:cut])
		} else if len(spans) > 0 { // else it was read, and is clean
			s = w.r.String(s)
		}
	}
	if cut == 0 {
		return
	}
	_, w.err = io.WriteString(w.dst, s)
	w.held = append(w.held[:0], w.held[cut:]...)
}

// safe is where what is held may be cut: behind a line, and not inside a
// secret. It also returns the secrets of s, if it looked for any.
func (w *Writer) safe(s string) (int, []span) {
	cut := strings.LastIndexByte(s, '\n') + 1
	if cut == 0 && len(s) <= maxHeld {
		return 0, nil
	}
	if len(s)-cut > maxHeld {
		cut = len(s) - tailHeld
	}
	spans, open := w.r.scan(s)
	spans = append(spans, w.r.encodedRuns(s)...)
	sort.SliceStable(spans, func(i, j int) bool { return spans[i].start < spans[j].start })
	if open >= 0 && open < cut && len(s)-open <= maxBlock+maxHeld {
		cut = open
	}
	for _, p := range spans {
		if p.start < cut && p.end > cut {
			if p.start > 0 {
				return p.start, spans
			}
			return p.end, spans
		}
	}
	return cut, spans
}

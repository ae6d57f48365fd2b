package check

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
)

const (
	// tailSize is what is kept of the output in memory.
	tailSize = 64 << 10
	// maxLine is where an unfinished line is passed on all the same.
	maxLine = 64 << 10
	// liveEvery is the shortest time between two live lines.
	liveEvery = 100 * time.Millisecond
)

// capture merges both streams of a step into the log and the tail, without their
// secrets. It merges whole lines, so that a line of one stream never splits a line
// of the other.
type capture struct {
	mu   sync.Mutex
	log  *logFile
	sink io.Writer // writes kept, behind the redactor
	err  error     // the first error of writing the log
	tail tail

	live  func(line string)
	shown time.Time
	now   func() time.Time
}

// stream is one of the two.
type stream struct {
	c       *capture
	tap     func(lines []byte) []byte // may be nil
	partial []byte
}

// kept writes to the tail and the log. It never fails: on a full disk the tail says why.
type kept struct{ c *capture }

func (k kept) Write(b []byte) (int, error) {
	k.c.tail.add(b)
	if _, err := k.c.log.Write(b); err != nil && k.c.err == nil {
		k.c.err = err
	}
	return len(b), nil
}

func newCapture(log *logFile, redact func(io.Writer) io.Writer, live func(string),
	now func() time.Time) *capture {
	c := &capture{log: log, live: live, now: now, tail: tail{max: tailSize}}
	c.sink = kept{c}
	if redact != nil {
		c.sink = redact(c.sink)
	}
	return c
}

// Write takes a piece of output; it never fails, since a reader that stops
// reading would stop the command.
func (s *stream) Write(b []byte) (int, error) {
	n := len(b)
	end := bytes.LastIndexByte(b, '\n') + 1
	switch {
	case end > 0 && len(s.partial) == 0:
		s.lines(b[:end])
	case end > 0:
		s.partial = append(s.partial, b[:end]...)
		s.lines(s.partial)
		s.partial = s.partial[:0]
	}
	s.partial = append(s.partial, b[end:]...)
	if len(s.partial) >= maxLine {
		s.lines(s.partial)
		s.partial = s.partial[:0]
	}
	return n, nil
}

// finish passes on a last line without an end.
func (s *stream) finish() {
	if len(s.partial) > 0 {
		s.lines(s.partial)
		s.partial = nil
	}
}

func (s *stream) lines(b []byte) {
	if s.tap != nil {
		b = s.tap(b)
	}
	s.c.lines(b)
}

func (c *capture) lines(b []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, _ = c.sink.Write(b) // kept remembers its errors
	if c.live == nil {
		return
	}
	if now := c.now(); now.Sub(c.shown) >= liveEvery {
		if line := lastLine(b); line != "" {
			c.shown = now
			c.live(line)
		}
	}
}

// close completes the log. The error is that of writing it, if any.
func (c *capture) close() error {
	var err error
	if closer, ok := c.sink.(io.Closer); ok {
		err = closer.Close()
	}
	return errors.Join(c.err, err, c.log.Close())
}

func lastLine(b []byte) string {
	if len(b) > 4096 {
		b = b[len(b)-4096:]
	}
	lines := strings.FieldsFunc(clean(b), func(r rune) bool { return r == '\n' || r == '\r' })
	for i := len(lines) - 1; i >= 0; i-- {
		if l := strings.TrimSpace(lines[i]); l != "" {
			return l
		}
	}
	return ""
}

// clean makes output readable: valid UTF-8, no escape sequences, no control
// characters but newline and tab.
func clean(b []byte) string {
	s := ansi.Strip(strings.ToValidUTF8(string(b), "\uFFFD"))
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f {
			return -1
		}
		return r
	}, s)
}

// tail keeps the last max bytes that were added, and up to as many again, so
// that it moves them seldom.
type tail struct {
	max     int
	buf     []byte
	dropped bool // buf is not all that was added
}

func (t *tail) add(b []byte) {
	if len(b) > t.max {
		t.dropped = true
		t.buf = append(t.buf[:0], b[len(b)-t.max:]...)
		return
	}
	if len(t.buf)+len(b) > 2*t.max {
		t.dropped = true
		keep := t.buf[len(t.buf)+len(b)-t.max:]
		t.buf = append(t.buf[:0], keep...)
	}
	t.buf = append(t.buf, b...)
}

// bytes returns what was kept, from the start of a line if something is missing.
func (t *tail) bytes() []byte {
	b := t.buf[max(0, len(t.buf)-t.max):]
	if len(b) == len(t.buf) && !t.dropped {
		return b
	}
	if i := bytes.IndexByte(b, '\n'); i >= 0 && i < len(b)-1 {
		b = b[i+1:]
	}
	return b
}

// logTail is how much of the end of an overlong output the log keeps.
const logTail = 4 << 20

// logFile is a file that keeps the beginning and the end of what is written,
// max bytes in all, and says what is missing between.
type logFile struct {
	f    *os.File
	room int64 // for the beginning
	end  tail
	past int64 // bytes that did not fit into the beginning
	cut  bool
}

func createLog(path string, max int64) (*logFile, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	end := min(logTail, max/2)
	return &logFile{f: f, room: max - end, end: tail{max: int(end)}}, nil
}

func (l *logFile) Write(b []byte) (int, error) {
	n := len(b)
	if l.past == 0 {
		head := b
		if int64(len(head)) > l.room {
			head = head[:l.room]
		}
		if _, err := l.f.Write(head); err != nil {
			return 0, err
		}
		l.room -= int64(len(head))
		b = b[len(head):]
	}
	l.past += int64(len(b))
	l.end.add(b)
	return n, nil
}

// Close writes the end of the output and closes the file.
func (l *logFile) Close() error {
	kept := l.end.bytes()
	var err error
	if missing := l.past - int64(len(kept)); missing > 0 {
		l.cut = true
		_, err = fmt.Fprintf(l.f, "\n[booty: %d bytes of output left out here]\n", missing)
	}
	if err == nil {
		_, err = l.f.Write(kept)
	}
	return errors.Join(err, l.f.Close())
}

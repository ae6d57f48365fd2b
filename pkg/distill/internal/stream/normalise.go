// Package stream turns the bytes of an output into streams of clean lines. Any number of
// bytes comes in; a bounded number of lines goes out, without escape sequences, encodings,
// time stamps and labels of build services. It knows nothing about tests except for the
// words that make a line worth keeping.
package stream

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// Line is one clean line of output: no escape sequences, no carriage returns, valid UTF-8,
// without the prefixes of a build service.
type Line struct {
	S    string
	No   int64
	Used bool // a reader has made sense of it
	// Old is set if the line stands in the last good run as well.
	Old bool
	// Changed is set with Old if it does so with other numbers.
	Changed bool
	// Guessed is set with Used if the reader does not know the tool.
	Guessed bool
}

// Stream is one stream of lines. If several programs write at the same time with a prefix
// each ("web:test: ", "[api] "), each prefix is a stream.
type Stream struct {
	Label string
	Lines []Line
}

// Begins reports whether a line begins with w.
func (d *Stream) Begins(w string) bool {
	return slices.ContainsFunc(d.Lines, func(l Line) bool { return strings.HasPrefix(l.S, w) })
}

// Holds reports whether a line contains w.
func (d *Stream) Holds(w string) bool {
	return slices.ContainsFunc(d.Lines, func(l Line) bool { return strings.Contains(l.S, w) })
}

// Normalise turns raw lines into streams. The stream without a prefix comes first, the
// others in order of their first line.
// Lines that stand in before are marked; it may be nil.
func Normalise(k *Kept, before *Seen) []*Stream {
	d := &Stream{Lines: make([]Line, len(k.lines))}
	// The lines are parts of one string.
	var all strings.Builder
	all.Grow(k.size())
	ends := make([]int, len(k.lines))
	for i, r := range k.lines {
		all.Write(cleaned(r.text))
		ends[i] = all.Len()
	}
	from, old := 0, before != nil
	for i, r := range k.lines {
		s := all.String()[from:ends[i]]
		from = ends[i]
		if old = before != nil && before.has(r.keys, old); s == "" {
			old = true
		}
		d.Lines[i] = Line{S: s, No: r.no, Old: old, Changed: before != nil && old && before.changed(r.keys)}
	}
	d.stripStamps()
	streams := d.split()
	for _, x := range streams[1:] {
		x.stripStamps()
	}
	return streams
}

// CleanLine does what a terminal would: it drops escape sequences and keeps the last state
// of a redrawn line.
func CleanLine(b []byte) string { return string(cleaned(b)) }

// cleaned is CleanLine without a copy of a line that is clean but for its end, as most are.
func cleaned(b []byte) []byte {
	for _, c := range b {
		if c < ' ' && c != '\t' || c >= 0x7f {
			return []byte(cleanOdd(string(b)))
		}
	}
	return bytes.TrimRight(b, " \t")
}

func cleanOdd(s string) string {
	if strings.IndexByte(s, 0x1b) >= 0 {
		if strings.IndexByte(s, 'G') >= 0 {
			s = reColumn().ReplaceAllStringFunc(s, func(move string) string {
				if len(move) < 5 && move[2] < '3' { // the cursor goes to the first columns
					return "\r"
				}
				return " "
			})
		}
		s = StripANSI(s)
	}
	if strings.IndexByte(s, '\r') >= 0 {
		s = lastDrawn(s)
	}
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	return strings.TrimRight(strings.TrimPrefix(s, "\uFEFF"), " \t\r")
}

var (
	reColumn = text.Lazy("\x1b\\[\\d*G")              // the cursor moves to a column
	reMark   = text.Lazy("\x1b[_P^][^\x07\x1b]*\x07") // Buildkite's, which ends as only a title may
)

// StripANSI removes control sequences.
func StripANSI(s string) string {
	if strings.IndexByte(s, '\a') >= 0 {
		s = reMark().ReplaceAllString(s, "")
	}
	return ansi.Strip(s)
}

// lastDrawn returns the last segment between carriage returns that is not space.
func lastDrawn(s string) string {
	for {
		i := strings.LastIndexByte(s, '\r')
		if i < 0 || strings.TrimSpace(s[i+1:]) != "" {
			return s[i+1:]
		}
		s = s[:i]
	}
}

const maxStreams = 64

// OnlyDigits reports whether s is a number without sign.
func OnlyDigits(s string) bool {
	return s != "" && text.LeadingDigits(s) == len(s)
}

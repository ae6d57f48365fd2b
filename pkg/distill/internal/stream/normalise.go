// Package stream turns the bytes of an output into streams of clean lines.
// Bytes of any number come in; a bounded number of lines goes out, without
// escape sequences, encodings, time stamps and labels of build services. It
// knows nothing of tests, but for the words by which a line is worth keeping.
package stream

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// Line is one line of output, ready to be read: no escape sequences, no
// carriage returns, valid UTF-8, without what a build service put in front.
type Line struct {
	S    string
	No   int64
	Used bool // a reader has made sense of it
	// Guessed is set with Used where the reader does not know the tool.
	Guessed bool
	// Colour is that of the first sign of the line: red, green, another one ('o') or none (0).
	Colour byte
}

// Stream is one stream of lines. Where several programs write at the same time
// behind a prefix each ("web:test: ", "[api] "), each prefix is a stream.
type Stream struct {
	Label string
	Lines []Line
}

// Begins tells whether a line begins with w.
func (d *Stream) Begins(w string) bool {
	return slices.ContainsFunc(d.Lines, func(l Line) bool { return strings.HasPrefix(l.S, w) })
}

// Holds tells whether w stands in a line.
func (d *Stream) Holds(w string) bool {
	return slices.ContainsFunc(d.Lines, func(l Line) bool { return strings.Contains(l.S, w) })
}

// Normalise turns raw lines into streams. The stream without a prefix comes
// first, the others in the order of their first line.
func Normalise(k *Kept) []*Stream {
	d := &Stream{Lines: make([]Line, 0, len(k.lines))}
	for _, r := range k.lines {
		s := CleanLine(r.text)
		d.Lines = append(d.Lines, Line{S: s, No: r.no, Colour: colourOf(r.text)})
	}
	d.stripStamps()
	d.outdent()
	streams := d.split()
	for _, x := range streams[1:len(streams):len(streams)] {
		x.stripStamps()
		if inner := x.split(); len(inner) > 1 { // turbo inside docker compose
			*x = *inner[0]
			streams = append(streams, inner[1:]...)
		}
	}
	return streams
}

// outdent takes off a margin that someone put in front of all lines. Runners
// indent by one to three columns themselves, so it goes in steps of four.
func (d *Stream) outdent() {
	margin, lines := -1, 0
	for i := range d.Lines {
		s := d.Lines[i].S
		if s == "" {
			continue
		}
		n := len(s) - len(strings.TrimLeft(s, " "))
		if margin < 0 || n < margin {
			margin = n
		}
		if lines++; margin < 4 {
			return
		}
	}
	if lines < 3 {
		return
	}
	margin -= margin % 4
	for i := range d.Lines {
		if s := d.Lines[i].S; len(s) >= margin {
			d.Lines[i].S = s[margin:]
		}
	}
}

// CleanLine resolves what a terminal would: escapes go, and of a line that was
// redrawn the last state stays.
func CleanLine(b []byte) string {
	if bytes.IndexByte(b, 0x1b) >= 0 || bytes.IndexByte(b, 0x9b) >= 0 || bytes.IndexByte(b, '\b') >= 0 {
		b = StripANSI(b)
	}
	if bytes.IndexByte(b, '\r') >= 0 {
		b = lastDrawn(b)
	}
	s := string(b)
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if strings.IndexByte(s, 0) >= 0 {
		s = strings.ReplaceAll(s, "\x00", "")
	}
	s = strings.TrimPrefix(s, "\uFEFF")
	return strings.TrimRight(s, " \t\r")
}

// colourOf gives the colour of the first sign of a line that is to be seen.
func colourOf(b []byte) (colour byte) {
	if bytes.IndexByte(b, 0x1b) < 0 {
		return 0
	}
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == 0x1b && i+1 < len(b):
			end := skipEscape(b, i)
			if b[i+1] == '[' && b[end] == 'm' {
				for _, code := range strings.Split(string(b[i+2:end]), ";") {
					switch n, _ := strconv.Atoi(code); {
					case n == 31 || n == 91:
						colour = 'r'
					case n == 32 || n == 92:
						colour = 'g'
					case n > 31 && n < 37 || n > 91 && n < 97:
						colour = 'o'
					case n == 0 || n == 39:
						colour = 0
					}
				}
			}
			i = end
		case b[i] != ' ' && b[i] != '\t':
			return colour
		}
	}
	return 0
}

// lastDrawn gives the last segment between carriage returns that is not blank.
func lastDrawn(b []byte) []byte {
	for len(b) > 0 {
		i := bytes.LastIndexByte(b, '\r')
		if i < 0 {
			return b
		}
		if seg := b[i+1:]; len(bytes.TrimSpace(seg)) > 0 {
			return seg
		}
		b = b[:i]
	}
	return b
}

// StripANSI removes control sequences: CSI (colours, cursor), OSC (titles,
// links) and the two-byte ones. Going back with backspaces is undone as well.
func StripANSI(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c == '\b':
			if len(out) > 0 {
				out = out[:len(out)-1]
			}
		case c == 0x1b && i+1 < len(b):
			end := skipEscape(b, i)
			if b[i+1] == '[' && b[end] == 'G' { // the cursor moves within the line
				if col, _ := strconv.Atoi(string(b[i+2 : end])); col <= 2 {
					out = append(out, '\r')
				} else {
					out = append(out, ' ')
				}
			}
			i = end
		case c == 0x1b:
		default:
			out = append(out, c)
		}
	}
	return out
}

// skipEscape gives the index of the last byte of the sequence that begins at i.
func skipEscape(b []byte, i int) int {
	switch b[i+1] {
	case '[':
		for j := i + 2; j < len(b); j++ {
			if b[j] >= 0x40 && b[j] <= 0x7e {
				return j
			}
			if b[j] < 0x20 || b[j] > 0x7e { // not a sequence after all
				return j - 1
			}
		}
		return len(b) - 1
	case ']', 'P', '_', '^':
		for j := i + 2; j < len(b); j++ {
			if b[j] == 7 {
				return j
			}
			if b[j] == 0x1b && j+1 < len(b) && b[j+1] == '\\' {
				return j + 1
			}
		}
		return i + 1
	case '(', ')', '#', '%':
		return min(i+2, len(b)-1)
	}
	return i + 1
}

const maxStreams = 64

func OnlyDigits(s string) bool {
	return s != "" && text.LeadingDigits(s) == len(s)
}

package term

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escaped is a writer to a terminal through which no text can move the cursor,
// hide or reorder what is shown, or ask the terminal for anything: the text of
// models, repositories and servers ends there among booty's own. What could is
// made visible; of booty's own sequences, colours pass. The others are written
// by way of [Raw].
func Escaped(w io.Writer) io.Writer {
	if _, ok := w.(*escaped); ok {
		return w
	}
	return &escaped{w: w}
}

// Raw is the terminal behind an escaped one.
func Raw(w io.Writer) io.Writer {
	if e, ok := w.(*escaped); ok {
		return e.w
	}
	return w
}

type escaped struct {
	w    io.Writer
	held []byte // the beginning of a letter, or a carriage return, that the next write decides
}

func (e *escaped) Write(p []byte) (int, error) {
	text := slices.Concat(e.held, p)
	whole := len(text) - unfinished(text)
	e.held = bytes.Clone(text[whole:])
	if _, err := io.WriteString(e.w, Escape(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// unfinished gives how many bytes at the end of text are not a letter yet.
func unfinished(text []byte) int {
	if bytes.HasSuffix(text, []byte("\r")) {
		return 1
	}
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return n
			}
			return 0
		}
	}
	return 0
}

// Escape makes visible what a terminal would obey, but for colours, tabs and ends
// of lines.
func Escape(s string) string {
	if !strings.ContainsFunc(s, obeyed) && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for s != "" {
		if n := colour(s); n > 0 {
			b.WriteString(s[:n])
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == '\r' && strings.HasPrefix(s, "\r\n"):
			b.WriteRune(r)
		case r == utf8.RuneError && n == 1:
			b.WriteRune(r)
		case r < ' ' && r != '\n' && r != '\t':
			b.WriteRune('␀' + r)
		case r == 0x7f:
			b.WriteRune('␡')
		case obeyed(r):
			fmt.Fprintf(&b, "<U+%04X>", r)
		default:
			b.WriteRune(r)
		}
		s = s[n:]
	}
	return b.String()
}

// obeyed reports whether a terminal may do something else than show a letter.
func obeyed(r rune) bool {
	return r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) ||
		r == '\u2028' || r == '\u2029'
}

// colour gives the length of a sequence of booty's own styles at the beginning of s.
func colour(s string) int {
	rest, ok := strings.CutPrefix(s, "\x1b[")
	if !ok {
		return 0
	}
	const longest = len("1;31m") + 1
	end := strings.IndexByte(rest[:min(len(rest), longest)], 'm')
	if end < 0 {
		return 0
	}
	for code := range strings.SplitSeq(rest[:end], ";") {
		switch code {
		case "", "0", "1", "2", "31", "32", "33", "34", "35", "36":
		default:
			return 0
		}
	}
	return len("\x1b[") + end + 1
}

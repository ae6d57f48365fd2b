package edit

import (
	"regexp"
	"strings"
	"sync"

	"github.com/aymanbagabas/go-udiff"
)

// pattern is a regular expression, compiled on first use.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// line is one line of a file: its text and its line end ("\n", "\r\n", or "" at the end of
// a file).
type line struct{ text, end string }

// splitLines splits s after each LF. A lone CR is part of a line.
func splitLines(s string) []line {
	if s == "" {
		return nil
	}
	out := make([]line, 0, strings.Count(s, "\n")+1)
	for s != "" {
		i := strings.IndexByte(s, '\n')
		switch {
		case i < 0:
			return append(out, line{s, ""})
		case i > 0 && s[i-1] == '\r':
			out = append(out, line{s[:i-1], "\r\n"})
		default:
			out = append(out, line{s[:i], "\n"})
		}
		s = s[i+1:]
	}
	return out
}

// joinLines is the inverse of splitLines.
func joinLines(ls []line) string {
	n := 0
	for _, l := range ls {
		n += len(l.text) + len(l.end)
	}
	var b strings.Builder
	b.Grow(n)
	for _, l := range ls {
		b.WriteString(l.text)
		b.WriteString(l.end)
	}
	return b.String()
}

// texts returns the lines of a block, without line ends.
func texts(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// lineEnd returns the line end of most lines, LF on a tie or in an empty file, and whether
// both kinds occur.
func lineEnd(ls []line) (end string, mixed bool) {
	lf, crlf := 0, 0
	for _, l := range ls {
		switch l.end {
		case "\n":
			lf++
		case "\r\n":
			crlf++
		}
	}
	if crlf > lf {
		return "\r\n", lf > 0
	}
	return "\n", crlf > 0
}

// opcode is one step of an alignment of old and new lines.
type opcode byte

const (
	keep opcode = ' '
	drop opcode = '-'
	add  opcode = '+'
)

// align lists the steps from old to new.
func align(old, new []string) []opcode {
	text := linesText(old)
	ops := make([]opcode, 0, len(old)+len(new))
	steps := func(op opcode, lines string) {
		for range strings.Count(lines, "\n") {
			ops = append(ops, op)
		}
	}
	at := 0
	for _, e := range udiff.Lines(text, linesText(new)) {
		steps(keep, text[at:e.Start])
		steps(drop, text[e.Start:e.End])
		steps(add, e.New)
		at = e.End
	}
	steps(keep, text[at:])
	return ops
}

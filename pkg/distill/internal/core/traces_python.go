package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// traceback is one Python traceback.
type traceback struct {
	Frames  []Frame // innermost first
	Message string
	Rest    []string
	at, end int // indices of its first line and of the one after it
}

// readTraceback reads the traceback whose first line is lines[i]. The lines
// come without indentation in common.
func readTraceback(lines []string, i int) *traceback {
	tb := &traceback{at: i}
	ind := len(lines[i]) - len(strings.TrimLeft(lines[i], " "))
	cut := func(s string) string {
		if len(s) >= ind && strings.TrimSpace(s[:ind]) == "" {
			return s[ind:]
		}
		return s
	}
	j := i + 1
	for ; j < len(lines); j++ {
		s := cut(lines[j])
		if strings.HasPrefix(s, "  ") {
			if fr, ok := ParseFrame(s); ok && strings.HasPrefix(strings.TrimSpace(s), `File "`) {
				tb.Frames = append([]Frame{fr}, tb.Frames...)
			}
			continue
		}
		if s == "" {
			continue
		}
		break
	}
	if j < len(lines) {
		tb.Message = cut(lines[j])
		j++
	}
	for ; j < len(lines); j++ {
		s := cut(lines[j])
		if s == "" && j+1 < len(lines) && (strings.HasPrefix(cut(lines[j+1]), "The above exception") ||
			strings.HasPrefix(cut(lines[j+1]), "During handling")) {
			break
		}
		tb.Rest = append(tb.Rest, s)
	}
	tb.end = j
	return tb
}

// LastTraceback reads the last traceback of a chain.
func LastTraceback(lines []string) *traceback {
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.Contains(lines[i], "Traceback (most recent call last)") {
			return readTraceback(lines, i)
		}
	}
	return nil
}

// pythonSyntax reads a syntax error without a traceback: the place stands
// above it.
func pythonSyntax(d *stream.Doc, f *Found, i int) bool {
	t := strings.TrimSpace(d.Lines[i].S)
	if t = strings.TrimPrefix(t, "*** "); !strings.HasPrefix(t, "SyntaxError: ") &&
		!strings.HasPrefix(t, "IndentationError: ") && !strings.HasPrefix(t, "TabError: ") {
		return false
	}
	for k := i - 1; k >= 0 && k > i-6; k-- {
		if fr, ok := ParseFrame(d.Lines[k].S); ok &&
			strings.HasPrefix(strings.TrimSpace(d.Lines[k].S), `File "`) {
			var src []string
			for _, l := range d.Lines[k+1 : i] {
				src = append(src, l.S)
			}
			f.Loose = append(f.Loose, Failure{File: fr.File, Line: fr.Line,
				Message: strings.TrimSpace(d.Lines[i].S), Detail: src, Kind: KindCompile, Runner: "python"})
			return true
		}
	}
	return false
}

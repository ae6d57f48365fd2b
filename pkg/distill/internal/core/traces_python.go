package core

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
)

// pythonSyntax reads a syntax error without a traceback: the place stands
// above it.
func pythonSyntax(d *stream.Stream, f *Result, i int) bool {
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

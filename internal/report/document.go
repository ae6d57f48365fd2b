package report

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

func msec(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// fitted gives a text within a limit, cutting output, the long foreign part of it, first.
// text makes the whole of the output that is left.
func fitted(limit int, output string, text func(output string) string) string {
	whole := text(output)
	const least, note = 500, 200
	if over := len(whole) - limit; over > 0 && len(output) > least {
		whole = text(cutBytes(output, max(least, len(output)-over-note)))
	}
	return cutBytes(whole, limit)
}

// outputBlock gives distilled output as a code block; whole is its length before cuts.
func outputBlock(output string, whole int, run string) string {
	text := Fence("text", output)
	if len(output) < whole {
		text += fmt.Sprintf("\nCut: %d of %d bytes shown; `booty status %s` has the rest.\n", len(output),
			whole, runName(run))
	}
	return text
}

func runName(run string) string {
	if shellWord(run) {
		return run
	}
	return "latest"
}

// cutBytes cuts at a line end, or else between two characters.
func cutBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	s = s[:limit]
	if i := strings.LastIndexByte(s, '\n'); i > limit/2 {
		s = s[:i]
	}
	return s
}

package stream

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// stripStamps removes what a build service puts before every line: time stamps, and the job
// and step before those. A program's own log has time stamps too, so they are removed only
// if (nearly) every line has one.
func (d *Stream) stripStamps() {
	for range 3 {
		if !d.stripCommon(stampLen) {
			break
		}
	}
	for i := range d.Lines {
		s := d.Lines[i].S
		if strings.HasPrefix(s, "##[") || strings.HasPrefix(s, "::") {
			d.Lines[i].S = stripCommand(s)
		}
	}
}

// stripCommand removes the markers of GitHub Actions and Azure Pipelines, but
// leaves annotations that name a file.
func stripCommand(s string) string {
	if strings.HasPrefix(s, "##[") {
		if i := strings.IndexByte(s, ']'); i > 0 {
			switch s[3:i] {
			case "error", "warning", "debug", "command", "section":
				return s[i+1:]
			case "group", "endgroup":
				return ""
			}
		}
		return s
	}
	if said, is := text.CutAny(s, "::group::", "::endgroup::", "::debug::", "::error::", "::warning::",
		"::notice::"); is {
		return said
	}
	return s
}

func (d *Stream) stripCommon(length func(string) int) bool {
	have, all := 0, 0
	for _, l := range d.Lines {
		if l.S == "" {
			continue
		}
		all++
		if length(l.S) > 0 {
			have++
		}
		if 2*(all-have) > len(d.Lines) {
			return false // most have none
		}
	}
	if have == 0 || have < 2 && have < all || have*2 < all {
		return false
	}
	for i := range d.Lines {
		d.Lines[i].S = d.Lines[i].S[length(d.Lines[i].S):]
	}
	return true
}

// stampLen is the length of a time stamp at the beginning of s, with what
// belongs to it and one space after it; 0 if there is none.
func stampLen(s string) int {
	// gh run view --log: "job<TAB>step<TAB>2026-11-21T02:21:53.0270000Z text"
	if i := strings.IndexByte(s, '\t'); i > 0 && i < 100 {
		if j := strings.IndexByte(s[i+1:], '\t'); j > 0 && j < 100 {
			if n := clockLen(s[i+j+2:]); n > 0 {
				return i + j + 2 + n
			}
		}
	}
	return clockLen(s)
}

// reClock is a clock in front of a line, with a date before it, a fraction and a zone behind, and
// what parts it from the text: GitLab writes "2026-11-21T02:21:53.027000Z 01O text".
var reClock = text.Lazy(`^\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d\d:\d\d:\d\d(?:[.,]\d*)?(?:Z|[+-]\d\d:?\d\d)?\]?` +
	`(?: \d\d[OE]\+?)?(?: ?\|)?(?:[ \t]|$)`)

// clockLen is the length of a clock in front of a line; 0 if there is none.
func clockLen(s string) int {
	if s == "" || s[0] != '[' && (s[0] < '0' || s[0] > '9') {
		return 0 // most lines
	}
	return len(reClock().FindString(s))
}

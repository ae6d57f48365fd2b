package stream

import (
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// stripStamps removes what a build service puts in front of every line: time
// stamps, and the job and step in front of those. A program's own log has time
// stamps too, so they go only if (nearly) every line has one.
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
	if said, is := text.CutAny(s, "::group::", "::endgroup::", "::debug::", "::error::", "::warning::", "::notice::"); is {
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
// belongs to it and one blank after it; 0 if there is none.
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

// cursor goes through the text of a stamp; each step moves on only where it fits.
type cursor struct {
	s string
	i int
}

func (c *cursor) digits(n int) bool {
	if c.i+n > len(c.s) {
		return false
	}
	for _, b := range []byte(c.s[c.i : c.i+n]) {
		if b < '0' || b > '9' {
			return false
		}
	}
	c.i += n
	return true
}

func (c *cursor) char(set string) bool {
	if c.i < len(c.s) && strings.IndexByte(set, c.s[c.i]) >= 0 {
		c.i++
		return true
	}
	return false
}

// clock reads "12:34:56", with a date before it and a fraction and a zone behind.
func (c *cursor) clock() bool {
	start := c.i
	if c.digits(4) && c.char("-/") && c.digits(2) && c.char("-/") && c.digits(2) {
		if !c.char("T ") {
			return false
		}
	} else {
		c.i = start
	}
	if !c.digits(2) || !c.char(":") || !c.digits(2) || !c.char(":") || !c.digits(2) {
		return false
	}
	if c.char(".,") {
		for c.digits(1) {
		}
	}
	if !c.char("Z") && c.char("+-") {
		c.digits(2)
		c.char(":")
		c.digits(2)
	}
	return true
}

// clockLen is the length of a clock in front of a line, with what parts it from
// the text; 0 where there is none.
func clockLen(s string) int {
	c := cursor{s: s}
	bracket := c.char("[")
	if !c.clock() || bracket && !c.char("]") {
		return 0
	}
	// GitLab: "2026-11-21T02:21:53.027000Z 01O text", "01E", "01O+".
	if j := c.i; c.char(" ") && c.digits(2) && c.char("OE") {
		c.char("+")
	} else {
		c.i = j
	}
	if strings.HasPrefix(s[c.i:], " |") {
		c.i++
	}
	c.char("|")
	if i := c.i; i < len(s) && s[i] != ' ' && s[i] != '\t' {
		return 0
	}
	i := c.i
	return min(i+1, len(s))
}

package edit

import (
	"strconv"
	"strings"
)

// hunkHeader reads "@@ -a,b +c,d @@ section". Counts are -1 where they are not given.
func hunkHeader(t string) (near, old, new int, anchors []string) {
	old, new = -1, -1
	t = strings.TrimPrefix(t, "@@")
	ranges, section, closed := strings.Cut(t, "@@")
	if !closed {
		section = ""
		if !strings.HasPrefix(strings.TrimSpace(ranges), "-") {
			section = ranges
		}
	}
	for _, w := range strings.Fields(ranges) {
		start, count, both := strings.Cut(w[1:], ",")
		n, err := strconv.Atoi(start)
		if err != nil {
			break
		}
		c := 1
		if both {
			if c, err = strconv.Atoi(count); err != nil {
				break
			}
		}
		if w[0] == '-' {
			near, old = n, c
		} else if w[0] == '+' {
			new = c
		}
	}
	if s := strings.TrimSpace(section); s != "" && s != "..." {
		anchors = []string{s}
	}
	return near, old, new, anchors
}

// hunkText gathers the lines of a hunk.
type hunkText struct {
	at              int
	near            int
	anchors         []string
	search, replace []string
	tells, newBare  bool
	last            byte
	changed         bool
}

func (h *hunkText) add(op byte, text string) {
	if op != '+' {
		h.search = append(h.search, text)
	}
	if op != '-' {
		h.replace = append(h.replace, text)
	}
	h.changed = h.changed || op != ' '
	h.last = op
}

// noNewline takes "\ No newline at end of file", which speaks of the line before it.
func (h *hunkText) noNewline() {
	h.tells = true
	h.newBare = h.newBare || h.last != '-'
}

// block is the hunk as a block; a hunk of mere context changes nothing.
func (h *hunkText) block() []Block {
	if !h.changed {
		return nil
	}
	return []Block{{
		Search: linesText(h.search), Replace: linesText(h.replace), Near: h.near, Anchors: h.anchors, Line: h.at,
		tellsEnd: h.tells, newBare: h.newBare,
	}}
}

func linesText(ls []string) string {
	if len(ls) == 0 {
		return ""
	}
	return strings.Join(ls, "\n") + "\n"
}

package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Models that were shown numbered lines write the numbers down. In a block they
// come off where the rest then matches; as content they are refused.

// numberedLine is a line behind its number.
var numberedLine = pattern(`^\s*L?(\d{1,6})(?:(\s?[|│]|→|:|\t)( ?)(.*)|(\s{2})(.*)|)$`)

// numbers reads the number of a line and what stands behind it. style is the
// sign between them, spaced whether a blank follows.
func numbers(t string) (n int, style, rest string, spaced, ok bool) {
	m := numberedLine().FindStringSubmatch(t)
	if m == nil {
		return 0, "", "", false, false
	}
	n, _ = strconv.Atoi(m[1])
	return n, strings.Trim(m[2], " "), m[4] + m[6], m[3] != "", true
}

// stripped takes the numbers off lines that all have one, each one more than the
// one before. With some, lines without a number stay as they are; with keep, spaces
// behind the numbers do.
func stripped(lines []string, some, keep bool) ([]string, bool) {
	out := slices.Clone(lines)
	var at []int
	last, spaced := -1, true
	for i, t := range lines {
		n, style, rest, blank, ok := numbers(t)
		// A bare number is that of a blank line only behind another.
		ok = ok && (style != "" || rest != "" || len(at) > 0 && n == last+1)
		switch {
		case strings.TrimSpace(t) == "":
			last++
		case !ok && some:
		case !ok || !some && len(at) > 0 && n != last+1:
			return nil, false
		default:
			at, last = append(at, i), n
			spaced = spaced && (blank || rest == "")
		}
	}
	for _, i := range at {
		_, _, rest, blank, _ := numbers(lines[i])
		if blank && (keep || !spaced) {
			rest = " " + rest
		}
		out[i] = rest
	}
	return out, len(at) > 0
}

// unnumbered are the ways to read a block whose search text has line numbers: a
// space behind the number may belong to it or to the line.
func unnumbered(search, replace []string) []reading {
	var out []reading
	for _, keep := range []bool{false, true} {
		s, ok := stripped(search, false, keep)
		if !ok {
			return nil
		}
		r := reading{search: s, replace: replace, ways: []sameness{exactly, butTrailing}}
		if bare, ok := stripped(replace, true, keep); ok {
			if numberStyle(search) != numberStyle(replace) {
				return nil
			}
			r.replace = bare
		}
		if slices.ContainsFunc(r.replace, isDivider) && !slices.ContainsFunc(s, isDivider) {
			r.problem = errors.New("has line numbers, and a ======= line in its replacement: leave the line numbers out")
		}
		out = append(out, r)
	}
	return out
}

// numberStyle is the sign behind the first number of a text.
func numberStyle(lines []string) string {
	for _, t := range lines {
		if _, style, _, _, ok := numbers(t); ok && style != "" {
			return style
		}
	}
	return ""
}

// leftNumbers finds numbers of lines that became content: all the lines of a
// place have one, counted on from line to line. Where the file has such lines of
// its own, or they look like entries of a table, they are content.
func leftNumbers(c Change, old, now string, _ []Edit) string {
	own := 0
	for _, l := range strings.Split(old, "\n") {
		if _, style, _, _, ok := numbers(strings.TrimRight(l, "\r")); ok && style != "" {
			own++
		}
	}
	if own > 1 || !strings.ContainsAny(now, "0123456789") {
		return ""
	}
	for _, h := range c.hunks(0) {
		first, firstStyle, last, found, numbered := "", "", 0, 0, true
		for _, l := range h.Lines {
			t := strings.TrimRight(l.Content, "\r\n")
			if l.Kind != udiff.Insert {
				continue
			}
			n, style, rest, _, ok := numbers(t)
			switch {
			case strings.TrimSpace(t) == "":
				last++
				continue
			case !ok || found > 0 && n != last+1 || style == ":" && indentOf(t) != "":
				numbered = false
			case found == 0:
				first, firstStyle = strings.TrimSpace(t), style
				if rest != "" && style == "" {
					firstStyle = " "
				}
			}
			found, last = found+1, n
		}
		// A single one is only told by its place.
		place := found > 1 || strings.TrimSpace(firstStyle) != "" && last >= h.ToLine-4 && last <= h.ToLine+4
		table := c.Op == Create && tables()[extension(c.Path)] && !strings.ContainsAny(first, "|│→")
		if numbered && found > 0 && firstStyle != "" && place && !table {
			return fmt.Sprintf("the new %s holds line numbers as content: %s; give the lines without their numbers", c.Path, clip(first))
		}
	}
	return ""
}

package edit

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Models that were shown numbered lines copy the numbers. They are removed from a block if
// the rest then matches; in content they are refused.

// numberedLine matches a line with a number in front.
var numberedLine = pattern(`^\s*L?(\d{1,6})(?:(?:\s?([|│])|([→:\t]))( ?)(.*)|(\s\s)(.*)|)$`)

// unnumbered removes the numbers of lines that are all numbered in one style (the sign
// after the number), consecutively. first is the first number; with keep, a space after the
// number belongs to the line.
func unnumbered(lines []string, keep bool) (out []string, style string, first int, ok bool) {
	next, spaced, found := 0, true, 0
	out = slices.Clone(lines)
	for i, t := range lines {
		m := numberedLine().FindStringSubmatch(t)
		switch {
		case strings.TrimSpace(t) == "":
			next++
			continue
		case m == nil:
			return nil, "", 0, false
		}
		n, _ := strconv.Atoi(m[1])
		sign := m[2] + m[3] + m[6]
		if found == 0 {
			style, first, next = sign, n, n
		}
		if n != next || style == "" || sign != style && sign != "" { // a bare number is that of an empty line
			return nil, "", 0, false
		}
		found, next = found+1, n+1
		spaced = spaced && (m[4] != "" || m[5] == "")
		out[i] = m[4] + m[5] + m[7]
	}
	for i := range out {
		if spaced && !keep {
			out[i] = strings.TrimPrefix(out[i], " ")
		}
	}
	return out, style, first, found > 0
}

// withoutNumbers returns readings of a block whose search text has line numbers: a space
// after the number may belong to it or to the line.
func withoutNumbers(search, replace []string) (out []reading) {
	for _, keep := range []bool{false, true} {
		s, style, _, ok := unnumbered(search, keep)
		if !ok {
			return nil
		}
		r := reading{search: s, replace: replace, ways: []sameness{exactly, butTrailing}}
		some := slices.ContainsFunc(replace, func(t string) bool {
			m := numberedLine().FindStringSubmatch(t)
			return m != nil && m[2]+m[3]+m[6] == style
		})
		if bare, _, _, ok := unnumbered(replace, keep); ok {
			r.replace = bare
		} else if some {
			r.problem = errors.New("has line numbers, and not on every line: give the lines without them")
		}
		if slices.ContainsFunc(r.replace, isDivider) && !slices.ContainsFunc(s, isDivider) {
			r.problem = errors.New(
				"has line numbers, and a ======= line in its replacement: leave the line " +
					"numbers out")
		}
		out = append(out, r)
	}
	return out
}

// leftNumbers refuses new text whose lines are all numbered, unless the file has such
// lines, or they look like table rows. A single line only counts if its number is its place
// in the file.
func leftNumbers(name string, file []line, replace []string, place int) error {
	_, style, first, ok := unnumbered(replace, false)
	if !ok || style == ":" && indentOf(replace[0]) != "" || len(replace) == 1 &&
		(first < place-4 || first > place+4) ||
		len(file) == 0 && tables()[extension(name)] && !strings.ContainsAny(style, "|│→") {
		return nil
	}
	own := 0
	for _, l := range file {
		if m := numberedLine().FindStringSubmatch(l.text); m != nil && m[2]+m[3] != "" {
			own++
		}
	}
	if own > 1 {
		return nil
	}
	return fmt.Errorf("holds line numbers as content: %s; give the lines without their numbers",
		clip(strings.TrimSpace(replace[0])))
}

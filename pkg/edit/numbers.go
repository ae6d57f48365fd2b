package edit

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/aymanbagabas/go-udiff"
)

// Models that were shown numbered lines write the numbers down. In a block they
// come off where the rest then matches; as content they are refused.

// numberedLine is a line behind its number.
var numberedLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*L?(\d{1,6})(?:(\s?[|│]|→|:|\t)( ?)(.*)|(\s{2})(.*)|)$`)
})

// numbers reads the number of a line and what stands behind it. style is the
// sign between them, spaced whether a blank follows.
func numbers(t string) (n int, style, rest string, spaced, ok bool) {
	m := numberedLine().FindStringSubmatch(t)
	if m == nil {
		return 0, "", "", false, false
	}
	n, _ = strconv.Atoi(m[1])
	return n, strings.TrimSpace(m[2]), m[4] + m[6], m[3] != "", true
}

// unnumbered takes the numbers off lines that all have one, each one more than
// the one before. With some, lines without a number stay as they are.
func unnumbered(lines []string, some bool) ([]string, bool) {
	out := make([]string, len(lines))
	found, last, spaced := 0, -1, true
	for i, t := range lines {
		n, _, rest, blank, ok := numbers(t)
		switch {
		case strings.TrimSpace(t) == "":
			last++
		case !ok && some:
		case !ok || !some && found > 0 && n != last+1:
			return nil, false
		default:
			found, last = found+1, n
			spaced = spaced && (blank || rest == "")
		}
		out[i] = t
	}
	if found == 0 {
		return nil, false
	}
	for i, t := range lines {
		if _, _, rest, blank, ok := numbers(t); ok && strings.TrimSpace(t) != "" {
			if blank && !spaced {
				rest = " " + rest
			}
			out[i] = rest
		}
	}
	return out, true
}

// unnumberedBlock is a block without the numbers in its search text.
func unnumberedBlock(b Block) (Block, bool) {
	search, ok := unnumbered(texts(b.Search), false)
	if !ok {
		return b, false
	}
	b.Search, b.others = linesText(search), nil
	if replace, ok := unnumbered(texts(b.Replace), true); ok {
		b.Replace = linesText(replace)
	}
	return b, true
}

// leftNumbers finds numbers of lines that became content.
func leftNumbers(c Change, old, now string, _ []Edit) string {
	if c.Op == Create && isTable(c.Path) || numberedOnes(old) > 1 {
		return ""
	}
	if !strings.ContainsAny(now, "0123456789") {
		return ""
	}
	for _, h := range c.hunks(0) {
		var added []string
		for _, l := range h.Lines {
			if l.Kind == udiff.Insert {
				added = append(added, strings.TrimRight(l.Content, "\r\n"))
			}
		}
		if line, ok := areNumbered(added, h.ToLine); ok && !(isProse(c.Path) && strings.HasSuffix(line, ":")) {
			return fmt.Sprintf("the new %s holds line numbers as content: %s; give the lines without their numbers", c.Path, clip(line))
		}
	}
	return ""
}

// isTable names files in which numbers before a colon or a tab are at home.
func isTable(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv", ".tsv", ".yml", ".yaml", ".txt", ".dat", ".log", ".out", ".golden", ".snap":
		return true
	}
	return false
}

func numberedOnes(s string) int {
	n := 0
	for _, l := range strings.Split(s, "\n") {
		if _, style, _, _, ok := numbers(strings.TrimRight(l, "\r")); ok && style != "" {
			n++
		}
	}
	return n
}

// areNumbered tells lines that all have a number, counted on from line to line.
// A single one is only told by its place.
func areNumbered(lines []string, at int) (string, bool) {
	first, last, found, styled := "", 0, 0, false
	for i, t := range lines {
		if strings.TrimSpace(t) == "" {
			last++
			continue
		}
		n, style, rest, _, ok := numbers(t)
		if !ok || found > 0 && n != last+1 {
			return "", false
		}
		styled = styled || style != "" || rest != ""
		if found == 0 {
			first = t
			if len(lines) == 1 && (style == "" || style == ":" || n < at+i-3 || n > at+i+3) {
				return "", false
			}
		}
		found, last = found+1, n
	}
	return strings.TrimSpace(first), styled
}

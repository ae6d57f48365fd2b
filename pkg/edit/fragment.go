package edit

import (
	"fmt"
	"slices"
	"strings"
)

// A model that changes one function often returns just that function under the path, as if
// it were the file. Taken as the whole file it would delete the rest, and the tests of what
// is left would stay green.

// fragment explains why whole content is only a part of the file, or returns "".
func fragment(c Change, old, content string, edits []Edit) string {
	if c.Op != Modify && c.Op != Rename || len(edits) == 0 || edits[len(edits)-1].Op != Write {
		return ""
	}
	was, now := nonEmpty(old), nonEmpty(content)
	if len(was) < 4 || len(now) == 0 {
		return ""
	}
	lost := 1 - float64(len(now))/float64(len(was))
	inner := indented(now[0]) && !indented(was[0])
	if lost <= 0.15 && !inner {
		return "" // as most large files, without comparing all lines
	}
	if !inner && len(now) >= len(was)-imports(was, now) {
		return "" // line by line, without unused imports
	}
	head, tail, kept := overlap(was, now)
	var what string
	switch {
	case inner:
		what = "its first line is indented, that of the file is not"
	case head && tail && 2*kept >= len(now):
		what = "it lacks the first and the last lines of the file"
	case len(was) >= 8 && (lost > 0.5 && 2*kept > len(now) || lost > 0.4 && 5*kept > 4*len(now)):
		what = "it holds hardly anything but some lines of the file, and lacks most of them"
	case lost > 0.5 && (len(was) >= 8 && head && tail || len(now) <= 2 && kept == 0 && isCode(c.Path)) &&
		!outset().MatchString(now[0]):
		what = "it lacks what the file begins with"
	default:
		return ""
	}
	return fmt.Sprintf("what is given as the complete content of %s seems to be only a part of it: %s "+
		"(%d lines for %d). "+
		"To change some lines use <<<<<<< SEARCH / ======= / >>>>>>> REPLACE blocks; else give every line. "+
		"Lines that "+
		"are to go stand in a SEARCH part", c.Path, what, len(now), len(was))
}

// nonEmpty returns the non-empty lines.
func nonEmpty(s string) []string {
	var out []string
	for _, l := range strings.Split(s, "\n") {
		if strings.TrimSpace(l) != "" {
			out = append(out, strings.TrimRight(l, " \t\r"))
		}
	}
	return out
}

func indented(l string) bool { return l[0] == ' ' || l[0] == '\t' }

// imports counts the import lines at the head of the old text that are missing in the new
// one.
func imports(was, now []string) (n int) {
	for n < len(was)-1 && outset().MatchString(was[n]) && !slices.Contains(now, was[n]) {
		n++
	}
	return n
}

// overlap reports whether the first and the last lines of the old text are lost without
// replacement, and how many old lines the new one keeps.
func overlap(was, now []string) (head, tail bool, kept int) {
	in := make(map[string]int)
	for _, l := range was {
		in[strings.TrimSpace(l)]++
	}
	have := make(map[string]bool)
	for _, l := range now {
		t := strings.TrimSpace(l)
		have[t] = true
		if in[t] > 0 {
			in[t]--
			kept++
		}
	}
	missing := func(l string) bool { return !have[strings.TrimSpace(l)] }
	end := len(was) - 1
	for end > 0 && len(strings.TrimSpace(was[end])) < 3 {
		end-- // a closing bracket says nothing
	}
	return missing(was[0]), missing(was[end]), kept
}

// outset matches what a file may begin with, including one that only re-exports another.
var outset = pattern(`^\W|^export\s*[{*]|^(?:import|from|module|require\w*|include\w*|use|using|` +
	`package|namespace|source|exec|load|mod|pub\s+(?:use|mod)|set|echo|return)\b|\brequire\(`)

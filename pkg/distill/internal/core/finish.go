package core

import (
	"slices"
	"strings"
)

// finish does for each failure what readers would otherwise do in many ways:
// frames of all languages from message, detail and output, the place, what was
// expected and what was there instead.
func (f *Found) finish(x *Failure) {
	lines := strings.Split(x.Message, "\n")
	lines = append(append(lines, x.Detail...), x.Output...)
	if len(x.Frames) == 0 {
		x.Frames = innermostFirst(lines)
	}
	f.place(x)
	if x.File == "" || !f.Root.Exists(x.File) {
		f.placeInside(x, lines)
	}
	if x.Expected == "" && x.Actual == "" {
		x.Expected, x.Actual = valuesOf(lines)
	}
}

// innermostFirst reads the frames of a block. Python prints the innermost last,
// traceback by traceback.
func innermostFirst(lines []string) []Frame {
	var out []Frame
	first := 0 // where the frames of the open traceback begin
	for i, s := range lines {
		if i > 2000 || len(out) >= 64 {
			break
		}
		t := strings.TrimSpace(s)
		if strings.HasPrefix(t, "Traceback (") {
			first = len(out)
		}
		fr, ok := ParseFrame(s)
		outer := ok && strings.HasPrefix(t, `File "`)
		if !ok {
			fr, ok = lastInnermost(t)
			outer = ok
		}
		switch {
		case outer:
			out = slices.Insert(out, first, fr)
		case ok:
			out = append(out, fr)
			first = len(out)
		}
	}
	return out
}

var reLastFrame = Lazy(`^([^\s:]+\.\w{1,5}):(\d+):(?: in (\S.*)| \w+(?:\.\w+)*)?$`)

// lastInnermost reads a frame of a trace whose last line is the innermost:
// "a.py:3: in total", "a.py:3: ValueError", "a.py:3:".
func lastInnermost(t string) (Frame, bool) {
	if len(t) < 6 || len(t) > 300 || !strings.Contains(t, ":") {
		return Frame{}, false
	}
	m := reLastFrame().FindStringSubmatch(t)
	if m == nil {
		return Frame{}, false
	}
	return Frame{File: m[1], Line: Atoi(m[2]), Func: m[3]}, true
}

// placeInside takes the first place in the block that is in the tree.
func (f *Found) placeInside(x *Failure, lines []string) {
	for i, s := range lines {
		if i > 300 {
			return
		}
		if p, ok := f.Root.PlaceIn(s); ok {
			x.File, x.Line, x.Column = p.File, p.Line, p.Col
			return
		}
	}
}

// valueWords are the labels of what was wanted and of what was there, by which
// of the two they name.
var wantedWords = []string{"expected", "expect", "want", "wanted", "should be", "must be", "exp", "right", "which should equal", "expecting", "to equal", "to be"}
var actualWords = []string{"actual", "received", "got", "have", "but was", "but got", "found", "left", "was", "but have", "returned", "act", "but received", "instead"}

// valueOf reads "expected: 3", "     got: 4", "Actual   : 5".
func valueOf(s string) (wanted bool, value string, ok bool) {
	t := strings.TrimLeft(s, " \t#│|-+E>*")
	i := strings.IndexAny(t, ":=")
	if i <= 0 || i > 24 {
		return false, "", false
	}
	label := strings.ToLower(strings.TrimSpace(t[:i]))
	label = strings.TrimSuffix(strings.TrimSuffix(label, " value"), " result")
	value = strings.TrimSpace(strings.TrimLeft(t[i:], ":="))
	switch {
	case slices.Contains(wantedWords, label):
		return true, value, true
	case slices.Contains(actualWords, label):
		return false, value, true
	}
	return false, "", false
}

func valuesOf(lines []string) (expected, actual string) {
	for i, s := range lines {
		if i > 400 || expected != "" && actual != "" {
			break
		}
		wanted, v, ok := valueOf(s)
		if !ok {
			continue
		}
		if v == "" && i+1 < len(lines) { // the value stands below its label
			v = strings.TrimSpace(lines[i+1])
		}
		if wanted && expected == "" {
			expected = v
		} else if !wanted && actual == "" {
			actual = v
		}
	}
	return expected, actual
}

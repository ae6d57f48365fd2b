package core

import (
	"slices"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// finish completes a failure in one way for all readers: frames of all languages from
// message, detail and output, the place, the expected and actual values.
func (f *Result) finish(x *Failure) {
	lines := strings.Split(x.Message, "\n")
	lines = append(append(lines, x.Detail...), x.Output...)
	if len(x.Frames) == 0 {
		x.Frames = innermostFirst(lines)
	}
	told := x.Frames
	f.place(x)
	if x.File == "" || !f.Root.Exists(x.File) {
		f.placeInside(x, lines)
	}
	if x.File == "" {
		f.placeAsPrinted(x, told, lines)
	}
	if k := slices.IndexFunc(x.Frames, func(fr Frame) bool { return fullerName(fr.Func, x.Test) }); k >= 0 {
		x.Test = x.Frames[k].Func
	}
	if x.Test != "" && x.Expected == "" && x.Actual == "" {
		x.Expected, x.Actual = valuesOf(lines)
	}
}

// fullerName reports whether a function is the test with a name: class and method are its
// last two words, or only the method is known.
func fullerName(fn, test string) bool {
	parts := strings.Split(fn, ".")
	n := len(parts)
	if n < 3 || strings.ContainsAny(fn, " (<") {
		return false
	}
	if test == parts[n-1] && !strings.ContainsAny(test, " .") {
		return parts[n-2] != "" && parts[n-2][0] >= 'A' && parts[n-2][0] <= 'Z'
	}
	return strings.HasSuffix(" "+NameKey(strings.TrimSuffix(test, "()")), " "+
		NameKey(parts[n-2]+"."+parts[n-1]))
}

// placeInside uses the first place in the block that is in the tree.
func (f *Result) placeInside(x *Failure, lines []string) {
	for i, s := range lines {
		if i > 300 {
			return
		}
		if strings.HasPrefix(s, "make") { // what it says of its own file
			continue
		}
		if p, ok := f.Root.PlaceIn(s); ok {
			x.File, x.Line, x.Column = p.File, p.Line, p.Col
			return
		}
	}
}

// placeAsPrinted uses the first printed place of a file that may be elsewhere: an output may
// be read on another machine.
func (f *Result) placeAsPrinted(x *Failure, frames []Frame, lines []string) {
	for _, fr := range frames {
		if f.Root.Elsewhere(fr.File) {
			x.File, x.Line, x.Column = tree.CleanPath(fr.File), fr.Line, fr.Column
			return
		}
	}
	for _, s := range lines[:min(len(lines), 300)] {
		if p, ok := f.Root.PrintedPlace(s); ok && !strings.HasPrefix(s, "make") {
			x.File, x.Line, x.Column = p.File, p.Line, p.Col
			return
		}
	}
}

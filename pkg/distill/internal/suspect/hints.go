package suspect

import (
	"path"
	"strings"

	"github.com/booty-cli/booty/pkg/distill/internal/core"
	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/tree"
)

// Points of hints at a file, used if neither a frame nor an import names one.
const (
	pointsPrinted = 40 // the output names it
	pointsStem    = 20 // its name is a word of the test or the message
	pointsNear    = 5  // it lies near the root
)

// hints adds files by signs that need no knowledge of a language.
func (r *ranking) hints(all []core.Failure, streams []*stream.Stream, nothing bool) {
	r.printed(streams)
	for i := range all[:min(len(all), 20)] {
		x := &all[i]
		r.stems(x.Test+" "+x.Message+" "+path.Base(x.File), pointsStem)
	}
	for _, f := range r.root.Files() { // else those nearest to the root
		if !nothing || len(r.first) > maxSuspects {
			break
		}
		r.add(f, pointsNear/float64(2+strings.Count(f, "/")))
	}
}

// printed adds every path of the tree in the output, including configuration.
func (r *ranking) printed(streams []*stream.Stream) {
	left := 4000
	for _, d := range streams {
		for i := range d.Lines {
			s := d.Lines[i].S
			if left--; left < 0 {
				return
			}
			if !strings.ContainsAny(s, "./") || len(s) > 1000 {
				continue
			}
			for start, end := range tree.PathWords(s) {
				if f, ok := r.root.Named(s[start:end]); ok {
					r.add(f, pointsPrinted/float64(1+len(r.first)))
				}
			}
		}
	}
}

// stems adds sources whose name is a word of s.
func (r *ranking) stems(s string, points float64) {
	words := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(s),
		func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }) {
		if len(w) > 2 && !commonWord(w) {
			words[w], words[strings.TrimSuffix(w, "s")] = true, true
		}
	}
	for _, f := range r.root.Files() {
		stem := strings.ToLower(strings.TrimSuffix(path.Base(f), path.Ext(f)))
		if len(stem) > 2 && words[stem] {
			r.add(f, points)
		}
	}
}

// commonWord reports a word that occurs in most tests and messages.
func commonWord(w string) bool {
	switch strings.ToLower(w) {
	case "the", "and", "for", "not", "this", "self", "that", "with", "from", "import", "return", "const",
		"let", "var", "new", "def", "func", "function", "class", "assert", "expect", "tobe", "toequal",
		"equal",
		"error", "expected", "received", "actual", "true", "false", "null", "none", "nil", "test", "tests",
		"string", "int", "bool", "want", "got", "should", "describe", "async", "await", "public", "private",
		"void", "static", "if", "else", "end", "try", "catch", "raise", "throw", "throws", "assertequal",
		"assertequals", "typeerror", "assertionerror", "errorf", "fatalf", "undefined", "val", "fun",
		"struct",
		"impl", "use", "mod", "crate", "std", "len", "print", "println", "case", "when", "err":
		return true
	}
	return false
}

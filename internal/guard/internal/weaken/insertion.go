package weaken

import (
	"strings"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/guard/internal/lexer"
	"github.com/booty-cli/booty/internal/guard/internal/source"
)

// Lines are not what code is made of: of rows that share the line of a bracket, the lines that were
// added begin in one and end in another, though whole rows were put between two.

// byBrackets are languages in which a line may end at a bracket or behind a semicolon, wherever it
// stands, and mean the same.
var byBrackets = map[string]bool{"c": true, "java": true, "csharp": true, "rust": true, "php": true, "js": true,
	"dart": true, "clojure": true, "lisp": true, "go": true, "kotlin": true, "swift": true, "zig": true}

// mostPlaces is how many places are tried at which the same text may have come in.
const mostPlaces = 40

// insertsWhole tells lines that do not form a whole of their own, where what they add to the code is
// one, once the lines end where it begins and ends: then that is what is judged.
func (f *file) insertsWhole(old, new []string, o Objection) bool {
	if !byBrackets[f.lang.Name] || !o.Aside {
		return false
	}
	was, now := f.keep(old), f.read(new)
	if len(commandsIn(was, 0, len(old))) != len(commandsIn(now, 0, len(new))) {
		return false
	}
	a, b := marks(was), marks(now)
	more := len(b) - len(a)
	if more <= 0 {
		return false
	}
	textA, textB := was.Source.Text, now.Source.Text
	prefix, suffix := 0, 0
	for prefix < len(a) && textA[a[prefix]] == textB[b[prefix]] {
		prefix++
	}
	for suffix < len(a) && textA[a[len(a)-1-suffix]] == textB[b[len(b)-1-suffix]] {
		suffix++
	}
	tries := 0
	for k := prefix; k >= max(len(a)-suffix, 1) && k < len(a) && tries < mostPlaces; k-- {
		if !partsAt(was, a[k-1], a[k]) || !isClosed(now, b[k:k+more]) {
			continue
		}
		tries++
		at := a[k-1] + 1
		inserted := strings.Trim(textB[b[k-1]+1:b[k+more-1]+1], "\r\n")
		before := textA[:at] + "\n" + textA[at:]
		after := textA[:at] + "\n" + inserted + "\n" + textA[at:]
		if f.judgeAdditions(diff.Split(before), diff.Split(after)).Why == "" {
			return true
		}
	}
	return false
}

// marks are the places of all that a file says: no remarks, and no blanks between code.
func marks(t *source.Text) (out []int) {
	for i, kind := range t.Source.Kind {
		if kind == lexer.InComment || kind == lexer.InCode && strings.IndexByte(" \t\r\n", t.Source.Text[i]) >= 0 {
			continue
		}
		out = append(out, i)
	}
	return out
}

// partsAt tells a place in code, behind one sign and before another, where a line may end.
func partsAt(t *source.Text, i, k int) bool {
	if t.Source.Kind[i] != lexer.InCode || t.Source.Kind[k] != lexer.InCode {
		return false
	}
	line := t.Source.Text[strings.LastIndexByte(t.Source.Text[:i+1], '\n')+1:]
	if t.Source.Lang.Conditions && strings.HasPrefix(strings.TrimSpace(line), "#") {
		return false
	}
	return strings.IndexByte("([{,;}", t.Source.Text[i]) >= 0 || strings.IndexByte(")]}", t.Source.Text[k]) >= 0 ||
		t.Source.Lang.Unread && strings.IndexByte(")]", t.Source.Text[i]) >= 0
}

// isClosed tells signs of which each bracket that opens is closed among them, and none else.
func isClosed(t *source.Text, at []int) bool {
	var open []byte
	for _, i := range at {
		if t.Source.Kind[i] != lexer.InCode {
			continue
		}
		switch c := t.Source.Text[i]; c {
		case '(', '[', '{':
			open = append(open, c)
		case ')', ']', '}':
			if len(open) == 0 || source.Closers[c] != string(open[len(open)-1]) {
				return false
			}
			open = open[:len(open)-1]
		}
	}
	return len(open) == 0 && t.Source.Kind[at[0]] == lexer.InCode
}

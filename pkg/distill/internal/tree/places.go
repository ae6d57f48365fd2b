package tree

import (
	"iter"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/booty-cli/booty/pkg/distill/internal/stream"
	"github.com/booty-cli/booty/pkg/distill/internal/text"
)

// Place is a place named in a line of output, and the text after it.
type Place struct {
	File      string
	Line, Col int
	Text      string
}

// PlaceIn finds a place anywhere in a line: a word that is a file of the tree, next to a
// number that is one of its lines. It needs no list of languages or extensions: the tree
// decides.
func (t *Tree) PlaceIn(s string) (Place, bool) {
	d, _, _, ok := t.FindPlace(s)
	return d, ok
}

// FindPlace is PlaceIn, and also returns the position of the place.
func (t *Tree) FindPlace(s string) (d Place, from, to int, ok bool) {
	return placeWhere(s, func(word string, line int) (string, bool) {
		file, is := t.Named(word)
		return file, is && line <= t.Length(file)
	})
}

// PrintedPlace finds the first place in a line that may be in a tree elsewhere.
func (t *Tree) PrintedPlace(s string) (Place, bool) {
	d, _, _, ok := placeWhere(s,
		func(word string, _ int) (string, bool) { return CleanPath(word), t.Elsewhere(word) })
	return d, ok
}

// Elsewhere reports the path of a source that may be in the tree where the output was made:
// of a kind that this tree does not have.
func (t *Tree) Elsewhere(p string) bool {
	p = CleanPath(p)
	first, _, _ := strings.Cut(p, "/")
	return SourceExt(path.Ext(p)) && !stream.OnlyDigits(first) && // a port
		!Foreign(p) && !t.HasKind(p)
}

// maxPlaced is the length above which a line is not searched for places.
const maxPlaced = 2000

// placeWhere finds a word that is a file, and a number that is one of its lines.
func placeWhere(
	s string, is func(word string, line int) (file string, ok bool),
) (d Place, from, to int, ok bool) {
	if len(s) > maxPlaced || !strings.ContainsAny(s, "0123456789") {
		return d, 0, 0, false
	}
	prose := strings.Index(s, " at line ") // of a file that stands anywhere in the line
	for start, end := range PathWords(s) {
		d, after := placeAt(s, end)
		if d.Line == 0 && prose > 0 {
			d, _ = placeAt(s, prose)
			d.Text, after = strings.TrimLeft(s[min(end, prose):prose], " :,"), len(s)
		}
		if d.Line == 0 {
			continue
		}
		file, fits := is(s[start:end], d.Line)
		if !fits {
			continue
		}
		d.File = file
		return d, start, after, true
	}
	return d, 0, 0, false
}

// placeAt reads the number behind a word that ends at end, and what follows.
func placeAt(s string, end int) (d Place, after int) {
	d.Line, d.Col, after = NumberAfter(s, end)
	if d.Line > 0 {
		d.Text = strings.TrimSpace(strings.TrimLeft(s[after:], " :,)]>-"))
	}
	return d, after
}

// PathWords returns the positions of words in a line that can be file names.
func PathWords(s string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for start, end := nextPath(s, 0); start >= 0 && yield(start, end); {
			start, end = nextPath(s, end)
		}
	}
}

// nextPath returns the next such word from i on; start is -1 if there is none.
func nextPath(s string, i int) (start, end int) {
	for i < len(s) {
		for i < len(s) && !pathByte(s[i]) {
			i++
		}
		start = i
		dot := false
		for i < len(s) && pathByte(s[i]) {
			if s[i] == '.' || s[i] == '/' || s[i] == '\\' {
				dot = true
			}
			if s[i] == ':' && !(i == start+1 && i+1 < len(s) && (s[i+1] == '\\' || s[i+1] == '/')) &&
				!strings.HasPrefix(s[start:], "file:/") {
				break
			}
			i++
		}
		end = i
		for end > start && (s[end-1] == '.' || s[end-1] == ',') {
			end--
		}
		if end-start > 2 && (dot || end+1 < len(s) && s[end] == ':' && s[end+1] >= '1' && s[end+1] <= '9') {
			return start, end
		}
		if i == start {
			i++
		}
	}
	return -1, len(s)
}

func pathByte(c byte) bool {
	switch c {
	case '.', '_', '-', '/', '\\', '+', '@', '~', ':', '%', '$':
		return true
	}
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf
}

// NumberAfter reads ":3:4", "(3,4)", "[3,4]", "<3", ", line 3", " line 3", " L3", " @ 3", "#L3".
func NumberAfter(s string, i int) (line, col, after int) {
	rest := s[i:]
	trimmed := strings.TrimLeft(rest, `"'`+"`")
	i += len(rest) - len(trimmed)
	rest = trimmed
	for _, lead := range []string{", line ", " line ", " on line ", ", lines ", ":line ", " at line ", " L",
		"#L", " @ ", ": line ", ": (", ":(", ":[", " (line ", "(", "[", "<", ":", ", Ln ", " Ln "} {
		t, ok := strings.CutPrefix(rest, lead)
		if !ok {
			continue
		}
		n := text.LeadingDigits(t)
		if n == 0 || n > 7 {
			continue
		}
		line, t = text.Atoi(t[:n]), t[n:]
		after = len(s) - len(t)
		for _, sep := range []string{":", ", column ", ", col ", ", characters ", ", ", ",", "."} {
			u, ok := strings.CutPrefix(t, sep)
			if k := text.LeadingDigits(u); ok && k > 0 && k < 6 {
				return line, text.Atoi(u[:k]), len(s) - len(u) + k
			}
		}
		return line, 0, after
	}
	return 0, 0, i
}

// named resolves a printed word that must be a file of the tree.
func (t *Tree) Named(p string) (string, bool) {
	p = strings.TrimPrefix(p, "file://")
	if stream.OnlyDigits(strings.ReplaceAll(p, ".", "")) || strings.HasPrefix(p, "-") {
		return "", false
	}
	return t.Resolve(p, "")
}

// placed reports whether s contains a place of the tree.
func (t *Tree) Placed(s string) bool {
	_, ok := t.PlaceIn(s)
	return ok
}

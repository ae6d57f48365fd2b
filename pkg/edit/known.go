package edit

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

// A path that is nearly one of a file that is there was meant for that file. A
// model that leaves a folder out, or writes a name in another case, makes a
// second file beside the first, and every check goes on testing the first.

// folded is a path without what is easily mistaken: case, typographic hyphens,
// characters that cannot be seen.
func folded(p string) string {
	return strings.ToLower(visible(p))
}

// visible is a path with plain hyphens and without invisible characters.
func visible(p string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u2010' || r == '\u2011' || r == '\u2012' || r == '\u2013' || r == '\u2212':
			return '-'
		case r == '\u00a0' || r == '\u202f':
			return ' '
		case unicode.Is(unicode.Cf, r) || r == '\ufeff':
			return -1
		}
		return r
	}, p)
}

// known is the file that a path was probably meant for, or "".
func (t *tree) known(p string) string {
	if s := t.suffix(p); s != "" {
		return s
	}
	best, most := "", 0
	for _, f := range t.files.names() {
		if n := likeness(f, p); f != p && n > most {
			best, most = f, n
		} else if n == most {
			best = "" // several are as good
		}
	}
	if !t.files.there(best) {
		return "" // a list may be older than the files
	}
	return best
}

// suffix is a file whose path is the end of p, or p without what cannot be seen.
func (t *tree) suffix(p string) string {
	if v := visible(p); v != p && t.files.there(v) {
		return v
	}
	for rest, ok := strings.TrimLeft(p, "/"), true; ok; _, rest, ok = strings.Cut(rest, "/") {
		if rest != p && t.files.there(rest) {
			return rest
		}
	}
	return ""
}

// likeness says how much a file's path speaks for being what p means; 0 is not at all.
func likeness(f, p string) int {
	fold, want := folded(f), folded(p)
	var n int
	switch {
	case fold == want:
		return 1000
	case strings.HasSuffix(fold, "/"+want):
		n = 100
	case path.Base(fold) == path.Base(want):
		n = 50
	case path.Dir(fold) == path.Dir(want) && strings.TrimSuffix(fold, path.Ext(fold)) == strings.TrimSuffix(want, path.Ext(want)):
		return 40
	default:
		return 0
	}
	for _, part := range strings.Split(path.Dir(want), "/") {
		if strings.Contains("/"+fold, "/"+part+"/") {
			n++
		}
	}
	return n
}

// didYouMean is the end of a message about a path.
func (t *tree) didYouMean(p string) string {
	if t.files.there(p) {
		return ""
	}
	if s := t.known(p); s != "" {
		return fmt.Sprintf("; did you mean %s?", s)
	}
	return ""
}

// misplaced tells a new file that was probably meant for one that is there. A reply that
// says that the file is new may well begin with a copy of its neighbour.
func (t *tree) misplaced(c Change, by []Edit, changes []Change) string {
	if c.Op != Create {
		return ""
	}
	s := t.known(c.Path)
	if s == "" || s == c.Path {
		return visiblePath(c.Path)
	}
	for _, other := range changes {
		if other.Path == s || other.From == s {
			return visiblePath(c.Path) // the reply knows the file
		}
	}
	if folded(s) != folded(c.Path) {
		// A copy in a folder beside that of the file is ordinary; one in a folder out of
		// nowhere is the file that is there.
		top, _, _ := strings.Cut(c.Path, "/")
		old, _ := t.files.text(s)
		if top != c.Path && t.files.exists(top) || bareNames()[strings.ToLower(path.Base(c.Path))] || !alike(old, string(c.New)) || slices.ContainsFunc(by, func(e Edit) bool { return e.Op == Create }) {
			return visiblePath(c.Path)
		}
	}
	return fmt.Sprintf("there is no file %s, but one like it at another path; did you mean %s? Give the path exactly; to have the file at a new path write RENAME old -> new", c.Path, s)
}

// visiblePath refuses a new path with characters that nobody sees.
func visiblePath(p string) string {
	if v := visible(p); v != p {
		return fmt.Sprintf("the path %q of the new file holds characters that cannot be seen or told from others; did you mean %s?", p, v)
	}
	return ""
}

// alike tells content that is a version of a file: most of its lines stand there.
func alike(old, now string) bool {
	has := make(map[string]bool)
	for _, l := range strings.Split(old, "\n") {
		has[strings.TrimSpace(l)] = true
	}
	all, shared := 0, 0
	for _, l := range strings.Split(now, "\n") {
		if l = strings.TrimSpace(l); len(l) < 4 {
			continue
		}
		all++
		if has[l] {
			shared++
		}
	}
	return shared >= 3 && 2*shared > all || shared > 0 && shared == all
}

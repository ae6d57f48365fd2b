package edit

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
)

// A path that is nearly that of an existing file was meant for that file. A model that
// omits a folder, or changes the case of a name, would create a second file next to the
// first, and every check would keep testing the first.

// visible returns a path with plain hyphens and without invisible characters.
func visible(p string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '\u2010' && r <= '\u2013', r == '\u2212':
			return '-'
		case r == '\u00a0' || r == '\u202f':
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, p)
}

// folded is a path without what is easily mistaken: case and invisible characters.
func folded(p string) string { return strings.ToLower(visible(p)) }

// known returns the file that a path was probably meant for, or "".
func (t *tree) known(p string) string {
	if s := t.suffix(p); s != "" {
		return s
	}
	best, most := "", 0
	for _, f := range t.files.names() {
		if n := likeness(f, p); f != p && n > most {
			best, most = f, n
		} else if n == most {
			best = "" // several match equally well
		}
	}
	if !t.files.there(best) {
		return "" // the list may be outdated
	}
	return best
}

// suffix returns a file whose path is a suffix of p, or equals p without invisible
// characters.
func (t *tree) suffix(p string) string {
	if v := visible(p); v != p && t.files.there(v) {
		return v
	}
	for rest := strings.TrimLeft(p, "/"); rest != ""; _, rest, _ = strings.Cut(rest, "/") {
		if rest != p && t.files.there(rest) {
			return rest
		}
	}
	return ""
}

// likeness rates how likely a file's path is what p means; 0 is not at all.
func likeness(f, p string) int {
	fold, want := folded(f), folded(p)
	switch {
	case fold == want:
		return 4
	case strings.HasSuffix(fold, "/"+want):
		return 3
	case path.Base(fold) == path.Base(want):
		return 2
	case strings.TrimSuffix(fold, path.Ext(fold)) == strings.TrimSuffix(want, path.Ext(want)):
		return 1
	}
	return 0
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

// misplaced reports a new file that was probably meant for an existing one: its path
// differs in case or invisible characters, or it is a version of that file in a new folder.
// A reply that says that the file is new may well begin with a copy of its neighbor.
func (t *tree) misplaced(c Change, by []Edit, changes []Change) string {
	if c.Op != Create {
		return ""
	}
	s := t.known(c.Path)
	old, _ := t.files.text(s)
	top, _, _ := strings.Cut(c.Path, "/")
	nowhere := (top == c.Path || !t.files.exists(top)) && !bareNames()[strings.ToLower(path.Base(c.Path))]
	isNew := slices.ContainsFunc(by, func(e Edit) bool { return e.Op == Create }) ||
		slices.ContainsFunc(changes, func(o Change) bool {
			return o.Path == s ||
				o.From == s
		}) // the reply knows the file
	switch {
	case s != "" && s != c.Path && !isNew &&
		(folded(s) == folded(c.Path) || nowhere && alike(old, string(c.New))):
		return fmt.Sprintf("there is no file %s, but one like it at another path; did you mean %s? Give the "+
			"path exactly; "+
			"to have the file at a new path write RENAME old -> new", c.Path, s)
	case visible(c.Path) != c.Path:
		return fmt.Sprintf("the path %q of the new file holds characters that cannot be seen or told from "+
			"others; did you mean %s?", c.Path, visible(c.Path))
	}
	return ""
}

// alike reports whether content is a version of a file: it has most of its lines.
func alike(old, now string) bool {
	has := make(map[string]bool)
	for _, l := range strings.Split(old, "\n") {
		has[strings.TrimSpace(l)] = true
	}
	all, shared := 0, 0
	for _, l := range strings.Split(now, "\n") {
		if l = strings.TrimSpace(l); len(l) >= 4 {
			if all++; has[l] {
				shared++
			}
		}
	}
	return shared >= 3 && 2*shared > all || shared > 0 && shared == all
}

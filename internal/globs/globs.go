// Package globs reports whether a path fits one of many globs, fast enough to ask it
// of every file of a large repository.
//
// What comes in are globs as doublestar knows them and clean slash paths; what goes out
// is what doublestar would say of each of them. Alternatives are written out once,
// and each is looked at only for paths that have the name, the folder or the
// extension which it asks for.
package globs

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// Set is a table of globs. It does not change once made.
type Set struct {
	byName   map[string][]plain // the file's own name
	byFolder map[string][]plain // a part of the path
	byExt    map[string][]plain // what the path ends in, from its last dot on
	rest     []plain
}

// plain is a glob without alternatives, and what it asks for apart from wildcards.
type plain struct {
	glob string
	// head and tail begin and end the file's own name, inside stands anywhere.
	head, tail, inside string
}

// maxPlain bounds what the alternatives of one glob are written out to.
const maxPlain = 2000

// New makes a set. A glob that is none fits nothing.
func New(globs ...string) *Set {
	s := &Set{byName: map[string][]plain{}, byFolder: map[string][]plain{}, byExt: map[string][]plain{}}
	for _, glob := range globs {
		all, ok := expand(glob)
		if !ok {
			s.rest = append(s.rest, plain{glob: glob})
			continue
		}
		for _, g := range all {
			s.add(g)
		}
	}
	return s
}

// expand writes out a glob's alternatives; false where its plain letters are not
// to be told from its signs, or doublestar would not take the two for the same.
func expand(glob string) ([]string, bool) {
	// which any broken byte equals
	if strings.IndexByte(glob, '\\') >= 0 || strings.ContainsRune(glob, utf8.RuneError) {
		return nil, false
	}
	for rest := glob; ; {
		from := strings.IndexByte(rest, '[')
		if from < 0 {
			break
		}
		to := strings.IndexByte(rest[from:], ']')
		if to < 0 || strings.ContainsAny(rest[from:from+to], "/{},") {
			return nil, false
		}
		rest = rest[from+to:]
	}
	todo, out := []string{glob}, []string(nil)
	for len(todo) > 0 {
		g := todo[0]
		todo = todo[1:]
		from := strings.IndexByte(g, '{')
		if from < 0 {
			out = append(out, g)
			continue
		}
		words, after, ok := alternatives(g[from+1:])
		if !ok || len(todo)+len(out)+len(words) > maxPlain {
			return nil, false
		}
		for k, word := range words {
			if word == "" && strings.Trim(after, "{},*/") == "" || twoStars(g[:from], word, after) {
				return nil, false
			}
			words[k] = g[:from] + word + after
		}
		todo = append(words, todo...)
	}
	return out, true
}

// twoStars tells stars that only meet where a brace is taken away, which doublestar
// takes for single ones.
func twoStars(before, word, after string) bool {
	return strings.HasSuffix(before, "*") && strings.HasPrefix(word+after, "*") ||
		strings.HasSuffix(word, "*") && strings.HasPrefix(after, "*")
}

// alternatives parts what stands behind an opening brace: its words, and what
// follows the brace that closes it.
func alternatives(s string) (words []string, after string, ok bool) {
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '{':
			depth++
		case ',':
			if depth == 0 {
				words, from = append(words, s[from:i]), i+1
			}
		case '}':
			if depth == 0 {
				return append(words, s[from:i]), s[i+1:], true
			}
			depth--
		}
	}
	return nil, "", false
}

// signs are the wildcards of a glob without alternatives.
const signs = "*?["

func (s *Set) add(glob string) {
	p := plain{glob: glob, inside: longest(glob)}
	last := path.Base(glob)
	if last == "**" || strings.HasSuffix(glob, "/") {
		// a folder, and all below it: it has the last part that is a plain word
		parts := strings.Split(glob, "/")
		for _, part := range slices.Backward(parts) {
			if part != "" && !strings.ContainsAny(part, signs) {
				s.byFolder[part] = append(s.byFolder[part], p)
				return
			}
		}
		s.rest = append(s.rest, p)
		return
	}
	from := strings.IndexAny(last, signs)
	if from < 0 {
		s.byName[last] = append(s.byName[last], p)
		return
	}
	p.head, p.tail = last[:from], last[strings.LastIndexAny(last, "*?]")+1:]
	if dot := strings.LastIndexByte(p.tail, '.'); dot >= 0 {
		s.byExt[p.tail[dot:]] = append(s.byExt[p.tail[dot:]], p)
		return
	}
	s.rest = append(s.rest, p)
}

// longest is the longest run of plain letters; a slash at its end may be missing
// in what fits.
func longest(glob string) string {
	best := ""
	for i := 0; i < len(glob); {
		n := strings.IndexAny(glob[i:], signs)
		if n < 0 {
			n = len(glob) - i
		}
		if run := strings.Trim(glob[i:i+n], "/"); len(run) > len(best) {
			best = run
		}
		i += n
		if i < len(glob) && glob[i] == '[' {
			i += max(strings.IndexByte(glob[i:], ']'), 0)
		}
		i++
	}
	return best
}

// Match reports whether a path fits one of the globs.
func (s *Set) Match(p string) bool {
	name := p[strings.LastIndexByte(p, '/')+1:]
	if fits(s.byName[name], p, name) || fits(s.rest, p, name) {
		return true
	}
	if dot := strings.LastIndexByte(name, '.'); dot >= 0 && fits(s.byExt[name[dot:]], p, name) {
		return true
	}
	if len(s.byFolder) == 0 {
		return false
	}
	for part := range strings.SplitSeq(p, "/") {
		if fits(s.byFolder[part], p, name) {
			return true
		}
	}
	return false
}

func fits(list []plain, p, name string) bool {
	for i := range list {
		g := &list[i]
		if strings.HasSuffix(name, g.tail) && strings.HasPrefix(name, g.head) &&
			strings.Contains(p, g.inside) &&
			doublestar.MatchUnvalidated(g.glob, p) {
			return true
		}
	}
	return false
}

// Quote gives the glob that fits a path alone.
func Quote(path string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(path)
}

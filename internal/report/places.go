package report

import (
	"sort"
	"strings"
)

// Place is a folder of this machine, and the word that stands for it in what is
// meant to be shown to others.
type Place struct{ Dir, Word string }

// hidden are folders by the word for each; the longest comes first, since one may lie in another.
type hidden []Place

func hide(dirs []Place) hidden {
	var p hidden
	for _, d := range dirs {
		dir := strings.TrimRight(d.Dir, `/\`)
		if len(dir) < 2 { // a root stands for nothing
			continue
		}
		p = append(p, Place{dir, d.Word})
		if strings.Contains(dir, `\`) { // as JSON and most languages write it
			p = append(p, Place{strings.ReplaceAll(dir, `\`, `\\`), d.Word}, Place{strings.ReplaceAll(dir, `\`, "/"), d.Word})
		}
	}
	sort.SliceStable(p, func(i, j int) bool { return len(p[i].Dir) > len(p[j].Dir) })
	return p
}

// text puts the words in the folders' stead. A place without a word is left out
// with the separator behind it: what is below it reads as a relative path.
func (p hidden) text(s string) string {
	for _, d := range p {
		if !strings.Contains(s, d.Dir) {
			continue
		}
		var b strings.Builder
		for {
			i := strings.Index(s, d.Dir)
			if i < 0 {
				break
			}
			after := s[i+len(d.Dir):]
			if !beginsPath(s[:i]) || !endsName(after) {
				b.WriteString(s[:i+len(d.Dir)])
				s = after
				continue
			}
			b.WriteString(s[:i])
			word := d.Word
			switch rest := strings.TrimLeft(after, `/\`); {
			case word != "":
			case len(rest) == len(after), rest == "" || !partOfName(rest[0]):
				word = "."
			default:
				after = rest
			}
			b.WriteString(word)
			s = after
		}
		b.WriteString(s)
		s = b.String()
	}
	return s
}

// beginsPath says that a path may begin behind the text: /app is no place in
// https://host/app, nor in /usr/app.
func beginsPath(before string) bool {
	if before == "" || strings.HasSuffix(before, "file://") {
		return true
	}
	last := before[len(before)-1]
	return !partOfName(last) && last != '/' && last != '\\'
}

// endsName says that the text goes on with anything but the rest of a name.
func endsName(after string) bool {
	if after == "" || !partOfName(after[0]) {
		return true
	}
	// A full stop ends a sentence, or goes on with a name.
	return after[0] == '.' && (len(after) == 1 || !partOfName(after[1]))
}

func partOfName(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' &&
		c <= 'Z' || c >= 0x80
}

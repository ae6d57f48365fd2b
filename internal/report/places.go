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
			p = append(p, Place{strings.ReplaceAll(dir, `\`, `\\`), d.Word},
				Place{strings.ReplaceAll(dir, `\`, "/"), d.Word})
		}
	}
	sort.SliceStable(p, func(i, j int) bool { return len(p[i].Dir) > len(p[j].Dir) })
	return p
}

// text puts the words in the folders' stead where a path goes on below them. A place
// without a word is left out: what is below it reads as a relative path.
func (p hidden) text(s string) string {
	for _, d := range p {
		if !strings.Contains(s, d.Dir) {
			continue
		}
		parts := strings.Split(s, d.Dir)
		var b strings.Builder
		b.WriteString(parts[0])
		for i, part := range parts[1:] {
			below := strings.TrimLeft(part, `/\`)
			switch {
			case below == part || !beginsPath(parts[i]):
				b.WriteString(d.Dir + part)
			case d.Word == "":
				b.WriteString(below)
			default:
				b.WriteString(d.Word + part)
			}
		}
		s = b.String()
	}
	return s
}

// beginsPath reports whether a path may begin behind the text: /app is no place in
// https://host/app, nor in /usr/app.
func beginsPath(before string) bool {
	if before == "" || strings.HasSuffix(before, "file://") {
		return true
	}
	c := before[len(before)-1]
	return !strings.ContainsRune(`_-./\`, rune(c)) && c < 0x80 && (c < '0' || c > '9') &&
		(c|32 < 'a' || c|32 > 'z')
}

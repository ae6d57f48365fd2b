package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A block may be read in more than one way: where it is divided, whether numbers
// belong to its lines, what its characters stand for. The first way that matches counts.

// block finds one block and puts its replacement in place.
func (m *matcher) block(b Block) error {
	// The longest search text that matches is the one that was meant: a shorter
	// one would leave a line of the file, which looks like a divider, in the replacement.
	for _, c := range slices.Backward(b.others) {
		d := b
		d.Search, d.Replace, d.others = c.search, c.replace, nil
		if search := texts(d.Search); len(search) == 0 || len(m.find(search, butIndent)) == 0 {
			continue
		}
		d, err := undivided(d, m.prose)
		if err == nil {
			err = m.one(d)
		}
		return err
	}
	b, err := undivided(b, m.prose)
	if err == nil {
		err = m.one(b)
	}
	if !errors.As(err, new(notFound)) {
		return err
	}
	if ways := unnumberedBlocks(b); ways != nil {
		return m.unnumbered(ways, err)
	}
	return m.typeset(b, err)
}

// unnumbered applies a block whose search text has numbers, where it matches
// without them; how it is indented has to be beyond doubt.
func (m *matcher) unnumbered(ways []Block, otherwise error) error {
	for _, d := range ways {
		if len(m.find(texts(d.Search), butTrailing)) == 0 {
			continue
		}
		d, err := undivided(d, m.prose)
		if err != nil {
			return err
		}
		return m.one(d)
	}
	return fmt.Errorf("%w\nLeave the line numbers out: they are no part of the file", otherwise)
}

// notFound says that a search text is nowhere.
type notFound struct{ error }

// undivided takes lines like the divider off the edges of a replacement, where
// they are a slip. One in its midst may be content, or end the search text.
func undivided(b Block, prose bool) (Block, error) {
	replace := texts(b.Replace)
	if !b.divided || !slices.ContainsFunc(replace, isDivider) {
		return b, nil
	}
	own := 0 // where the file itself has such lines, so may what replaces them
	for _, t := range texts(b.Search) {
		if isDivider(t) {
			own++
		}
	}
	if own == 0 && isDivider(replace[0]) {
		replace = replace[1:]
	}
	if n := len(replace) - 1; own == 0 && n >= 0 && isDivider(replace[n]) && !(prose && underlines(replace, n)) {
		replace = replace[:n]
	}
	for i, t := range replace {
		if !isDivider(t) || own == 0 && prose && underlines(replace, i) {
			continue
		}
		if own--; own < 0 {
			return b, errors.New("holds more than one ======= line, so it is not clear where its search text ends: give the block with one, or, where the text itself has such a line, the complete file")
		}
	}
	b.Replace, b.others = linesText(replace), nil
	return b, nil
}

// underlines tells a line of equals signs under a heading as long as it is.
func underlines(lines []string, i int) bool {
	return i > 0 && !isDivider(lines[i-1]) &&
		utf8.RuneCountInString(strings.TrimSpace(lines[i-1])) == len(strings.TrimSpace(lines[i]))
}

// typeset finds a block by what its characters stand for.
func (m *matcher) typeset(b Block, otherwise error) error {
	search := texts(b.Search)
	at := m.find(search, butTypeset)
	if len(at) == 0 {
		return otherwise
	}
	i, err := m.pick(at, b, len(search))
	if err != nil {
		return err
	}
	return m.retyped(i, search, texts(b.Replace), b)
}

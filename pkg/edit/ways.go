package edit

import (
	"errors"
	"fmt"
	"slices"
)

// A block may be read in more than one way: where it is divided, whether numbers
// belong to its lines, what its characters stand for. The first way that matches counts.

// block finds one block and puts its replacement in place.
func (m *matcher) block(b Block) error {
	err := m.one(b)
	if !errors.As(err, new(notFound)) {
		return err
	}
	if ways := unnumberedBlocks(b); ways != nil {
		return m.unnumbered(ways, err)
	}
	return m.plain(b, err)
}

// unnumbered applies a block whose search text has numbers, where it matches
// without them; how it is indented has to be beyond doubt.
func (m *matcher) unnumbered(ways []Block, otherwise error) error {
	for _, d := range ways {
		if len(m.find(texts(d.Search), butTrailing)) == 0 {
			continue
		}
		if slices.ContainsFunc(texts(d.Replace), isDivider) && !slices.ContainsFunc(texts(d.Search), isDivider) {
			return errors.New("has line numbers and a ======= line in its replacement: leave the line numbers out: they are no part of the file")
		}
		return m.one(d)
	}
	return fmt.Errorf("%w\nLeave the line numbers out: they are no part of the file", otherwise)
}

// notFound says that a search text is nowhere.
type notFound struct{ error }

package guard

import (
	"github.com/booty-cli/booty/internal/guard/internal/checkout"
	"github.com/booty-cli/booty/pkg/edit"
)

func (g *Guard) steps(c edit.Change) ([]checkout.FileChange, error) {
	switch c.Op {
	case edit.Rename:
		gone, err := g.before(c.From, c.Old, true)
		if err != nil {
			return nil, err
		}
		come, err := g.before(c.Path, nil, false)
		if err != nil {
			return nil, err
		}
		if g.key(c.From) == g.key(c.Path) {
			come.Before, come.Existed = nil, false // the same file, in another spelling
		}
		come.After, come.Stays, come.From, come.Origin = c.New, true, c.From, gone.Before
		return []checkout.FileChange{gone, come}, nil
	case edit.Delete:
		s, err := g.before(c.Path, c.Old, true)
		return []checkout.FileChange{s}, err
	}
	s, err := g.before(c.Path, c.Old, c.Op == edit.Modify)
	s.After, s.Stays = c.New, true
	return []checkout.FileChange{s}, err
}

func (g *Guard) before(p string, old []byte, known bool) (checkout.FileChange, error) {
	s := checkout.FileChange{Path: p}
	if g.isOwn(p) {
		return s, nil
	}
	if g.policy.Base != nil {
		if s.Before, s.Existed = g.policy.Base(p); s.Existed {
			return s, nil
		}
	}
	// A file that git ignores, or that somebody else put there, is not in the base but old
	// nevertheless.
	if known {
		s.Before, s.Existed = old, true
		return s, nil
	}
	// Said to be new, but an existing file counts, even under another spelling.
	kind, err := g.files.Kind(p)
	if err != nil || kind != checkout.File {
		return s, err
	}
	s.Before, err = g.files.ReadFile(p)
	s.Existed = err == nil
	return s, err
}

func (g *Guard) isOwn(p string) bool {
	if g.policy.OwnFiles[p] {
		return true
	}
	if !g.fold {
		return false
	}
	for own, is := range g.policy.OwnFiles {
		if is && g.key(own) == g.key(p) {
			return true
		}
	}
	return false
}

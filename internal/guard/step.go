package guard

import "github.com/booty-cli/booty/pkg/edit"

// step is one file before and after a change, with what the model itself did
// earlier in the run left out of "before".
type step struct {
	path           string
	before, after  []byte
	existed, stays bool
}

func (g *Guard) steps(c edit.Change) ([]step, error) {
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
			come.before, come.existed = nil, false // the same file, respelled
		}
		come.after, come.stays = c.New, true
		return []step{gone, come}, nil
	case edit.Delete:
		s, err := g.before(c.Path, c.Old, true)
		return []step{s}, err
	}
	s, err := g.before(c.Path, c.Old, c.Op == edit.Modify)
	s.after, s.stays = c.New, true
	return []step{s}, err
}

func (g *Guard) before(p string, old []byte, known bool) (step, error) {
	s := step{path: p}
	if g.isOwn(p) {
		return s, nil
	}
	if g.policy.Base != nil {
		if s.before, s.existed = g.policy.Base(p); s.existed {
			return s, nil
		}
	}
	// What the base does not hold and the model did not make is old nevertheless:
	// git ignores it, or somebody else put it there.
	if known {
		s.before, s.existed = old, true
		return s, nil
	}
	// Said to be new: what stands there, perhaps under another spelling, counts.
	kind, err := g.tree.Kind(p)
	if err != nil || kind != File {
		return s, err
	}
	s.before, err = g.tree.ReadFile(p)
	s.existed = err == nil
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

package runner

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"sync"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/foreign"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/lexer"
	"github.com/booty-cli/booty/internal/manifest"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/pkg/edit"
)

// AsTheyStood implements engine.Changes.
func (c *changes) AsTheyStood(ctx context.Context, s engine.State) (engine.Swap, error) {
	var swap engine.Swap
	from := cmp.Or(c.base, c.start.Commit)
	list, err := c.repo.Compare.Changes(ctx, from, s.Commit)
	if err != nil {
		return swap, err
	}
	g, err := c.guard(ctx)
	if err != nil {
		return swap, err
	}
	gates, err := c.gateFiles(ctx)
	if err != nil {
		return swap, err
	}
	seen := map[string]bool{}
	for _, change := range list {
		for _, p := range []string{change.Path, change.From} {
			if p == "" || seen[p] || g.Allows(p) {
				continue
			}
			seen[p] = true
			f, err := c.both(ctx, p, s.Commit)
			if err != nil {
				return swap, err
			}
			if gates(p) {
				addGate(&swap, f, g)
			}
			c.add(&swap, f, g)
		}
	}
	swap.Moved, err = c.moved(ctx, from, s.Commit, g)
	return swap, err
}

// moved returns changes that put each renamed product module at its old path, too.
func (c *changes) moved(ctx context.Context, from, to string,
	g *guard.Guard) (back []edit.Change, err error) {
	renames, err := renamesOf(ctx, c.repo.Compare, from, to)
	if err != nil {
		return nil, err
	}
	for _, was := range slices.Sorted(maps.Keys(renames)) {
		now := renames[was]
		if !proof.LoadsByPath(now) || g.TestFile(now) {
			continue
		}
		f, err := c.repo.History.Stored(ctx, to, now)
		if err != nil {
			return nil, err
		}
		if f != nil && f.Mode.IsRegular() {
			back = append(back, edit.Change{Op: edit.Create, Path: was, New: f.Data, Mode: f.Mode})
		}
	}
	return back, nil
}

// twoVersions are a file before the work and after it; nil if it does not exist.
type twoVersions struct {
	path    string
	old, is *history.StoredFile
}

// both returns the two versions of a file.
func (c *changes) both(ctx context.Context, p, now string) (f twoVersions, err error) {
	f.path = p
	if f.old, err = c.stood(ctx, p); err == nil {
		f.is, err = c.repo.History.Stored(ctx, now, p)
	}
	return f, err
}

// add adds the change that puts one file back, if it is a test file or one that tests may load.
func (c *changes) add(swap *engine.Swap, f twoVersions, g *guard.Guard) {
	p, old, is := f.path, f.old, f.is
	if same(old, is) {
		return
	}
	switch {
	case g.TestFile(p):
		shared := g.UsedByProduct(p)
		if old == nil && shared { // the product needs it, whatever its name
			return
		}
		if old != nil || testfile.Of(p) == testfile.Runner {
			swap.Old = append(swap.Old, p)
		}
		if shared && is != nil {
			swap.Shared = append(swap.Shared, p)
		}
		if change, ok := f.back(); ok {
			swap.Tests = append(swap.Tests, change)
		} else {
			swap.Unsplit = append(swap.Unsplit, p)
		}
	case testfile.IsBuild(p):
		if old != nil && is != nil {
			if old.Data = proof.WithOldSettings(p, old.Data, is.Data); same(old, is) {
				return
			}
		}
		if change, ok := f.back(); ok {
			swap.Builds = append(swap.Builds, change)
		}
	case foreign.ThirdParty(p):
		if change, ok := f.back(); ok && old != nil {
			swap.Libraries = append(swap.Libraries, change)
		}
	case c.isData(p):
		if change, ok := f.back(); ok && old != nil {
			swap.Data = append(swap.Data, change)
		}
	case old != nil && is != nil && old.Mode.IsRegular() && is.Mode.IsRegular():
		spliced, whole := proof.WithOldTests(p, old.Data, is.Data)
		switch {
		case !whole:
			swap.Unsplit = append(swap.Unsplit, p)
		case !bytes.Equal(spliced, is.Data):
			swap.Old = append(swap.Old, p)
			swap.Tests = append(swap.Tests,
				edit.Change{Op: edit.Modify, Path: p, Old: is.Data, New: spliced, Mode: is.Mode})
		}
	}
}

// isData reports whether a file holds neither code nor a document, and no tool writes it.
func (c *changes) isData(p string) bool {
	return lexer.Of(p) == nil && testfile.Language(p) == "" && !proof.MayHoldTests(p) &&
		!manifest.IsLock(p) &&
		!matchesAny(c.cfg.DocsOnly, p)
}

// stood returns a file from before the work: as the run found it or, if the run continues earlier
// work, in the newest version that is not booty's, or with which booty activated a pending test.
func (c *changes) stood(ctx context.Context, p string) (*history.StoredFile, error) {
	start := c.of(p).Commit
	if c.base == "" || start != c.start.Commit {
		return c.repo.History.Stored(ctx, start, p)
	}
	commit, err := c.repo.History.BeforeOwn(ctx, c.base, start, TrailerRun, TrailerActivates, p)
	if err != nil {
		return nil, err
	}
	return c.repo.History.Stored(ctx, commit, p)
}

func same(a, b *history.StoredFile) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Mode == b.Mode && bytes.Equal(a.Data, b.Data)
}

// back is the change that restores a file; false if it is, or was, no regular file.
func (f twoVersions) back() (edit.Change, bool) {
	old, is := f.old, f.is
	if old != nil && !old.Mode.IsRegular() || is != nil && !is.Mode.IsRegular() {
		return edit.Change{}, false
	}
	switch {
	case old == nil:
		return edit.Change{Op: edit.Delete, Path: f.path, Old: is.Data, Mode: is.Mode}, true
	case is == nil:
		return edit.Change{Op: edit.Create, Path: f.path, New: old.Data, Mode: old.Mode}, true
	}
	return edit.Change{Op: edit.Modify, Path: f.path, Old: is.Data, New: old.Data, Mode: old.Mode}, true
}

// testsApart parts the paths of a commit as s has them: files in which tests that stood before
// the run are changed, and all else. One to which tests were only added stays with the code.
func (o *origin) testsApart(ctx context.Context, s engine.State,
	paths []string) (rest, tests []string, err error) {
	g, err := o.guard(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range paths {
		old, stood, err := o.repo.History.ReadFile(ctx, o.start.Commit, p)
		if err != nil {
			return nil, nil, err
		}
		now, is, err := o.repo.History.ReadFile(ctx, s.Commit, p)
		if err != nil {
			return nil, nil, err
		}
		if stood && g.TestFile(p) && !(is && onlyAdds(old, now)) {
			tests = append(tests, p)
		} else {
			rest = append(rest, p)
		}
	}
	// A test that was moved is in the same commit as its old place.
	return rest, tests, nil
}

// onlyAdds reports whether all lines of a text are in another one, in order, imports and the
// like aside: a new test often needs one more.
func onlyAdds(old, now []byte) bool {
	before := diff.Split(string(old))
	for _, e := range diff.Edits(before, diff.Split(string(now))) {
		for _, line := range before[e.From:e.To] {
			if !imports().MatchString(line) {
				return false
			}
		}
	}
	return true
}

var imports = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*(import|from|use|using|require|#include|const \{.*\} = require)\b|^\s*$`)
})

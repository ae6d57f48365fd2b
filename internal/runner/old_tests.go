package runner

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"sync"

	"github.com/booty-cli/booty/internal/diff"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// oldTests is the engine's OldTestFiles: tests as the commits of the run hold them.
type oldTests struct {
	tree *tree
	// base is the code before all work on the task, where the run begins at earlier
	// work; "" else.
	base string
}

// AsTheyStood implements engine.OldTestFiles.
func (o *oldTests) AsTheyStood(ctx context.Context, s engine.State) (engine.Swap, error) {
	var swap engine.Swap
	from := o.tree.start.Commit
	if o.base != "" {
		from = o.base
	}
	changes, err := o.tree.repo.Changes(ctx, from, s.Commit)
	if err != nil {
		return swap, err
	}
	g, err := o.tree.guard(ctx)
	if err != nil {
		return swap, err
	}
	gates, err := o.gateFiles(ctx)
	if err != nil {
		return swap, err
	}
	seen := map[string]bool{}
	for _, c := range changes {
		for _, p := range []string{c.Path, c.From} {
			if p == "" || seen[p] {
				continue
			}
			seen[p] = true
			if gates(p) {
				err = o.addGate(ctx, &swap, p, s.Commit, g)
			}
			if err = errors.Join(err, o.add(ctx, &swap, p, s.Commit, g)); err != nil {
				return swap, err
			}
		}
	}
	return swap, nil
}

// add adds what puts one file back, where it is one of tests.
func (o *oldTests) add(ctx context.Context, swap *engine.Swap, p, now string, g *guard.Guard) error {
	if g.Allows(p) {
		return nil
	}
	old, err := o.stood(ctx, p)
	if err != nil {
		return err
	}
	is, err := o.tree.repo.Stored(ctx, now, p)
	if err != nil || same(old, is) {
		return err
	}
	switch {
	case g.TestFile(p):
		shared := g.UsedByProduct(p)
		if old == nil && shared { // the product needs it, whatever its name
			return nil
		}
		if old != nil || testfile.Of(p) == testfile.Runner {
			swap.Old = append(swap.Old, p)
		}
		if shared && is != nil {
			swap.Shared = append(swap.Shared, p)
		}
		if c, ok := back(p, old, is); ok {
			swap.Tests = append(swap.Tests, c)
		} else {
			swap.Unsplit = append(swap.Unsplit, p)
		}
	case testfile.IsBuild(p):
		if old != nil && is != nil {
			if old.Data = proof.WithOldSettings(p, old.Data, is.Data); same(old, is) {
				return nil
			}
		}
		if c, ok := back(p, old, is); ok {
			swap.Builds = append(swap.Builds, c)
		}
	case old != nil && is != nil && old.Mode.IsRegular() && is.Mode.IsRegular():
		spliced, whole := proof.WithOldTests(p, old.Data, is.Data)
		switch {
		case !whole:
			swap.Unsplit = append(swap.Unsplit, p)
		case !bytes.Equal(spliced, is.Data):
			swap.Old = append(swap.Old, p)
			swap.Tests = append(swap.Tests, edit.Change{Op: edit.Modify, Path: p, Old: is.Data, New: spliced, Mode: is.Mode})
		}
	}
	return nil
}

// stood gives a file as it stood before the work: as the run found it, or, where the
// run goes on from earlier work, in the newest version that is not booty's, or with
// which booty activated a pending test.
func (o *oldTests) stood(ctx context.Context, p string) (*workspace.StoredFile, error) {
	start := o.tree.startOf(p).Commit
	if o.base == "" || start != o.tree.start.Commit {
		return o.tree.repo.Stored(ctx, start, p)
	}
	commit, err := o.tree.repo.BeforeOwn(ctx, o.base, start, TrailerRun, TrailerActivates, p)
	if err != nil {
		return nil, err
	}
	return o.tree.repo.Stored(ctx, commit, p)
}

func same(a, b *workspace.StoredFile) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Mode == b.Mode && bytes.Equal(a.Data, b.Data)
}

// back is the change that makes of a file what it was; false where it is, or was, no
// regular file.
func back(p string, old, is *workspace.StoredFile) (edit.Change, bool) {
	if old != nil && !old.Mode.IsRegular() || is != nil && !is.Mode.IsRegular() {
		return edit.Change{}, false
	}
	switch {
	case old == nil:
		return edit.Change{Op: edit.Delete, Path: p, Old: is.Data, Mode: is.Mode}, true
	case is == nil:
		return edit.Change{Op: edit.Create, Path: p, New: old.Data, Mode: old.Mode}, true
	}
	return edit.Change{Op: edit.Modify, Path: p, Old: is.Data, New: old.Data, Mode: old.Mode}, true
}

// testsApart parts the paths of a commit as s has them: files in which tests that stood before
// the run are changed, and all else. One to which tests were only added stays with the code.
func (t *tree) testsApart(ctx context.Context, s engine.State, paths []string) (rest, tests []string, err error) {
	g, err := t.guard(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range paths {
		old, stood, err := t.repo.ReadFile(ctx, t.start.Commit, p)
		if err != nil {
			return nil, nil, err
		}
		now, is, err := t.repo.ReadFile(ctx, s.Commit, p)
		if err != nil {
			return nil, nil, err
		}
		if stood && g.TestFile(p) && !(is && onlyAdds(old, now)) {
			tests = append(tests, p)
		} else {
			rest = append(rest, p)
		}
	}
	// A test that was moved is in one commit with the place where it stood.
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

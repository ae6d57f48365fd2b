package runner

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/guard"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// changes is the engine's Changes: it reads from git what the work has changed.
type changes struct {
	*origin
	// isTest reports the files of tests, as they were when the run began.
	isTest func(string) bool
	// base is the code before all work on the task, where the run begins at earlier
	// work; "" else.
	base string
	// merges says that green work is merged without a person.
	merges bool
}

// Sources implements engine.Changes.
func (c *changes) Sources(ctx context.Context, from, to engine.State) ([]proof.Source, error) {
	return sourcesOf(ctx, c.repo, cmp.Or(c.base, from.Commit), to.Commit, c.isTest, c.cfg.DocsOnly)
}

// subject returns the change from one commit to another, for a proof.
func (c *changes) subject(ctx context.Context, g *guard.Guard,
	from, to string) (s proof.Subject, swap engine.Swap, err error) {
	if swap, err = c.AsTheyStood(ctx, engine.State{Commit: to}); err != nil {
		return s, swap, err
	}
	s.Old = swap.Swap
	if s.Renames, err = renamesOf(ctx, c.repo.Compare, from, to); err != nil {
		return s, swap, err
	}
	if s.NewTests, err = newTests(ctx, c.repo, g.IsTest, from, to); err != nil {
		return s, swap, err
	}
	if s.Sources, err = sourcesOf(ctx, c.repo, from, to, g.TestFile, c.cfg.DocsOnly); err != nil {
		return s, swap, err
	}
	s.TestFiles = c.testFiles(to)
	return s, swap, nil
}

// testFiles lists the files of tests of a commit, once.
func (c *changes) testFiles(commit string) func(context.Context) ([]string, error) {
	var once sync.Mutex // several trees may be at work
	var list []string
	return func(ctx context.Context) ([]string, error) {
		once.Lock()
		defer once.Unlock()
		if list != nil {
			return list, nil
		}
		files, err := c.repo.History.NamesAt(ctx, commit)
		if err != nil {
			return nil, err
		}
		list = slices.DeleteFunc(append([]string{}, files...),
			func(p string) bool { return testfile.Of(p) != testfile.Case })
		return list, nil
	}
}

// docsAlone reports whether documents alone differ between two commits.
func (c *changes) docsAlone(ctx context.Context, from, to string) (bool, error) {
	list, err := c.repo.Compare.Changes(ctx, from, to)
	var all []edit.Change
	for _, ch := range list {
		all = append(all, edit.Change{Path: ch.Path, From: ch.From})
	}
	return err == nil && docsOnly(c.cfg.DocsOnly, all), err
}

// newTests returns the changes that are tests: test files, and the tests inside product
// code, put into the old code.
func newTests(ctx context.Context, repo *workspace.Repo, isTest func(string) bool,
	from, to string) (tests []edit.Change, err error) {
	list, err := repo.Compare.Changes(ctx, from, to)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		if c.Op == "delete" || c.Binary {
			continue
		}
		now, _, err := repo.History.ReadFile(ctx, to, c.Path)
		if err != nil {
			return nil, err
		}
		old, existed, err := repo.History.ReadFile(ctx, from, c.Path)
		if err != nil {
			return nil, err
		}
		change := edit.Change{Op: edit.Create, Path: c.Path, Old: old, New: now}
		if existed {
			change.Op = edit.Modify
		}
		if !isTest(c.Path) {
			if change.New = proof.WithNewTests(c.Path, old, now); !existed || bytes.Equal(change.New, old) {
				continue
			}
		}
		tests = append(tests, change)
	}
	return tests, nil
}

// renamesOf maps the files that a change renames, edited or not, to their new names. Git is asked
// only where files went and others came.
func renamesOf(ctx context.Context, states *snapshot.Comparer, from, to string) (map[string]string, error) {
	list, err := states.Changes(ctx, from, to)
	if err != nil {
		return nil, err
	}
	ops := map[string]bool{}
	for _, c := range list {
		ops[c.Op] = true
	}
	if !ops["rename"] && !(ops["delete"] && ops["create"]) {
		return map[string]string{}, nil
	}
	return states.Renames(ctx, from, to)
}

// sourcesOf are the files of the product's code that differ between two commits. One that was
// renamed and edited is compared with what it was.
func sourcesOf(ctx context.Context, repo *workspace.Repo, from, to string, isTest func(string) bool, docs []string) (
	list []proof.Source, err error,
) {
	changes, err := repo.Compare.Changes(ctx, from, to)
	if err != nil {
		return nil, err
	}
	renames, err := renamesOf(ctx, repo.Compare, from, to)
	if err != nil {
		return nil, err
	}
	was := map[string]string{} // by what they are called now
	for old, now := range renames {
		if !isTest(old) {
			was[now] = old
		}
	}
	for _, c := range changes {
		now := renames[c.Path]
		if c.Binary || isTest(c.Path) || matchesAny(docs, c.Path) ||
			c.Op == "delete" && was[now] == c.Path && !isTest(now) {
			continue
		}
		f, err := sourceAt(ctx, repo.History, from, to, cmp.Or(was[c.Path], c.Path), c.Path)
		if err != nil {
			return nil, err
		}
		code := f
		if was[c.Path] != "" { // whatever its new text brings, it moved
			code.Old = f.New
		} else if bytes.Equal(f.Old, f.New) {
			continue
		}
		if code.NoCode() == "" {
			list = append(list, f)
		}
	}
	return list, nil
}

// sourceAt is a file of the product in two commits.
func sourceAt(ctx context.Context, h history.Reader, from, to, was, is string) (proof.Source, error) {
	old, err := h.Stored(ctx, from, was)
	if err != nil {
		return proof.Source{}, err
	}
	now, err := h.Stored(ctx, to, is)
	if err != nil {
		return proof.Source{}, err
	}
	return sourceOf(is, old, now), nil
}

package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// Probe implements engine.TestProbe: it makes what tests expect wrong, and sees which commands fail.
func (b *beside) Probe(ctx context.Context, s engine.State, commands []string) (uncounted []string, why string, err error) {
	c, err := b.open(ctx, s.Commit, engine.TreeOptions{})
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	v, err := c.only(ctx, commands)
	if err != nil {
		return nil, "", err
	}
	if !v.Green { // then a failure with wrong tests says nothing
		return commands, "it passed, but fails in a copy of the tree, where that could be tried: " + whyFailed(v.Results[len(v.Results)-1]), nil
	}
	return probeIn(ctx, c, b.changes.isTest, s.Commit, commands)
}

// only runs some of the test commands.
func (c *copied) only(ctx context.Context, commands []string) (check.Verdict, error) {
	s := c.suite()
	s.Tests = slices.DeleteFunc(s.Tests, func(step check.Step) bool { return !slices.Contains(commands, step.Command) })
	return c.checks.runner.Verify(ctx, s, check.VerifyOptions{Full: true})
}

// probeIn tries it in a tree at a commit, in which the commands pass.
func probeIn(ctx context.Context, c *copied, isTest func(string) bool, commit string, commands []string,
) (uncounted []string, why string, err error) {
	for _, texts := range []bool{false, true} {
		changes, n, err := madeWrong(ctx, c.repo, isTest, commit, texts)
		if err != nil {
			return nil, "", err
		}
		if n == 0 {
			continue
		}
		v, err := tryWrong(ctx, c, changes, commands)
		if err != nil {
			return nil, "", err
		}
		uncounted = nil
		for _, res := range v.Results {
			switch {
			case res.Passed:
				why = fmt.Sprintf("what its tests expect was made wrong in %s, and it passed all the same", places(n, len(changes)))
				uncounted = append(uncounted, res.Command)
			case res.End == check.TimedOut || res.Environment != "":
				why = "with its tests made wrong it cannot run: " + whyFailed(res)
				uncounted = append(uncounted, res.Command)
			}
		}
		switch { // a number off by one still builds; of a text that is not sure
		case len(uncounted) == 0 && (!texts || !unbuilt(v.Failures)):
			return nil, "", nil
		case len(uncounted) == 0:
			uncounted, why = commands, "with its tests made wrong it does not build"
		}
	}
	if why == "" {
		return commands, "no test was found of which booty could make wrong what it expects, to see whether it fails then", nil
	}
	return uncounted, why, nil
}

// places counts expectations and the files that they are in.
func places(n, files int) string {
	switch {
	case n == 1:
		return "1 place"
	case files == 1:
		return fmt.Sprintf("%d places of 1 file", n)
	}
	return fmt.Sprintf("%d places of %d files", n, files)
}

// unbuilt says that it is not tests that failed: they do not build.
func unbuilt(failures []failure.Failure) bool {
	return len(failures) > 0 && !slices.ContainsFunc(failures, func(f failure.Failure) bool { return !f.NotLoaded() })
}

// tryWrong runs commands with changes, and takes those back.
func tryWrong(ctx context.Context, c *copied, changes []edit.Change, commands []string) (v check.Verdict, err error) {
	back := make([]edit.Change, len(changes))
	for i, ch := range changes {
		back[i] = ch
		back[i].Old, back[i].New = ch.New, ch.Old
	}
	if err := c.Apply(changes); err != nil {
		return v, err
	}
	v, err = c.only(ctx, commands)
	return v, errors.Join(err, c.Apply(back))
}

const (
	// maxWrong and maxWrongSize bound how many files of tests are made wrong, and how
	// large each may be.
	maxWrong     = 500
	maxWrongSize = 1 << 20
)

// madeWrong gives the tests of a commit with what they expect made wrong, and how many
// expectations that are.
func madeWrong(ctx context.Context, w *workspace.Repo, isTest func(string) bool, commit string, texts bool,
) (changes []edit.Change, n int, err error) {
	files, err := w.Files(ctx)
	if err != nil {
		return nil, 0, err
	}
	for _, name := range files {
		if len(changes) == maxWrong {
			break
		}
		whole := isTest(name) && testfile.Of(name) != testfile.Runner && testfile.Of(name) != testfile.Data
		if !whole && !proof.MayHoldTests(name) {
			continue
		}
		f, err := w.Stored(ctx, commit, name)
		if err != nil {
			return nil, 0, err
		}
		if f == nil || !f.Mode.IsRegular() || len(f.Data) > maxWrongSize {
			continue
		}
		var only map[int]bool
		if !whole {
			if only = proof.TestLines(name, f.Data); len(only) == 0 {
				continue
			}
		}
		if text, k := proof.Spoil(f.Data, only, texts); k > 0 {
			n += k
			changes = append(changes, edit.Change{Op: edit.Modify, Path: name, Old: f.Data, New: text, Mode: f.Mode})
		}
	}
	return changes, n, nil
}

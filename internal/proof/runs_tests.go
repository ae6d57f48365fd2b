package proof

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// A test command that passes and counts no test may run none. It runs tests if it fails once
// what tests expect is made wrong.

// Commands is a tree in which single test commands can be run.
type Commands interface {
	Apply(changes []edit.Change) error
	// Command runs one of the test commands.
	Command(ctx context.Context, command string) (Result, error)
}

// Spoiled returns tests with what they expect made wrong, and in how many places; texts alters
// strings instead of numbers.
type Spoiled func(ctx context.Context, texts bool) (changes []edit.Change, n int, err error)

// Uncounted returns the commands of which nothing shows that they run tests, and why. They pass in
// the tree.
func Uncounted(ctx context.Context, t Commands, commands []string,
	spoiled Spoiled) (uncounted []string, why string, err error) {
	for _, texts := range []bool{false, true} {
		changes, n, err := spoiled(ctx, texts)
		if err != nil {
			return nil, "", err
		}
		if n == 0 {
			continue
		}
		results, err := eachWith(ctx, t, changes, commands)
		if err != nil {
			return nil, "", err
		}
		uncounted = nil
		built := false
		for i, r := range results {
			built = built || !r.unbuilt()
			switch {
			case r.Passed:
				why = fmt.Sprintf("what its tests expect was made wrong in %s, and it passed all the same",
					places(n, len(changes)))
				uncounted = append(uncounted, commands[i])
			case r.Trouble != "":
				why = "with its tests made wrong it cannot run: " + r.Trouble
				uncounted = append(uncounted, commands[i])
			}
		}
		switch { // a number off by one still builds; of a text that is not sure
		case len(uncounted) == 0 && (!texts || built):
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

// UncountedInCopy is Uncounted in a copy of the tree in which they pass.
func UncountedInCopy(ctx context.Context, t Commands, commands []string,
	spoiled Spoiled) (uncounted []string, why string, err error) {
	results, err := eachWith(ctx, t, nil, commands)
	if err != nil {
		return nil, "", err
	}
	for _, r := range results {
		if !r.Passed { // then a failure with wrong tests says nothing
			return commands, "it passed, but fails in a copy of the tree, where that could be tried: " +
				r.failed(), nil
		}
	}
	return Uncounted(ctx, t, commands, spoiled)
}

// Runs reports whether the test command of a tree fails once a test is spoiled, which shows that it
// runs the test.
func Runs(ctx context.Context, t Tree, spoiled Spoiled) (bool, error) {
	passes := false
	for _, texts := range []bool{false, true} {
		changes, n, err := spoiled(ctx, texts)
		if err != nil {
			return false, err
		}
		if n == 0 {
			continue
		}
		if !passes {
			if r, err := t.Test(ctx); err != nil || !r.Passed {
				return false, err // then a failure says nothing
			}
			passes = true
		}
		if r, err := with(ctx, t, changes, t.Test); err != nil || !r.Passed && !r.unbuilt() {
			return err == nil, err
		}
	}
	return false, nil
}

// eachWith runs commands with changes, and takes those back.
func eachWith(ctx context.Context, t Commands, changes []edit.Change, commands []string) ([]Result, error) {
	return with(ctx, t, changes, func(ctx context.Context) ([]Result, error) {
		var results []Result
		for _, command := range commands {
			r, err := t.Command(ctx, command)
			if err != nil {
				return nil, err
			}
			results = append(results, r)
		}
		return results, nil
	})
}

// unbuilt reports whether it is not tests that failed: they do not build.
func (r Result) unbuilt() bool {
	return len(r.Failures) > 0 &&
		!slices.ContainsFunc(r.Failures, func(f failure.Failure) bool { return !f.NotLoaded() })
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

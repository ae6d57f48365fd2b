package proof

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/pkg/edit"
)

// Claim is a claim of a step about a change, with what shows it. What the judge derives from all
// steps are claims of package event.
type Claim struct {
	event.Claim
	// Failures are those of the tests that show it, on the old code.
	Failures []failure.Failure
	// fresh are the tests that the change brought, by name; nil where it is not known. changed are
	// those that fail as they stood on the new code, told what tests said of mutants.
	fresh, changed []string
	told           []failure.Failure
}

// Tree is a work tree of one state.
type Tree interface {
	// Apply writes changes, all or none.
	Apply(changes []edit.Change) error
	// Test runs the test command.
	Test(ctx context.Context) (Result, error)
	// Files runs the tests of some test files and of the packages of other files, Alone the tests of
	// some failures together and no others; false if they cannot run without the rest.
	Files(ctx context.Context, files []string) (Result, bool, error)
	// UntilFailure runs the tests of Files, or all tests if there are no files, but ends at the first
	// one that fails; false if the test runner cannot.
	UntilFailure(ctx context.Context, files []string) (Result, bool, error)
	// NewFile runs the tests of one file, which the test command need not include; NewFileCommand
	// returns the command. false if none is known.
	NewFile(ctx context.Context, file string) (Result, bool, error)
	NewFileCommand(file string) (string, bool)
	Alone(ctx context.Context, failures []failure.Failure) (Result, bool, error)
	// Gates runs the gates without their fix commands.
	Gates(ctx context.Context) (failure.Verdict, error)
}

// NewTests are the new tests of a change.
type NewTests struct {
	// Changes put the tests of the new code on the old one.
	Changes []edit.Change
	// Renamed put product files where the new tests look for them.
	Renamed []edit.Change
	// Known failed before the change, and prove nothing.
	Known []failure.Signature
	// Passing are the tests that pass on the new code; nil where not all have names.
	Passing []string
	// Control are the old tests in the same tree; nil if they have not run yet.
	Control *Result
	// Follows reports whether a test is an old one under another name; nil if none is.
	Follows func(name string) bool
}

// OnOldCode runs the new tests on the old code. A named test that fails there and passes on the new
// code proves the change; so does a new test that does not build there, if the failure names its
// file. Before anything is called proven, the old tests must pass in the same tree without the new
// ones.
func OnOldCode(ctx context.Context, open func(context.Context) (Tree, error), n NewTests) (Claim, error) {
	c := Claim{Claim: event.Claim{Claim: event.ClaimChange, State: event.StateNotShown, Tests: []string{}}}
	if len(n.Changes) == 0 {
		c.Reason = "the change adds no test"
		return c, nil
	}
	t, err := open(ctx)
	if err != nil {
		return c, err
	}
	control := n.Control
	if control == nil {
		r, err := t.Test(ctx)
		if err != nil {
			return c, err
		}
		control = &r
	}
	if why := control.unlike(n.Known); why != "" {
		c.State, c.Reason = event.StateUntried, "the old code could not be tried: "+why
		return c, nil
	}
	_, err = with(ctx, t, slices.Concat(n.Changes, n.Renamed), func(ctx context.Context) (Result, error) {
		if near, narrow, err := n.near(ctx, t); err != nil || narrow {
			if c.weigh(*control, near, n); err != nil || len(c.Tests) > 0 {
				return near, err
			}
			c = Claim{Claim: event.Claim{Claim: event.ClaimChange, State: event.StateNotShown,
				Tests: []string{}}}
		}
		all, err := t.Test(ctx)
		if err == nil {
			c.weigh(*control, all, n)
		}
		return all, err
	})
	if err != nil {
		return c, fmt.Errorf("run the new tests on the old code: %w", err)
	}
	return c, nil
}

// near runs the changed test files alone, if only cases were changed: if one of their tests fails,
// the others need not run.
func (n NewTests) near(ctx context.Context, t Tree) (Result, bool, error) {
	var files []string
	for _, c := range n.Changes {
		if testfile.Of(c.Path) != testfile.Case {
			return Result{}, false, nil
		}
		files = append(files, c.Path)
	}
	return t.Files(ctx, files)
}

// unlike says why a control run differs from the known results of the old code: something fails
// that did not fail before.
func (r Result) unlike(known []failure.Signature) string {
	switch {
	case r.Passed:
		return ""
	case r.Trouble != "":
		return r.Trouble
	case r.NoTests:
		return "no tests were found there"
	}
	for _, f := range r.Failures {
		if f.Test == "" {
			continue
		}
		if !slices.ContainsFunc(known, func(k failure.Signature) bool { return k.Same(f.ID()) }) {
			return "without the new tests " + f.Test + " fails there"
		}
	}
	if len(failure.Tests(r.Failures)) == 0 {
		return "the old tests fail there, and name no test"
	}
	return ""
}

// weigh sets what the new tests prove by their results on the old code.
func (c *Claim) weigh(control, seen Result, n NewTests) {
	failedAnyway := failure.Tests(control.Failures)
	for _, f := range seen.Failures {
		if f.Test == "" || slices.Contains(failedAnyway, f.Test) || !passes(f.Test, n.Passing) {
			continue
		}
		if c.Failures = append(c.Failures, f); !slices.Contains(c.Tests, f.Test) {
			c.Tests = append(c.Tests, f.Test)
		}
	}
	switch {
	case len(c.Tests) > 0:
		c.State = event.StateProven
	case seen.Passed, len(seen.Failures) > 0 && allAmong(seen.Failures, failure.IDs(control.Failures)):
		c.Reason = "the new tests pass without the change too: they prove nothing"
		fresh := added(control.Passing, n.Passing)
		if fresh != nil && !slices.ContainsFunc(fresh, func(name string) bool { return n.Follows == nil || !n.Follows(name) }) {
			c.Reason = "the changed tests pass without the change too: they prove nothing"
		}
	case seen.Trouble != "":
		c.State, c.Reason = event.StateUntried, "the old code could not be tried: "+seen.Trouble
	case seen.NoTests:
		c.State, c.Reason = event.StateUntried, "no tests were found on the old code"
	default:
		if file, told := unbuilt(seen.Failures, n.Changes); file != "" {
			c.State, c.Reason, c.Failures = event.StateProven,
				"the new tests do not build without the change: "+file, told
			c.fresh = added(control.Passing, n.Passing)
			return
		}
		c.Reason = "the tests fail on the old code, but no new test is named among the failures"
	}
}

// added are the tests of now that were not there before; nil where either is not known.
func added(before, now []string) []string {
	if before == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(now),
		func(name string) bool { return slices.Contains(before, name) })
}

// unbuilt returns the file of a new test that does not build, and the failures that name it.
func unbuilt(failures []failure.Failure, tests []edit.Change) (file string, told []failure.Failure) {
	for _, f := range failures {
		for _, c := range tests {
			whole := strings.HasSuffix("/"+f.Test, "/"+c.Path) // some runners name a file that does not load as a test
			if (!f.NotLoaded() || f.Kind == "vet") && !whole {
				continue
			}
			if f.File == c.Path || strings.HasSuffix(f.File, "/"+c.Path) {
				f.Test = "" // it cannot be run alone
				file, told = cmp.Or(file, c.Path), append(told, f)
			}
		}
	}
	return file, told
}

// passes reports whether a test is among those that pass; where they are not known,
// it is.
func passes(name string, passing []string) bool {
	return passing == nil || failure.NamedIn(name, passing)
}

package proof

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// Expectation is a file of tests of the new code, and the line of it at which a test failed.
type Expectation struct {
	Path string
	Text []byte
	Mode fs.FileMode
	Line int
}

// Canary asks whether the tests that show a change fail at all.
type Canary struct {
	// Read gives what a test says at a place where it failed; nil where no test is there.
	Read func(ctx context.Context, at failure.Frame) (*Expectation, error)
	// Suite is how long all tests take.
	Suite time.Duration
}

const (
	// maxAsked bounds how many of the tests that show a change are asked whether they
	// can fail.
	maxAsked = 3
	// enoughAltered is how many alterations a test must have passed before it is said
	// to be unable to fail: one of them may be of nothing that it expects.
	enoughAltered = 3
	// quick is how long all tests may take to be run for one alteration.
	quick = 20 * time.Second
)

// Ask runs the tests that failed without the change in a tree of the new code, with one
// expectation made wrong: one of them must fail. Code that makes assertions toothless
// passes the tests as they stood, and the new ones.
func (y Canary) Ask(ctx context.Context, t Tree, shown []failure.Failure) (event.Claim, error) {
	c := event.Claim{Claim: event.ClaimCanFail, State: event.StateUntried, Tests: []string{},
		Reason: "no test could be run with a changed expectation"}
	var asked []string
	for _, f := range shown {
		name := f.Test
		if name == "" && f.File != "" { // where tests have no names, the place of one that failed
			name = fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if len(asked) == maxAsked || slices.Contains(asked, name) || name == "" {
			continue
		}
		asked = append(asked, name)
		passed, how, err := y.altered(ctx, t, f)
		if err != nil {
			return c, err
		}
		if how != "" {
			c.State, c.Tests, c.Reason = event.StateProven, []string{name}, "it fails with "+how
			return c, nil
		}
		if passed >= enoughAltered && c.State != event.StateDisproven {
			c.State, c.Tests = event.StateDisproven, []string{name}
			c.Reason = fmt.Sprintf("it still passes with each of %d expectations changed", passed)
		}
	}
	return c, nil
}

// altered runs a test with its expectations made wrong, one after the other: how often
// it passed, or what made it fail.
func (y Canary) altered(ctx context.Context, t Tree, f failure.Failure) (passed int, how string, err error) {
	for _, at := range append([]failure.Frame{{File: f.File, Line: f.Line}}, f.Frames...) {
		if at.Line <= 0 {
			continue
		}
		e, err := y.Read(ctx, at)
		if err != nil {
			return 0, "", err
		}
		if e == nil {
			continue
		}
		for _, a := range Alterations(e.Text, e.Line) {
			ran := true
			r, err := with(ctx, t, []edit.Change{{Op: edit.Modify, Path: e.Path, Old: e.Text, New: a.Text, Mode: e.Mode}},
				func(ctx context.Context) (r Result, err error) {
					r, ran, err = y.run(ctx, t, f)
					return r, err
				})
			if err != nil || !ran { // then nor can the next one
				return passed, "", err
			}
			names := failure.Tests(r.Failures)
			if r.Trouble == "" && (slices.Contains(names, f.Test) || f.Test == "" && !r.Passed) {
				return passed, a.What, nil
			}
			if r.Passed {
				passed++
			}
		}
		return passed, "", nil
	}
	return 0, "", nil
}

// run runs one test alone, or among all others where they are quick.
func (y Canary) run(ctx context.Context, t Tree, f failure.Failure) (r Result, ran bool, err error) {
	if f.Test != "" {
		if r, ran, err = t.Alone(ctx, []failure.Failure{f}); ran || err != nil {
			return r, ran, err
		}
	}
	if y.Suite > quick {
		return r, false, nil
	}
	r, err = t.Test(ctx)
	return r, true, err
}

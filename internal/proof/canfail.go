package proof

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof/mutant"
	"github.com/booty-cli/booty/pkg/edit"
)

// Expectation is a file of tests of the new code, and the line of it at which a test failed.
type Expectation struct {
	Path string
	Text []byte
	Mode fs.FileMode
	Line int
}

// AssertionCheck finds out whether the tests that show a change can fail at their own assertions.
type AssertionCheck struct {
	Subject
	// Read returns the test at a place where it failed; nil if there is no test.
	Read func(ctx context.Context, at failure.Frame) (*Expectation, error)
	// Suite is how long all tests take.
	Suite time.Duration
}

const (
	// maxAsked bounds how many of the tests that show a change are asked whether they
	// can fail.
	maxAsked = 3
	// quick is how long all tests may take to be run for one alteration.
	quick = 20 * time.Second
)

// CanFail is the result of an AssertionCheck.
type CanFail struct {
	// Tests are those that fail with the alteration How; none if nothing made one fail.
	Tests []string
	How   string
	// Altered and Mutants are how many expectations and how many places of the change were altered
	// without effect. Silenced says that a test passes whatever is expected in the line that
	// failed: then a mutant that makes it fail shows nothing.
	Altered, Mutants int
	Silenced         bool
}

// Claim returns the claim that it allows.
func (c CanFail) Claim() event.Claim {
	out := event.Claim{Claim: event.ClaimCanFail, State: event.StateNotShown, Tests: []string{}}
	switch {
	case c.How != "":
		out.State, out.Tests, out.Reason = event.StateProven, c.Tests, "it fails with "+c.How
	case c.Altered+c.Mutants == 0:
		out.State, out.Reason = event.StateUntried, "no test could be run with a changed expectation"
	default:
		out.Reason = c.inVain()
	}
	return out
}

// inVain says what made no test fail.
func (c CanFail) inVain() string {
	var parts []string
	if c.Altered > 0 {
		parts = append(parts, fmt.Sprintf("it passes with each of %d changed literals", c.Altered))
	}
	if c.Mutants > 0 {
		parts = append(parts, fmt.Sprintf("none of %d small changes to the new code makes an assertion of its own fail", c.Mutants))
	}
	return strings.Join(parts, "; ")
}

// Ask runs the tests that failed without the change in a tree of the new code, with something that
// they expect made wrong, and then on small changes to the change. One of them must fail, at a line
// of a test: an error elsewhere shows nothing.
func (y AssertionCheck) Ask(ctx context.Context, t Tree, shown []failure.Failure) (c CanFail, err error) {
	var asked []failure.Failure
	for _, f := range shown {
		f.Test = failure.FunctionOf(f.Test) // a row whose inputs are altered has another name
		if len(asked) == maxAsked || nameOf(f) == "" ||
			slices.ContainsFunc(asked, func(g failure.Failure) bool { return nameOf(g) == nameOf(f) }) {
			continue
		}
		asked = append(asked, f)
		how, err := y.altered(ctx, t, f, &c)
		if err != nil || how != "" {
			c.Tests, c.How = []string{nameOf(f)}, how
			return c, err
		}
	}
	if c.Silenced {
		return c, nil
	}
	for _, m := range mutant.Choose(y.mutantsForTests(), maxConfirm, y.seed()) {
		if len(asked) == 0 {
			break
		}
		f, tried, err := y.noticed(ctx, t, m, asked)
		if err != nil {
			return c, err
		}
		if f != "" {
			c.Tests, c.How = []string{f}, fmt.Sprintf("%s:%d changed: %s", m.Path, m.Line, m.What)
			return c, nil
		}
		if tried {
			c.Mutants++
		}
	}
	return c, nil
}

// nameOf is a test's name or, where tests have none, the place of one that failed.
func nameOf(f failure.Failure) string {
	if f.Test == "" && f.File != "" {
		return fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	return f.Test
}

// altered runs a test with its expectations made wrong, one after the other, and returns the one
// that made it fail; c counts those that did not.
func (y AssertionCheck) altered(ctx context.Context, t Tree, f failure.Failure,
	c *CanFail) (how string, err error) {
	e, err := y.place(ctx, f)
	if err != nil || e == nil {
		return "", err
	}
	try := func(a Alteration) (fails, passes, ran bool, err error) {
		change := edit.Change{Op: edit.Modify, Path: e.Path, Old: e.Text, New: a.Text, Mode: e.Mode}
		r, ran, err := y.run(ctx, t, change, []failure.Failure{f})
		if err != nil || !ran {
			return false, false, false, err
		}
		fails, err = y.asserts(ctx, r, f)
		return fails, r.Passed, true, err
	}
	for _, a := range Alterations(e.Text, e.Line, f) {
		fails, passes, ran, err := try(a)
		switch {
		case err != nil || !ran: // then nor can the next one
			return "", err
		case fails:
			return a.What, nil
		case !passes:
			continue
		}
		c.Altered++
		silenced := a.Named
		for i := 0; silenced && i < len(a.Far); i++ {
			if fails, silenced, _, err = try(a.Far[i]); err != nil || fails {
				return a.Far[i].What, err
			}
		}
		c.Silenced = c.Silenced || silenced
	}
	return "", nil
}

// place finds where in a test it failed: the innermost call that is in one.
func (y AssertionCheck) place(ctx context.Context, f failure.Failure) (*Expectation, error) {
	for _, at := range append([]failure.Frame{{File: f.File, Line: f.Line}}, f.Frames...) {
		if at.Line <= 0 {
			continue
		}
		if e, err := y.Read(ctx, at); e != nil || err != nil {
			return e, err
		}
	}
	return nil, nil
}

// noticed returns which of some tests fails on a mutant, at a line of a test; tried is false if the
// mutant does not build or the tests cannot run.
func (y AssertionCheck) noticed(ctx context.Context, t Tree, m mutant.Mutant,
	asked []failure.Failure) (name string, tried bool, err error) {
	r, ran, err := y.run(ctx, t, y.changeOf(m), asked)
	if err != nil || !ran {
		return "", false, err
	}
	for _, f := range asked {
		if fails, err := y.asserts(ctx, r, f); err != nil || fails {
			return nameOf(f), true, err
		}
	}
	became, _ := resultOn(r, nil, nil)
	return "", !became.unbuilt, nil
}

// asserts reports whether a test failed in a run, at a line of a test.
func (y AssertionCheck) asserts(ctx context.Context, r Result, f failure.Failure) (bool, error) {
	if r.Trouble != "" || r.Passed {
		return false, nil
	}
	for _, g := range r.Failures {
		if f.Test != "" && !g.ID().Function().Same(f.ID()) ||
			g.Kind != "" && g.Kind != "test" && g.Kind != "subtest" {
			continue
		}
		if g.File == "" { // nothing says where
			return true, nil
		}
		e, err := y.Read(ctx, failure.Frame{File: g.File, Line: g.Line})
		if e != nil || err != nil {
			return err == nil, err
		}
	}
	return false, nil
}

// run runs some tests alone on a change, or all where they are quick.
func (y AssertionCheck) run(ctx context.Context, t Tree, c edit.Change,
	tests []failure.Failure) (r Result, ran bool, err error) {
	r, err = with(ctx, t, []edit.Change{c}, func(ctx context.Context) (Result, error) {
		if tests[0].Test != "" {
			if r, ran, err = t.Alone(ctx, tests); ran || err != nil {
				return r, err
			}
		}
		if y.Suite > quick {
			return r, nil
		}
		ran = true
		return t.Test(ctx)
	})
	return r, ran, err
}

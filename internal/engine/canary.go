package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/pkg/edit"
)

// An Alteration is a test with one thing that it expects made wrong.
type Alteration struct {
	// What says what was altered, Change writes it.
	What   string
	Change edit.Change
}

// Alterer makes what a test expects wrong, near the line where it failed.
type Alterer interface {
	Alter(ctx context.Context, s State, f event.Failure) ([]Alteration, error)
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

// canary asks whether the tests that show a change can fail at all: with one
// expectation made wrong, one of them must. Code that makes assertions toothless
// passes the tests as they stood, and the new ones.
func (r *run) canary(ctx context.Context, a *Attempt, shown []event.Failure) (event.Claim, error) {
	c := event.Claim{Claim: event.ClaimCanFail, State: event.StateUntried, Tests: []string{},
		Reason: "no test alone could be run with an expectation made wrong"}
	var asked []string
	alone := true
	for _, f := range shown {
		name := f.Test
		if name == "" && f.File != "" { // where tests have no names, the place of one that failed
			name, alone = fmt.Sprintf("%s:%d", f.File, f.Line), false
		}
		if len(asked) == maxAsked || slices.Contains(asked, name) || name == "" {
			continue
		}
		asked = append(asked, name)
		list, err := r.Alterer.Alter(ctx, a.State, f)
		if err != nil {
			return c, err
		}
		passed := 0
		for _, alter := range list {
			v, err := r.altered(ctx, a, f, alter, &alone)
			if err != nil || v.NotAlone { // then nor can the next one
				return c, err
			}
			if failsIn(v, f) && !v.outside() {
				c.State, c.Tests, c.Reason = event.StateProven, []string{name}, "it fails with "+alter.What
				return c, nil
			}
			if v.Green {
				passed++
			}
		}
		if passed >= enoughAltered && c.State != event.StateDisproven {
			c.State, c.Tests = event.StateDisproven, []string{name}
			c.Reason = fmt.Sprintf("it passes whatever it expects: %d expectations made wrong, and none made it fail", passed)
		}
	}
	return c, nil
}

// altered runs one test with one alteration: alone, or, where that cannot be and they
// are quick, among all others.
func (r *run) altered(ctx context.Context, a *Attempt, f event.Failure, alter Alteration, alone *bool) (v Verdict, err error) {
	in := VerifyInput{Attempt: a.N, Baseline: r.m.Baseline, Report: func(event.CheckFinished) {}}
	if *alone {
		in.Alone = []event.Failure{f}
		v, err = r.swapped(ctx, in, a.State, []edit.Change{alter.Change})
		if *alone = !v.NotAlone; err != nil || *alone {
			return v, err
		}
	}
	if v.NotAlone = true; r.took > quick {
		return v, nil
	}
	in.Alone = nil
	return r.swapped(ctx, in, a.State, []edit.Change{alter.Change})
}

// failsIn reports whether a test fails; where it has no name, whether any does.
func failsIn(v Verdict, f event.Failure) bool {
	if f.Test == "" {
		return v.TestsFailed
	}
	return slices.ContainsFunc(v.Failures, func(g event.Failure) bool { return g.Test == f.Test })
}

// toothless makes a green attempt a failing one.
func (v Verdict) toothless(c event.Claim) Verdict {
	v.Green = false
	v.Unproven = "the test that shows the change cannot fail: " + list(c.Tests)
	v.Signature = "toothless:" + list(c.Tests)
	v.Text = "The checks pass, but " + list(c.Tests) + " passes whatever it expects: numbers, texts and truths in it were made wrong, " +
		"one after the other, and it passed each time. Something keeps its assertions from failing: take that away."
	v.Review = append(slices.Clone(v.Review), v.Unproven)
	return v
}

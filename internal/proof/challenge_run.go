package proof

import (
	"context"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/challenge"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/pkg/edit"
)

// challengeRun is tests of a challenge on the two sides of a change.
type challengeRun struct {
	p *Prover
	w Written
	// old and now are the results of the two sides, tests that of each test.
	old, now Result
	tests    []event.ChallengeTest
	failed   []failure.Failure // by the test, on the new code
	// trouble says why nothing can be said.
	trouble string
}

// run runs a version of the tests in a tree. If one ends the process, the runner reports none of
// those after it: these run again without the others, and those that are still not reported, alone.
func (r *challengeRun) run(ctx context.Context, t Tree, text []byte) (Result, error) {
	got, err := r.once(ctx, t, text)
	left := r.missing(got, r.w.Tests)
	if err != nil || len(left) == 0 || len(left) == len(r.w.Tests) {
		return got, err
	}
	part := func(tests []challenge.Test) error {
		var names []string
		for _, t := range tests {
			names = append(names, t.Name)
		}
		suite := challenge.Suite{Text: string(text), Tests: r.w.Tests}
		more, err := r.once(ctx, t, []byte(suite.Only(names, r.w.Path)))
		got.Failures, got.Passing = append(got.Failures, more.Failures...),
			append(got.Passing, more.Passing...)
		got.Failing = append(got.Failing, more.Failing...)
		return err
	}
	if err := part(left); err != nil {
		return got, err
	}
	for _, one := range r.missing(got, left) {
		if err := part([]challenge.Test{one}); err != nil {
			return got, err
		}
	}
	return got, nil
}

// missing returns the tests that a run does not report.
func (r *challengeRun) missing(in Result, tests []challenge.Test) (left []challenge.Test) {
	for _, t := range tests {
		if is, _ := r.ended(t, in); is == challenge.Missing {
			left = append(left, t)
		}
	}
	return left
}

// once runs a version of the tests in a tree.
func (r *challengeRun) once(ctx context.Context, t Tree, text []byte) (Result, error) {
	change := edit.Change{Op: edit.Create, Path: r.w.Path, New: text}
	return with(ctx, t, []edit.Change{change}, func(ctx context.Context) (Result, error) {
		if got, alone, err := t.NewFile(ctx, r.w.Path); alone || err != nil {
			return got, err
		}
		return t.Test(ctx)
	})
}

// bothSides runs the tests on the old code and on the new.
func (r *challengeRun) bothSides(ctx context.Context) error {
	old, err := r.p.oldTree(ctx)
	if err != nil {
		return err
	}
	if r.old, err = r.run(ctx, old, []byte(r.w.Text)); err != nil {
		return err
	}
	now, err := r.p.newTree(ctx)
	if err != nil {
		return err
	}
	if r.now, err = r.run(ctx, now, []byte(r.w.Text)); err != nil {
		return err
	}
	if r.now.Trouble != "" && !r.now.TimedOut {
		r.trouble = "its tests cannot be run: " + r.now.Trouble
	}
	for _, t := range r.w.Tests {
		was, _ := r.ended(t, r.old)
		is, f := r.ended(t, r.now)
		r.tests = append(r.tests, event.ChallengeTest{Name: t.Name, Quote: t.Quote, OfCode: slices.Contains(r.w.OfCode, t.Name), Old: string(was), New: string(is),
			State: string(challenge.Meaning(was, is)), Code: r.w.CodeOf(t)})
		r.failed = append(r.failed, f)
	}
	return nil
}

// ended says how a test ended in a run, by its name: nothing is said of one that no report
// names. The failure is that of one that failed.
func (r *challengeRun) ended(t challenge.Test, in Result) (challenge.Outcome, failure.Failure) {
	before := failure.IDs(r.p.ran.Before.Failures)
	unbuilt := false
	for _, f := range in.Failures {
		switch {
		case f.NotLoaded() || strings.HasSuffix("/"+f.Test, "/"+r.w.Path):
			unbuilt = unbuilt || !f.ID().Among(before)
		case f.Test != "" && r.names(t, failure.FunctionOf(f.Test)) && !f.ID().Among(before):
			return challenge.Fails, f
		}
	}
	was := slices.Concat(r.p.ran.Before.Passing, r.p.ran.Before.Failing)
	switch {
	case slices.ContainsFunc(except(in.Failing, was), func(name string) bool { return r.names(t, name) }):
		return challenge.Fails, failure.Failure{Test: t.Name}
	case slices.ContainsFunc(except(in.Passing, was), func(name string) bool { return r.names(t, name) }):
		return challenge.Passes, failure.Failure{}
	case unbuilt:
		return challenge.Unbuilt, failure.Failure{}
	}
	return challenge.Missing, failure.Failure{}
}

// names reports whether a runner's name is that of a test: not of another one whose title ends
// with the words of this one.
func (r *challengeRun) names(t challenge.Test, name string) bool {
	return failure.NamedIn(t.Name, []string{name}) && !slices.ContainsFunc(r.w.Tests, func(o challenge.Test) bool {
		return len(o.Name) > len(t.Name) && failure.NamedIn(o.Name, []string{name})
	})
}

// said reports whether the run says something of a test.
func (r *challengeRun) said() bool {
	return slices.ContainsFunc(r.tests,
		func(t event.ChallengeTest) bool { return t.State != string(challenge.NotRun) })
}

// wrong says, for the author of the tests, why none of them ran on the new code; "" if one did.
func (r *challengeRun) wrong() string {
	for _, t := range r.tests {
		if t.New == string(challenge.Passes) || t.New == string(challenge.Fails) {
			return ""
		}
	}
	if r.now.Text != "" {
		return "None of the tests ran. The checks say:\n" + r.now.Text
	}
	return "None of the tests ran: the runner names none of them. Their names must be those in the code."
}

package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/pkg/edit"
)

// attempt makes attempt n: one proposal, applied and checked, with the quality
// rounds that follow when only gates fail.
func (r *run) attempt(ctx context.Context, n int) (Attempt, error) {
	r.calls, r.takenBack = 0, ""
	a := Attempt{N: n}
	p, err := r.propose(ctx, r.briefFor(n), r.m.Current)
	if err != nil {
		return a, err
	}
	a.Summary, a.SetAside = p.Summary, p.SetAside
	if len(p.Changes) == 0 {
		return r.empty(ctx, a, p)
	}
	if err := r.applyAndCheck(ctx, &a, p, r.m.Standing.Failures); err != nil {
		return a, err
	}
	r.open = &a
	for round := 0; a.Verdict.gatesOnly() && round < maxQuality; round++ {
		r.emit(event.AttemptFinished{Attempt: n, Outcome: outcomeQuality, Failing: a.Verdict.Failing})
		if a, err = r.qualityRound(ctx, a); err != nil {
			return a, err
		}
	}
	if a.Verdict.Green {
		if err := r.evidence(ctx, &a); err != nil {
			return a, err
		}
	}
	a.Outcome = outcomeFailing
	switch {
	case a.Verdict.Green:
		a.Outcome = outcomeGreen
	case r.comparable() && regressed(a.Verdict, r.m.Standing):
		a.Outcome = outcomeRolledBack
	}
	return a, r.record(ctx, a)
}

// qualityRound asks for gates alone to be mended. A round that breaks tests is
// taken back: the gates were the smaller trouble.
func (r *run) qualityRound(ctx context.Context, a Attempt) (Attempt, error) {
	p, err := r.propose(ctx, r.qualityBrief(a), a.State)
	if err != nil || len(p.Changes) == 0 {
		return a, err
	}
	next := a
	if err := r.applyAndCheck(ctx, &next, p, nil); err != nil {
		return a, err
	}
	if !next.Verdict.TestsFailed {
		r.takenBack = ""
		return next, nil
	}
	r.takenBack = "The last proposal was taken back: it broke tests.\n" + next.Verdict.Text
	r.notice("warning", "the change for the quality gates broke tests: taken back")
	return a, r.restore(ctx, a.State)
}

// comparable says whether an attempt can be called worse than what was before:
// another attempt, or what refine found. The first change for a new feature
// may well fail more tests than none.
func (r *run) comparable() bool {
	return r.o.Refine || r.m.lastChange() != nil
}

// role picks the role of attempt n's first request.
func (r *run) role(n int) Role {
	switch {
	case n == 1 && !r.o.Refine:
		return Implement
	case r.m.Standing.gatesOnly():
		return FixQuality
	case !r.m.Standing.TestsFailed: // nothing was applied so far, or it lacks tests
		return Implement
	}
	return FixTests
}

// empty closes an attempt whose proposal changed nothing: all of it was
// refused, or it repeats what is there.
func (r *run) empty(ctx context.Context, a Attempt, p Proposal) (Attempt, error) {
	a.State, a.Verdict = r.m.Current, r.m.Standing
	a.Outcome = outcomeRefused
	r.m.Problems = slices.Concat(p.Problems, p.Refused)
	if len(p.Problems) == 0 && len(p.Refused) == 0 && len(p.SetAside) == 0 {
		a.Outcome = outcomeFailing
	}
	if len(p.Problems) == 0 && protected(p.Refused) {
		r.m.Protected++
	}
	if a.Outcome == outcomeFailing {
		r.m.Stalls++ // the same tree, hence the same failure
		r.notice("info", "the proposal changes nothing")
	}
	r.m.Attempts, r.m.Replies = append(r.m.Attempts, a), nil
	r.emit(event.AttemptFinished{Attempt: a.N, Outcome: a.Outcome, Failing: a.Verdict.Failing})
	return a, r.save(ctx)
}

// applyAndCheck writes a proposal, keeps the state and runs the checks; both
// become the attempt's.
func (r *run) applyAndCheck(ctx context.Context, a *Attempt, p Proposal, previous []event.Failure) error {
	from := r.tree
	r.tree = State{}
	s, err := r.Workspace.Apply(ctx, a.N, p.Changes)
	if err != nil {
		return err
	}
	r.tree = s
	changed := files(p.Changes)
	r.emit(event.EditsApplied{Attempt: a.N, Summary: p.Summary, Files: changed})
	for _, note := range p.Notes {
		r.notice("warning", note)
	}
	docs := p.DocsOnly && len(a.Files) == 0 && r.m.Standing.Green
	a.State, a.Files = s, mergeFiles(a.Files, changed)
	in := VerifyInput{Attempt: a.N, Previous: previous, DocsOnly: docs}
	a.Verdict, a.State, err = r.judge(ctx, in, s, from, r.m.Named(a.Files...))
	return err
}

// record keeps the attempt and makes its state the current one; one that made
// things worse is rolled back first.
func (r *run) record(ctx context.Context, a Attempt) error {
	r.m.RolledBack, r.m.Problems = "", nil
	if a.Outcome == outcomeRolledBack {
		if err := r.restore(ctx, r.m.Current); err != nil {
			return err
		}
		r.m.RolledBack = fmt.Sprintf("The last proposal was taken back: %s failed with it, %d without it.\n%s",
			tests(a.Verdict.failingTests()), r.m.Standing.failingTests(), a.Verdict.Text)
	}
	if a.Outcome != outcomeGreen && r.m.seen(a.State.Tree, a.Verdict.Signature) {
		r.m.Stalls++
	}
	r.m.Mute = r.m.Mute || a.Verdict.mute(r.m.Baseline)
	if a.Outcome != outcomeRolledBack {
		r.m.Current, r.m.Standing = a.State, a.Verdict
	}
	r.m.Attempts, r.m.Replies, r.open = append(r.m.Attempts, a), nil, nil
	r.emit(event.AttemptFinished{Attempt: a.N, Outcome: a.Outcome, Failing: a.Verdict.Failing})
	return r.save(ctx)
}

// closeOpen keeps an attempt that was checked and then cut short, by a budget
// or a model that failed: it may be the best.
func (r *run) closeOpen(ctx context.Context) {
	if r.open == nil {
		return
	}
	a := *r.open
	if a.Outcome == "" || a.Outcome == outcomeGreen { // what follows green was not done
		a.Outcome = outcomeFailing
	}
	if err := r.record(ctx, a); err != nil {
		r.notice("warning", err.Error())
	}
}

// restore brings a state back.
func (r *run) restore(ctx context.Context, s State) error {
	r.tree = State{}
	if err := r.Workspace.Restore(ctx, s); err != nil {
		return err
	}
	r.tree = s
	return nil
}

// decide looks at what was tried so far: nil goes on, an error stops.
func (r *run) decide() error {
	if r.m.Mute {
		return fault.New(fault.Exhausted, "it may be the environment: run the test command by hand",
			"%w: the output of the checks is the same as before the change, and names no test and no file", errStuck)
	}
	if r.m.Stalls < maxStalls {
		return nil
	}
	why := "the same failure with the same change came back; " + r.standing()
	if r.m.Standing.Green {
		why = "the checks pass, and the proposals change nothing"
	}
	return fault.New(fault.Exhausted, "give the task more detail, or another model with --model", "%w: %s", errStuck, why)
}

// errStuck marks the end of a run that made no progress.
var errStuck = errors.New("no progress")

// exhausted says why the loop ended without green.
func (r *run) exhausted() error {
	if r.m.Protected > 0 && r.m.Protected == r.m.used() {
		why := "every proposal was refused whole"
		if n := len(r.m.Problems); n > 0 {
			p := r.m.Problems[n-1]
			why += ", the last for " + p.Path + ": " + firstLine(p.Reason)
		}
		return fault.New(fault.Refused, "see protected_paths and test_edits in .booty.yml", "%s", why)
	}
	used := "the only attempt is used up"
	if n := r.m.used(); n > 1 {
		used = fmt.Sprintf("all %d attempts are used up", n)
	}
	return fault.New(fault.Exhausted, "see what was tried with: booty status latest", "%s; %s", used, r.standing())
}

// protected says whether parts were refused for what they touch, not for
// their size alone.
func protected(refused []event.Problem) bool {
	return slices.ContainsFunc(refused, func(p event.Problem) bool { return p.Kind != "limit" })
}

// standing tells how what remains of the run stands.
func (r *run) standing() string {
	switch _, v := r.remains(r.m.best()); {
	case v.Lacks != "":
		return v.Lacks
	case v.Broken:
		return "the test command still fails"
	case v.TestsFailed && v.Failing == 1:
		return "1 test still fails"
	case v.TestsFailed:
		return fmt.Sprintf("%d tests still fail", v.Failing)
	case v.GatesFailed:
		return "the quality gates still fail"
	}
	return "nothing was changed"
}

// gatesOnly says that the tests pass and quality gates fail.
func (v Verdict) gatesOnly() bool { return v.GatesFailed && !v.TestsFailed }

// files tells a change as events do.
func files(changes []edit.Change) []event.File {
	out := make([]event.File, 0, len(changes))
	for _, c := range changes {
		added, removed := c.Lines()
		out = append(out, event.File{Path: c.Path, From: c.From, Op: string(c.Op), Added: added, Removed: removed})
	}
	return out
}

// mergeFiles gives an attempt's files with later changes added.
func mergeFiles(a, b []event.File) []event.File {
	a = slices.Clone(a) // the change may be taken back
	at := map[string]int{}
	for i, f := range a {
		at[f.Path] = i
	}
	for _, f := range b {
		if i, ok := at[f.Path]; ok {
			a[i].Added += f.Added
			a[i].Removed += f.Removed
			if f.Op == string(edit.Delete) {
				a[i].Op = f.Op
			}
			continue
		}
		a = append(a, f)
	}
	return a
}

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

// attempt makes attempt n: one proposal, applied, checked and judged, with the quality
// rounds that follow when only gates fail.
func (r *run) attempt(ctx context.Context, n int) (Attempt, error) {
	x := r.exchange()
	p, vain, err := x.propose(ctx, r.briefFor(n), noEditReplies{})
	if errors.Is(err, errQuestion) {
		r.finished(Attempt{N: n, Outcome: event.Question, Verdict: r.m.Standing})
	}
	a := Attempt{N: n, Summary: p.Summary, LookedAt: x.looked.files()}
	if err != nil {
		return a, err
	}
	_, a.Prose = changesIn(p.Prose)
	if len(p.Changes) == 0 {
		return r.withoutChange(ctx, a, p, vain)
	}
	if a, err = r.applyAndCheck(ctx, a, p, r.m.Standing.Failures); err != nil {
		return a, err
	}
	if a, err = r.qualityRounds(ctx, x, a); err == nil {
		a, err = r.judged(ctx, a, p.Said)
	}
	if err != nil {
		r.open = &a
		return a, err
	}
	insists := r.insists(a)
	err = r.record(ctx, a)
	if err == nil {
		err = a.Verdict.CountError() // the model can do nothing about that
	}
	if err != nil || !insists {
		return a, err
	}
	return a, r.forPerson(ctx, a)
}

// judged is a checked attempt with its outcome: green is doubted first. said is the reply.
func (r *run) judged(ctx context.Context, a Attempt, said string) (Attempt, error) {
	if err := r.settleChanged(ctx, &a, said); err != nil {
		return a, err
	}
	if a.Verdict.Green {
		var err error
		if a.Verdict, err = r.evidence.weigh(ctx, r.workOf(a)); err != nil {
			return a, err
		}
		if a.Verdict, err = r.recheck(ctx, a); err != nil {
			return a, err
		}
		if a.Verdict, err = r.challenge(ctx, a); err != nil {
			return a, err
		}
	}
	outcome, err := r.outcome(ctx, a)
	if err == nil {
		a.Outcome = outcome
	}
	return a, err
}

// withoutChange handles a reply that changes nothing: it accepts the last attempt, if the model
// confirms it, or else ends the run.
func (r *run) withoutChange(ctx context.Context, a Attempt, p Proposal, vain noEditReplies) (Attempt, error) {
	last := r.m.last()
	switch {
	case last != nil && p.nothing() && r.m.Standing.Held == HeldAsked:
		err := r.claimUnshown(ctx, last)
		if err == nil {
			err = r.acceptUnshown(ctx, last)
		}
		if !last.Verdict.Green {
			r.m.Claims, r.m.Survivors = nil, nil
		}
		return *last, err
	case last != nil && p.nothing() && r.m.Standing.Held == HeldChallenged:
		err := r.disputed(ctx, last, p.Said)
		return *last, err
	case last != nil && p.nothing() && r.m.Standing.Held == HeldStood:
		return r.answeredStood(ctx, last, p)
	}
	return a, r.inVain(ctx, a.N, p, vain)
}

// recheck is the verdict on a green attempt once it was checked in a clean copy, where that is in doubt.
func (r *run) recheck(ctx context.Context, a Attempt) (Verdict, error) {
	return r.verifier.recheck(ctx, a.Verdict, a.State, r.m.Named(a.Files...))
}

// outcome names the outcome of a checked attempt.
func (r *run) outcome(ctx context.Context, a Attempt) (string, error) {
	if a.Verdict.Green {
		return event.Green, nil
	}
	if a.hidden() {
		return event.RolledBack, nil
	}
	if !r.comparable() || !regressed(a.Verdict, r.m.Standing) {
		return event.Failing, nil
	}
	if err := r.settleStanding(ctx, a); err != nil {
		return "", err
	}
	if !regressed(a.Verdict, r.m.Standing) {
		return event.Failing, nil
	}
	return event.RolledBack, nil
}

// qualityRounds ask for gates to be fixed, as long as only these fail. A round that breaks tests is
// taken back: the gates were the smaller trouble.
func (r *run) qualityRounds(ctx context.Context, x *exchange, a Attempt) (Attempt, error) {
	takenBack := ""
	for round := 0; a.Verdict.gatesOnly() && round < maxQuality; round++ {
		a.Outcome = event.Quality
		r.finished(a)
		p, vain, err := x.propose(ctx, r.qualityBrief(a, takenBack), noEditReplies{wide: true})
		a.LookedAt = x.looked.files()
		switch {
		case err != nil:
			return a, err
		case len(p.Changes) > 0:
		case vain.empty == vain.all: // asked again, it would say the same
			return a, nil
		default:
			continue
		}
		next, err := r.applyAndCheck(ctx, a, p, nil)
		if err != nil {
			return a, err
		}
		if !next.Verdict.TestsFailed {
			a, takenBack = next, ""
			continue
		}
		takenBack = "The last proposal was taken back: it broke tests.\n" + next.Verdict.Text
		r.notice("warning", "the change for the quality gates broke tests: taken back")
		if err := r.tree.restore(ctx, a.State); err != nil {
			return a, err
		}
	}
	return a, nil
}

// comparable reports whether an attempt can be called worse than what was before:
// another attempt, or what refine found. The first change for a new feature
// may well fail more tests than none.
func (r *run) comparable() bool {
	return r.o.Refine || slices.ContainsFunc(r.m.Attempts,
		func(a Attempt) bool { return len(a.Files) > 0 && !a.hidden() })
}

// applyAndCheck writes a proposal, keeps the state and runs the checks; both
// become the attempt's.
func (r *run) applyAndCheck(ctx context.Context, a Attempt, p Proposal,
	previous []event.Failure) (Attempt, error) {
	from := r.tree.at
	s, err := r.tree.apply(ctx, a.N, p.Changes)
	if err != nil {
		return a, err
	}
	changed := files(p.Changes)
	r.emit(event.EditsApplied{Attempt: a.N, Summary: p.Summary, Said: inOneLine(a.Prose, maxSaid),
		Files: changed})
	for _, note := range p.Notes {
		r.notice("warning", note)
	}
	docs := p.DocsOnly && len(a.Files) == 0 && r.m.Standing.Green && len(r.m.Standing.Known) == 0
	a.State, a.Files = s, mergeFiles(a.Files, changed)
	in := VerifyInput{Attempt: a.N, Previous: previous, DocsOnly: docs, Full: a.N == r.max()}
	named := r.m.Named(a.Files...)
	c, err := r.verifier.judge(ctx, in, s, from, named)
	locks := c.locks
	if err == nil && c.verdict.Partial && r.m.gains(c.verdict) {
		in.Full = true // it would be the best: then all of the tests have a say
		c, err = r.verifier.judge(ctx, in, c.state, from, named)
		locks = append(locks, c.locks...)
	}
	a.Verdict, a.State = c.verdict, c.state
	for _, lock := range locks { // they are part of the change now
		a.Files = mergeFiles(a.Files, []event.File{{Path: lock, Op: string(edit.Modify)}})
	}
	return a, err
}

// record keeps the attempt and makes its state the current one; one that made
// things worse is rolled back first.
func (r *run) record(ctx context.Context, a Attempt) error {
	r.m.RolledBack = ""
	if a.Outcome == event.RolledBack {
		if err := r.tree.restore(ctx, r.m.Current); err != nil {
			r.open = &a
			return err
		}
		r.m.RolledBack = r.takenBackFor(a)
	}
	r.m.Progress = r.m.after(a)
	if a.Outcome != event.RolledBack {
		r.m.Current, r.m.Standing = a.State, a.Verdict
	}
	r.m.Attempts, r.m.Replies, r.open = append(r.m.Attempts, a), nil, nil
	r.finished(a)
	return r.save(ctx)
}

// takenBackFor is the reason for the next request why an attempt was rolled back.
func (r *run) takenBackFor(a Attempt) string {
	if a.hidden() {
		return "The last proposal was taken back, with the files that it removed.\n" + a.Verdict.Text
	}
	return fmt.Sprintf("The last proposal was taken back: %s failed with it, %d without it.\n%s",
		tests(a.Verdict.failingTests()), r.m.Standing.failingTests(), a.Verdict.Text)
}

// closeOpen keeps an attempt that was checked and then cut short, by a budget
// or a model that failed: it may be the best.
func (r *run) closeOpen(ctx context.Context) {
	if r.open == nil {
		return
	}
	a := *r.open
	if a.Outcome != event.RolledBack { // what follows green was not done
		a.Outcome = event.Failing
	}
	if err := r.record(ctx, a); err != nil {
		r.notice("warning", err.Error())
	}
}

// gatesOnly says that the tests pass and quality gates fail.
func (v Verdict) gatesOnly() bool { return v.GatesFailed && !v.TestsFailed }

// files returns a change as events have it.
func files(changes []edit.Change) []event.File {
	out := make([]event.File, 0, len(changes))
	for _, c := range changes {
		added, removed := c.Lines()
		out = append(out, event.File{Path: c.Path, From: c.From, Op: string(c.Op), Added: added,
			Removed: removed})
	}
	return out
}

// mergeFiles returns an attempt's files with later changes added.
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

// decide says whether another attempt follows what was tried so far: nil continues, an error stops.
func (r *run) decide(ctx context.Context) error {
	switch r.m.Progress {
	case Blind:
		return fault.New(fault.Exhausted, "run the test command by hand: the environment may be at fault",
			"%w: the output of the checks is the same as before the change, and names no test and no file", errStuck)
	case Moving, Stalled:
		return nil
	}
	if err := r.settleBest(ctx, nil); err != nil {
		return err
	}
	if b := r.m.best(); b != nil && b.Verdict.Held == HeldStood {
		return r.forPerson(ctx, *b)
	}
	return fault.New(fault.Exhausted, "booty resume --hint TEXT adds detail; --model NAME asks another model",
		"%w: the same failure with the same change came back; %s", errStuck, r.standing())
}

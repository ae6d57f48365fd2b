package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/pkg/edit"
)

// propose asks for attempt n's proposal.
func (r *run) propose(ctx context.Context, x *exchange, n int) (Attempt, Proposal, error) {
	p, err := x.propose(ctx, r.brief(n), false)
	if errors.Is(err, errQuestion) {
		r.emit(Attempt{N: n, Outcome: event.Question, Verdict: r.m.Standing}.finished(r.m.Standing))
	}
	a := Attempt{N: n, Summary: p.Summary, LookedAt: x.looked.files()}
	_, a.Prose = changesIn(p.Prose)
	return a, p, err
}

// check runs the checks on an attempt, which a proposal made of the state from; the verdict becomes the
// attempt's.
func (r *run) check(ctx context.Context, a Attempt, from State, in VerifyInput) (Attempt, error) {
	in.Attempt, in.Full = a.N, a.N == r.max()
	named := r.m.Named(a.Files...)
	c, err := r.verifier.judge(ctx, in, a.State, from, named)
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

// qualityRounds ask for gates to be fixed, as long as only these fail. A round that breaks tests is
// taken back: the gates were the smaller trouble.
func (r *run) qualityRounds(ctx context.Context, x *exchange, a Attempt) (Attempt, error) {
	takenBack := ""
	for round := 0; a.Verdict.gatesOnly() && round < maxQuality; round++ {
		a.Outcome = event.Quality
		r.emit(a.finished(r.m.Standing))
		p, err := x.propose(ctx, qualityBrief(a, r.m.Progress, takenBack, r.max()), true)
		a.LookedAt = x.looked.files()
		switch {
		case err != nil:
			return a, err
		case len(p.Changes) > 0:
		case x.noEdit.empty == x.noEdit.all: // asked again, it would say the same
			return a, nil
		default:
			continue
		}
		next, err := r.tree.write(ctx, a, p)
		if err == nil {
			next, err = r.check(ctx, next, a.State, VerifyInput{})
		}
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

// judge double-checks a green attempt, and names its outcome. said is the reply.
func (r *run) judge(ctx context.Context, a Attempt, said string) (_ Attempt, err error) {
	if a.Verdict, err = r.changed.settle(ctx, a.N, a.Verdict, said); err != nil {
		return a, err
	}
	if a.Verdict.Green {
		if a.Verdict, err = r.evidence.weigh(ctx, r.workOf(a)); err != nil {
			return a, err
		}
		if a.Verdict, err = r.verifier.recheck(ctx, a, r.m.Named(a.Files...)); err != nil {
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

// outcome names the outcome of a checked attempt.
func (r *run) outcome(ctx context.Context, a Attempt) (string, error) {
	if a.Verdict.Green {
		return event.Green, nil
	}
	if a.hidden() {
		return event.RolledBack, nil
	}
	if !r.m.comparable(r.o.Refine) || !regressed(a.Verdict, r.m.Standing) {
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

// comparable reports whether an attempt can be called worse than what was before:
// another attempt, or what refine found. The first change for a new feature
// may well fail more tests than none.
func (m *Memory) comparable(refine bool) bool {
	return refine || slices.ContainsFunc(m.Attempts,
		func(a Attempt) bool { return len(a.Files) > 0 && !a.hidden() })
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
		r.m.RolledBack = r.m.takenBackFor(a)
	}
	r.m.Progress = r.m.after(a)
	if a.Outcome != event.RolledBack {
		r.m.Current, r.m.Standing = a.State, a.Verdict
	}
	r.m.Attempts, r.m.Replies, r.open = append(r.m.Attempts, a), nil, nil
	r.emit(a.finished(r.m.Standing))
	return r.save(ctx)
}

// takenBackFor is the reason for the next request why an attempt was rolled back.
func (m *Memory) takenBackFor(a Attempt) string {
	if a.hidden() {
		return "The last proposal was taken back, with the files that it removed.\n" + a.Verdict.Text
	}
	return fmt.Sprintf("The last proposal was taken back: %s failed with it, %d without it.\n%s",
		tests(a.Verdict.failingTests()), m.Standing.failingTests(), a.Verdict.Text)
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

// finished builds the event of how an attempt ended. If it was rolled back, the number of failing
// tests comes from standing, the verdict on what is kept.
func (a Attempt) finished(standing Verdict) event.AttemptFinished {
	v := a.Verdict
	trouble := v.Words()
	if a.Outcome == event.RolledBack {
		v = standing
		if !a.hidden() {
			trouble = v.Words()
		}
	}
	return event.AttemptFinished{Attempt: a.N, Outcome: a.Outcome, Failing: v.Failing, Trouble: trouble,
		Known: len(v.Known)}
}

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

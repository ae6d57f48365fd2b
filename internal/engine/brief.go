package engine

import (
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// briefFor returns the brief of attempt n's first request.
func (r *run) briefFor(n int) Brief {
	g := allowanceFor(n, r.m.Progress)
	b := Brief{Role: r.m.role(r.o.Refine), Attempt: n, Max: r.max(), Wide: g.wide, Escalate: g.escalate,
		RolledBack: r.m.RolledBack}
	b.Failure, b.Before, b.Old = r.m.Standing.shown(), r.fromBefore(), r.m.Standing.Known
	if a := r.m.last(); a != nil {
		b.LookedAt = a.LookedAt
		if g.reasoning {
			b.LastSummary = a.Summary
		}
	}
	if a := r.m.lastChange(); a != nil {
		b.LastFiles = paths(a.Files)
	}
	if a := r.m.last(); a != nil && r.m.Standing.Held == HeldStood && len(r.m.Standing.StoodFailures) > 0 {
		// It is about that attempt, and an attempt of its own only if it answers with edits.
		b.Attempt, b.Stood, b.From, b.To = a.N, r.m.Standing.StoodFailures, r.m.Start.State, r.m.Current
	}
	b.LastFiles = union(b.LastFiles, r.m.Theirs) // what the user did between belongs in view
	return b
}

// fromBefore reports whether the current failures are from before the work, and not what the task
// is about.
func (r *run) fromBefore() bool {
	if r.before.mustPass || r.before.continued() || r.m.lastChange() != nil {
		return false
	}
	return !slices.ContainsFunc(r.m.Standing.Failures, r.before.inTask)
}

// shown is the failure that a request shows; nil if there is none.
func (v Verdict) shown() *failure.Verdict {
	if v.Green || v.Text == "" {
		return nil
	}
	return &v.Verdict
}

// qualityBrief is that of a round in which only gates fail. takenBack says why the last one was rolled
// back.
func (r *run) qualityBrief(a Attempt, takenBack string) Brief {
	return Brief{
		Role: FixQuality, Attempt: a.N, Max: r.max(), Escalate: allowanceFor(a.N, r.m.Progress).escalate,
		LastFiles: paths(a.Files), RolledBack: takenBack, Old: a.Verdict.Known,
		Failure: &a.Verdict.Verdict,
	}
}

// role picks the role of the next attempt's first request.
func (m *Memory) role(refine bool) Role {
	switch {
	case m.used() == 0 && !refine:
		return Implement
	case m.Standing.gatesOnly():
		return FixQuality
	case !m.Standing.TestsFailed: // nothing was applied so far, or it lacks tests
		return Implement
	}
	return FixTests
}

// paths returns the files of an attempt, without deleted ones.
func paths(fs []event.File) []string {
	var out []string
	for _, f := range fs {
		if f.Op != "delete" {
			out = append(out, f.Path)
		}
	}
	return out
}

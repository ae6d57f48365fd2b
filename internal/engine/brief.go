package engine

import (
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// briefFor returns the brief of attempt n's first request. refine says that the run is one, most is the
// highest number that an attempt may have.
func briefFor(m *Memory, before before, refine bool, n, most int) Brief {
	g := allowanceFor(n, m.Progress)
	b := Brief{Role: m.role(refine), Attempt: n, Max: most, Wide: g.wide, Escalate: g.escalate,
		RolledBack: m.RolledBack}
	b.Failure, b.Old = m.Standing.shown(), m.Standing.Known
	b.Before = m.lastChange() == nil && before.excuses(m.Standing)
	if a := m.last(); a != nil {
		b.LookedAt = a.LookedAt
		if g.reasoning {
			b.LastSummary = a.Summary
		}
	}
	if a := m.lastChange(); a != nil {
		b.LastFiles = paths(a.Files)
	}
	if a := m.last(); a != nil && m.Standing.Held == HeldStood && len(m.Standing.StoodFailures) > 0 {
		// It is about that attempt, and an attempt of its own only if it answers with edits.
		b.Attempt, b.Stood, b.From, b.To = a.N, m.Standing.StoodFailures, m.Start.State, m.Current
	}
	b.LastFiles = union(b.LastFiles, m.Theirs) // what the user did between belongs in view
	return b
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
func qualityBrief(a Attempt, p Progress, takenBack string, most int) Brief {
	return Brief{
		Role: FixQuality, Attempt: a.N, Max: most, Escalate: allowanceFor(a.N, p).escalate,
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

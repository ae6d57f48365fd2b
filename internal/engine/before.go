package engine

import (
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
)

// Origin is what a run has learnt of the code before the work on the task.
type Origin struct {
	Start    Start    `json:"start"`
	Baseline *Verdict `json:"baseline"`
	// Old is the verdict on the code before the earlier work that is continued; nil if it was not
	// needed.
	Old *Verdict `json:"old,omitempty"`
	// AlsoBefore are failures that were later seen to occur without the work as well.
	AlsoBefore []event.Failure `json:"also_before,omitempty"`
	// Probed are test commands that count no tests but were seen to run some.
	Probed []string `json:"probed,omitempty"`
}

// before is the code before the work, as work on it is judged by. It runs nothing.
type before struct {
	*Origin
	// oldCommit is the code before earlier work on the same task that is continued; "" where there is
	// none.
	oldCommit string
	// mustPass says that what failed before must pass as well.
	mustPass bool
	// named reports whether the task names what a failure is about; may be nil.
	named func(event.Failure) bool
}

// continued reports whether earlier work on the task is continued.
func (b before) continued() bool { return b.oldCommit != "" }

// commit is the code from before all work on the task.
func (b before) commit() string {
	if b.continued() {
		return b.oldCommit
	}
	return b.Start.State.Commit
}

// inTask reports whether the task names what a failure is about: it is not excused then.
func (b before) inTask(f event.Failure) bool { return b.named != nil && b.named(f) }

// verdict returns the verdict before the work on the task: the baseline's or, if earlier work is
// continued, that of the old code.
func (b before) verdict() *Verdict {
	if b.continued() {
		return b.Old
	}
	return b.Baseline
}

// known returns the failures from before the work, except those that the task names.
func (b before) known() known {
	k := known{findings: map[string]int{}}
	if b.mustPass {
		return k
	}
	for _, f := range b.AlsoBefore {
		k.now = append(k.now, failure.SignatureOf(f))
	}
	v := b.verdict()
	if v == nil || v.Green {
		return k
	}
	for _, f := range v.Findings {
		if !slices.Contains(v.UnnamedGates, f.Check) && !b.inTask(f) {
			k.findings[findingKey(f)]++
		}
	}
	if !v.TestsFailed {
		return k
	}
	k.tests = failure.Signatures(slices.DeleteFunc(slices.Clone(v.Failures), b.inTask), v.Again)
	return k
}

// excuses reports whether all failures are from before the work, and not what the task
// is about, if nothing was changed yet.
func (b before) excuses(v Verdict) bool {
	return !b.mustPass && !b.continued() && !slices.ContainsFunc(v.Failures, b.inTask)
}

// stands is the verdict on the tree before a proposal: without old failures, also in its text.
func (b before) stands(v Verdict) Verdict { return v.excludeKnown(b.known()).withoutOld() }

// fixed returns the old failures of tests that pass in a green verdict, without those that also
// passed when they ran again at the baseline.
func (b before) fixed(v Verdict) []event.Failure {
	return slices.DeleteFunc(slices.Clone(b.Baseline.Failures), func(f event.Failure) bool {
		return f.Test == "" || v.knows(f) || slices.Contains(b.Baseline.Flaky, f.Test)
	})
}

// startResult is what the tests said of the tree before the run.
func (b before) startResult() proof.Result {
	if b.Baseline == nil {
		return proof.Result{}
	}
	return proof.ResultOf(b.Baseline.Verdict)
}

// result is what they said of the code before all work on the task.
func (b before) result() proof.Result {
	out := b.startResult()
	if v := b.verdict(); v != nil {
		out = proof.ResultOf(v.Verdict)
	}
	out.Failures = slices.Concat(out.Failures, b.AlsoBefore)
	return out
}

// resultOf is what they say of a judged state, with what failed before and still does.
func (b before) resultOf(v Verdict) proof.Result {
	out := proof.ResultOf(v.Verdict)
	if len(v.Known) > 0 {
		still := slices.DeleteFunc(b.result().Failures,
			func(f event.Failure) bool { return f.Test == "" || !v.knows(f) })
		out.Failures = slices.Concat(out.Failures, still)
	}
	out.Passed = len(out.Failures) == 0 && out.Passed
	return out
}

// missing says which tests of the baseline a run lacks.
func (b before) missing(v Verdict) proof.Lost { return proof.Missing(b.startResult(), b.resultOf(v)) }

// excuse takes out of a verdict what fails in the same place without the change,
// though it passed at the baseline.
func (b before) excuse(v, without Verdict) Verdict {
	if without.Green || b.Baseline == nil {
		return v
	}
	nameless := v.outside() || v.Tally >= failure.Unnamed || len(v.UnnamedGates) > 0
	if nameless {
		if b.Baseline.Green {
			v.Green = true
		}
		return v
	}
	same := func(list []event.Failure, f event.Failure) bool {
		return slices.ContainsFunc(list, func(g event.Failure) bool { return nameOf(f) == nameOf(g) })
	}
	v.Failures = slices.DeleteFunc(slices.Clone(v.Failures), func(f event.Failure) bool {
		return same(without.Failures, f) && !same(b.Baseline.Failures, f)
	})
	v.Failing = failure.CountTests(v.Failures)
	v.Green = len(v.Failures) == 0
	return v
}

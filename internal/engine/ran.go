package engine

import (
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/proof"
)

// What ran, as the proof has it.

// resultBaseline is what the tests said of the tree before the run.
func (r *run) resultBaseline() proof.Result {
	if r.m.Baseline == nil {
		return proof.Result{}
	}
	return proof.ResultOf(r.m.Baseline.Verdict)
}

// resultBefore is what they said of the code before all work on the task.
func (r *run) resultBefore() proof.Result {
	out := r.resultBaseline()
	if b := r.before(); b != nil {
		out = proof.ResultOf(b.Verdict)
	}
	out.Failures = slices.Concat(out.Failures, r.m.AlsoBefore)
	return out
}

// resultOf is what they say of a judged state, with what failed before and still does.
func (r *run) resultOf(v Verdict) proof.Result {
	out := proof.ResultOf(v.Verdict)
	if len(v.Known) > 0 {
		still := slices.DeleteFunc(r.resultBefore().Failures,
			func(f event.Failure) bool { return f.Test == "" || !v.knows(f) })
		out.Failures = slices.Concat(out.Failures, still)
	}
	out.Passed = len(out.Failures) == 0 && out.Passed
	return out
}

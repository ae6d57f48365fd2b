package engine

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/proof"
)

// failsUnchanged sets apart the failures of a change that come without it as well: before they
// cost a call, the tests run once on the code from before, now.
func (r *run) failsUnchanged(ctx context.Context, v Verdict) (Verdict, error) {
	if v.Green || !v.TestsFailed || v.Partial || v.outside() || v.Held != "" || r.Trees == nil ||
		r.o.AllGreen || r.o.Refine {
		return v, nil
	}
	var asked []event.Failure
	for _, f := range v.Failures {
		if f.Test != "" && !slices.ContainsFunc(v.Findings, f.Same) && (r.Named == nil || !r.Named(f)) {
			asked = append(asked, f)
		}
	}
	if len(asked) == 0 {
		return v, nil
	}
	there, err := r.runUnchanged(ctx, asked)
	if err != nil {
		return v, err
	}
	old := proof.ComeWithout(r.resultBefore(), asked, there)
	if len(old) == 0 {
		return v, nil
	}
	k := known{}
	for _, f := range old {
		k.now = append(k.now, failure.SignatureOf(f))
	}
	r.m.AlsoBefore = append(r.m.AlsoBefore, old...)
	r.notice("info", "fails without the change as well: "+list(failure.Tests(old)))
	return v.excludeKnown(k).withoutOld(), nil
}

// runUnchanged runs tests on the code from before: alone where the runner can, and else all,
// once in a run.
func (r *run) runUnchanged(ctx context.Context, asked []event.Failure) (proof.Result, error) {
	return inTree(ctx, r.Trees, r.unchangedCommit(), TreeOptions{}, func(t Tree) (proof.Result, error) {
		there, alone, err := t.Alone(ctx, asked)
		if err != nil || alone {
			return there, err
		}
		if r.unchanged == nil {
			if there, err = t.Test(ctx); err != nil {
				return there, err
			}
			r.unchanged = &there
		}
		return *r.unchanged, nil
	})
}

// unchangedCommit is the code from before all work on the task.
func (r *run) unchangedCommit() string {
	if r.continued() {
		return r.o.OldCommit
	}
	return r.m.Start.State.Commit
}

// withoutOld gives the verdict a new text, since that of the checks shows old failures too.
func (v Verdict) withoutOld() Verdict {
	if v.Green || len(v.Known) == 0 || v.Tally >= failure.Unnamed || len(v.UnnamedGates) > 0 {
		return v
	}
	v.Files, v.Text = nil, ""
	for _, f := range v.Failures {
		v.Text += inWords(f)
		v.Files = union(v.Files, filesOf(f))
	}
	return v
}

// filesOf are the files that a failure comes by.
func filesOf(f event.Failure) []string {
	var files []string
	if f.File != "" {
		files = append(files, f.File)
	}
	for _, call := range f.Frames {
		files = append(files, call.File)
	}
	return files
}

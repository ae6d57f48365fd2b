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
func (v *verifier) failsUnchanged(ctx context.Context, now Verdict) (Verdict, error) {
	if now.Green || !now.TestsFailed || now.Partial || now.outside() || now.Held != "" || v.trees == nil ||
		v.before.mustPass {
		return now, nil
	}
	var asked []event.Failure
	for _, f := range now.Failures {
		if f.Test != "" && !slices.ContainsFunc(now.Findings, f.Same) && !v.before.inTask(f) {
			asked = append(asked, f)
		}
	}
	if len(asked) == 0 {
		return now, nil
	}
	there, err := v.runUnchanged(ctx, asked)
	if err != nil {
		return now, err
	}
	old := proof.ComeWithout(v.before.result(), asked, there)
	if len(old) == 0 {
		return now, nil
	}
	k := known{}
	for _, f := range old {
		k.now = append(k.now, failure.SignatureOf(f))
	}
	v.before.AlsoBefore = append(v.before.AlsoBefore, old...)
	v.notice("info", "fails without the change as well: "+list(failure.Tests(old)))
	return now.excludeKnown(k).withoutOld(), nil
}

// runUnchanged runs tests on the code from before: alone where the runner can, and else all,
// once in a run.
func (v *verifier) runUnchanged(ctx context.Context, asked []event.Failure) (proof.Result, error) {
	return inTree(ctx, v.trees, v.before.commit(), TreeOptions{}, func(t Tree) (proof.Result, error) {
		there, alone, err := t.Alone(ctx, asked)
		if err != nil || alone {
			return there, err
		}
		if v.unchanged == nil {
			if there, err = t.Test(ctx); err != nil {
				return there, err
			}
			v.unchanged = &there
		}
		return *v.unchanged, nil
	})
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

package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/pkg/edit"
)

// requireTestCount downgrades a green verdict without a test count, unless the command is
// seen to run tests: exit code 0 alone says nothing.
func (v *verifier) requireTestCount(ctx context.Context, green Verdict, s State) (Verdict, error) {
	silent := slices.DeleteFunc(slices.Clone(green.Silent),
		func(c string) bool { return slices.Contains(v.before.Probed, c) })
	if !green.Green || len(silent) == 0 || !v.countTests {
		return green, nil
	}
	var why string
	uncounted, err := inTree(ctx, v.trees, s.Commit, TreeOptions{}, func(t Tree) (uncounted []string, err error) {
		uncounted, why, err = proof.UncountedInCopy(ctx, t, silent, spoiled(v.changes, s, nil))
		return uncounted, err
	})
	if err != nil {
		return green, err
	}
	if len(uncounted) > 0 {
		return green.WithoutCount(uncounted, why), nil
	}
	v.before.Probed = append(v.before.Probed, silent...)
	v.notice("info", list(silent)+" counts no tests, but fails where tests expect something wrong: it runs them")
	return green, nil
}

// spoiled returns the tests of a state, or one of them, with what they expect made wrong.
func spoiled(changes Changes, s State, only *Awaited) proof.Spoiled {
	return func(ctx context.Context, texts bool) ([]edit.Change, int, error) {
		return changes.Spoiled(ctx, s, only, texts)
	}
}

// WithoutCount downgrades a verdict whose commands exited with 0 and apparently ran no test.
func (v Verdict) WithoutCount(commands []string, why string) Verdict {
	which := list(commands) + ": " + why
	return v.held(HeldUncounted, errNoCount.Error()+"; "+which, "uncounted:"+which,
		"The test command passed, but it counted no test: "+which+".\n")
}

// CountError is the error of a verdict without a test count; nil for any other.
func (v Verdict) CountError() error {
	if v.Held != HeldUncounted {
		return nil
	}
	return fault.New(fault.Exhausted,
		"have it print how many tests ran; or, to trust its exit code, set test_count: off in .booty.yml",
		"%w%s", errNoCount, strings.TrimPrefix(v.Unproven, errNoCount.Error()))
}

var errNoCount = errors.New("the test command counted no test")

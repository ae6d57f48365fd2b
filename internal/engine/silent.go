package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/booty-cli/booty/internal/fault"
)

// Hearing asks of test commands that passed and told of no test whether they run any.
type Hearing interface {
	// Heard gives those commands of which nothing shows it, and why.
	Heard(ctx context.Context, s State, commands []string) (unheard []string, why string, err error)
}

// heard takes green from a verdict of which a test command told of no test, unless it is
// seen to run some: exit code 0 alone says nothing.
func (r *run) heard(ctx context.Context, v Verdict, s State) (Verdict, error) {
	silent := slices.DeleteFunc(slices.Clone(v.Silent), func(c string) bool { return slices.Contains(r.m.Heard, c) })
	if !v.Green || len(silent) == 0 || r.Hearing == nil {
		return v, nil
	}
	unheard, why, err := r.Hearing.Heard(ctx, s, silent)
	if err != nil {
		return v, err
	}
	if len(unheard) > 0 {
		return v.Unbelieved(unheard, why), nil
	}
	r.m.Heard = append(r.m.Heard, silent...)
	r.notice("info", list(silent)+" counts no tests, but fails where tests expect something wrong: it runs them")
	return v, nil
}

// Unbelieved takes green from a verdict whose commands ended well and, for all that can
// be seen, ran no test.
func (v Verdict) Unbelieved(commands []string, why string) Verdict {
	v.Green, v.Unheard = false, list(commands)+": "+why
	v.Unproven = "the test command counted no test"
	v.Signature, v.Text = "unheard:"+v.Unheard, "The test command passed, but it counted no test: "+v.Unheard+".\n"
	return v
}

// Unbelievable is the error of a verdict that is not believed, nil of any other.
func (v Verdict) Unbelievable() error {
	if v.Unheard == "" {
		return nil
	}
	return fault.New(fault.Exhausted, "have it print how many tests ran; or, to trust its exit code, set test_count: off in .booty.yml",
		"%w; %s", errUnheard, v.Unheard)
}

var errUnheard = errors.New("the test command counted no test")

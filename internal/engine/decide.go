package engine

import (
	"context"

	"github.com/booty-cli/booty/internal/fault"
)

// decide says whether another attempt follows what was tried so far: nil continues, an error stops.
func (r *run) decide(ctx context.Context) error {
	if err := r.m.backToPassed(); err != nil { // the run was interrupted before it went back
		return err
	}
	switch r.m.Progress {
	case Blind:
		return fault.New(fault.Exhausted, "run the test command by hand: the environment may be at fault",
			"%w: the output of the checks is the same as before the change, and names no test and no file", errStuck)
	case Moving, Stalled:
		return nil
	}
	return r.giveUp(ctx, stuck)
}

// giveUp ends the run with the error that why builds; work that only a person can judge goes to
// one.
func (r *run) giveUp(ctx context.Context, why func(left string, m *Memory) error) error {
	if err := r.settleBest(ctx, nil); err != nil {
		return err
	}
	if b := r.m.best(); b != nil && b.Verdict.Held == HeldStood {
		return r.forPerson(ctx, *b)
	}
	return why(r.m.left(r.o.Refine), &r.m)
}

// stuck says why the loop ended before its attempts were used up.
func stuck(left string, _ *Memory) error {
	return fault.New(fault.Exhausted, "booty resume --hint TEXT adds detail; --model NAME asks another model",
		"%w: the same failure with the same change came back; %s", errStuck, left)
}

// exhausted says why the loop ended without green.
func exhausted(left string, m *Memory) error {
	return fault.New(fault.Exhausted, "see what was tried with: booty status latest", "%s; %s",
		UsedUp(m.total(), ""), left)
}

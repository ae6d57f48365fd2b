package proof

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
)

// ErrTimeUp is the cause of a context that ended because the time for a proof is up.
var ErrTimeUp = errors.New("the time was up")

// stop is a proof that ended before all was run.
type stop struct {
	// at is the step under way, "" where all has run; why is what ended it.
	at, why string
}

// steps are those of a proof, in their order, and what is left out without them.
var steps = []struct{ name, words string }{
	{event.StepBase, "the tests before the change"}, {event.StepHead, "the tests after it"},
	{event.StepStood, "the old tests on the new code"}, {event.StepNewTests, "the new tests on the old code"},
	{event.StepRepeat, "what shows the change, a second time"}, {event.StepCanFail, "whether the proving test can fail"},
	{event.StepChallenge, "a challenge"}, {event.StepMutants, "small changes to the changed lines"},
}

// before reports whether the proof ended before a step was done.
func (s stop) before(step string) bool {
	at := func(name string) int {
		return slices.IndexFunc(steps, func(x struct{ name, words string }) bool { return x.name == name })
	}
	return s.at != "" && at(s.at) <= at(step)
}

// stopped takes the end of a context for what it is: not all was run. Any other error stays.
func (p *Prover) stopped(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	p.ran.stop = stop{at: p.at, why: "it was stopped"}
	if errors.Is(context.Cause(ctx), ErrTimeUp) {
		p.ran.stop.why, err = ErrTimeUp.Error(), nil
	}
	var left []string
	for _, s := range steps {
		asked := true
		switch s.name {
		case event.StepStood:
			asked = !p.Old.None()
		case event.StepNewTests:
			asked = len(p.NewTests) > 0
		case event.StepChallenge:
			asked = p.Challenger != nil
		case event.StepMutants: // what is left of them is said there
			asked = p.Mutants > 0 && p.at != event.StepMutants
		}
		if asked && p.ran.stop.before(s.name) {
			left = append(left, s.words)
		}
	}
	if len(left) > 0 {
		p.out.LeftOut = append(p.out.LeftOut,
			"not tried, because "+p.ran.stop.why+": "+strings.Join(left, "; "))
	}
	return err
}

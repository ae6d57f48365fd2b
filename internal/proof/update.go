package proof

import (
	"context"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
)

// Update runs the tests for a change of nothing but versions of dependencies or settings of tools;
// changed says which. Only if they fail do they run without the change.
func (p *Prover) Update(ctx context.Context, changed string) (event.ProofFinished, error) {
	began := p.Now()
	p.out.Claims, p.at = []event.Claim{}, event.StepHead
	after, err := p.timed(ctx, p.newTree)
	if err == nil {
		p.ran.After = after.r
		p.tell(event.StepHead, after)
	}
	if err == nil && !p.ran.After.Passed {
		err = p.bothSides(ctx)
	}
	err = p.stopped(ctx, err)
	p.out.Verdict, p.out.Reason = event.VerdictNothing, changed+"; with them "+p.ran.After.words()
	switch broken := failure.Tests(p.ran.Before.breaks(p.ran.After)); {
	case p.ran.After.Passed && p.ran.After.Trouble == "":
	case len(broken) > 0:
		p.out.Verdict, p.out.Reason = event.VerdictFailing,
			"these tests fail with the change, and did not before: "+some(broken)
	case p.ran.cannot() != "":
		p.out.Verdict, p.out.Reason = event.VerdictUntried, p.ran.cannot()
	case p.ran.failsAnew():
		p.out.Verdict, p.out.Reason = event.VerdictFailing, "the tests fail on the new code, and name no test"
	default:
		p.out.OldFailures, p.out.Reason = p.ran.Old(), changed+"; no test fails with them that passed before"
	}
	p.out.DurationMS = p.Now().Sub(began).Milliseconds()
	return p.out, err
}

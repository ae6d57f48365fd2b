package proof

import (
	"context"
	"slices"

	"github.com/booty-cli/booty/internal/failure"
)

// ComeWithout returns those of a change's failures that also occur without it, by a later run of
// their tests on the old code. One with the same message in each run of the old code, and another
// one on the new, is the change's.
func ComeWithout(before Result, asked []failure.Failure, there Result) []failure.Failure {
	if there.Trouble != "" {
		return nil
	}
	known := before.known()
	return slices.DeleteFunc(slices.Clone(asked), func(f failure.Failure) bool {
		i := slices.IndexFunc(there.Failures, func(g failure.Failure) bool { return g.ID().Same(f.ID()) })
		if f.Test == "" || i < 0 {
			return true
		}
		now := failure.SignatureOf(there.Failures[i])
		return slices.ContainsFunc(known,
			func(b failure.Signature) bool { return b.Steady() && now.Known([]failure.Signature{b}) })
	})
}

// failsUnchanged runs what fails since the change once more on the old code: what fails
// there now failed before.
func (p *Prover) failsUnchanged(ctx context.Context) error {
	broken := p.ran.Before.breaks(p.ran.After)
	if len(broken) == 0 {
		return nil
	}
	there, alone, err := p.old.Alone(ctx, broken)
	if err == nil && !alone {
		there, err = p.old.Test(ctx)
	}
	p.ran.Before.Failures = slices.Concat(p.ran.Before.Failures, ComeWithout(p.ran.Before, broken, there))
	return err
}

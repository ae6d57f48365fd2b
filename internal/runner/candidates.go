package runner

import (
	"context"
	"errors"
	"sync"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/failure"
)

// lost is the standing of a candidate that could not be checked.
const lost = 1 << 30

// Pick implements engine.Arena: each candidate has a work tree of its own.
func (b *beside) Pick(ctx context.Context, from engine.State, proposals []engine.Proposal) (int, error) {
	whole := ctx
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var mu sync.Mutex
	best, fewest := 0, lost+1
	var errs []error
	var all sync.WaitGroup
	for i, p := range proposals {
		if ctx.Err() != nil {
			break // one has won already
		}
		c, err := b.open(whole, from.Commit, engine.TreeOptions{})
		if err != nil {
			stop()
			all.Wait()
			return 0, err
		}
		all.Add(1)
		go func() {
			defer all.Done()
			failing, err := try(ctx, c, p)
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, c.Close())
			if err != nil {
				if ctx.Err() == nil {
					errs = append(errs, err)
				}
				return
			}
			if failing < fewest {
				best, fewest = i, failing
			}
			if failing == 0 {
				stop() // the others are not waited for
			}
		}()
	}
	all.Wait()
	if fewest > lost {
		return 0, errors.Join(append(errs, context.Cause(ctx))...)
	}
	return best, nil
}

// try checks one candidate and gives the number of its failing tests, 0 for
// green.
func try(ctx context.Context, c *copied, p engine.Proposal) (int, error) {
	if err := applyIn(c.repo.Root(), p.Changes, nil); err != nil {
		return 0, err
	}
	v, err := c.checks.runner.Verify(ctx, c.checks.suite, check.VerifyOptions{})
	if err != nil {
		return 0, err
	}
	switch {
	case v.Green:
		return 0, nil
	case v.Tally >= failure.Uncounted:
		return lost, nil
	}
	return max(v.Failing, 1), nil
}

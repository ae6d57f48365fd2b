package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/agent"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/llm"
)

const (
	// unreportedCall is what a call counts whose agent does not report its cost.
	unreportedCall = 1.0
	// unlimitedCall is what is reserved for a call where there is no limit.
	unlimitedCall = 5.0
	// aBit is more than nothing: with it a limit that is reached is seen.
	aBit = 1e-9
)

// agentWorst is what is reserved for a call: all that is left, since an agent has no limit
// of its own.
func (m *models) agentWorst(ctx context.Context) (float64, error) {
	left, limited, err := m.journal.Money.Left(ctx, m.run, m.limits)
	if err != nil || !limited {
		return unlimitedCall, err
	}
	return max(left, aBit), nil
}

// askAgentPatiently waits, if patience was asked for, as a model's client does after its quick
// tries, which an agent makes itself. Each try is a call of its own, reserved and paid.
func (m *models) askAgentPatiently(ctx context.Context, prompt string) (reply engine.Reply, err error) {
	var spent engine.Usage
	passing := func(err error) bool { return errors.Is(err, agent.ErrTransient) && m.afford(ctx) == nil }
	err = m.wait.Again(ctx, "model", passing, func() (err error) {
		reply, err = m.askAgent(ctx, prompt)
		u := reply.Usage
		spent.Input, spent.Output, spent.Cached = spent.Input+u.Input, spent.Output+u.Output,
			spent.Cached+u.Cached
		spent.CostUSD, spent.Duration, spent.Estimated = spent.CostUSD+u.CostUSD, spent.Duration+u.Duration,
			spent.Estimated || u.Estimated
		return err
	})
	reply.Usage = spent
	return reply, err
}

// askAgent lets the agent work within the limits. A call costs what the agent reports, or
// else unreportedCall: unknown is never free.
func (m *models) askAgent(ctx context.Context, prompt string) (engine.Reply, error) {
	worst, err := m.agentWorst(ctx)
	if err != nil {
		return engine.Reply{}, err
	}
	id, warnings, err := m.journal.Money.Reserve(ctx,
		journal.Reservation{Run: m.run, WorstUSD: worst, Limits: m.limits})
	m.warn(warnings)
	if err != nil {
		return engine.Reply{}, err
	}
	reply, cost, err := m.agent.propose(ctx, prompt)
	done := context.WithoutCancel(ctx)
	if !cost.ran {
		return reply, errors.Join(err, m.journal.Money.Release(done, id))
	}
	u := &reply.Usage
	u.CostUSD, u.Estimated = cost.usd, !cost.told
	if !cost.told {
		u.CostUSD = min(worst, unreportedCall)
		m.note(fmt.Sprintf("%s does not report its cost: the call counts as $%.2f", m.agent.name, u.CostUSD))
	}
	warnings, e := m.journal.Money.Settle(done, id, u.CostUSD)
	m.warn(warnings)
	return reply, errors.Join(err, e)
}

// leastPrompt is smaller than any request, in bytes.
const leastPrompt = 2000

// Afford returns an error if the limits leave no room for the first call of a run. It is called
// before anything of the run is visible to others.
func Afford(ctx context.Context, s *Session, o Options) error {
	quiet := Show{Events: event.Func(func(event.Event) {}), Progress: func(string) {}}
	m, err := newModels(ctx, s, Job{ID: journal.NewRunID(), Options: o}, quiet)
	if err != nil {
		return err
	}
	return m.afford(ctx)
}

// afford looks, before anything is done, whether the limits leave room for a
// first call at all.
func (m *models) afford(ctx context.Context) error {
	var worst float64
	if m.agent != nil {
		var err error
		if worst, err = m.agentWorst(ctx); err != nil {
			return err
		}
	} else {
		info := m.main.Describe()
		worst = llm.WorstCase(info, leastPrompt, info.MaxOutputTokens)
	}
	return m.journal.Money.Afford(ctx, journal.Reservation{Run: m.run, WorstUSD: worst, Limits: m.limits})
}

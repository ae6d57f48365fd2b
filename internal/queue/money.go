package queue

import (
	"context"
	"fmt"
	"time"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// spans are the windows of the limits.
var spans = map[string]time.Duration{"day": 24 * time.Hour, "week": 7 * 24 * time.Hour}

// credit tells what was spent in the last day and week: by the records of this
// machine, or, where that is more, by what booty's comments on GitHub say.
func (q *Queue) credit(ctx context.Context) ([]record.Period, error) {
	periods, err := q.s.Journal.Usage(ctx, "", runner.Limits(q.s.Settings.Budget))
	if err != nil {
		return nil, err
	}
	now := q.s.Now()
	comments, err := q.client.CommentsSince(ctx, now.Add(-spans["week"]), creditMark)
	if err != nil {
		return nil, err
	}
	var notes []Note
	for _, c := range comments {
		n, ok := readNote(c.Body)
		if !ok {
			return nil, q.unreadable(ctx, c.ID)
		}
		notes = append(notes, n)
	}
	for i := range periods {
		p := &periods[i]
		if usd, runs := spentWithin(notes, now, spans[p.Period]); usd > p.UsedUSD {
			p.UsedUSD, p.Runs = usd, max(p.Runs, runs)
			weigh(p, q.s.Settings.Budget.WarnPercent)
		}
	}
	return periods, nil
}

// weigh fills in what follows from a period's use and limit.
func weigh(p *record.Period, percent int) {
	if p.LimitUSD <= 0 {
		return
	}
	p.LeftUSD, p.Percent = max(p.LimitUSD-p.UsedUSD, 0), p.UsedUSD/p.LimitUSD*100
	switch {
	case p.UsedUSD >= p.LimitUSD:
		p.State = record.Reached
	case percent > 0 && p.Percent >= float64(percent):
		p.State = record.Warned
	}
}

// unreadable asks a person for help: figures that cannot be read hold no limit.
func (q *Queue) unreadable(ctx context.Context, comment int64) error {
	body := fmt.Sprintf("%s\nbooty keeps what its queue has spent in a hidden line of its comments. The one "+
		"in comment %d cannot be read "+
		"any more, so that the limits of spending cannot be held, and the queue stands still.\n\nDelete that "+
		"comment, then close this issue: "+
		"what the comment told is lost to the sums of the next seven days.\n",
		report.Marker("spec-issue", "costs"), comment)
	i, err := q.client.PutIssue(ctx, q.labels.Manual(), report.Marker("spec-issue", "costs"),
		"booty cannot read what its queue has spent", body)
	if err != nil {
		return err
	}
	return fault.New(fault.Git, "see "+i.URL, "what the queue has spent cannot be read from comment %d", comment)
}

// afford stops where a limit is reached already, or could be passed by the first call.
func (q *Queue) afford(ctx context.Context, periods []record.Period) error {
	if err := afford(periods); err != nil {
		return err
	}
	s, err := q.narrowed(ctx, periods)
	if err != nil {
		return err
	}
	return runner.Afford(ctx, s, q.o.Work)
}

// narrowed is the session with the limits that others have left of them.
func (q *Queue) narrowed(ctx context.Context, periods []record.Period) (*runner.Session, error) {
	s, settings := *q.s, *q.s.Settings
	own, err := s.Journal.Usage(ctx, "", runner.Limits(settings.Budget))
	if err != nil {
		return nil, err
	}
	settings.Budget = within(settings.Budget, periods, own)
	s.Settings = &settings
	return &s, nil
}

// afford stops where a limit is reached already.
func afford(periods []record.Period) error {
	for _, p := range periods {
		if p.State == record.Reached {
			hint := "booty status shows what was spent; budget." + p.Period + "_usd raises the limit"
			return fault.New(fault.Budget, hint, "the limit of the %s is reached: $%.2f of $%.2f", p.Period,
				p.UsedUSD, p.LimitUSD)
		}
	}
	return nil
}

// within narrows the limits of this machine by what others have spent.
func within(b config.Budget, periods, own []record.Period) config.Budget {
	for i, p := range periods {
		others := p.UsedUSD - own[i].UsedUSD
		limit := &b.DayUSD
		if p.Period == "week" {
			limit = &b.WeekUSD
		}
		if *limit > 0 && others > 0 {
			*limit = max(*limit-others, 0.000001) // 0 would be no limit
		}
	}
	return b
}

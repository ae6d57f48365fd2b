package queue

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// week is the longest period with a spending limit.
const week = 7 * 24 * time.Hour

// credit returns what was spent in the last day and week on all machines. It adds runs that
// booty's comments on GitHub mention to the local records.
func (q *Queue) credit(ctx context.Context) ([]record.Period, error) {
	notes, unreadable, err := q.notes(ctx, q.s.Now().Add(-week))
	if err != nil {
		return nil, err
	}
	if unreadable != 0 {
		return nil, q.unreadable(ctx, unreadable)
	}
	var elsewhere []journal.Elsewhere
	for _, n := range notes {
		for _, s := range n.Spent {
			elsewhere = append(elsewhere, journal.Elsewhere{Run: s.Run, At: s.At, USD: s.USD})
		}
	}
	if err := q.s.Journal.Learn(ctx, elsewhere); err != nil {
		return nil, err
	}
	return q.s.Journal.Money.Usage(ctx, "", runner.Limits(q.s.Settings.Budget))
}

// notes returns booty's notes on GitHub by pull request, and the number of a comment whose
// note cannot be read, or 0.
func (q *Queue) notes(ctx context.Context, since time.Time) (all map[int]Note, unreadable int64, err error) {
	comments, err := q.client.CommentsSince(ctx, since, creditMark)
	all = map[int]Note{}
	for _, c := range comments {
		if n, ok := readNote(c.Body); ok {
			all[c.Issue] = n
		} else {
			unreadable = c.ID
		}
	}
	return all, unreadable, err
}

// Runs returns the runs on specs since a time: those noted on GitHub by any machine, and
// local ones not noted yet.
func (q *Queue) Runs(ctx context.Context, since time.Time) ([]record.Run, error) {
	runs, err := q.s.Journal.Runs(ctx, journal.Filter{Repo: q.s.Home, Since: since})
	if err != nil {
		return nil, err
	}
	notes, _, err := q.notes(ctx, since)
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		attempts := 0
		for _, s := range n.Spent {
			attempts += s.Attempts
			runs = slices.DeleteFunc(runs, func(r record.Run) bool { return r.ID == s.Run })
			if s.At.Before(since) {
				continue
			}
			runs = append(runs, record.Run{
				ID: s.Run, Repo: q.s.Home, Task: event.Task{Kind: "spec", Spec: n.Spec}, Outcome: s.Outcome,
				Attempts: s.Attempts, AttemptsTotal: attempts, CostUSD: s.USD, Started: s.Began,
				Finished: s.At,
			})
		}
	}
	return runs, nil
}

// unreadable asks a person for help: no limit can be enforced on figures that cannot be
// read.
func (q *Queue) unreadable(ctx context.Context, comment int64) error {
	body := fmt.Sprintf("%s\nbooty keeps what its queue has spent in a hidden line of its comments. The one "+
		"in comment %d cannot be read "+
		"any more, so spending limits cannot be enforced, and the queue has stopped.\n\nDelete that "+
		"comment, then close this issue: "+
		"what it told counts no more where it was not read before.\n",
		report.Marker("spec-issue", "costs"), comment)
	i, err := q.client.PutIssue(ctx, q.labels.Manual(), report.Marker("spec-issue", "costs"),
		"booty cannot read what its queue has spent", body)
	if err != nil {
		return err
	}
	return fault.New(fault.Git, "see "+i.URL, "what the queue has spent cannot be read from comment %d",
		comment)
}

// afford returns an error if a limit is reached, or if the first model call could exceed
// it.
func (q *Queue) afford(ctx context.Context, periods []record.Period) error {
	for _, p := range periods {
		if p.State == record.Reached {
			hint := "booty status shows what was spent; budget." + p.Period + "_usd raises the limit"
			return fault.New(fault.Budget, hint, "the limit of the %s is reached: $%.2f of $%.2f", p.Period,
				p.UsedUSD, p.LimitUSD)
		}
	}
	return runner.Afford(ctx, q.s, q.o.Work)
}

// recall adds earlier local runs of the spec to the note: a killed turn had no time to do
// so.
func (ps *pullState) recall(ctx context.Context) error {
	q := ps.q
	runs, err := q.s.Journal.Runs(ctx, journal.Filter{Repo: q.s.Home, Since: q.s.Now().Add(-week)})
	if err != nil {
		return err
	}
	for _, r := range runs {
		if r.Task.Kind != "spec" || r.Task.Spec != ps.note.Spec {
			continue
		}
		if err := ps.spend(ctx, r.ID, 0); err != nil {
			return err
		}
	}
	return nil
}

// spend records what a run cost so far. judged is the number of attempts if the run has no
// end yet. A call of unknown price counts with its worst case, as it does against the
// limits.
func (ps *pullState) spend(ctx context.Context, run string, judged int) error {
	ctx = context.WithoutCancel(ctx) // an interrupted run also costs money
	r, err := ps.q.s.Journal.Run(ctx, run, "")
	if err != nil {
		return err
	}
	spent, err := ps.q.s.Journal.Money.Usage(ctx, run, journal.Limits{})
	if err != nil {
		return err
	}
	at := r.Heartbeat
	if !r.Finished.IsZero() {
		at, judged = r.Finished, r.Attempts
	}
	ps.note.Spend(Spending{
		Run: run, Began: r.Started.UTC().Truncate(time.Second), At: at.UTC().Truncate(time.Second),
		USD: spent[0].UsedUSD, Outcome: r.Outcome, Attempts: judged,
	})
	return nil
}

package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// fromEvents fills what only a run's events tell: what each request showed the model,
// what the change proves, how the checks stood before it, what failed already.
// They go with the other events after 30 days, and are empty then.
func (j *Journal) fromEvents(ctx context.Context, run string, d *Detail) error {
	r := eventReader{d: d}
	if err := j.each(ctx, `SELECT at, line FROM events WHERE run = ? ORDER BY id DESC LIMIT 1`, run,
		r.last); err != nil {
		return err
	}
	return j.each(ctx, `SELECT line FROM events WHERE run = ? AND (line LIKE '%"event":"context.selected"%'
		OR line LIKE '%"event":"model.request"%' OR line LIKE '%"event":"evidence.finished"%'
		OR line LIKE '%"event":"baseline.finished"%' OR line LIKE '%"event":"attempt.finished"%' OR line LIKE '%"event":"run.finished"%') ORDER BY id`, run, r.line)
}

// eventReader reads events in order; view is what was selected last.
type eventReader struct {
	d    *Detail
	view event.ContextSelected
}

func (r *eventReader) last(rows *sql.Rows) error {
	var text string
	var ms int64
	if err := rows.Scan(&ms, &text); err != nil {
		return err
	}
	r.d.Last = &record.Last{At: fromMS(ms)}
	return fill(text, r.d.Last)
}

func (r *eventReader) line(rows *sql.Rows) error {
	var text string
	if err := rows.Scan(&text); err != nil {
		return err
	}
	var head struct {
		Event string `json:"event"`
	}
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		return fmt.Errorf("an event: %w", err)
	}
	switch head.Event {
	case event.ContextSelected{}.Name():
		r.view = event.ContextSelected{}
		return fill(text, &r.view)
	case event.ModelRequest{}.Name():
		return r.request(text)
	case event.EvidenceFinished{}.Name():
		r.d.Evidence = &event.EvidenceFinished{}
		return fill(text, r.d.Evidence)
	case event.BaselineFinished{}.Name():
		r.d.Found = &event.BaselineFinished{}
		return fill(text, r.d.Found)
	case event.AttemptFinished{}.Name():
		return r.attempt(text)
	case event.RunFinished{}.Name():
		var e event.RunFinished
		err := fill(text, &e)
		r.d.Known, r.d.LeftOut, r.d.ChangedTests = append([]string{}, e.Known...), e.LeftOut, e.ChangedTests
		return err
	}
	return nil
}

// request joins a request with what was selected for it; a review selects nothing.
func (r *eventReader) request(text string) error {
	var e event.ModelRequest
	if err := fill(text, &e); err != nil {
		return err
	}
	q := record.Request{Attempt: e.Attempt, Role: e.Role, Model: e.Model, Tokens: e.InputTokens,
		Files: []event.ContextFile{}}
	if r.view.Attempt == e.Attempt && e.Role != "review" {
		q.Files = append(q.Files, r.view.Files...)
	}
	r.d.Requests = append(r.d.Requests, q)
	return nil
}

// attempt takes over how many of the failures were known.
func (r *eventReader) attempt(text string) error {
	var e event.AttemptFinished
	if err := fill(text, &e); err != nil {
		return err
	}
	for i := range r.d.Attempts {
		if r.d.Attempts[i].N == e.Attempt {
			r.d.Attempts[i].Known = e.Known
		}
	}
	return nil
}

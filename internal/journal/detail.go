package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// Attempts gives a run's attempts in order, each with its checks and calls.
func (j *Journal) Attempts(ctx context.Context, run string) ([]Attempt, error) {
	d, err := j.parts(ctx, run)
	return d.Attempts, err
}

// Detail gives all that is known of a run; name and repo work as in Run.
func (j *Journal) Detail(ctx context.Context, name, repo string) (Detail, error) {
	r, err := j.Run(ctx, name, repo)
	if err != nil {
		return Detail{}, err
	}
	d, err := j.parts(ctx, r.ID)
	d.Run = r
	if err == nil {
		err = j.fromEvents(ctx, r.ID, &d)
	}
	return d, err
}

// parts reads all of a run but the run itself.
func (j *Journal) parts(ctx context.Context, run string) (Detail, error) {
	d := detail{
		Detail: Detail{Baseline: []Check{}, Extra: []Call{}, Attempts: []Attempt{}, Notes: []Note{},
			Requests: []record.Request{}, Known: []string{}},
		run: run, at: map[int]int{},
	}
	for _, part := range []struct {
		query string
		scan  func(*sql.Rows) error
	}{
		{`SELECT n, role, outcome, summary, prose, files, failing, trouble, signature, patch_hash, checkpoint, diff, refused, started, finished
			FROM attempts WHERE run = ? AND n > 0 ORDER BY n`, d.attempt},
		{`SELECT attempt, name, kind, command, at, result, log, distilled FROM checks WHERE run = ? ORDER BY id`, d.check},
		{`SELECT attempt, role, provider, model, at, input, output, cached, written, cost, saved, estimated, duration_ms, error, prompt, reply, guess
			FROM calls WHERE run = ? ORDER BY id`, d.call},
		{`SELECT attempt, kind, text, at FROM notes WHERE run = ? ORDER BY id`, d.note},
	} {
		if err := j.each(ctx, part.query, run, part.scan); err != nil {
			return d.Detail, err
		}
	}
	return d.Detail, nil
}

// detail is a Detail while it is read; at finds an attempt's place by its number.
type detail struct {
	Detail
	run string
	at  map[int]int
}

func (d *detail) attempt(rows *sql.Rows) error {
	a := Attempt{Run: d.run, Files: []event.File{}, Checks: []Check{}, Calls: []Call{}}
	var files, refused string
	var started, finished int64
	err := rows.Scan(&a.N, &a.Role, &a.Outcome, &a.Summary, &a.Prose, &files, &a.Failing, &a.Trouble,
		&a.Signature,
		&a.PatchHash, &a.Checkpoint,
		&a.Diff, &refused, &started, &finished)
	if err != nil {
		return err
	}
	a.Started, a.Finished = fromMS(started), fromMS(finished)
	if err := errors.Join(fill(files, &a.Files), fill(refused, &a.Refused)); err != nil {
		return err
	}
	d.at[a.N] = len(d.Attempts)
	d.Attempts = append(d.Attempts, a)
	return nil
}

func (d *detail) check(rows *sql.Rows) error {
	c := Check{Run: d.run}
	var ms int64
	var result string
	if err := rows.Scan(&c.Attempt, &c.Name, &c.Kind, &c.Command, &ms, &result, &c.Log,
		&c.Distilled); err != nil {
		return err
	}
	r := checkResult{}
	if err := fill(result, &r); err != nil {
		return err
	}
	c.At, c.Passed, c.ExitCode, c.TimedOut, c.DurationMS = fromMS(ms), r.Passed, r.ExitCode, r.TimedOut,
		r.DurationMS
	c.Counts, c.Failures, c.Note = r.Counts, r.Failures, r.Note
	if c.Failures == nil {
		c.Failures = []event.Failure{}
	}
	if i, ok := d.at[c.Attempt]; ok {
		d.Attempts[i].Checks = append(d.Attempts[i].Checks, c)
	} else {
		d.Baseline = append(d.Baseline, c)
	}
	return nil
}

func (d *detail) call(rows *sql.Rows) error {
	c := Call{Run: d.run}
	var ms, cost, saved int64
	err := rows.Scan(&c.Attempt, &c.Role, &c.Provider, &c.Model, &ms, &c.InputTokens, &c.OutputTokens,
		&c.CachedTokens,
		&c.CacheWriteTokens, &cost, &saved, &c.Estimated, &c.DurationMS, &c.Error, &c.Prompt, &c.Reply,
		&c.GuessTokens)
	if err != nil {
		return err
	}
	c.At, c.CostUSD, c.SavedUSD = fromMS(ms), fromNano(cost), fromNano(saved)
	if i, ok := d.at[c.Attempt]; ok {
		d.Attempts[i].Calls = append(d.Attempts[i].Calls, c)
	} else {
		d.Extra = append(d.Extra, c)
	}
	return nil
}

func (d *detail) note(rows *sql.Rows) error {
	var n Note
	var ms int64
	err := rows.Scan(&n.Attempt, &n.Kind, &n.Text, &ms)
	n.At = fromMS(ms)
	d.Notes = append(d.Notes, n)
	return err
}

// each calls fn for every row of a query about one run. fn must not use the
// database: there is one connection, and the query holds it.
func (j *Journal) each(ctx context.Context, query, run string, fn func(*sql.Rows) error) error {
	rows, err := j.db.QueryContext(ctx, query, run)
	if err != nil {
		return j.explain("read run "+run, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return j.explain("read run "+run, fmt.Errorf("a record: %w", err))
		}
	}
	return j.explain("read run "+run, rows.Err())
}

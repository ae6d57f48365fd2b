package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/booty-cli/booty/internal/event"
)

// recordFor bounds how long one event may hold up the run.
const recordFor = 20 * time.Second

// Listener records a run's events: each as its line, for replay, and in the
// tables that status reads. It never stops a run: the first write that fails is
// told as a notice, later ones are silent.
func (j *Journal) Listener(run string) event.Listener {
	return &listener{j: j, run: run}
}

type listener struct {
	j    *Journal
	run  string
	once sync.Once
}

func (l *listener) Handle(e event.Event) {
	// A context of its own: what happened is recorded even after Ctrl-C.
	ctx, cancel := context.WithTimeout(context.Background(), recordFor)
	defer cancel()
	err := l.record(ctx, e)
	if _, ended := e.(event.RunFinished); ended {
		l.j.locks.release(l.run)
	}
	if err != nil {
		l.once.Do(func() {
			l.j.notice("the run goes on, but its history is not recorded in full: %v", err)
		})
	}
}

func (l *listener) record(ctx context.Context, e event.Event) error {
	run, now := l.run, l.j.now()
	raw, err := event.Line(e, now, run)
	if err != nil {
		return fmt.Errorf("encode %s: %w", e.Name(), err)
	}
	line, err := l.j.redactLine(raw)
	if err != nil {
		return fmt.Errorf("encode %s: %w", e.Name(), err)
	}
	return l.j.write(ctx, "record "+e.Name()+" of "+run, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO events (run, at, line) VALUES (?, ?, ?)`, run,
			toMS(now),
			line); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE runs SET heartbeat = ? WHERE id = ?`, toMS(now),
			run); err != nil {
			return err
		}
		return l.fileEvent(ctx, tx, e)
	})
}

// fileEvent puts an event where status looks for it.
func (l *listener) fileEvent(ctx context.Context, tx *sql.Tx, e event.Event) error {
	switch e := e.(type) {
	case event.RunStarted:
		return l.fileStart(ctx, tx, e)
	case event.ModelRequest:
		// Its estimate of tokens is kept apart: a call that is never answered counts none.
		c := Call{Run: l.run, Attempt: e.Attempt, Role: e.Role, Provider: e.Provider, Model: e.Model,
			GuessTokens: e.InputTokens}
		if err := l.j.putCall(ctx, tx, c, "told", toldRequest, `told = 0`); err != nil || !proposes(e.Role) ||
			e.Attempt <= 0 {
			return err
		}
		return l.j.putAttempt(ctx, tx, Attempt{Run: l.run, N: e.Attempt, Role: e.Role})
	case event.ModelReply:
		c := Call{
			Run: l.run, Attempt: e.Attempt, Role: e.Role, InputTokens: e.InputTokens, OutputTokens: e.OutputTokens,
			CachedTokens: e.CachedTokens, CacheWriteTokens: e.CacheWriteTokens,
			CostUSD: e.CostUSD, SavedUSD: e.SavedUSD, Estimated: e.Estimated, DurationMS: e.DurationMS,
		}
		return l.j.putCall(ctx, tx, c, "told", toldReply, `told = 1`)
	case event.ModelRetry:
		return l.j.putNote(ctx, tx, l.run, Note{Attempt: e.Attempt, Kind: "info",
			Text: fmt.Sprintf("asked the model again (try %d): %s", e.Try, e.Reason)})
	case event.ContextRequested:
		return l.j.putNote(ctx, tx, l.run, Note{Attempt: e.Attempt, Kind: "info", Text: lookedText(e)})
	case event.Wait:
		return l.j.putNote(ctx, tx, l.run,
			Note{Kind: "info", Text: fmt.Sprintf("waited for the %s: %s", e.What, e.Reason)})
	case event.EditsRefused:
		return l.fileRefused(ctx, tx, e)
	case event.EditsApplied:
		return l.j.putAttempt(ctx, tx,
			Attempt{Run: l.run, N: e.Attempt, Summary: e.Summary, Prose: e.Said, Files: e.Files})
	case event.AttemptFinished:
		return l.j.putAttempt(ctx, tx, Attempt{Run: l.run, N: e.Attempt, Outcome: e.Outcome, Failing: e.Failing,
			Trouble: e.Trouble})
	case event.ReviewFinished:
		return l.j.putNote(ctx, tx, l.run,
			Note{Kind: "review", Text: strings.TrimSpace(e.Verdict + "\n" + e.Notes)})
	case event.EvidenceFinished:
		text := strings.TrimSpace(e.Verdict + "\n" + e.Note + "\n" + strings.Join(e.Tests, "\n"))
		return l.j.putNote(ctx, tx, l.run, Note{Kind: "evidence", Text: text})
	case event.Notice:
		return l.j.putNote(ctx, tx, l.run, Note{Kind: e.Level, Text: e.Message})
	case event.BudgetWarning:
		return l.j.putNote(ctx, tx, l.run, Note{Kind: "warning",
			Text: fmt.Sprintf("%s budget: %.2f of %.2f USD used", e.Period, e.Used, e.Limit)})
	case event.PullRequestOpened:
		return l.j.filePullRequest(ctx, tx, l.run, event.PullRequest(e))
	case event.PullRequestUpdated:
		return l.j.filePullRequest(ctx, tx, l.run, event.PullRequest(e))
	case event.RunFinished:
		return l.j.finishRun(ctx, tx, l.run, e)
	}
	return nil
}

// lookedText tells what the model asked to see.
func lookedText(e event.ContextRequested) string {
	var parts []string
	for _, a := range e.Asks {
		if a.Kind == "ask" {
			parts = append(parts, "question: "+a.What)
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s (%s)", strings.ToUpper(a.Kind), a.What,
			strings.ReplaceAll(a.Answer, "_", " ")))
	}
	return "the model asked for " + strings.Join(parts, ", ")
}

// proposes reports whether a role's reply is an attempt: a review is none, nor is
// what tidies green work.
func proposes(role string) bool { return role != "review" }

func (l *listener) fileStart(ctx context.Context, tx *sql.Tx, e event.RunStarted) error {
	task, err := l.j.redactJSON(e.Task)
	if err != nil {
		return err
	}
	set := setter{}
	if e.Task != (event.Task{}) {
		set.add("task", task)
	}
	set.text("repo_name", e.Repo)
	set.text("branch", e.Branch)
	set.text("base", e.Base)
	set.number("max_retries", int64(e.MaxRetries))
	if len(set.names) == 0 {
		return nil
	}
	return one(tx.ExecContext(ctx, `UPDATE runs SET `+set.columns()+` WHERE id = ?`,
		append(set.args, l.run)...))
}

// fileRefused adds to what was refused before: an attempt may ask several times.
func (l *listener) fileRefused(ctx context.Context, tx *sql.Tx, e event.EditsRefused) error {
	var text string
	err := tx.QueryRowContext(ctx, `SELECT refused FROM attempts WHERE run = ? AND n = ?`, l.run,
		e.Attempt).Scan(&text)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	var all []event.Problem
	if err := fill(text, &all); err != nil {
		return err
	}
	return l.j.putAttempt(ctx, tx, Attempt{Run: l.run, N: e.Attempt, Refused: append(all, e.Problems...)})
}

// Line is a recorded event.
type Line struct {
	Seq  int64
	JSON string
}

// Events gives the recorded events of a run after the given number, in order,
// as --json wrote them; 0 gives them all. They are pruned with the blobs.
func (j *Journal) Events(ctx context.Context, run string, after int64) ([]Line, error) {
	rows, err := j.db.QueryContext(ctx, `SELECT id, line FROM events WHERE run = ? AND id > ? ORDER BY id`,
		run, after)
	if err != nil {
		return nil, j.explain("read events of "+run, err)
	}
	defer func() { _ = rows.Close() }()
	var out []Line
	for rows.Next() {
		var l Line
		if err := rows.Scan(&l.Seq, &l.JSON); err != nil {
			return nil, j.explain("read events of "+run, err)
		}
		out = append(out, l)
	}
	return out, j.explain("read events of "+run, rows.Err())
}

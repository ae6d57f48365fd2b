package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal/record"
)

// The records are plain data in a package of their own, so that reports need
// not know the database.
type (
	Run     = record.Run
	Attempt = record.Attempt
	Check   = record.Check
	Call    = record.Call
	Note    = record.Note
	Detail  = record.Detail
	Step    = record.Step
	Period  = record.Period
)

// ErrNoRun is wrapped where no run has the wanted name.
var ErrNoRun = errors.New("no such run")

// noneYet is ErrNoRun where no run at all was recorded.
type noneYet struct{}

func (noneYet) Error() string { return "no run was recorded here yet" }

// Is makes it ErrNoRun.
func (noneYet) Is(target error) bool { return target == ErrNoRun }

// StartRun opens a run with this process at work on it. ID is made where empty, and the
// start is now unless r says otherwise. It gives the run as stored.
func (j *Journal) StartRun(ctx context.Context, r Run) (Run, error) {
	now := j.now()
	if r.ID == "" {
		r.ID = newRunID(now)
	}
	if err := validID(r.ID); err != nil {
		return r, err
	}
	if r.Started.IsZero() {
		r.Started = now
	}
	r.PID = os.Getpid()
	r.Host, _ = os.Hostname() // empty is a name too
	r.Heartbeat, r.State = now, record.Running
	task, err := j.redactJSON(r.Task)
	if err != nil {
		return r, err
	}
	options, err := j.options(r.Options)
	if err != nil {
		return r, err
	}
	if err := j.locks.hold(ctx, r.ID); err != nil {
		return r, err
	}
	err = j.write(ctx, "open run "+r.ID, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO runs (id, repo, repo_name, kind, task, task_text, branch, base,
			start_branch, start_commit, options, max_retries, pid, host, started, heartbeat)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			r.ID, r.Repo, r.RepoName, r.Kind, task, j.redact(r.TaskText), r.Branch, r.Base,
			r.StartBranch, r.StartCommit, options, r.MaxRetries, r.PID, r.Host,
			toMS(r.Started), toMS(r.Heartbeat))
		return err
	})
	if err != nil {
		j.locks.release(r.ID)
		return r, err
	}
	j.prune(ctx)
	return r, nil
}

func (j *Journal) options(raw json.RawMessage) (string, error) {
	if len(raw) == 0 {
		return "", nil
	}
	return j.redactJSON(raw)
}

// validID keeps names from leaving the directory of blobs or breaking a ref.
func validID(id string) error {
	if len(id) < 4 || len(id) > 40 || strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyz-") != "" {
		return fmt.Errorf("%q is no name for a run", id)
	}
	return nil
}

// SetPullRequest records what has become of a run's pull request.
func (j *Journal) SetPullRequest(ctx context.Context, id string, pr event.PullRequest) error {
	return j.write(ctx, "update run "+id,
		func(tx *sql.Tx) error { return j.filePullRequest(ctx, tx, id, pr) })
}

func (d *database) filePullRequest(ctx context.Context, tx *sql.Tx, run string, pr event.PullRequest) error {
	text, err := d.redactJSON(pr)
	if err != nil {
		return err
	}
	return one(tx.ExecContext(ctx, `UPDATE runs SET pull_request = ? WHERE id = ?`, text, run))
}

// FinishRun closes a run. Its tokens and cost are what the calls sum up to.
func (j *Journal) FinishRun(ctx context.Context, id string, o event.RunFinished) error {
	defer j.locks.release(id)
	return j.write(ctx, "close run "+id, func(tx *sql.Tx) error { return j.finishRun(ctx, tx, id, o) })
}

func (d *database) finishRun(ctx context.Context, tx *sql.Tx, id string, o event.RunFinished) error {
	pr := ""
	if o.PullRequest != nil {
		var err error
		if pr, err = d.redactJSON(o.PullRequest); err != nil {
			return err
		}
	}
	now := toMS(d.now())
	return one(tx.ExecContext(ctx, `UPDATE runs SET finished = ?, heartbeat = ?, outcome = ?, exit_code = ?, message = ?, hint = ?,
		branch = coalesce(nullif(?, ''), branch), commit_id = coalesce(nullif(?, ''), commit_id),
		pull_request = coalesce(nullif(?, ''), pull_request) WHERE id = ?`,
		now, now, o.Outcome, o.ExitCode, d.redact(o.Message), d.redact(o.Hint), o.Branch, o.Commit, pr, id))
}

// Resume makes this process the one at work on a run and opens it again. It is
// refused while another process is.
func (j *Journal) Resume(ctx context.Context, id string) error {
	rs, err := j.runs(ctx, `WHERE id = ?`, id)
	if err != nil {
		return err
	}
	if len(rs) == 0 {
		return noRun(id)
	}
	if err := j.locks.hold(ctx, id); errors.Is(err, errAtWork) {
		return fault.New(fault.Refused, "wait for it, or end that process",
			"run %s is at work in process %d on %s",
			id, rs[0].PID, rs[0].Host)
	} else if err != nil {
		return err
	}
	host, _ := os.Hostname()
	return j.write(ctx, "resume run "+id, func(tx *sql.Tx) error {
		// Nobody is left to settle what was open: it may have been paid for.
		if _, err := tx.ExecContext(ctx,
			`UPDATE spending SET state = 'lost' WHERE run = ? AND state = 'open'`, id); err != nil {
			return err
		}
		return one(tx.ExecContext(ctx, `UPDATE runs SET undone = 0, pid = ?, host = ?, heartbeat = ?,
			finished = 0, outcome = '', exit_code = 0, message = '', hint = '' WHERE id = ?`,
			os.Getpid(), host, toMS(j.now()), id))
	})
}

func noRun(id string) error {
	return fault.New(fault.Usage, "booty status lists the runs", "%s: %w", id, ErrNoRun)
}

// one wants a statement to have changed exactly one row.
func one(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return ErrNoRun
}

// setter gathers the columns of an UPDATE that have a value.
type setter struct {
	names []string
	args  []any
}

func (s *setter) add(name string, v any) {
	s.names, s.args = append(s.names, name+" = ?"), append(s.args, v)
}
func (s *setter) columns() string { return strings.Join(s.names, ", ") }

func (s *setter) text(name, v string) {
	if v != "" {
		s.add(name, v)
	}
}

func (s *setter) number(name string, v int64) {
	if v != 0 {
		s.add(name, v)
	}
}

// Filter says which runs are wanted; its zero value means all.
type Filter struct {
	Repo  string
	Since time.Time
	Limit int
}

// Latest is the name of the newest run wherever a run's name is asked for.
const Latest = "latest"

// Runs gives runs, newest first.
func (j *Journal) Runs(ctx context.Context, f Filter) ([]Run, error) {
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	return j.runs(ctx, `WHERE (? = '' OR repo = ?) AND started >= ? ORDER BY started DESC, id DESC LIMIT ?`,
		f.Repo, f.Repo, toMS(f.Since), limit)
}

// Run finds one run by its name, by a prefix of it that no other run has, or
// by Latest (also for an empty name). Latest means the newest in repo, or of
// all where repo is empty.
func (j *Journal) Run(ctx context.Context, name, repo string) (Run, error) {
	if name == "" || name == Latest {
		rs, err := j.Runs(ctx, Filter{Repo: repo, Limit: 1})
		if err == nil && len(rs) == 0 {
			err = fault.New(fault.Usage, "start one with booty run or booty refine",
				"%w", noneYet{})
		}
		if err != nil {
			return Run{}, err
		}
		return rs[0], nil
	}
	want := strings.ToLower(name)
	// A range instead of LIKE: it uses the index and knows no wildcards.
	rs, err := j.runs(ctx, `WHERE id >= ? AND id < ? ORDER BY id LIMIT 6`, want, want+"\x7f")
	if err != nil {
		return Run{}, err
	}
	switch {
	case len(rs) == 0:
		return Run{}, noRun(name)
	case len(rs) == 1 || rs[0].ID == want:
		return rs[0], nil
	}
	ids := make([]string, len(rs))
	for i, r := range rs {
		ids[i] = r.ID
	}
	return Run{}, fault.New(fault.Usage, "give more letters of the id", "%s names several runs: %s", name,
		strings.Join(ids, ", "))
}

// MarkUndone notes that what a run wrote in its checkout was taken back.
func (j *Journal) MarkUndone(ctx context.Context, id string) error {
	_, err := j.db.ExecContext(ctx, `UPDATE runs SET undone = 1 WHERE id = ?`, id)
	return j.explain("note that a run was undone", err)
}

// counted are the attempts that count, and the one under way.
const counted = `a.run = runs.id AND a.n > 0 AND (
	a.outcome IN ('` + event.Green + `', '` + event.Failing + `', '` + event.RolledBack + `') OR runs.finished = 0)`

const runColumns = `id, repo, repo_name, kind, task, task_text, branch, base, start_branch, start_commit, options,
	max_retries, pid, host, started, heartbeat, finished, outcome, exit_code, message, hint, commit_id, pull_request,
	undone,
	(SELECT count(*) FROM attempts a WHERE ` + counted + `), (SELECT coalesce(max(n), 0) FROM attempts a WHERE ` + counted + `),
	(SELECT coalesce(sum(input), 0) FROM calls c WHERE c.run = runs.id),
	(SELECT coalesce(sum(output), 0) FROM calls c WHERE c.run = runs.id), (SELECT coalesce(sum(cost), 0) FROM calls c WHERE c.run = runs.id),
	(SELECT coalesce(max(estimated), 0) FROM calls c WHERE c.run = runs.id),
	coalesce((SELECT model FROM calls c WHERE c.run = runs.id AND model <> '' ORDER BY id DESC LIMIT 1), '')`

func (j *Journal) runs(ctx context.Context, where string, args ...any) ([]Run, error) {
	rows, err := j.db.QueryContext(ctx, `SELECT `+runColumns+` FROM runs `+where, args...)
	if err != nil {
		return nil, j.explain("list runs", err)
	}
	defer func() { _ = rows.Close() }()
	var out []Run
	for rows.Next() {
		r, err := j.scanRun(rows)
		if err != nil {
			return nil, j.explain("read a run", err)
		}
		out = append(out, r)
	}
	return out, j.explain("list runs", rows.Err())
}

func (j *Journal) scanRun(rows *sql.Rows) (Run, error) {
	var r Run
	var task, options, pr string
	var started, beat, finished, cost int64
	err := rows.Scan(&r.ID, &r.Repo, &r.RepoName, &r.Kind, &task, &r.TaskText, &r.Branch, &r.Base,
		&r.StartBranch,
		&r.StartCommit,
		&options, &r.MaxRetries, &r.PID, &r.Host, &started, &beat, &finished,
		&r.Outcome, &r.ExitCode, &r.Message, &r.Hint, &r.Commit, &pr, &r.Undone,
		&r.Attempts, &r.AttemptsTotal, &r.InputTokens, &r.OutputTokens, &cost, &r.Estimated, &r.Model)
	if err != nil {
		return r, err
	}
	if err := errors.Join(fill(task, &r.Task), fill(pr, &r.PullRequest)); err != nil {
		return r, fmt.Errorf("run %s: %w", r.ID, err)
	}
	if options != "" {
		r.Options = json.RawMessage(options)
	}
	r.AttemptsTotal, r.CostUSD = max(r.AttemptsTotal, r.Attempts), fromNano(cost)
	r.Started, r.Heartbeat, r.Finished = fromMS(started), fromMS(beat), fromMS(finished)
	switch {
	case finished != 0:
		r.State = record.Finished
	case j.locks.atWork(r.ID):
		r.State = record.Running
	default:
		r.State = record.Interrupted
	}
	return r, nil
}

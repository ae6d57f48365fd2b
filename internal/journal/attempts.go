package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/event"
)

// Attempts and calls are recorded twice: once from the run's events (see
// Listener) and once by the parts that hold what no event carries, such as prompts.
// Both halves meet in one record, in either order: a half that comes fills the newest
// record of the same attempt and role that lacks it, else begins a new one.

// FinishAttempt records what is known of an attempt. Empty fields leave what
// stands as it is; a.Outcome closes the attempt.
func (j *Journal) FinishAttempt(ctx context.Context, a Attempt) error {
	return j.write(ctx, fmt.Sprintf("record attempt %d of %s", a.N, a.Run), func(tx *sql.Tx) error {
		return j.putAttempt(ctx, tx, a)
	})
}

func (d *database) putAttempt(ctx context.Context, tx *sql.Tx, a Attempt) error {
	now := toMS(d.now())
	started := now
	if !a.Started.IsZero() {
		started = toMS(a.Started)
	}
	if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO attempts (run, n, started) VALUES (?, ?, ?)`,
		a.Run,
		a.N, started); err != nil {
		return err
	}
	files, refused := "", ""
	var err error
	if a.Files != nil {
		if files, err = d.redactJSON(a.Files); err != nil {
			return err
		}
	}
	if a.Refused != nil {
		if refused, err = d.redactJSON(a.Refused); err != nil {
			return err
		}
	}
	set := setter{}
	set.text("role", a.Role)
	set.text("summary", d.redact(a.Summary))
	set.text("prose", d.redact(a.Prose))
	set.text("files", files)
	set.text("signature", a.Signature)
	set.text("patch_hash", a.PatchHash)
	set.text("checkpoint", a.Checkpoint)
	set.text("diff", a.Diff)
	set.text("refused", refused)
	set.number("finished", toMS(a.Finished))
	if a.Outcome != "" {
		set.add("outcome", a.Outcome)
		set.add("failing", a.Failing)
		set.add("trouble", a.Trouble)
		if a.Finished.IsZero() {
			set.add("finished", now)
		}
	}
	if len(set.names) == 0 {
		return nil
	}
	return one(tx.ExecContext(ctx, `UPDATE attempts SET `+set.columns()+` WHERE run = ? AND n = ?`,
		append(set.args, a.Run, a.N)...))
}

// checkResult is what of a check is kept as JSON.
type checkResult struct {
	Passed     bool            `json:"passed"`
	ExitCode   int             `json:"exit_code"`
	TimedOut   bool            `json:"timed_out"`
	DurationMS int64           `json:"duration_ms"`
	Counts     event.Counts    `json:"counts"`
	Failures   []event.Failure `json:"failures"`
	Note       string          `json:"note,omitempty"`
}

// AddCheck records a check; its log is a blob.
func (j *Journal) AddCheck(ctx context.Context, c Check) error {
	at := j.now()
	if !c.At.IsZero() {
		at = c.At
	}
	result, err := j.redactJSON(checkResult{c.Passed, c.ExitCode, c.TimedOut, c.DurationMS, c.Counts,
		c.Failures, c.Note})
	if err != nil {
		return err
	}
	return j.write(ctx, fmt.Sprintf("record check %s of %s", c.Name, c.Run), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO checks (run, attempt, name, kind, command, at, result, log, distilled)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, c.Run, c.Attempt, j.redact(c.Name), c.Kind, j.redact(c.Command), toMS(at),
			result, c.Log, j.redact(c.Distilled))
		return err
	})
}

// LastGoodLog returns the last check in a repository that ran a command and passed, and its output, nil
// if it is no longer kept, or if the check is the one whose output the caller has. 0 is no check.
func (j *Journal) LastGoodLog(ctx context.Context, repo, command string, has int64) (int64, []byte, error) {
	var check int64
	var ref string
	err := j.db.QueryRowContext(ctx, `SELECT c.id, c.log FROM checks c JOIN runs r ON r.id = c.run
		WHERE r.repo = ? AND c.command = ? AND c.log <> '' AND json_extract(c.result, '$.passed')
		ORDER BY c.id DESC LIMIT 1`, repo, j.redact(command)).Scan(&check, &ref)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, nil, nil
	case err != nil:
		return 0, nil, j.explain("find the last good run of "+command, err)
	case check == has:
		return check, nil, nil
	}
	log, err := j.Blobs.Read(ctx, ref)
	if errors.Is(err, errPruned) {
		return check, nil, nil
	}
	return check, log, err
}

// AddCall records what no event carries of a call: names of prompt and reply,
// and how it failed. Fields that are empty leave those told by events.
func (j *Journal) AddCall(ctx context.Context, c Call) error {
	return j.write(ctx, "record a call of "+c.Run, func(tx *sql.Tx) error {
		return j.putCall(ctx, tx, c, "attached", 1, `attached = 0`)
	})
}

// perTokenCalls is how many calls a model's pieces per token are taken from, the
// newest; smaller ones than leastCall tokens say little.
const perTokenCalls, leastCall = 20, 500

// PiecesPerToken is what replies of a model told of how many pieces of a request (package
// tokens) it counts as one token: those of the run, whose requests are mostly the same text,
// and until it has one the last of all runs; 0 where none has.
func (j *Journal) PiecesPerToken(ctx context.Context, run, provider, model string) (float64, error) {
	ofRun, err := j.piecesPerToken(ctx, provider, model, "AND run = ?", run)
	if err != nil || ofRun > 0 {
		return ofRun, err
	}
	return j.piecesPerToken(ctx, provider, model, "")
}

// piecesPerToken sums the newest calls of a model, of which SQL chooses some.
func (d *database) piecesPerToken(ctx context.Context, provider, model, which string,
	args ...any) (float64, error) {
	var pieces, tokens int64
	args = slices.Concat([]any{model, provider, leastCall}, args, []any{perTokenCalls})
	err := d.db.QueryRowContext(ctx, `SELECT COALESCE(SUM(pieces), 0), COALESCE(SUM(input), 0) FROM (
		SELECT pieces, input FROM calls
		WHERE model = ? AND provider = ? AND estimated = 0 AND pieces > 0 AND input >= ? `+which+`
		ORDER BY id DESC LIMIT ?)`, args...).Scan(&pieces, &tokens)
	if err != nil {
		return 0, d.explain("read how "+model+" counts", err)
	}
	if tokens == 0 {
		return 0, nil
	}
	return float64(pieces) / float64(tokens), nil
}

// A call is told in two events: told is 1 after the request, 2 after the reply.
const (
	toldRequest = 1
	toldReply   = 2
)

// putCall sets the column half of a call to value; lacking says, in SQL, which
// records can take it.
func (d *database) putCall(ctx context.Context, tx *sql.Tx, c Call, half string, value int,
	lacking string) error {
	at := d.now()
	if !c.At.IsZero() {
		at = c.At
	}
	var id int64
	err := tx.QueryRowContext(ctx,
		`SELECT id FROM calls WHERE run = ? AND attempt = ? AND role = ? AND `+lacking+` ORDER BY id DESC LIMIT 1`,
		c.Run, c.Attempt, c.Role).Scan(&id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		res, err := tx.ExecContext(ctx,
			`INSERT INTO calls (run, attempt, role, at, told, attached) VALUES (?, ?, ?, ?, 0, 0)`,
			c.Run, c.Attempt, c.Role, toMS(at))
		if err != nil {
			return err
		}
		if id, err = res.LastInsertId(); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	set := setter{}
	set.add(half, value)
	set.text("provider", c.Provider)
	set.text("model", d.redact(c.Model))
	set.number("guess", int64(c.GuessTokens))
	set.number("pieces", int64(c.Pieces))
	set.number("input", int64(c.InputTokens))
	set.number("output", int64(c.OutputTokens))
	set.number("cached", int64(c.CachedTokens))
	set.number("written", int64(c.CacheWriteTokens))
	set.number("cost", toNano(c.CostUSD))
	set.number("saved", signedNano(c.SavedUSD))
	set.number("duration_ms", c.DurationMS)
	if c.Estimated {
		set.add("estimated", true)
	}
	set.text("error", d.redact(c.Error))
	set.text("prompt", c.Prompt)
	set.text("reply", c.Reply)
	return one(tx.ExecContext(ctx, `UPDATE calls SET `+set.columns()+` WHERE id = ?`,
		append(set.args, id)...))
}

func (d *database) putNote(ctx context.Context, tx *sql.Tx, run string, n Note) error {
	at := d.now()
	if !n.At.IsZero() {
		at = n.At
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO notes (run, attempt, kind, text, at) VALUES (?, ?, ?, ?, ?)`,
		run, n.Attempt, n.Kind, d.redact(n.Text), toMS(at))
	return err
}

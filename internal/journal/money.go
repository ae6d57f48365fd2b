package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal/record"
)

// Spending. Before a call its worst case is reserved, afterwards the reservation
// is settled at the price, or released where the call cost nothing. What counts
// against a limit is the sum of settled prices and of the worst cases of all
// open reservations, of whatever process. So a process that dies between the
// call and its settlement leaves its worst case counted, once: the call may have
// been paid for, nobody can tell. Such a reservation is shown as unsettled.
//
// Day and week are windows that roll: the last 24 hours and the last 7 times 24
// hours, from the moment of asking. A call belongs to the moment in which it was
// reserved, and leaves a window when that is its length ago. Both span all
// checkouts of the user; a run's limit also holds over its resumptions.
//
// A limit of 0 is no limit. A call whose worst case is 0 (a model on this
// machine) is always allowed.

// warnAt is the part of a limit at which a warning is due.
const warnAt = 0.8

// Ledger is the money of all runs. Its methods may be called from any goroutine.
type Ledger struct {
	*database
	locks *locks
}

// Limits are what may be spent, in USD.
type Limits struct {
	RunUSD, DayUSD, WeekUSD float64
}

// Reservation is a call about to be made.
type Reservation struct {
	Run      string
	WorstUSD float64
	Limits   Limits
}

// Warning is due once a period and limit.
type Warning = event.BudgetWarning

// LimitError says which limit a call could have passed.
type LimitError struct {
	Period   string // run, day, week
	UsedUSD  float64
	WorstUSD float64
	LimitUSD float64
	LeftUSD  float64
	Resets   time.Time // when the oldest spending leaves the window; zero for a run
}

func (e *LimitError) Error() string {
	s := fmt.Sprintf("the %s limit of %s could be passed: %s used, %s left, the next call may cost %s",
		e.Period, usd(e.LimitUSD), usd(e.UsedUSD), usd(e.LeftUSD), usd(e.WorstUSD))
	if !e.Resets.IsZero() {
		s += "; the oldest of it counts no more from " + e.Resets.UTC().Format("Mon 2006-01-02 15:04 MST")
	}
	return s
}

func usd(v float64) string {
	if v != 0 && math.Abs(v) < 0.01 {
		return fmt.Sprintf("%.4f USD", v)
	}
	return fmt.Sprintf("%.2f USD", v)
}

// Amounts are billionths of a dollar in the database: sums of them are exact.
const nano = 1e9

// maxUSD keeps every sum of amounts within 63 bits.
const maxUSD = 1e6

func toNano(v float64) int64 { return int64(math.Round(min(max(v, 0), maxUSD) * nano)) }

// signedNano is for what may be below nothing.
func signedNano(v float64) int64 { return int64(math.Round(min(max(v, -maxUSD), maxUSD) * nano)) }

// ceilNano rounds a worst case up. The small part taken off first is the noise
// of the multiplication, not money.
func ceilNano(v float64) int64 { return int64(math.Ceil(min(max(v, 0), maxUSD)*nano - 1e-3)) }

func fromNano(n int64) float64 { return float64(n) / nano }

// Reserve sets the worst case of a call aside, in one transaction over all
// processes. It fails with a LimitError (kind fault.Budget) if a limit could be
// passed; then nothing is reserved. Warnings are those newly due.
func (m *Ledger) Reserve(ctx context.Context, r Reservation) (id int64, warnings []Warning, err error) {
	if err := r.check(); err != nil {
		return 0, nil, err
	}
	worst := ceilNano(r.WorstUSD)
	err = m.write(ctx, "reserve money", func(tx *sql.Tx) error {
		id, warnings = 0, nil
		now := m.now()
		if err := m.room(ctx, tx, now, r); err != nil {
			return err
		}
		if warnings, err = m.warnings(ctx, tx, r.Run, r.Limits); err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `INSERT INTO spending (run, state, worst, at, run_limit, day_limit, week_limit)
			VALUES (?, 'open', ?, ?, ?, ?, ?)`, r.Run, worst, toMS(now),
			toNano(r.Limits.RunUSD), toNano(r.Limits.DayUSD), toNano(r.Limits.WeekUSD))
		if err != nil {
			return err
		}
		id, err = res.LastInsertId()
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	return id, warnings, nil
}

func (r Reservation) check() error {
	for _, v := range []float64{r.WorstUSD, r.Limits.RunUSD, r.Limits.DayUSD, r.Limits.WeekUSD} {
		if math.IsNaN(v) || v < 0 || v > maxUSD {
			return fault.New(fault.Usage, "amounts are USD between 0 and 1,000,000",
				"%v is not an amount of money", v)
		}
	}
	return nil
}

// Afford reports whether a call could be made now, without reserving it: a
// LimitError where it could pass a limit.
func (m *Ledger) Afford(ctx context.Context, r Reservation) error {
	if err := r.check(); err != nil {
		return err
	}
	return m.explain("add up spending", m.room(ctx, m.db, m.now(), r))
}

// room is a LimitError where a call could pass a limit.
func (m *Ledger) room(ctx context.Context, q queries, now time.Time, r Reservation) error {
	worst := ceilNano(r.WorstUSD)
	for _, p := range periodsAt(now, r.Run, r.Limits) {
		used, err := p.used(ctx, q)
		if err != nil {
			return err
		}
		if p.limit > 0 && worst > 0 && used+worst > p.limit {
			return m.limitReached(ctx, q, p, used, worst)
		}
	}
	return nil
}

// warnings are those of all periods that are newly due.
func (m *Ledger) warnings(ctx context.Context, tx *sql.Tx, run string, l Limits) (due []Warning, err error) {
	for _, p := range periodsAt(m.now(), run, l) {
		used, err := p.used(ctx, tx)
		if err != nil {
			return nil, err
		}
		w, err := m.warnOnce(ctx, tx, p, used)
		if err != nil {
			return nil, err
		}
		due = append(due, w...)
	}
	return due, nil
}

// Left is what may still be spent under the narrowest of the limits; false
// where there is none.
func (m *Ledger) Left(ctx context.Context, run string, l Limits) (usd float64, limited bool, err error) {
	var least int64
	for _, p := range periodsAt(m.now(), run, l) {
		if p.limit <= 0 {
			continue
		}
		used, err := p.used(ctx, m.db)
		if err != nil {
			return 0, false, m.explain("add up spending", err)
		}
		if left := max(p.limit-used, 0); !limited || left < least {
			least, limited = left, true
		}
	}
	return fromNano(least), limited, nil
}

func (m *Ledger) limitReached(ctx context.Context, q queries, p period, used, worst int64) error {
	resets, err := p.resets(ctx, q)
	if err != nil {
		return err
	}
	e := &LimitError{
		Period: p.name, UsedUSD: fromNano(used), WorstUSD: fromNano(worst), LimitUSD: fromNano(p.limit),
		LeftUSD: fromNano(max(p.limit-used, 0)), Resets: resets,
	}
	hint := "raise budget." + p.name + "_usd, or wait until older spending counts no more"
	if p.name == "run" {
		hint = "raise it with --budget USD or budget.run_usd, then booty resume goes on"
	}
	return &fault.Error{Kind: fault.Budget, Hint: hint, Err: e}
}

// errSettled is wrapped where a reservation was closed before.
var errSettled = errors.New("already settled")

// Settle closes a reservation at its price and gives the warnings newly due.
// The price may be above the worst case; it is recorded as it is.
func (m *Ledger) Settle(ctx context.Context, id int64, actualUSD float64) ([]Warning, error) {
	if math.IsNaN(actualUSD) || actualUSD < 0 || actualUSD > maxUSD {
		return nil, fmt.Errorf("settle: %v is no amount of money", actualUSD)
	}
	var warnings []Warning
	err := m.write(ctx, "settle a call", func(tx *sql.Tx) error {
		warnings = nil
		if err := closeReservation(tx.ExecContext(ctx, `UPDATE spending SET state = 'settled', actual = ?
			WHERE id = ? AND state = 'open'`, toNano(actualUSD), id)); err != nil {
			return err
		}
		var run string
		var runLimit, day, week int64
		err := tx.QueryRowContext(ctx,
			`SELECT run, run_limit, day_limit, week_limit FROM spending WHERE id = ?`, id).
			Scan(&run, &runLimit, &day, &week)
		if err != nil {
			return err
		}
		limits := Limits{RunUSD: fromNano(runLimit), DayUSD: fromNano(day), WeekUSD: fromNano(week)}
		warnings, err = m.warnings(ctx, tx, run, limits)
		return err
	})
	if err != nil {
		return nil, err
	}
	return warnings, nil
}

// Release gives back the reservation of a call that cost nothing, such as one
// that never reached the provider.
func (m *Ledger) Release(ctx context.Context, id int64) error {
	return m.write(ctx, "release a reservation", func(tx *sql.Tx) error {
		return closeReservation(tx.ExecContext(ctx,
			`UPDATE spending SET state = 'released' WHERE id = ? AND state = 'open'`, id))
	})
}

func closeReservation(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return errSettled
}

// warnOnce reports a period that has come to the warning mark of its limit: once
// a run, and once within the length of a window.
func (m *Ledger) warnOnce(ctx context.Context, tx *sql.Tx, p period, used int64) ([]Warning, error) {
	if p.limit <= 0 || float64(used) < float64(p.limit)*warnAt {
		return nil, nil
	}
	now := toMS(m.now())
	res, err := tx.ExecContext(ctx, `INSERT INTO warned (period, key, max, at) VALUES (?, ?, ?, ?)
		ON CONFLICT (period, key, max) DO UPDATE SET at = excluded.at WHERE ? > 0 AND warned.at <= ?`,
		p.name, p.run, p.limit, now, p.length.Milliseconds(), now-p.length.Milliseconds())
	if err != nil {
		return nil, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return nil, err
	}
	return []Warning{{Period: p.name, Used: fromNano(used), Limit: fromNano(p.limit)}}, nil
}

// period is what has a limit: a run, or the time since begin.
type period struct {
	name   string
	run    string
	begin  time.Time
	length time.Duration
	limit  int64
}

const day = 24 * time.Hour

func periodsAt(now time.Time, run string, l Limits) []period {
	ps := []period{
		{name: "day", begin: now.Add(-day), length: day, limit: toNano(l.DayUSD)},
		{name: "week", begin: now.Add(-7 * day), length: 7 * day, limit: toNano(l.WeekUSD)},
	}
	if run != "" {
		ps = append([]period{{name: "run", run: run, limit: toNano(l.RunUSD)}}, ps...)
	}
	return ps
}

func (p period) where() (string, []any) {
	if p.run != "" {
		return `run = ?`, []any{p.run}
	}
	return `at > ?`, []any{toMS(p.begin)}
}

// queries is what a database and a transaction have in common.
type queries interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (p period) used(ctx context.Context, q queries) (int64, error) {
	where, args := p.where()
	var n int64
	err := q.QueryRowContext(ctx, `SELECT coalesce(sum(CASE state WHEN 'settled' THEN actual WHEN 'released' THEN 0 ELSE worst END), 0)
		FROM spending WHERE `+where, args...).Scan(&n)
	return n, err
}

// resets is when the oldest spending leaves the window; zero for a run, and
// where nothing was spent.
func (p period) resets(ctx context.Context, q queries) (time.Time, error) {
	if p.run != "" {
		return time.Time{}, nil
	}
	where, args := p.where()
	var oldest sql.NullInt64
	err := q.QueryRowContext(ctx, `SELECT min(at) FROM spending
		WHERE (state IN ('open', 'lost') AND worst > 0 OR state = 'settled' AND actual > 0) AND `+where, args...).Scan(&oldest)
	if err != nil || !oldest.Valid {
		return time.Time{}, err
	}
	return fromMS(oldest.Int64).Add(p.length), nil
}

// Usage tells how money stands: per day and week, and first per run if one is
// named.
func (m *Ledger) Usage(ctx context.Context, run string, l Limits) ([]Period, error) {
	var out []Period
	for _, p := range periodsAt(m.now(), run, l) {
		u, err := m.usage(ctx, p)
		if err != nil {
			return nil, m.explain("add up spending", err)
		}
		out = append(out, u)
	}
	return out, nil
}

func (m *Ledger) usage(ctx context.Context, p period) (Period, error) {
	u := Period{Period: p.name, LimitUSD: fromNano(p.limit), State: record.Available}
	var err error
	if u.Resets, err = p.resets(ctx, m.db); err != nil {
		return u, err
	}
	where, args := p.where()
	var settled int64
	err = m.db.QueryRowContext(ctx, `SELECT coalesce(sum(CASE state WHEN 'settled' THEN actual ELSE 0 END), 0),
		coalesce(sum(state != 'released' AND NOT elsewhere), 0), count(DISTINCT run) FROM spending WHERE `+where, args...).Scan(&settled, &u.Calls, &u.Runs)
	if err != nil {
		return u, err
	}
	reserved, unsettled, err := m.openAmounts(ctx, where, args)
	if err != nil {
		return u, err
	}
	used := settled + reserved + unsettled
	u.UsedUSD, u.ReservedUSD, u.UnsettledUSD = fromNano(used), fromNano(reserved), fromNano(unsettled)
	if p.limit > 0 {
		u.LeftUSD = fromNano(max(p.limit-used, 0))
		u.Percent = float64(used) / float64(p.limit) * 100
		switch {
		case used >= p.limit:
			u.State = record.Reached
		case u.Percent >= 100*warnAt:
			u.State = record.Warned
		}
	}
	return u, nil
}

// openAmounts sums the open reservations of runs at work and of those that have ended.
func (m *Ledger) openAmounts(ctx context.Context, where string,
	args []any) (reserved, unsettled int64, err error) {
	rows, err := m.db.QueryContext(ctx,
		`SELECT worst, run, state FROM spending WHERE state IN ('open', 'lost') AND `+where, args...)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var worst int64
		var run, state string
		if err := rows.Scan(&worst, &run, &state); err != nil {
			return 0, 0, err
		}
		if state == "open" && m.locks.atWork(run) {
			reserved += worst
		} else {
			unsettled += worst
		}
	}
	return reserved, unsettled, rows.Err()
}

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
// A day begins at 00:00 UTC, a week on Monday 00:00 UTC: the same for every
// process whatever its TZ, and without the hour that summer time takes or gives.
// A call belongs to the day in which it was reserved. Day and week span all
// checkouts of the user; a run's limit also holds over its resumptions.
//
// A limit of 0 is no limit. A call whose worst case is 0 (a model on this
// machine) is always allowed.

// Limits are what may be spent, in USD.
type Limits struct {
	RunUSD, DayUSD, WeekUSD float64
	// WarnPercent of a limit is where a warning is due; 0 means 80.
	WarnPercent int
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
	Resets   time.Time // zero for a run
}

func (e *LimitError) Error() string {
	s := fmt.Sprintf("the %s limit of %s could be passed: %s used, %s left, the next call may cost %s",
		e.Period, usd(e.LimitUSD), usd(e.UsedUSD), usd(e.LeftUSD), usd(e.WorstUSD))
	if !e.Resets.IsZero() {
		s += "; it begins anew at " + e.Resets.Format("Mon 2006-01-02 15:04 MST")
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

// ceilNano rounds a worst case up. The small part taken off first is the noise
// of the multiplication, not money.
func ceilNano(v float64) int64 { return int64(math.Ceil(min(max(v, 0), maxUSD)*nano - 1e-3)) }

func fromNano(n int64) float64 { return float64(n) / nano }

// Reserve sets the worst case of a call aside, in one transaction over all
// processes. It fails with a LimitError (kind fault.Budget) if a limit could be
// passed; then nothing is reserved. Warnings are those newly due.
func (j *Journal) Reserve(ctx context.Context, r Reservation) (id int64, warnings []Warning, err error) {
	if err := r.check(); err != nil {
		return 0, nil, err
	}
	worst := ceilNano(r.WorstUSD)
	err = j.write(ctx, "reserve money", func(tx *sql.Tx) error {
		id, warnings = 0, nil
		now := j.now()
		for _, p := range periodsAt(now, r.Run, r.Limits) {
			used, err := p.used(ctx, tx)
			if err != nil {
				return err
			}
			if p.limit > 0 && worst > 0 && used+worst > p.limit {
				return limitReached(p, used, worst)
			}
			w, err := j.warnOnce(ctx, tx, p, used, r.Limits.WarnPercent)
			if err != nil {
				return err
			}
			warnings = append(warnings, w...)
		}
		res, err := tx.ExecContext(ctx, `INSERT INTO spending (run, state, worst, at, pid, pid_start, host, run_limit, day_limit, week_limit, warn_percent)
			VALUES (?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?)`, r.Run, worst, toMS(now), j.self.pid, j.self.start, j.self.host,
			toNano(r.Limits.RunUSD), toNano(r.Limits.DayUSD), toNano(r.Limits.WeekUSD), r.Limits.WarnPercent)
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
			return fault.New(fault.Usage, "amounts are USD between 0 and 1,000,000", "%v is no amount of money", v)
		}
	}
	return nil
}

func limitReached(p period, used, worst int64) error {
	e := &LimitError{
		Period: p.name, UsedUSD: fromNano(used), WorstUSD: fromNano(worst), LimitUSD: fromNano(p.limit),
		LeftUSD: fromNano(max(p.limit-used, 0)), Resets: p.end,
	}
	hint := "raise budget." + p.name + "_usd, or wait until it begins anew"
	if p.name == "run" {
		hint = "raise it with --budget USD or budget.run_usd, then booty resume goes on"
	}
	return &fault.Error{Kind: fault.Budget, Hint: hint, Err: e}
}

// ErrSettled is wrapped where a reservation was closed before.
var ErrSettled = errors.New("already settled")

// Settlement is what a call came to.
type Settlement struct {
	ActualUSD                 float64
	InputTokens, OutputTokens int
	// Estimated says that the provider did not tell.
	Estimated bool
}

// Settle closes a reservation at its price and gives the warnings newly due.
// The price may be above the worst case; it is recorded as it is.
func (j *Journal) Settle(ctx context.Context, id int64, s Settlement) ([]Warning, error) {
	if math.IsNaN(s.ActualUSD) || s.ActualUSD < 0 || s.ActualUSD > maxUSD {
		return nil, fmt.Errorf("settle: %v is no amount of money", s.ActualUSD)
	}
	var warnings []Warning
	err := j.write(ctx, "settle a call", func(tx *sql.Tx) error {
		warnings = nil
		if err := closeReservation(tx.ExecContext(ctx, `UPDATE spending SET state = 'settled', actual = ?, input = ?, output = ?, estimated = ?,
			settled_at = ? WHERE id = ? AND state = 'open'`,
			toNano(s.ActualUSD), s.InputTokens, s.OutputTokens, s.Estimated, toMS(j.now()), id)); err != nil {
			return err
		}
		var run string
		var at, runLimit, day, week int64
		var percent int
		err := tx.QueryRowContext(ctx, `SELECT run, at, run_limit, day_limit, week_limit, warn_percent FROM spending WHERE id = ?`, id).
			Scan(&run, &at, &runLimit, &day, &week, &percent)
		if err != nil {
			return err
		}
		limits := Limits{RunUSD: fromNano(runLimit), DayUSD: fromNano(day), WeekUSD: fromNano(week)}
		for _, p := range periodsAt(fromMS(at), run, limits) {
			used, err := p.used(ctx, tx)
			if err != nil {
				return err
			}
			w, err := j.warnOnce(ctx, tx, p, used, percent)
			if err != nil {
				return err
			}
			warnings = append(warnings, w...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return warnings, nil
}

// Release gives back the reservation of a call that cost nothing, such as one
// that never reached the provider.
func (j *Journal) Release(ctx context.Context, id int64) error {
	return j.write(ctx, "release a reservation", func(tx *sql.Tx) error {
		return closeReservation(tx.ExecContext(ctx, `UPDATE spending SET state = 'released', settled_at = ? WHERE id = ? AND state = 'open'`,
			toMS(j.now()), id))
	})
}

func closeReservation(res sql.Result, err error) error {
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return ErrSettled
}

// warnOnce reports a period that has come to the warning mark of its limit, the
// first time it is seen to have.
func (j *Journal) warnOnce(ctx context.Context, tx *sql.Tx, p period, used int64, percent int) ([]Warning, error) {
	if p.limit <= 0 || float64(used) < float64(p.limit)*float64(warnAt(percent))/100 {
		return nil, nil
	}
	res, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO warned (period, key, max, at) VALUES (?, ?, ?, ?)`, p.name, p.key, p.limit, toMS(j.now()))
	if err != nil {
		return nil, err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return nil, err
	}
	return []Warning{{Period: p.name, Used: fromNano(used), Limit: fromNano(p.limit)}}, nil
}

func warnAt(percent int) int {
	if percent <= 0 {
		return 80
	}
	return percent
}

// period is a stretch that has a limit: a run, or the time from begin to end.
type period struct {
	name, key  string
	run        string
	begin, end time.Time
	limit      int64
}

func periodsAt(now time.Time, run string, l Limits) []period {
	now = now.UTC()
	day := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	week := day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
	ps := []period{
		{name: "day", key: day.Format(time.DateOnly), begin: day, end: day.AddDate(0, 0, 1), limit: toNano(l.DayUSD)},
		{name: "week", key: week.Format(time.DateOnly), begin: week, end: week.AddDate(0, 0, 7), limit: toNano(l.WeekUSD)},
	}
	if run != "" {
		ps = append([]period{{name: "run", key: run, run: run, limit: toNano(l.RunUSD)}}, ps...)
	}
	return ps
}

func (p period) where() (string, []any) {
	if p.run != "" {
		return `run = ?`, []any{p.run}
	}
	return `at >= ? AND at < ?`, []any{toMS(p.begin), toMS(p.end)}
}

func (p period) used(ctx context.Context, tx *sql.Tx) (int64, error) {
	where, args := p.where()
	var n int64
	err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(CASE state WHEN 'open' THEN worst WHEN 'settled' THEN actual ELSE 0 END), 0)
		FROM spending WHERE `+where, args...).Scan(&n)
	return n, err
}

// Usage tells how money stands: per day and week, and first per run if one is
// named.
func (j *Journal) Usage(ctx context.Context, run string, l Limits) ([]Period, error) {
	var out []Period
	for _, p := range periodsAt(j.now(), run, l) {
		u, err := j.usage(ctx, p, l.WarnPercent)
		if err != nil {
			return nil, j.explain("add up spending", err)
		}
		out = append(out, u)
	}
	return out, nil
}

func (j *Journal) usage(ctx context.Context, p period, percent int) (Period, error) {
	u := Period{Period: p.name, LimitUSD: fromNano(p.limit), Resets: p.end, State: record.Available}
	where, args := p.where()
	var settled int64
	err := j.db.QueryRowContext(ctx, `SELECT coalesce(sum(CASE state WHEN 'settled' THEN actual ELSE 0 END), 0),
		coalesce(sum(state != 'released'), 0), count(DISTINCT run) FROM spending WHERE `+where, args...).Scan(&settled, &u.Calls, &u.Runs)
	if err != nil {
		return u, err
	}
	reserved, unsettled, err := j.openAmounts(ctx, where, args)
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
		case u.Percent >= float64(warnAt(percent)):
			u.State = record.Warned
		}
	}
	return u, nil
}

// openAmounts sums the open reservations of processes at work and of those gone.
func (j *Journal) openAmounts(ctx context.Context, where string, args []any) (reserved, unsettled int64, err error) {
	rows, err := j.db.QueryContext(ctx, `SELECT worst, pid, pid_start, host, at FROM spending WHERE state = 'open' AND `+where, args...)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var worst, at int64
		var p process
		if err := rows.Scan(&worst, &p.pid, &p.start, &p.host, &at); err != nil {
			return 0, 0, err
		}
		if j.alive(p, fromMS(at)) {
			reserved += worst
		} else {
			unsettled += worst
		}
	}
	return reserved, unsettled, rows.Err()
}

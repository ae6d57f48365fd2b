package journal

import (
	"context"
	"time"

	"github.com/booty-cli/booty/internal/journal/record"
)

// Days gives what was spent on each of the last n days, the oldest first, today
// last. Days begin at midnight where now's clock stands; a call under way, or one
// that nobody knows the price of, counts at its worst case as it does against the
// limits.
func (j *Journal) Days(ctx context.Context, n int) ([]record.Day, error) {
	now := j.now()
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	days := make([]record.Day, n)
	var begins []int64
	for i := range days {
		day := midnight.AddDate(0, 0, i-n+1) // not 24 hours: clocks are changed
		days[i].Day = day.Format(time.DateOnly)
		begins = append(begins, toMS(day))
	}
	if n == 0 {
		return days, nil
	}
	rows, err := j.db.QueryContext(ctx, `SELECT at, CASE state WHEN 'settled' THEN actual ELSE worst END FROM spending
		WHERE at >= ? AND state IN ('settled', 'open') ORDER BY at`, begins[0])
	if err != nil {
		return nil, j.explain("read the spending", err)
	}
	defer func() { _ = rows.Close() }()
	sums := make([]int64, n)
	day := 0
	for rows.Next() {
		var at, amount int64
		if err := rows.Scan(&at, &amount); err != nil {
			return nil, j.explain("read the spending", err)
		}
		for day+1 < n && at >= begins[day+1] {
			day++
		}
		sums[day] += amount
	}
	for i := range days {
		days[i].UsedUSD = fromNano(sums[i])
	}
	return days, j.explain("read the spending", rows.Err())
}

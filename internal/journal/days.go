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
	for i := range days {
		from, to := midnight.AddDate(0, 0, i-n+1), midnight.AddDate(0, 0, i-n+2) // not 24 hours: clocks are changed
		days[i].Day = from.Format(time.DateOnly)
		var sum int64
		// Summed up by the database: a row of each call would cost more than all the rest.
		err := j.db.QueryRowContext(ctx, `SELECT coalesce(sum(CASE state WHEN 'settled' THEN actual ELSE worst END), 0) FROM spending
			WHERE at >= ? AND at < ? AND state <> 'released'`, toMS(from), toMS(to)).Scan(&sum)
		if err != nil {
			return nil, j.explain("read the spending", err)
		}
		days[i].UsedUSD = fromNano(sum)
	}
	return days, nil
}

package journal

import (
	"context"
	"database/sql"
	"math"
	"time"
)

// Elsewhere is what a run has cost by the word of another place than these records:
// the comments of the queue, which other machines write too.
type Elsewhere struct {
	Run string
	At  time.Time
	USD float64
}

// Learn takes down what these records lack of the cost of some runs, so that a limit
// holds for all machines together. Each run counts once, at the highest figure. It may
// be called again with newer figures; what is no amount of money is left out.
func (j *Journal) Learn(ctx context.Context, all []Elsewhere) error {
	if len(all) == 0 {
		return nil
	}
	return j.write(ctx, "take down what other machines have spent", func(tx *sql.Tx) error {
		for _, e := range all {
			if math.IsNaN(e.USD) || e.USD < 0 || e.Run == "" {
				continue
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM spending WHERE run = ? AND elsewhere`,
				e.Run); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO spending (run, state, worst, actual, at, elsewhere)
				SELECT ?1, 'settled', 0, ?2 - own, ?3, 1 FROM (SELECT coalesce(sum(
					CASE state WHEN 'settled' THEN actual WHEN 'released' THEN 0 ELSE worst END), 0) AS own
					FROM spending WHERE run = ?1) WHERE own < ?2`, e.Run, toNano(e.USD), toMS(e.At)); err != nil {
				return err
			}
		}
		return nil
	})
}

package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
)

// SaveStep records that a part of a run is finished, with what is needed to go
// on from there. A step saved again takes the place of the earlier one, as the
// newest: what is kept of a run does not grow with the number of saves. Strings in data are redacted like all else: what must come back
// byte for byte belongs into git.
func (j *Journal) SaveStep(ctx context.Context, run, step string, data any) error {
	text, err := j.redactJSON(data)
	if err != nil {
		return fmt.Errorf("step %s: %w", step, err)
	}
	return j.write(ctx, fmt.Sprintf("save step %s of %s", step, run), func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `DELETE FROM steps WHERE run = ? AND step = ?`, run,
			step); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO steps (run, step, data, at) VALUES (?, ?, ?, ?)`, run,
			step,
			text, toMS(j.now())); err != nil {
			return err
		}
		return one(tx.ExecContext(ctx, `UPDATE runs SET heartbeat = ? WHERE id = ?`, toMS(j.now()), run))
	})
}

// Steps gives the finished steps in the order they were last saved. They are
// pruned with the blobs.
func (j *Journal) Steps(ctx context.Context, run string) ([]Step, error) {
	var out []Step
	err := j.each(ctx, `SELECT step, data, at FROM steps WHERE run = ? ORDER BY id`, run, func(rows *sql.Rows) error {
		var s Step
		var data string
		var ms int64
		err := rows.Scan(&s.Name, &data, &ms)
		s.Data, s.At = json.RawMessage(data), fromMS(ms)
		out = append(out, s)
		return err
	})
	return out, err
}

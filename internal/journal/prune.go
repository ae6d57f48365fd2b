package journal

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"time"
)

const (
	// KeepFor is how long what a run left beside its record is kept.
	KeepFor    = 30 * 24 * time.Hour
	pruneEvery = 24 * time.Hour
)

// old are the runs whose blobs, event lines and steps go: by their last sign of
// life, so that one that is continued after weeks keeps what it has. Those
// that were interrupted, and the latest of each checkout, stay: resume needs
// what they have.
const old = `heartbeat < ? AND finished <> 0 AND outcome <> 'interrupted'
	AND id NOT IN (SELECT id FROM runs r WHERE started = (SELECT max(started) FROM runs x WHERE x.repo = r.repo))`

// prune takes away the blobs, event lines and steps of runs older than 30 days, at
// most once a day over all processes. Records stay: they are small, and status
// tells of old runs too. What cannot be removed today is tried again tomorrow.
func (j *Journal) prune(ctx context.Context) {
	now := j.now()
	due, err := j.pruneIsDue(ctx, now)
	if err != nil || !due {
		return
	}
	before := now.Add(-KeepFor)
	_ = j.write(ctx, "prune", func(tx *sql.Tx) error {
		for _, table := range []string{"events", "steps"} {
			if _, err := tx.ExecContext(ctx,
				`DELETE FROM `+table+` WHERE run IN (SELECT id FROM runs WHERE `+old+`)`,
				toMS(before)); err != nil {
				return err
			}
		}
		return nil
	})
	dirs, err := os.ReadDir(filepath.Join(j.dir, blobRoot))
	if err != nil {
		return
	}
	for _, d := range dirs {
		if ctx.Err() != nil {
			return
		}
		if validID(d.Name()) == nil && j.isOld(ctx, d, before) {
			_ = os.RemoveAll(filepath.Join(j.dir, blobRoot, d.Name()))
		}
	}
}

// pruneIsDue takes today's turn, if no process has.
func (j *Journal) pruneIsDue(ctx context.Context, now time.Time) (bool, error) {
	due := false
	err := j.write(ctx, "prune", func(tx *sql.Tx) error {
		var last int64
		err := tx.QueryRowContext(ctx,
			`SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'pruned'`).Scan(&last)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if due = now.Sub(fromMS(last)) >= pruneEvery; !due {
			return nil
		}
		_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO meta (key, value) VALUES ('pruned', ?)`,
			toMS(now))
		return err
	})
	return due, err
}

// isOld asks the record of a run; a directory without one (of a history moved
// aside, say) goes by its own time.
func (j *Journal) isOld(ctx context.Context, d os.DirEntry, before time.Time) bool {
	var isOld bool
	err := j.db.QueryRowContext(ctx, `SELECT `+old+` FROM runs WHERE id = ?`, toMS(before),
		d.Name()).Scan(&isOld)
	switch {
	case err == nil:
		return isOld
	case !errors.Is(err, sql.ErrNoRows):
		return false
	}
	info, err := d.Info()
	return err == nil && info.ModTime().Before(before)
}

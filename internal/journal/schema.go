package journal

import (
	"context"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/fault"
)

// schemaVersion lies in user_version.
const schemaVersion = 9

// errOldPreview means that a preview made the database, before the first release.
var errOldPreview = errors.New("made by an old preview")

// schema: amounts are whole billionths of a dollar, so that sums are exact.
const schema = `CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (
	id TEXT PRIMARY KEY,
	repo TEXT NOT NULL, repo_name TEXT NOT NULL, kind TEXT NOT NULL,
	task TEXT NOT NULL, task_text TEXT NOT NULL,
	branch TEXT NOT NULL, base TEXT NOT NULL, start_branch TEXT NOT NULL, start_commit TEXT NOT NULL,
	options TEXT NOT NULL, max_retries INTEGER NOT NULL,
	pid INTEGER NOT NULL, host TEXT NOT NULL,
	started INTEGER NOT NULL, heartbeat INTEGER NOT NULL, finished INTEGER NOT NULL DEFAULT 0,
	outcome TEXT NOT NULL DEFAULT '', exit_code INTEGER NOT NULL DEFAULT 0,
	message TEXT NOT NULL DEFAULT '', hint TEXT NOT NULL DEFAULT '',
	commit_id TEXT NOT NULL DEFAULT '', pull_request TEXT NOT NULL DEFAULT '',
	undone INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX runs_by_repo ON runs (repo, started);
CREATE INDEX runs_by_start ON runs (started);
CREATE TABLE attempts (
	run TEXT NOT NULL REFERENCES runs(id), n INTEGER NOT NULL,
	role TEXT NOT NULL DEFAULT '', outcome TEXT NOT NULL DEFAULT '', summary TEXT NOT NULL DEFAULT '',
	prose TEXT NOT NULL DEFAULT '', trouble TEXT NOT NULL DEFAULT '',
	files TEXT NOT NULL DEFAULT '', failing INTEGER NOT NULL DEFAULT 0,
	signature TEXT NOT NULL DEFAULT '', patch_hash TEXT NOT NULL DEFAULT '', checkpoint TEXT NOT NULL DEFAULT '',
	diff TEXT NOT NULL DEFAULT '', refused TEXT NOT NULL DEFAULT '',
	started INTEGER NOT NULL, finished INTEGER NOT NULL DEFAULT 0,
	PRIMARY KEY (run, n)
) WITHOUT ROWID;
CREATE TABLE checks (
	id INTEGER PRIMARY KEY,
	run TEXT NOT NULL REFERENCES runs(id), attempt INTEGER NOT NULL,
	name TEXT NOT NULL, kind TEXT NOT NULL, command TEXT NOT NULL DEFAULT '', at INTEGER NOT NULL,
	result TEXT NOT NULL DEFAULT '', log TEXT NOT NULL DEFAULT '', distilled TEXT NOT NULL DEFAULT ''
);
CREATE INDEX checks_by_run ON checks (run, attempt);
CREATE TABLE calls (
	id INTEGER PRIMARY KEY,
	run TEXT NOT NULL REFERENCES runs(id), attempt INTEGER NOT NULL,
	role TEXT NOT NULL, provider TEXT NOT NULL DEFAULT '', model TEXT NOT NULL DEFAULT '', at INTEGER NOT NULL,
	input INTEGER NOT NULL DEFAULT 0, output INTEGER NOT NULL DEFAULT 0, cached INTEGER NOT NULL DEFAULT 0,
	written INTEGER NOT NULL DEFAULT 0, guess INTEGER NOT NULL DEFAULT 0, pieces INTEGER NOT NULL DEFAULT 0,
	saved INTEGER NOT NULL DEFAULT 0, cost INTEGER NOT NULL DEFAULT 0, estimated INTEGER NOT NULL DEFAULT 0, duration_ms INTEGER NOT NULL DEFAULT 0,
	error TEXT NOT NULL DEFAULT '', prompt TEXT NOT NULL DEFAULT '', reply TEXT NOT NULL DEFAULT '',
	told INTEGER NOT NULL, attached INTEGER NOT NULL
);
CREATE INDEX calls_by_run ON calls (run, attempt);
CREATE TABLE notes (
	id INTEGER PRIMARY KEY, run TEXT NOT NULL REFERENCES runs(id), attempt INTEGER NOT NULL,
	kind TEXT NOT NULL, text TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE INDEX notes_by_run ON notes (run);
CREATE TABLE steps (
	id INTEGER PRIMARY KEY, run TEXT NOT NULL REFERENCES runs(id),
	step TEXT NOT NULL, data TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE INDEX steps_by_run ON steps (run, step);
CREATE TABLE events (
	id INTEGER PRIMARY KEY, run TEXT NOT NULL REFERENCES runs(id), at INTEGER NOT NULL, line TEXT NOT NULL
);
CREATE INDEX events_by_run ON events (run, id);
CREATE TABLE spending (
	id INTEGER PRIMARY KEY, run TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('open', 'lost', 'settled', 'released')),
	worst INTEGER NOT NULL, actual INTEGER NOT NULL DEFAULT 0,
	at INTEGER NOT NULL, elsewhere INTEGER NOT NULL DEFAULT 0, -- of another machine
	run_limit INTEGER NOT NULL DEFAULT 0, day_limit INTEGER NOT NULL DEFAULT 0,
	week_limit INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX spending_by_time ON spending (at);
CREATE INDEX spending_by_run ON spending (run);
CREATE TABLE warned (
	period TEXT NOT NULL, key TEXT NOT NULL, max INTEGER NOT NULL, at INTEGER NOT NULL,
	PRIMARY KEY (period, key, max)
) WITHOUT ROWID;
CREATE INDEX calls_by_model ON calls (model, id);`

// makeSchema makes the tables where there are none. The common case reads one number and
// takes no lock.
func (d *database) makeSchema(ctx context.Context) error {
	var version int
	if err := d.db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	switch {
	case version == schemaVersion:
		return nil
	case version > schemaVersion:
		return fault.New(fault.Usage, "upgrade booty, or set XDG_STATE_HOME to keep a separate history",
			"the run history in %s was written by a newer booty (version %d, this one knows %d)", d.dir, version, schemaVersion)
	case version > 0:
		return errOldPreview
	}
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx,
		schema+fmt.Sprintf("\nPRAGMA user_version = %d;", schemaVersion)); err != nil {
		return fmt.Errorf("make the tables: %w", err)
	}
	return tx.Commit()
}

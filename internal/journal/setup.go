package journal

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
)

// SetupDone is what is known of the last time that a checkout's setup succeeded.
type SetupDone struct {
	// Inputs is a digest of what the setup depends on.
	Inputs string `json:"inputs"`
	// Folders are those that it made, as paths below the root.
	Folders []string `json:"folders,omitempty"`
}

// SaveSetup keeps when the setup in a folder has succeeded; the zero value forgets it.
func (j *Journal) SaveSetup(ctx context.Context, root string, done SetupDone) error {
	text, err := json.Marshal(done)
	if err != nil {
		return err
	}
	return j.write(ctx, "keep that the setup succeeded", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)`, "setup "+root,
			string(text))
		return err
	})
}

// Setup gives the last success of the setup in a folder, false where none is known.
func (j *Journal) Setup(ctx context.Context, root string) (SetupDone, bool, error) {
	var text string
	err := j.db.QueryRowContext(ctx, `SELECT value FROM meta WHERE key = ?`, "setup "+root).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return SetupDone{}, false, nil
	}
	if err != nil {
		return SetupDone{}, false, j.explain("read when the setup succeeded", err)
	}
	var done SetupDone
	err = json.Unmarshal([]byte(text), &done)
	return done, err == nil && done.Inputs != "", nil
}

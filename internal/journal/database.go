package journal

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite" // also registers the driver

	"github.com/booty-cli/booty/internal/fault"
)

// database is the file, and all that its parts need: the clock, and the way of text into it.
type database struct {
	db     *sql.DB
	dir    string
	now    func() time.Time
	redact func(string) string
	warn   func(string)
}

const dbName = "booty.db"

func (d *database) notice(format string, args ...any) {
	if d.warn != nil {
		d.warn(d.redact(fmt.Sprintf(format, args...)))
	}
}

func (d *database) prepareDir() error {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return d.unwritable(err)
	}
	// An older or careless directory is closed to others; someone else's is an error below.
	if st, err := os.Stat(d.dir); err == nil && st.Mode().Perm()&0o077 != 0 {
		_ = os.Chmod(d.dir, 0o700)
	}
	return nil
}

// prepareFile makes the database, empty, since SQLite gives its side files the
// mode that this one has. One that is there is not opened: to close any of a
// process's descriptors of a file gives up the locks that SQLite holds on it
// (https://www.sqlite.org/howtocorrupt.html, on locks canceled by a close).
func (d *database) prepareFile() error {
	if st, err := os.Stat(d.dbPath()); err == nil {
		if st.Mode().IsRegular() && st.Mode().Perm() != 0o600 {
			_ = os.Chmod(d.dbPath(), 0o600) // someone else's is an error when it is opened
		}
		return nil
	}
	f, err := os.OpenFile(d.dbPath(), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process was first
	}
	if err != nil {
		return d.unwritable(err)
	}
	return f.Close()
}

func (d *database) unwritable(err error) error {
	return fault.New(fault.Usage, "set XDG_STATE_HOME to a directory you can write",
		"keep the run history in %s: %w", d.dir, err)
}

func (d *database) dbPath() string { return filepath.Join(d.dir, dbName) }

// dsn asks for: waiting for other processes before anything else, write-ahead
// logging, a sync for each commit (money is recorded here), and transactions
// that take the write lock at once, since one that reads first and writes later
// fails instead of waiting.
func dsn(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // file:///C:/...
	}
	q := url.Values{
		"_pragma": {"busy_timeout(15000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "trusted_schema(0)"},
		"_txlock": {"immediate"},
	}
	return "file://" + (&url.URL{Path: p}).EscapedPath() + "?" + q.Encode()
}

// open connects, alone: SQLite finds the write-ahead log by its name, so nobody may connect
// while a damaged database is moved aside, and it refuses to turn the log on twice at once.
// (https://www.sqlite.org/howtocorrupt.html, on renaming a file while in use)
func (d *database) open(ctx context.Context) error {
	lock := flock.New(filepath.Join(d.dir, "open.lock"), flock.SetPermissions(0o600))
	waiting, cancel := context.WithTimeout(ctx, openPatience)
	defer cancel()
	if _, err := lock.TryLockContext(waiting, 5*time.Millisecond); err != nil {
		switch {
		case ctx.Err() != nil:
			return err
		case errors.Is(err, context.DeadlineExceeded):
			return fault.New(fault.Usage,
				"another booty opens it, or was stopped while it did; end that one and try again",
				"run history in %s: %s was not free for %s", d.dir, lock.Path(), openPatience)
		}
		return d.unwritable(err)
	}
	defer func() { _ = lock.Unlock() }()
	err := d.connect(ctx)
	if !isDamaged(err) && !errors.Is(err, errOldPreview) {
		return err
	}
	aside := fmt.Sprintf("%s.damaged-%s", d.dbPath(), d.now().UTC().Format("20060102T150405.000"))
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(d.dbPath()+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("move the damaged run history aside: %w", err)
		}
	}
	why := "was damaged"
	if errors.Is(err, errOldPreview) {
		why = "is that of an old preview"
	}
	if err := d.connect(ctx); err != nil {
		return err
	}
	d.notice("the run history %s and has been moved to %s; a new one begins, and so do the amounts counted against the day and week limits", why, aside)
	return nil
}

// openPatience is longer than it takes to connect while others do.
const openPatience = 30 * time.Second

// connect opens the database, made where there is none.
func (d *database) connect(ctx context.Context) error {
	if err := d.prepareFile(); err != nil {
		return err
	}
	abs, err := filepath.Abs(d.dbPath())
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", dsn(abs))
	if err != nil {
		return err
	}
	// One connection: SQLite has one writer, and pragmas belong to a connection.
	db.SetMaxOpenConns(1)
	db.SetConnMaxLifetime(0)
	db.SetMaxIdleConns(1)
	d.db = db
	if err := d.makeSchema(ctx); err != nil {
		_ = db.Close()
		return err
	}
	return nil
}

// SQLite's primary result codes that are told apart.
const (
	codeBusy     = 5
	codeLocked   = 6
	codeReadOnly = 8
	codeIOErr    = 10
	codeCorrupt  = 11
	codeFull     = 13
	codeCantOpen = 14
	codeNotADB   = 26
)

// code gives SQLite's primary result code in err, 0 if there is none.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

func isDamaged(err error) bool { c := code(err); return c == codeCorrupt || c == codeNotADB }

// explain classifies what SQLite says, with a way out.
func (d *database) explain(doing string, err error) error {
	if err == nil {
		return nil
	}
	var known *fault.Error
	if errors.As(err, &known) {
		return err
	}
	kind := fault.Usage
	var hint string
	switch code(err) {
	case codeBusy, codeLocked:
		hint = "another booty holds it; try again"
	case codeReadOnly, codeCantOpen, codeIOErr:
		hint = "make " + d.dir + " writable, or set XDG_STATE_HOME to a directory on a local disk"
	case codeFull:
		kind, hint = fault.Environment, "free some disk space"
	case codeCorrupt, codeNotADB:
		hint = "move " + d.dbPath() + " away; booty begins a new one"
	default:
		return fmt.Errorf("run history: %s: %w", doing, err)
	}
	return fault.New(kind, hint, "run history in %s: %s: %w", d.dir, doing, err)
}

// write runs fn in one transaction that holds the write lock from its start.
func (d *database) write(ctx context.Context, doing string, fn func(*sql.Tx) error) error {
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return d.explain(doing, err)
	}
	defer func() { _ = tx.Rollback() }() // after Commit this does nothing
	if err := fn(tx); err != nil {
		return d.explain(doing, err)
	}
	return d.explain(doing, tx.Commit())
}

// Times are stored as milliseconds since 1970, 0 for none.
func toMS(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMS(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// Package journal remembers runs: what was tried, what the checks said, what it
// cost, and how far a run came. It is one SQLite file for all checkouts of a
// user, safe for several processes at once, and the only place where spending
// limits are decided.
//
// Words. A run is one start of the loop; an attempt one proposal of it; a check
// one subprocess; a call one request to a model; a step a finished part that
// resume need not repeat; a blob a compressed file beside the database (log,
// prompt, reply, diff) under runs/<run>/. Blobs go after 30 days.
//
// Promises. Text is stored only after it went through Options.Redact. A write
// that returned has reached the disk. A database of a newer booty is refused
// and left alone; a damaged one, or that of an old preview, is moved aside with a notice. The file is 0600
// in a directory of 0700.
//
// What comes in: events, and the records of calls, checks and steps. What goes out: the
// same as plain data (package record), and whether a call may be paid for. It never
// decides about the loop, prints, or starts a process. It
// is made for a local disk: SQLite's locks are not to be trusted on network
// file systems, so XDG_STATE_HOME must not lie on one that several machines use
// at once.
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
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite" // also registers the driver

	"github.com/booty-cli/booty/internal/fault"
)

// Options say where and how to open. Every field may be left empty.
type Options struct {
	// Dir is the state directory; DefaultDir() where empty.
	Dir string
	// Now is the clock.
	Now func() time.Time
	// Redact takes secrets out of all text before it is stored.
	Redact func(string) string
	// Warn gets what the user should know and no error carries: a damaged
	// file moved aside, a record that could not be written.
	Warn func(string)
}

// Journal is an open database. Its methods may be called from any goroutine.
type Journal struct {
	db     *sql.DB
	dir    string
	now    func() time.Time
	redact func(string) string
	warn   func(string)

	mu   sync.Mutex
	held map[string]*flock.Flock // of the runs that this process is at work on
}

const dbName = "booty.db"

// DefaultDir is where the journal lies unless told otherwise:
// $XDG_STATE_HOME/booty, else ~/.local/state/booty, on Windows
// %LOCALAPPDATA%\booty\state.
func DefaultDir() (string, error) {
	if d := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "booty"), nil // the XDG rules say to ignore a relative path
	}
	if runtime.GOOS == "windows" {
		if d := os.Getenv("LOCALAPPDATA"); d != "" {
			return filepath.Join(d, "booty", "state"), nil
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fault.New(fault.Usage, "set XDG_STATE_HOME to a directory you can write",
			"find a place for the run history: %w", err)
	}
	return filepath.Join(home, ".local", "state", "booty"), nil
}

// Open opens the journal, made where there is none.
func Open(ctx context.Context, o Options) (*Journal, error) {
	if o.Dir == "" {
		dir, err := DefaultDir()
		if err != nil {
			return nil, err
		}
		o.Dir = dir
	}
	j := &Journal{dir: o.Dir, now: o.Now, redact: o.Redact, warn: o.Warn, held: map[string]*flock.Flock{}}
	if j.now == nil {
		j.now = time.Now
	}
	if j.redact == nil {
		j.redact = func(s string) string { return s }
	}
	if err := j.prepareDir(); err != nil {
		return nil, err
	}
	if err := j.open(ctx); err != nil {
		return nil, j.explain("open", err)
	}
	return j, nil
}

// Close closes the database, and ends the work on all runs.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, lock := range j.held {
		_ = lock.Unlock()
	}
	clear(j.held)
	return j.db.Close()
}

// Dir is the state directory.
func (j *Journal) Dir() string { return j.dir }

func (j *Journal) notice(format string, args ...any) {
	if j.warn != nil {
		j.warn(j.redact(fmt.Sprintf(format, args...)))
	}
}

func (j *Journal) prepareDir() error {
	if err := os.MkdirAll(j.dir, 0o700); err != nil {
		return j.unwritable(err)
	}
	// An older or careless directory is closed to others; someone else's is an error below.
	if st, err := os.Stat(j.dir); err == nil && st.Mode().Perm()&0o077 != 0 {
		_ = os.Chmod(j.dir, 0o700)
	}
	return nil
}

// prepareFile makes the database, empty, since SQLite gives its side files the
// mode that this one has. One that is there is not opened: to close any of a
// process's descriptors of a file gives up the locks that SQLite holds on it
// (https://www.sqlite.org/howtocorrupt.html, on locks canceled by a close).
func (j *Journal) prepareFile() error {
	if st, err := os.Stat(j.dbPath()); err == nil {
		if st.Mode().IsRegular() && st.Mode().Perm() != 0o600 {
			_ = os.Chmod(j.dbPath(), 0o600) // someone else's is an error when it is opened
		}
		return nil
	}
	f, err := os.OpenFile(j.dbPath(), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil // another process was first
	}
	if err != nil {
		return j.unwritable(err)
	}
	return f.Close()
}

func (j *Journal) unwritable(err error) error {
	return fault.New(fault.Usage, "set XDG_STATE_HOME to a directory you can write",
		"keep the run history in %s: %w", j.dir, err)
}

func (j *Journal) dbPath() string { return filepath.Join(j.dir, dbName) }

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
func (j *Journal) open(ctx context.Context) error {
	lock := flock.New(filepath.Join(j.dir, "open.lock"), flock.SetPermissions(0o600))
	waiting, cancel := context.WithTimeout(ctx, openPatience)
	defer cancel()
	if _, err := lock.TryLockContext(waiting, 5*time.Millisecond); err != nil {
		switch {
		case ctx.Err() != nil:
			return err
		case errors.Is(err, context.DeadlineExceeded):
			return fault.New(fault.Usage,
				"another booty opens it, or was stopped while it did; end that one and try again",
				"run history in %s: %s was not free for %s", j.dir, lock.Path(), openPatience)
		}
		return j.unwritable(err)
	}
	defer func() { _ = lock.Unlock() }()
	err := j.connect(ctx)
	if !isDamaged(err) && !errors.Is(err, errOldPreview) {
		return err
	}
	aside := fmt.Sprintf("%s.damaged-%s", j.dbPath(), j.now().UTC().Format("20060102T150405.000"))
	for _, suffix := range []string{"-wal", "-shm", ""} {
		if err := os.Rename(j.dbPath()+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("move the damaged run history aside: %w", err)
		}
	}
	why := "was damaged"
	if errors.Is(err, errOldPreview) {
		why = "is that of an old preview"
	}
	if err := j.connect(ctx); err != nil {
		return err
	}
	j.notice("the run history %s and has been moved to %s; a new one begins, and so do the amounts counted against the day and week limits", why, aside)
	return nil
}

// openPatience is longer than it takes to connect while others do.
const openPatience = 30 * time.Second

// connect opens the database, made where there is none.
func (j *Journal) connect(ctx context.Context) error {
	if err := j.prepareFile(); err != nil {
		return err
	}
	abs, err := filepath.Abs(j.dbPath())
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
	j.db = db
	if err := j.makeSchema(ctx); err != nil {
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
func (j *Journal) explain(doing string, err error) error {
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
		hint = "make " + j.dir + " writable, or set XDG_STATE_HOME to a directory on a local disk"
	case codeFull:
		kind, hint = fault.Environment, "free some disk space"
	case codeCorrupt, codeNotADB:
		hint = "move " + j.dbPath() + " away; booty begins a new one"
	default:
		return fmt.Errorf("run history: %s: %w", doing, err)
	}
	return fault.New(kind, hint, "run history in %s: %s: %w", j.dir, doing, err)
}

// write runs fn in one transaction that holds the write lock from its start.
func (j *Journal) write(ctx context.Context, doing string, fn func(*sql.Tx) error) error {
	tx, err := j.db.BeginTx(ctx, nil)
	if err != nil {
		return j.explain(doing, err)
	}
	defer func() { _ = tx.Rollback() }() // after Commit this does nothing
	if err := fn(tx); err != nil {
		return j.explain(doing, err)
	}
	return j.explain(doing, tx.Commit())
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

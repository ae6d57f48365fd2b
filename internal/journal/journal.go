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
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"

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
	*database
	// Money is what calls cost and may cost.
	Money *Ledger
	// Blobs are the files that lie beside the records.
	Blobs *Blobs
	locks *locks
}

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
	d := &database{dir: o.Dir, now: o.Now, redact: o.Redact, warn: o.Warn}
	if d.now == nil {
		d.now = time.Now
	}
	if d.redact == nil {
		d.redact = func(s string) string { return s }
	}
	if err := d.prepareDir(); err != nil {
		return nil, err
	}
	if err := d.open(ctx); err != nil {
		return nil, d.explain("open", err)
	}
	l := &locks{database: d, held: map[string]*flock.Flock{}}
	return &Journal{database: d, Money: &Ledger{d, l}, Blobs: &Blobs{d}, locks: l}, nil
}

// Close closes the database, and ends the work on all runs.
func (j *Journal) Close() error {
	j.locks.releaseAll()
	return j.db.Close()
}

// Dir is the state directory.
func (j *Journal) Dir() string { return j.dir }

package journal

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

func TestDefaultDir(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", filepath.Join(t.TempDir(), "st ate"))
	if got, err := DefaultDir(); err != nil || got != filepath.Join(os.Getenv("XDG_STATE_HOME"), "booty") {
		t.Errorf("got %q, %v", got, err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	for _, v := range []string{"", "relative"} {
		t.Setenv("XDG_STATE_HOME", v)
		if got, err := DefaultDir(); err != nil || got != filepath.Join(home, ".local", "state", "booty") {
			t.Errorf("XDG_STATE_HOME=%q: got %q, %v", v, got, err)
		}
	}
}

func TestOddDirectoriesWork(t *testing.T) {
	t.Parallel()
	names := []string{"with space", "50% off #1", "ünïcode"}
	if runtime.GOOS != "windows" {
		names = append(names, "what?mode=memory&x", `back\slash`)
	}
	for _, name := range names {
		dir := filepath.Join(t.TempDir(), name)
		j := open(t, Options{Dir: dir})
		start(t, j, Run{})
		if st, err := os.Stat(filepath.Join(dir, "booty.db")); err != nil || st.Size() == 0 {
			t.Errorf("%q: the database is not where it was asked for: %v", name, err)
		}
	}
}

func TestReopeningFindsEverything(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, Options{Dir: dir})
	r := start(t, j, Run{})
	must(t, j.Close())
	j = open(t, Options{Dir: dir})
	if got, err := j.Run(t.Context(), r.ID, ""); err != nil || got.ID != r.ID {
		t.Errorf("got %+v, %v", got, err)
	}
	var mode, sync string
	must(t, j.db.QueryRowContext(t.Context(), "PRAGMA journal_mode").Scan(&mode))
	must(t, j.db.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&sync))
	if mode != "wal" || sync != "2" {
		t.Errorf("journal_mode %s, synchronous %s", mode, sync)
	}
}

func TestANewerDatabaseIsRefusedAndLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, Options{Dir: dir})
	start(t, j, Run{ID: "kept000000"})
	_, err := j.db.ExecContext(t.Context(), "PRAGMA user_version = 999")
	must(t, err)
	must(t, j.Close())
	_, err = Open(t.Context(), Options{Dir: dir})
	if fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "newer booty") || fault.HintOf(err) == "" {
		t.Errorf("got %v", err)
	}
	db, err := sql.Open("sqlite", dsn(filepath.Join(dir, "booty.db")))
	must(t, err)
	defer func() { _ = db.Close() }()
	var n int
	if err := db.QueryRowContext(t.Context(), "SELECT count(*) FROM runs").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d runs left, %v", n, err)
	}
}

func TestTablesAreMadeAtOnceAndOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	eight(t, "open", dir) // all of them make it at once
	j := open(t, Options{Dir: dir})
	start(t, j, Run{})
	// A database in which the tables cannot be made stays as it is.
	dir = t.TempDir()
	db, err := sql.Open("sqlite", dsn(filepath.Join(dir, "booty.db")))
	must(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE TABLE steps (x)")
	must(t, err)
	if _, err := Open(t.Context(), Options{Dir: dir}); err == nil {
		t.Fatal("a foreign table was taken for our own")
	}
	var v, tables int
	must(t, db.QueryRowContext(t.Context(), "PRAGMA user_version").Scan(&v))
	must(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM sqlite_schema WHERE type = 'table'").Scan(&tables))
	if v != 0 || tables != 1 {
		t.Errorf("version %d, %d tables after that failed", v, tables)
	}
	must(t, db.Close())
}

func TestADamagedDatabaseIsMovedAside(t *testing.T) {
	t.Parallel()
	damage := []struct {
		name string
		do   func(t *testing.T, file string, data []byte) []byte
	}{
		{"text instead of a database", func(*testing.T, string, []byte) []byte { return []byte(strings.Repeat("not a database\n", 500)) }},
		{"a broken header", func(_ *testing.T, _ string, d []byte) []byte { copy(d, "XXXXXXXXXXXXXXXX"); return d }},
		{"a schema full of garbage", func(_ *testing.T, _ string, d []byte) []byte {
			for i := 100; i < 4096; i++ {
				d[i] = 0xff
			}
			return d
		}},
	}
	for _, c := range damage {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "booty.db")
			j := open(t, Options{Dir: dir})
			start(t, j, Run{})
			must(t, j.Close())
			data, err := os.ReadFile(file)
			must(t, err)
			bad := c.do(t, file, data)
			must(t, os.WriteFile(file, bad, 0o600))
			var told []string
			j = open(t, Options{Dir: dir, Warn: func(s string) { told = append(told, s) }})
			start(t, j, Run{ID: "after00000"})
			if rs, err := j.Runs(t.Context(), Filter{}); err != nil || len(rs) != 1 {
				t.Errorf("%d runs, %v", len(rs), err)
			}
			if len(told) != 1 || !strings.Contains(told[0], "damaged") {
				t.Errorf("told %q", told)
			}
			aside, err := filepath.Glob(filepath.Join(dir, "booty.db.damaged-*"))
			must(t, err)
			if len(aside) != 1 {
				t.Fatalf("moved aside: %q", aside)
			}
			if kept, err := os.ReadFile(aside[0]); err != nil || string(kept) != string(bad) {
				t.Errorf("the damaged file was changed: %v", err)
			}
		})
	}
}

func TestEightProcessesMeetADamagedDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "booty.db"), []byte(strings.Repeat("garbage", 1000)), 0o600))
	eight(t, "record", dir)
	j := open(t, Options{Dir: dir})
	if rs, err := j.Runs(t.Context(), Filter{}); err != nil || len(rs) != 8 {
		t.Errorf("%d runs, %v: a process moved another's new file away", len(rs), err)
	}
}

// SQLite finds the log by its name: who has the old file open must not meet the
// new file's log, nor the new file be made while one connects.
func TestNobodyConnectsBesideAnother(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	other := flock.New(filepath.Join(dir, "open.lock"))
	must(t, other.Lock())
	ctx, cancel := context.WithTimeout(t.Context(), time.Second) // only the lock may take that long
	defer cancel()
	if _, err := Open(ctx, Options{Dir: dir}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	must(t, other.Unlock())
	start(t, open(t, Options{Dir: dir}), Run{})
}

func TestTheHistoryOfAnOldPreviewIsMovedAside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, Options{Dir: dir})
	_, err := j.db.ExecContext(t.Context(), "PRAGMA user_version = 8")
	must(t, err)
	must(t, j.Close())
	var told []string
	start(t, open(t, Options{Dir: dir, Warn: func(s string) { told = append(told, s) }}), Run{})
	aside, _ := filepath.Glob(filepath.Join(dir, "booty.db.damaged-*"))
	if len(aside) == 0 || len(told) != 1 || !strings.Contains(told[0], "preview") {
		t.Errorf("moved %q, told %q", aside, told)
	}
}

func TestDamageFoundLaterIsAnErrorWithAWayOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, Options{Dir: dir})
	run := start(t, j, Run{})
	l := j.Listener(run.ID)
	for range 300 {
		l.Handle(event.Notice{Message: strings.Repeat("x", 500)})
	}
	must(t, j.Close())
	file := filepath.Join(dir, "booty.db")
	data, err := os.ReadFile(file)
	must(t, err)
	for i := len(data) / 2; i < len(data); i++ {
		data[i] = 0xa5
	}
	must(t, os.WriteFile(file, data, 0o600))
	j = open(t, Options{Dir: dir})
	_, err = j.Detail(t.Context(), run.ID, "")
	if _, err2 := j.Events(t.Context(), run.ID, 0); err == nil {
		err = err2
	}
	if err == nil || !strings.Contains(fault.HintOf(err), "move ") {
		t.Errorf("got %v, hint %q", err, fault.HintOf(err))
	}
}

func TestAPlaceThatCannotBeWrittenIsToldClearly(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	must(t, os.WriteFile(filepath.Join(base, "file"), nil, 0o600))
	places := map[string]string{"below a file": filepath.Join(base, "file", "booty")}
	if runtime.GOOS != "windows" && os.Geteuid() != 0 {
		locked := filepath.Join(base, "locked")
		must(t, os.Mkdir(locked, 0o500))
		places["below a locked directory"] = filepath.Join(locked, "booty")
	}
	if runtime.GOOS == "linux" {
		places["on a file system that cannot be written"] = "/proc/booty"
	}
	must(t, os.MkdirAll(filepath.Join(base, "d", "booty.db"), 0o700))
	places["where the file is a directory"] = filepath.Join(base, "d")
	must(t, os.MkdirAll(filepath.Join(base, "l", "open.lock"), 0o700))
	places["where the lock is a directory"] = filepath.Join(base, "l")
	for name, dir := range places {
		_, err := Open(t.Context(), Options{Dir: dir})
		if fault.KindOf(err) != fault.Usage || !strings.Contains(fault.HintOf(err), "XDG_STATE_HOME") || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: got %v, hint %q", name, err, fault.HintOf(err))
		}
	}
}

func TestACancelledContextEndsTheWait(t *testing.T) {
	t.Parallel()
	j := open(t, Options{})
	other := open(t, Options{Dir: j.Dir()})
	tx, err := other.db.BeginTx(t.Context(), nil) // holds the write lock
	must(t, err)
	defer func() { _ = tx.Rollback() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := j.SetPullRequest(ctx, "x", event.PullRequest{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

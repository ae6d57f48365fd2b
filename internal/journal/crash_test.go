package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// wholeRun does everything that a run does with the journal.
func wholeRun(ctx context.Context, j *Journal) error {
	if _, err := j.StartRun(ctx, Run{ID: "crash00000", Repo: "/r"}); err != nil {
		return err
	}
	l := j.Listener("crash00000")
	l.Handle(event.RunStarted{Task: event.Task{Title: "t"}, Branch: "b"})
	if err := j.SaveStep(ctx, "crash00000", "baseline", 1); err != nil {
		return err
	}
	id, _, err := j.Money.Reserve(ctx, Reservation{Run: "crash00000", WorstUSD: 0.25, Limits: Limits{DayUSD: 0.3}})
	if err != nil {
		return err
	}
	l.Handle(event.ModelRequest{Attempt: 1, Role: "implement"})
	if _, err := j.Money.Settle(ctx, id, 0.25); err != nil {
		return err
	}
	l.Handle(event.ModelReply{Attempt: 1, Role: "implement", CostUSD: 0.25})
	ref, err := j.Blobs.Save(ctx, "crash00000", "attempt-1/reply.md", []byte("reply"))
	if err != nil {
		return err
	}
	if err := j.AddCall(ctx, Call{Run: "crash00000", Attempt: 1, Role: "implement", Reply: ref}); err != nil {
		return err
	}
	if err := j.AddCheck(ctx, Check{Run: "crash00000", Attempt: 1, Name: "test", Passed: true}); err != nil {
		return err
	}
	l.Handle(event.AttemptFinished{Attempt: 1, Outcome: "green"})
	if err := j.SaveStep(ctx, "crash00000", "attempt-1", 1); err != nil {
		return err
	}
	l.Handle(event.RunFinished{Outcome: "green", CostUSD: 0.25})
	return nil
}

// crash is the child of the test below: it does a whole run and kills itself
// the n-th time the journal asks for the time, which it does in the middle of
// every write.
func crash(dir string, n int) error {
	asked := 0
	j, err := Open(context.Background(), Options{Dir: dir, Now: func() time.Time {
		if asked++; asked == n {
			if p, err := os.FindProcess(os.Getpid()); err == nil {
				_ = p.Kill()
			}
			time.Sleep(time.Minute) // until the kill arrives
		}
		return time.Now()
	}})
	if err != nil {
		return err
	}
	defer func() { _ = j.Close() }()
	return wholeRun(context.Background(), j)
}

func TestAKillInAnyWriteLeavesAWholeHistory(t *testing.T) {
	t.Parallel()
	killed := 0
	for n := 1; ; n++ {
		dir := t.TempDir()
		cmd := childCmd(t, "crash "+strconv.Itoa(n), dir)
		out, err := cmd.CombinedOutput()
		if err == nil {
			break // there was no n-th write
		}
		var ended *exec.ExitError
		if !errors.As(err, &ended) || len(out) > 0 {
			t.Fatalf("write %d: %v\n%s", n, err, out)
		}
		killed++
		checkAfterKill(t, n, dir)
	}
	if killed < 12 {
		t.Errorf("only %d writes were interrupted", killed)
	}
}

func checkAfterKill(t *testing.T, n int, dir string) {
	t.Helper()
	j := open(t, Options{Dir: dir, Warn: func(s string) { t.Errorf("write %d: %q", n, s) }})
	ctx := t.Context()
	var whole string
	if err := j.db.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&whole); err != nil || whole != "ok" {
		t.Errorf("write %d: integrity %s, %v", n, whole, err)
	}
	d, err := j.Detail(ctx, "crash00000", "")
	if err != nil {
		if !errors.Is(err, ErrNoRun) {
			t.Errorf("write %d: %v", n, err)
		}
		return // killed before the run stood
	}
	if d.Run.State == "running" || (d.Run.State == "interrupted") != d.Run.Finished.IsZero() {
		t.Errorf("write %d: the run is %s", n, d.Run.State)
	}
	ps, err := j.Money.Usage(ctx, "crash00000", Limits{})
	must(t, err)
	money := fmt.Sprintf("%v of it unsettled %v", ps[0].UsedUSD, ps[0].UnsettledUSD)
	switch money {
	case "0 of it unsettled 0", "0.25 of it unsettled 0.25", "0.25 of it unsettled 0":
	default:
		t.Errorf("write %d: used %s", n, money)
	}
	if len(d.Attempts) == 1 && len(d.Attempts[0].Checks) == 1 && money != "0.25 of it unsettled 0" {
		t.Errorf("write %d: after the check used is %s", n, money)
	}
	for _, a := range d.Attempts {
		for _, c := range a.Calls {
			if c.Reply == "" {
				continue
			}
			if _, err := j.Blobs.Read(ctx, c.Reply); err != nil {
				t.Errorf("write %d: a recorded reply cannot be read: %v", n, err)
			}
		}
	}
	if d.Run.State == "interrupted" {
		must(t, j.Resume(ctx, "crash00000"))
	}
	must(t, j.FinishRun(ctx, "crash00000", event.RunFinished{Outcome: "green"}))
}

func TestAFullDiskIsToldAndOvercome(t *testing.T) {
	t.Parallel()
	told := 0
	j := open(t, Options{Warn: func(string) { told++ }})
	ctx := t.Context()
	run := start(t, j, Run{ID: "full000000"})
	var pages int
	must(t, j.db.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages))
	limit := func(n int) {
		var got int
		must(t, j.db.QueryRowContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", n)).Scan(&got))
	}
	limit(pages) // SQLite answers as it does where the disk is full
	err := j.SaveStep(ctx, run.ID, "s", strings.Repeat("x", 1<<20))
	if fault.KindOf(err) != fault.Environment || fault.HintOf(err) != "free some disk space" {
		t.Errorf("got %v, hint %q", err, fault.HintOf(err))
	}
	l := j.Listener(run.ID)
	for range 3 {
		l.Handle(event.Notice{Message: strings.Repeat("y", 1<<20)})
	}
	if told != 1 {
		t.Errorf("%d notices, want 1", told)
	}
	limit(1 << 20)
	l.Handle(event.Notice{Message: "z"})
	d, err := j.Detail(ctx, run.ID, "")
	must(t, err)
	if len(d.Notes) != 1 || d.Notes[0].Text != "z" {
		t.Errorf("%d notes on record", len(d.Notes))
	}
}

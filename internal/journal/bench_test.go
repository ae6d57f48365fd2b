package journal

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
)

// BenchmarkStatus opens a history of 1,000 runs and reads what status shows.
func BenchmarkStatus(b *testing.B) {
	dir := b.TempDir()
	fillHistory(b, dir, 1000)
	b.ResetTimer()
	for range b.N {
		j, err := Open(context.Background(), Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := j.Runs(context.Background(), Filter{Limit: 10}); err != nil {
			b.Fatal(err)
		}
		if _, err := j.Money.Usage(context.Background(), "", Limits{DayUSD: 100, WeekUSD: 500}); err != nil {
			b.Fatal(err)
		}
		if err := j.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func fillHistory(b *testing.B, dir string, runs int) {
	b.Helper()
	at := time.Now().Add(-time.Duration(runs) * time.Minute)
	j, err := Open(context.Background(), Options{Dir: dir, Now: func() time.Time { return at }})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	for i := range runs {
		at = at.Add(time.Minute)
		r, err := j.StartRun(context.Background(), Run{Repo: "/r", Task: event.Task{Title: strconv.Itoa(i)}})
		if err != nil {
			b.Fatal(err)
		}
		l := j.Listener(r.ID)
		l.Handle(event.ModelRequest{Attempt: 1, Role: "implement"})
		l.Handle(event.ModelReply{Attempt: 1, Role: "implement", CostUSD: 0.01})
		id, _, err := j.Money.Reserve(context.Background(), Reservation{Run: r.ID, WorstUSD: 0.02})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := j.Money.Settle(context.Background(), id, 0.01); err != nil {
			b.Fatal(err)
		}
		l.Handle(event.RunFinished{Outcome: "green"})
	}
}

// BenchmarkEvent records one event, synced to the disk.
func BenchmarkEvent(b *testing.B) {
	j, err := Open(context.Background(), Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	r, err := j.StartRun(context.Background(), Run{})
	if err != nil {
		b.Fatal(err)
	}
	l := j.Listener(r.ID)
	b.ResetTimer()
	for range b.N {
		l.Handle(event.CheckFinished{Attempt: 1, Check: "test", Kind: "test"})
	}
}

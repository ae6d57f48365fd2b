package runner

import (
	"log/slog"
	"testing"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/journal"
)

// TestTheLastGoodOutputIsReadAgainOnceThereIsANewerOne holds what failed commands are compared with.
func TestTheLastGoodOutputIsReadAgainOnceThereIsANewerOne(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	j, err := journal.Open(ctx, journal.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	g := newGoodOutputs(j, "/src/app", slog.New(slog.DiscardHandler))
	step := check.Step{Command: "make test"}
	if g.of(ctx, step) != nil {
		t.Error("there is none yet")
	}
	passes := func(run string) {
		t.Helper()
		if _, err := j.StartRun(ctx, journal.Run{ID: run, Repo: "/src/app", Kind: "run", MaxRetries: 1}); err != nil {
			t.Fatal(err)
		}
		log, err := j.Blobs.Save(ctx, run, "attempt-0/test.log", []byte("all fit in "+run+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if err := j.AddCheck(ctx, journal.Check{Run: run, Name: "test", Kind: "test", Command: step.Command, Passed: true, Log: log}); err != nil {
			t.Fatal(err)
		}
	}
	passes("0000000001")
	first := g.of(ctx, step)
	if first == nil || g.of(ctx, step) != first {
		t.Error("the same output is read twice")
	}
	passes("0000000002")
	if second := g.of(ctx, step); second == nil || second == first {
		t.Error("a newer one is not read")
	}
	if g.of(ctx, check.Step{Command: "make lint"}) != nil {
		t.Error("another command has none")
	}
}

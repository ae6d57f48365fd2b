package journal

import (
	"context"
	"math"
	"testing"

	"github.com/booty-cli/booty/internal/event"
)

// What a model counts is known from its own replies alone, over runs.
func TestPiecesPerTokenOfAModel(t *testing.T) {
	ctx := context.Background()
	j := open(t, Options{})
	if got, err := j.PiecesPerToken(ctx, "0000000003", "p", "m"); err != nil || got != 0 {
		t.Fatalf("of a new model: %v (%v), want 0", got, err)
	}
	call := func(run, model string, pieces, tokens int, estimated bool) {
		l := j.Listener(run)
		l.Handle(event.ModelRequest{Attempt: 1, Role: "implement", Provider: "p", Model: model, InputTokens: pieces / 3})
		if err := j.AddCall(ctx, Call{Run: run, Attempt: 1, Role: "implement", Provider: "p", Model: model, Pieces: pieces}); err != nil {
			t.Fatal(err)
		}
		l.Handle(event.ModelReply{Attempt: 1, Role: "implement", InputTokens: tokens, Estimated: estimated})
	}
	for _, run := range []string{"0000000001", "0000000002"} {
		if _, err := j.StartRun(ctx, Run{ID: run, Repo: "/r", Kind: "run"}); err != nil {
			t.Fatal(err)
		}
	}
	call("0000000001", "m", 40000, 10000, false)
	call("0000000002", "m", 44000, 11000, false)
	call("0000000002", "m", 44000, 44000, true)      // a guess tells nothing
	call("0000000002", "m", 400, 400, false)         // and so does a short one
	call("0000000002", "other", 20000, 10000, false) // another one counts otherwise
	for model, want := range map[string]float64{"m": 4, "other": 2} {
		if got, err := j.PiecesPerToken(ctx, "0000000003", "p", model); err != nil || math.Abs(got-want) > 0.01 {
			t.Errorf("%s: %v (%v), want %v", model, got, err, want)
		}
	}
	call("0000000002", "m", 24000, 9000, false) // with the one before: 68,000 pieces, 20,000 tokens
	for run, want := range map[string]float64{"0000000001": 4, "0000000002": 3.4, "0000000003": 3.6} {
		if got, err := j.PiecesPerToken(ctx, run, "p", "m"); err != nil || math.Abs(got-want) > 0.01 {
			t.Errorf("in run %s: %v (%v), want %v", run, got, err, want)
		}
	}
}

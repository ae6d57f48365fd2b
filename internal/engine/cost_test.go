package engine

import "testing"

func TestACallThatBrokeOffIsPaidFor(t *testing.T) {
	w := newWorld(history{options: Options{MaxAttempts: 3}, replies: [][]string{{"fail paid"}}})
	out := w.play()
	if out.CostUSD != 1 || out.InputTokens != 10 {
		t.Errorf("the run's sums are $%v and %d tokens, want what the call cost: $1 and 10", out.CostUSD, out.InputTokens)
	}
}

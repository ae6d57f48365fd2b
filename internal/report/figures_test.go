package report

import (
	"testing"

	"github.com/booty-cli/booty/internal/journal/record"
)

func TestGuessText(t *testing.T) {
	t.Parallel()
	for want, calls := range map[string][]record.Call{
		"":                                   {{InputTokens: 900}, {GuessTokens: 800, InputTokens: 900, Estimated: true}, {GuessTokens: 800}},
		"estimated 1.1k, billed 1.0k (+10%)": {{GuessTokens: 1100, InputTokens: 1000}, {GuessTokens: 9, InputTokens: 900, Estimated: true}},
		"estimated 2.7k, billed 3.0k (-10%)": {{GuessTokens: 1800, InputTokens: 2000}, {GuessTokens: 900, InputTokens: 1000}},
	} {
		if got := guessText(calls); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got, want := tokensIn(12000, 8000), "12.0k in (8.0k cached)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

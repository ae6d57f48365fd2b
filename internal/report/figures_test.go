package report

import (
	"testing"

	"github.com/booty-cli/booty/internal/journal/record"
)

func TestGuessText(t *testing.T) {
	t.Parallel()
	for want, calls := range map[string][]record.Call{
		"":                                  {{InputTokens: 900}, {GuessTokens: 800, InputTokens: 900, Estimated: true}, {GuessTokens: 800}},
		"1.1k guessed, 1.0k counted (+10%)": {{GuessTokens: 1100, InputTokens: 1000}, {GuessTokens: 9, InputTokens: 900, Estimated: true}},
		"2.7k guessed, 3.0k counted (-10%)": {{GuessTokens: 1800, InputTokens: 2000}, {GuessTokens: 900, InputTokens: 1000}},
	} {
		if got := guessText(calls); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got, want := tokensIn(12000, 8000), "12.0k in (8.0k cached)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

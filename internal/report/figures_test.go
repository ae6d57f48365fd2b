package report

import "testing"

func TestTokensIn(t *testing.T) {
	t.Parallel()
	if got, want := tokensIn(12000, 8000), "12.0k in (8.0k cached)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

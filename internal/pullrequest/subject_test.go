package pullrequest

import (
	"strings"
	"testing"
)

func TestConventional(t *testing.T) {
	tests := []struct {
		name, summary string
		labels        []string
		want          string
	}{
		{"empty", " \n", nil, ""},
		{"conventional already", "feat(api)!: add sums", nil, "feat(api)!: add sums"},
		{"capitalized type", "Fix(api): Add sums", nil, "fix(api): Add sums"},
		{"a word with a colon is no type", "Sums: add them", nil, "chore: sums: add them"},
		{"first line, without its stop", "Add sums.\n\nBecause.", nil, "feat: add sums"},
		{"spaces", "  Add\t two   sums ", nil, "feat: add two sums"},
		{"a fix by its verb", "Repairs the sum", []string{"enhancement"}, "fix: repairs the sum"},
		{"a fix by its label", "Sums are right", []string{"kind/Bug"}, "fix: sums are right"},
		{"documentation", "Document sums", nil, "docs: document sums"},
		{"documentation by its label", "Say more", []string{"documentation"}, "docs: say more"},
		{"a feature by its label", "Sums of floats", []string{"enhancement"}, "feat: sums of floats"},
		{"anything else", "Rename sum", nil, "chore: rename sum"},
		{"an abbreviation stays", "HTTP for sums", nil, "chore: HTTP for sums"},
		{"other alphabets", "Änderung", nil, "chore: änderung"},
		{"invalid text", "Add \xff", nil, "feat: add \uFFFD"},
		{"long", "Add " + strings.Repeat("many ", 20), nil, "feat: add " + strings.Repeat("many ", 12) + "m…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := conventional(tt.summary, tt.labels...)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if n := len([]rune(got)); n > maxSubject {
				t.Errorf("it has %d characters", n)
			}
			if again := conventional(got, tt.labels...); again != got {
				t.Errorf("once more it is %q", again)
			}
		})
	}
}

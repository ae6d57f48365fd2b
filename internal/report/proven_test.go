package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"github.com/booty-cli/booty/internal/event"
)

func partly() Proven {
	return Proven{ProofFinished: event.ProofFinished{
		Verdict: event.VerdictPartly, Reason: "8 of 10 small changes to the changed lines made a test fail",
		Subject: "pull request #57: Split the rest, as the @shop asks in #12", Base: "5497a87b1f0000", Head: "387b14eb780000",
		Claims: []event.Claim{
			{Claim: event.ClaimChange, State: event.StateProven, Tests: []string{"example.com/shop/split.TestRest", "example.com/shop/split.TestRestOfNothing"}},
			{Claim: event.ClaimUnharmed, State: event.StateProven, Tests: []string{}, Reason: "the old tests pass on the new code, and every test that ran before still runs"},
			{Claim: event.ClaimCanFail, State: event.StateProven, Tests: []string{"example.com/shop/split.TestRest"}, Reason: "it fails with 10 changed to 11"},
			{Claim: event.ClaimMutants, State: event.StateNotShown, Tests: []string{"example.com/shop/split.TestRest"}, Reason: "8 of 10 small changes to the changed lines made a test fail"},
		},
		Files: []event.ProvenFile{{Path: "split/split.go", Tried: 9, Survived: 1, Tests: []string{"example.com/shop/split.TestRest", "example.com/shop/split.TestEven"}},
			{Path: "cart/cart.go", Tried: 1, Survived: 1}},
		Survivors: []event.Survivor{
			{File: "cart/cart.go", Line: 41, Was: "items.touch(now)", Now: "", What: "statement removed"},
			{File: "split/split.go", Line: 12, Was: "if i < sum%n && n > 0 { // see ``` in the docs", Now: "if i < sum%n || n > 0 { // see ``` in the docs", What: "and/or swapped"}},
		Look:    []string{"changes existing tests, or how they run: split/split_test.go", "cart/cart_test.go: The line \"t.Skip()\" skips tests."},
		LeftOut: []string{"2 small changes were not tried: the time was up"}, SuiteMS: 1800, DurationMS: 34200,
	}}
}

func TestProvenReports(t *testing.T) {
	for _, width := range []int{80, 120} {
		var b strings.Builder
		if err := partly().Write(&b, lipgloss.NewRenderer(&b), width); err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(b.String(), "\n") {
			if lipgloss.Width(line) > width {
				t.Errorf("%d columns: %q is wider", width, line)
			}
		}
		golden(t, fmt.Sprintf("proven_%d.txt", width), b.String())
	}
	golden(t, "proven.md", partly().Markdown())
}

func TestProvenWords(t *testing.T) {
	for _, c := range []struct {
		p    event.ProofFinished
		want string
	}{
		{event.ProofFinished{Verdict: event.VerdictNothing, Reason: "no code was changed"}, "Nothing to prove: no code was changed\n"},
		{event.ProofFinished{Verdict: event.VerdictUntried, Reason: "no tests were found on the new code", Subject: "fix", Base: "0123456789abcdef"},
			"fix (since 0123456789)\nCould not be tried: no tests were found on the new code\n"},
	} {
		var b strings.Builder
		if err := (Proven{ProofFinished: c.p}).Write(&b, nil, 0); err != nil || b.String() != c.want {
			t.Errorf("got %q, %v", b.String(), err)
		}
	}
}

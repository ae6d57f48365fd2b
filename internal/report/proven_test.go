package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/testkit"
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

// fifty is a proof of a change of 50 files: mutants were tried in 12 of them, and noticed in 10.
func fifty() Proven {
	p := partly()
	p.Files = nil
	for i := range 50 {
		f := event.ProvenFile{Path: fmt.Sprintf("shop/part%02d.go", i)}
		if i%4 == 0 && i < 48 {
			f.Tried, f.Tests = 1, []string{"example.com/shop/split.TestRest", fmt.Sprintf("example.com/shop.TestPart%d", i/8)}
		}
		if i == 20 || i == 36 {
			f.Survived, f.Tests = 1, nil
		}
		p.Files = append(p.Files, f)
	}
	return p
}

func TestProvenManyFiles(t *testing.T) {
	var short, long strings.Builder
	p := fifty()
	if err := p.Write(&short, lipgloss.NewRenderer(&short), 80); err != nil {
		t.Fatal(err)
	}
	golden(t, "proven_many.txt", short.String())
	golden(t, "proven_many.md", p.Markdown())
	p.All = true
	if err := p.Write(&long, lipgloss.NewRenderer(&long), 80); err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Files {
		for name, text := range map[string]string{"text": long.String(), "markdown": p.Markdown()} {
			if n := strings.Count(text, f.Path); n != 1 {
				t.Errorf("%s names %s %d times", name, f.Path, n)
			}
		}
		shown, unnoticed := strings.Contains(short.String(), f.Path), f.Tried > 0 && f.Survived == f.Tried
		if unnoticed && !shown || f.Tried == 0 && shown {
			t.Errorf("%s (tried %d): in the short text: %v", f.Path, f.Tried, shown)
		}
	}
	for i := range 6 {
		if n := strings.Count(p.Markdown(), fmt.Sprintf("TestPart%d", i)); n != 1 {
			t.Errorf("TestPart%d is named %d times", i, n)
		}
	}
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

// TestEveryClaimAndVerdictHasWords: one without words is printed as nothing.
func TestEveryClaimAndVerdictHasWords(t *testing.T) {
	const file = "../event/event.go"
	for _, c := range testkit.Constants(t, file, "Claim") {
		if claims[c] == "" {
			t.Errorf("there are no words for the claim %s", c)
		}
	}
	for _, c := range testkit.Constants(t, file, "State") {
		if states[c] == "" {
			t.Errorf("there are no words for the state %s", c)
		}
	}
	for _, c := range testkit.Constants(t, file, "Verdict") {
		if verdicts[c].words == "" {
			t.Errorf("there are no words for the verdict %s", c)
		}
	}
}

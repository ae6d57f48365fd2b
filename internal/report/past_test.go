package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/booty-cli/booty/internal/event"
)

func same(s string) string { return s }

func past() Past {
	d := sample()
	return Past{
		Title: "fix: a -- > b", Summary: "fix: a", Prose: "Because @octocat said so -->", Green: true, Commit: "0123",
		Evidence: &event.EvidenceFinished{Verdict: "proven", Tests: []string{"TestEmpty"}}, Runs: []PastRun{RunOf(d.Run, d.Attempts)},
	}
}

func TestPastIsReadAgain(t *testing.T) {
	want := past()
	mark := want.Marker(same)
	got := PastOf("words\n" + mark + "\nmore")
	if got == nil {
		t.Fatalf("nothing is read from %q", mark)
	}
	if diff := cmp.Diff(want, *got, cmp.AllowUnexported(PastAttempt{}), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	if got.Attempts() != 2 || got.Without("0f3k2m9x1a").Attempts() != 0 {
		t.Errorf("%d attempts, %d without the run", got.Attempts(), got.Without("0f3k2m9x1a").Attempts())
	}
}

func TestPastHoldsNoSecret(t *testing.T) {
	p := past()
	p.Runs[0].Attempts[0].Tests = []string{"secret"}
	p.Prose, p.Summary, p.Title, p.Runs[0].Attempts[1].Summary = "secret", "secret", "secret", "secret"
	p.Evidence.Tests, p.Evidence.Note = []string{"secret"}, "secret"
	got := PastOf(p.Marker(func(s string) string { return strings.ReplaceAll(s, "secret", "-") }))
	data := strings.Join([]string{got.Prose, got.Summary, got.Title, got.Evidence.Note, got.Evidence.Tests[0],
		got.Runs[0].Attempts[0].Tests[0], got.Runs[0].Attempts[1].Summary}, " ")
	if strings.Contains(data, "secret") {
		t.Error(data)
	}
	if p.Evidence.Note != "secret" || p.Runs[0].Attempts[1].Summary != "secret" {
		t.Error("the caller's own words were changed")
	}
}

func TestPastIsBounded(t *testing.T) {
	p := past()
	for len(p.Runs) < 100 {
		p.Runs = append(p.Runs, p.Runs[0])
	}
	if n := PastOf(p.Marker(same)).Attempts(); n != maxPast {
		t.Errorf("%d attempts are remembered", n)
	}
}

func TestPastThatIsNone(t *testing.T) {
	for _, s := range []string{"", "<!-- booty:past -->", "<!-- booty:past AAAA -->", "<!-- booty:past !! -->"} {
		if p := PastOf(s); p != nil {
			t.Errorf("%q: %v", s, p)
		}
	}
}

func TestReplaceKeepsWhatPeopleWrote(t *testing.T) {
	own := blockBegin + "\nnew\n" + blockEnd + "\n"
	cases := []struct{ name, body, want string }{
		{"around the block", "Hello\n\n" + blockBegin + "\nold\n" + blockEnd + "\n\nBye\n", "Hello\n\n" + blockBegin + "\nnew\n" + blockEnd + "\n\nBye\n"},
		{"as the web form sends it", "Hello\r\n" + blockBegin + "\r\nold\r\n" + blockEnd, "Hello\n" + blockBegin + "\nnew\n" + blockEnd},
		{"without a block", "Mine alone", "Mine alone\n\n" + blockBegin + "\nnew\n" + blockEnd},
		{"empty", "", own},
		{"from before there were blocks", "<!-- booty:run x -->\nold", own},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, Replace(c.body, own)); diff != "" {
				t.Error(diff)
			}
		})
	}
	long := strings.Repeat("x", maxBody-len(own)/2)
	if got := Replace(long, own); len(got) > maxBody || !strings.HasPrefix(got, long) {
		t.Errorf("%d bytes", len(got))
	}
}

func TestTickedBoxesStayTicked(t *testing.T) {
	block := func(s string) string { return blockBegin + "\n" + s + "\n" + blockEnd }
	got := Replace(block("- [x] tests\n  * [X] docs\n- [ ] notes\n- [x] gone"), block("- [ ] tests\n  * [ ] docs\n- [ ] notes\nnew"))
	if want := block("- [x] tests\n  * [x] docs\n- [ ] notes\nnew"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEarlierAttemptsStandInTheTable(t *testing.T) {
	p := ready()
	p.Past, p.MaxRetries, p.Prose = past(), 5, "An empty list was taken for <nothing>.\n\nSee #13."
	p.Files = []event.File{{Path: "whole.go", Op: "modify", Added: 9}}
	golden(t, "went_on.md", p.Body())
}

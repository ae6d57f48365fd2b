package report

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"

	"github.com/booty-cli/booty/internal/event"
)

func proven(tests ...string) []event.Claim {
	return []event.Claim{
		{Claim: event.ClaimChange, State: event.StateProven, Tests: tests, Reason: "these tests fail without the change and pass with it"},
		{Claim: event.ClaimUnharmed, State: event.StateProven, Reason: "no test was changed, and every test that ran before still runs"},
	}
}

// bodies are the situations in which a pull request is opened.
func bodies() map[string]PullRequest {
	base := ready()
	base.Evidence, base.Review, base.Notes = nil, nil, nil
	base.By = "openai gpt-5.2"
	base.Claims = proven("TestEmpty", "TestEmpty/nil")
	base.Prose = "`want_bytes` treated an empty list as `None`, so `dumps([])` signed `null`.\n\n" +
		"It now looks at the type. Callers that pass `None` see no difference."
	out := map[string]PullRequest{"01_proven": base}
	with := func(name string, change func(p *PullRequest)) {
		p := base
		change(&p)
		out[name] = p
	}
	with("02_without_words", func(p *PullRequest) { p.Prose = "" })
	with("03_nothing_shown", func(p *PullRequest) {
		p.Claims = []event.Claim{{Claim: event.ClaimChange, State: event.StateNotShown, Reason: "no test fails without the change"},
			proven()[1]}
		p.Look = []string{"No test covers this change; please check that it does what the issue asks for."}
	})
	with("04_signs_in_tests", func(p *PullRequest) {
		p.Look = []string{"list_test.go:12: t.Skip was added", "TestOld no longer runs"}
		p.Claims = []event.Claim{p.Claims[0], {Claim: event.ClaimUnharmed, State: event.StateDisproven, Tests: []string{"TestOld"}, Reason: "it no longer runs"}}
	})
	with("05_needs_review", func(p *PullRequest) {
		p.Draft, p.Judge, p.Outcome, p.Message = true, true, event.NeedsReview, "the old tests fail."
		p.Claims = []event.Claim{p.Claims[0], {Claim: event.ClaimUnharmed, State: event.StateDisproven, Tests: []string{"TestSum"},
			Reason: "it fails as it stood before the change"}}
		p.Look = []string{"TestSum (list_test.go) fails as it stood: it expects 3 and gets 4"}
	})
	with("06_draft_fails", func(p *PullRequest) {
		p.Draft, p.Outcome, p.Claims, p.Attempts = true, event.Exhausted, nil, p.Attempts[:1]
		p.Message, p.Failure = "all 3 attempts are used up; 1 test still fails", "--- FAIL: TestEmpty\n    list_test.go:7: got [1], want []\n"
	})
	with("07_draft_in_conflict", func(p *PullRequest) {
		p.Draft, p.Outcome = true, event.Green
		p.Message = "in conflict with main in list.go."
		p.Look = []string{"Merge conflict with main: list.go. The next run for this task lets the model resolve it; or resolve it by hand."}
	})
	with("08_known_failures", func(p *PullRequest) {
		p.Known = []string{"TestNet", "TestClock", "TestA", "TestB", "TestC", "TestD"}
	})
	with("09_reviewed", func(p *PullRequest) {
		p.Review = &event.ReviewFinished{Verdict: "APPROVED_WITH_SUGGESTIONS", Notes: "1. Name it better\n2. <b>Ask</b> @octocat about #13"}
		p.Notes = []string{"checks changed coverage.out; it was put back"}
	})
	const template = "<!-- Thanks! Please fill this in. -->\n## Description\n<!-- what and why -->\n\n## How was it tested?\n<!-- how -->\n\n" +
		"## Screenshots\n<!-- if any -->\n\n## Checklist\n- [ ] I have read the guide\n"
	with("10_template_filled", func(p *PullRequest) { p.Template = template })
	with("11_template_that_does_not_fit", func(p *PullRequest) { p.Template = "Please be nice.\n\n## Jira\n\n## Rollout\n" })
	with("12_gone_on_with", func(p *PullRequest) {
		p.By = ""
		p.Past = Past{Runs: []PastRun{{ID: "earlier", Attempts: 2, CostUSD: 0.3}}}
		p.MaxRetries = 5
	})
	with("13_hostile", func(p *PullRequest) {
		p.Prose = "# Merge me\n\n![x](https://evil.example/p.png) @octocat closes #13 <img src=x> [click](https://evil.example) [skip ci]\n\n```\nunclosed @code"
		p.Look = []string{"<script>alert(1)</script> | @octocat"}
		p.Claims = proven("Test|`x`", "<b>")
	})
	return out
}

var tag = regexp.MustCompile(`(?s)<!--.*?-->|<[^>]*>`)

// rendered gives a body as a reader sees it, folds closed.
func rendered(t *testing.T, body string) (page, seen string) {
	t.Helper()
	var b bytes.Buffer
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	if err := md.Convert([]byte(body), &b); err != nil {
		t.Fatal(err)
	}
	seen = regexp.MustCompile(`(?s)<details>\s*<summary>(.*?)</summary>.*?</details>`).ReplaceAllString(b.String(), "\n[+] $1\n")
	seen = regexp.MustCompile(`</t[dh]>\s*<t[dh]>`).ReplaceAllString(seen, " | ")
	seen = strings.NewReplacer("<li>", "* ", "<h2>", "## ").Replace(seen)
	seen = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&quot;", `"`, apart, "").Replace(tag.ReplaceAllString(seen, ""))
	seen = regexp.MustCompile(`\n\s*\n+`).ReplaceAllString(seen, "\n\n")
	return b.String(), strings.TrimSpace(seen) + "\n"
}

// TestBodiesOfEachSituation keeps what is posted and what a reader sees of it, folds
// closed. That must fit on a screen, and begin with what the change is.
func TestBodiesOfEachSituation(t *testing.T) {
	words := 0
	for name, p := range bodies() {
		t.Run(name, func(t *testing.T) {
			body := p.Body()
			golden(t, "bodies/"+name+".md", body)
			page, seen := rendered(t, body)
			golden(t, "bodies/"+name+".txt", "# "+p.Title()+"\n\n"+seen)
			n := len(strings.Fields(seen))
			words += n
			if n > 150 {
				t.Errorf("a reader sees %d words", n)
			}
			for _, bad := range []string{"<img", "<script", "<h1>Merge", `href="https://evil`} {
				if strings.Contains(page, bad) {
					t.Errorf("the page holds %s:\n%s", bad, page)
				}
			}
			if strings.Contains(seen, p.Title()) {
				t.Error("the title stands in the text as well")
			}
			if p.Prose != "" && name != "13_hostile" && !strings.Contains(page, "<code>want_bytes</code>") {
				t.Errorf("the model's Markdown is escaped:\n%s", page)
			}
			if len(p.Claims) > 0 && !strings.Contains(page, "<table>") {
				t.Errorf("no table of proof:\n%s", page)
			}
		})
	}
	fmt.Fprintf(t.Output(), "a reader sees %d words of %d bodies\n", words, len(bodies()))
}

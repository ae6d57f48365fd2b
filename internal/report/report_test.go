package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares got with testdata/name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (run with -update)", err)
	}
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func num(n int) *int { return &n }

var noon = time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)

// sample is a run with two attempts and hostile words in all places.
func sample() record.Detail {
	fail := record.Check{
		Attempt: 1, Name: "test", Kind: "test", Command: "go test ./... | cat", At: noon, ExitCode: 1, DurationMS: 2300,
		Counts: event.Counts{Passed: num(11), Failed: num(1)}, Log: "runs/r/attempt-1/test.log.gz",
		Failures:  []event.Failure{{Test: "TestEmpty", File: "list_test.go", Line: 7, Message: "got [1], want [] \x1b[31m@root"}},
		Distilled: "--- FAIL: TestEmpty\n    list_test.go:7: got [1], want []\n",
	}
	pass := record.Check{Attempt: 2, Name: "test", Kind: "test", Command: "go test ./...", At: noon, Passed: true, DurationMS: 2100, Counts: event.Counts{Passed: num(12)}, Failures: []event.Failure{}}
	return record.Detail{
		Run: record.Run{
			ID: "0f3k2m9x1a", Repo: "/src/app", RepoName: "acme/app", Kind: "run", Task: event.Task{Kind: "issue", Number: 42, Title: "Accept an empty list <script>"},
			Branch: "booty/issue-42", Base: "main", MaxRetries: 3, Host: "box", State: record.Finished, Started: noon, Heartbeat: noon.Add(4 * time.Minute),
			Finished: noon.Add(4 * time.Minute), Outcome: "green", Commit: "0123456789abcdef", PullRequest: &event.PullRequest{Number: 7, URL: "https://example.com/acme/app/pull/7"},
			Attempts: 2, AttemptsTotal: 2, InputTokens: 25300, OutputTokens: 950, CostUSD: 0.2134,
		},
		Baseline: []record.Check{{Name: "test", Kind: "test", Passed: true, Failures: []event.Failure{}}},
		Attempts: []record.Attempt{
			{
				N: 1, Role: "implement", Outcome: "failing", Summary: "fix: thanks @octocat, closes #13 | <b>bold</b>", Failing: 1, Started: noon, Finished: noon.Add(90 * time.Second),
				Files:   []event.File{{Path: "list.go", Op: "modify", Added: 3, Removed: 1}, {Path: "new`name|.go", Op: "create", Added: 20}},
				Refused: []event.Problem{{Path: ".env", Reason: "protected", Kind: "guard"}},
				Diff:    "runs/r/attempt-1/diff.patch.gz",
				Checks:  []record.Check{fail}, Calls: []record.Call{{Attempt: 1, Role: "implement", Provider: "openai", Model: "m-1", At: noon, InputTokens: 12000, OutputTokens: 500, CostUSD: 0.11, DurationMS: 8000, Prompt: "runs/r/attempt-1/prompt.md.gz", Reply: "runs/r/attempt-1/reply.md.gz"}},
			},
			{
				N: 2, Role: "fix-tests", Outcome: "green", Summary: "fix: accept an empty list", Started: noon.Add(2 * time.Minute), Finished: noon.Add(4 * time.Minute),
				Files:  []event.File{{Path: "list.go", Op: "modify", Added: 4, Removed: 1}},
				Checks: []record.Check{pass}, Calls: []record.Call{{Attempt: 2, Role: "fix-tests", Provider: "openai", Model: "m-1", At: noon, InputTokens: 13300, OutputTokens: 450, CostUSD: 0.1034, Estimated: true, DurationMS: 7000}},
			},
		},
		Notes: []record.Note{{Kind: "review", Text: "APPROVED\nlooks good", At: noon}},
	}
}

func ready() PullRequest {
	d := sample()
	return PullRequest{
		Task: d.Run.Task, Summary: "fix(list): accept an empty list", Closes: 42, Run: d.Run.ID, Branch: d.Run.Branch, Number: 7,
		Attempts: d.Attempts, MaxRetries: 3,
		Evidence: &event.EvidenceFinished{Verdict: "proven", Tests: []string{"TestEmpty", "TestEmpty/nil|zero"}},
		Review:   &event.ReviewFinished{Verdict: "APPROVED_WITH_SUGGESTIONS", Notes: "1. Ask @octocat about #13\n\n- <details> stays text\nsee https://github.com/a/b/issues/3"},
		Notes:    []string{"checks changed coverage.out; it was put back"}, InputTokens: 25300, OutputTokens: 950, CostUSD: 0.2134, Estimated: true,
		Markers: []string{Marker("run", d.Run.ID)},
	}
}

func draft() PullRequest {
	p := ready()
	p.Draft, p.Review, p.Evidence = true, nil, nil
	p.Attempts = p.Attempts[:1]
	p.Outcome, p.Message, p.Failure = "exhausted", "1 test fails still.", "--- FAIL: TestEmpty\n```\n</details> @octocat <!-- \n"
	return p
}

func TestReadyPullRequest(t *testing.T) {
	if got, want := ready().Title(), "fix(list): accept an empty list"; got != want {
		t.Errorf("title %q, want %q", got, want)
	}
}

func TestFailureComment(t *testing.T) {
	golden(t, "comment.md", FailureComment(draft()))
	p := draft()
	p.Number, p.Attempts, p.Failure = 0, nil, ""
	golden(t, "comment_nothing_changed.md", FailureComment(p))
}

func TestBodiesStayWithinTheLimit(t *testing.T) {
	long := strings.Repeat("--- FAIL: TestSomething — ünïcode `code` ```\n", 4000)
	p := draft()
	p.Failure = long
	body := p.Body()
	if len(body) > maxBody || len(body) < maxBody-2000 {
		t.Errorf("got %d bytes, want just under %d", len(body), maxBody)
	}
	for _, want := range []string{"Cut: ", "`booty status 0f3k2m9x1a` has the rest", "Closes #42", "</details>", "gh pr checkout 7"} {
		if !strings.Contains(body, want) {
			t.Errorf("the cut body lacks %q", want)
		}
	}
	p.Template = "## Description\n" + strings.Repeat("- [ ] rules\n", 6000)
	if body := p.Body(); len(body) > maxBody || !strings.Contains(body, "Closes #42") {
		t.Errorf("with a huge template: %d bytes", len(body))
	}
	p.Review = &event.ReviewFinished{Verdict: "BLOCKED", Notes: strings.Repeat("*<@a", 10000)}
	for range 300 {
		p.Notes = append(p.Notes, strings.Repeat("<", 1000))
	}
	if body := p.Body(); len(body) > maxBody {
		t.Errorf("with huge notes: %d bytes", len(body))
	}
}

func TestTitles(t *testing.T) {
	cases := []struct{ name, summary, task, want string }{
		{"the model's summary", "fix: a", "b", "fix: a"},
		{"the task without one", " \n", "Accept it", "Accept it"},
		{"the branch where all is silent", "", "", "booty: booty/issue-42"},
		{"no line breaks or escapes", "a\nb\x1b[2Jc\r\x00d", "", "a bc d"},
		{"nobody is mentioned, nothing closed", "fix @me, closes #9", "", "fix @\u200bme, closes #\u200b9"},
		{"a long one is cut", strings.Repeat("x", 300), "", strings.Repeat("x", maxTitle-1) + "…"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := PullRequest{Summary: c.summary, Task: event.Task{Title: c.task}, Branch: "booty/issue-42"}
			if got := p.Title(); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

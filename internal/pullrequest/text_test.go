package pullrequest

import (
	"fmt"
	"slices"
	"testing"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/google/go-cmp/cmp"
)

// recorded is a run on an issue with a failing and a green attempt.
func recorded() journal.Detail {
	files := []event.File{{Path: "sum.go"}}
	return journal.Detail{
		Run: journal.Run{ID: "r1", Task: event.Task{Kind: "issue", Number: 7, Title: "Sum"}, Branch: "booty/sum",
			Outcome: event.Green, Message: "recorded"},
		Baseline: []journal.Check{{Passed: true}},
		Attempts: []journal.Attempt{
			{N: 1, Outcome: event.Failing, Summary: "try", Files: files},
			{N: 2, Outcome: event.Green, Summary: "add sums", Prose: "Because.", Files: files},
		},
	}
}

func TestPullRequestText(t *testing.T) {
	best := &engine.Attempt{N: 1, Summary: "best", Prose: "Best."}
	words, none := recorded(), recorded()
	words.Run.Task = event.Task{Kind: "task", Number: 7}
	none.Attempts = nil
	memory := engine.Memory{Origin: engine.Origin{Baseline: &engine.Verdict{}}}
	memory.Standing.Text, memory.Standing.Known = "1 failed", []string{"old"}
	memory.Baseline.LeftOut = []event.LeftOut{{Gate: "lint"}}
	type text = report.PullRequest
	tests := []struct {
		name   string
		detail journal.Detail
		pub    *engine.Publication
		want   text
	}{
		{"from the records", recorded(), nil,
			text{Summary: "add sums", Prose: "Because.", Closes: 7, Outcome: event.Green, Message: "recorded"}},
		{"another task closes nothing", words, nil,
			text{Summary: "add sums", Prose: "Because.", Outcome: event.Green, Message: "recorded"}},
		{"without attempts it has the first checks", none, nil,
			text{Closes: 7, Outcome: event.Green, Message: "recorded", Checks: none.Baseline}},
		{"green work", recorded(), &engine.Publication{Green: true, Outcome: event.Green, Memory: memory},
			text{Summary: "add sums", Prose: "Because.", Closes: 7, Outcome: event.Green, Known: []string{"old"},
				LeftOut: memory.Baseline.LeftOut}},
		{"work that fails has the best attempt and what failed", recorded(),
			&engine.Publication{Outcome: event.Exhausted, Message: "used up", Memory: memory, Best: best, Main: best,
				Behind: true, Look: []string{"a test"}, Judge: true},
			text{Draft: true, Best: 1, Summary: "best", Prose: "Best.", Behind: true, Closes: 7,
				Outcome: event.Exhausted, Message: "used up", Failure: "1 failed", Known: []string{"old"},
				LeftOut: memory.Baseline.LeftOut, Look: []string{"a test"}, Judge: true}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.want.Task, tt.want.Run, tt.want.Branch = tt.detail.Run.Task, "r1", "booty/sum"
			tt.want.Attempts = tt.detail.Attempts
			if diff := cmp.Diff(tt.want, pullRequestText(tt.detail, tt.pub)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPullTitle(t *testing.T) {
	tests := []struct {
		name     string
		text     report.PullRequest
		labels   []string
		noDrafts bool
		want     string
	}{
		{"its summary", report.PullRequest{Summary: "Add sums"}, nil, false, "feat: add sums"},
		{"by the issue's labels", report.PullRequest{Summary: "Sums"}, []string{"bug"}, false, "fix: sums"},
		{"without drafts", report.PullRequest{Summary: "Add sums"}, nil, true, "[WIP] feat: add sums"},
		{"no summary", report.PullRequest{Task: event.Task{Title: "Sum"}}, nil, false, "Sum"},
		{"the queue's", report.PullRequest{Summary: "Add sums", TitleOverride: "spec [1/5]"}, nil, false, "spec [1/5]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := pullTitle(tt.text, tt.labels, tt.noDrafts); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPastAfter(t *testing.T) {
	text := report.PullRequest{Past: green(), Attempts: recorded().Attempts, Look: []string{"a test"}}
	pub := engine.Publication{Commit: "new", Judge: true}
	got := pastAfter(journal.Run{ID: "r2", InputTokens: 5}, text, pub, "digest")
	want := report.Past{Title: "digest", Commit: "new", Judge: true, Look: true, Runs: []report.PastRun{
		{ID: "r1", Attempts: 2, InputTokens: 10}, {ID: "r2", Attempts: 2, InputTokens: 5}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	text.Attempts = nil
	got = pastAfter(journal.Run{ID: "r2"}, text, engine.Publication{Green: true, Commit: "new"}, "digest")
	if !got.Green || len(got.Runs) != 1 {
		t.Errorf("a run that did nothing is remembered: %+v", got)
	}
}

func TestDropped(t *testing.T) {
	at := func(n int, refused ...event.Problem) journal.Attempt { return journal.Attempt{N: n, Refused: refused} }
	got := dropped([]journal.Attempt{
		at(1, event.Problem{Path: "a.go", Kind: "match", Reason: "not found"}, event.Problem{Kind: "limit"},
			event.Problem{Path: "ci.yml", Kind: "protected", Reason: "protected.\nmore"}),
		at(2, event.Problem{Path: "ci.yml", Kind: "protected", Reason: "again"}),
	})
	want := []string{"Left out, proposed by the model in attempt 1: ci.yml. protected."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var many []event.Problem
	for i := range maxDropped + 3 {
		many = append(many, event.Problem{Path: fmt.Sprintf("%d.yml", i), Kind: "protected"})
	}
	got = dropped([]journal.Attempt{at(1, many...)})
	if len(got) != maxDropped+1 || got[maxDropped] != "And 3 more parts that were left out." {
		t.Errorf("%d notes, the last is %q", len(got), got[len(got)-1])
	}
}

func TestModelNames(t *testing.T) {
	d := journal.Detail{Attempts: []journal.Attempt{
		{Calls: []journal.Call{{Provider: "openai", Model: "a"}, {Provider: "replay", Model: "b"}}},
		{Calls: []journal.Call{{Provider: "openai", Model: "a"}, {}}},
	}}
	if got, want := modelNames("pr", d), "openai a, b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, setting := range []string{"none", "trailer"} {
		if got := modelNames(setting, d); got != "" {
			t.Errorf("with %s it names %q", setting, got)
		}
	}
}

func TestConflictLabel(t *testing.T) {
	for want, labels := range map[string][]string{"booty:had-conflict": nil, "ai:had-conflict": {"ai", "go"}} {
		if got := conflictLabel(slices.Clone(labels)); got != want {
			t.Errorf("got %q of %v, want %q", got, labels, want)
		}
	}
}

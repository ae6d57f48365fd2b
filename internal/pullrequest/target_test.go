package pullrequest

import (
	"testing"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// job is what the parts of a target make of a job, without its functions.
func job(t target, j runner.Job) runner.Job {
	t.up = &Upstream{remote: "origin"}
	t.fill(&j)
	return j
}

func TestTargetFillsJob(t *testing.T) {
	issue := &github.Issue{Number: 7, Labels: []string{"bug"}}
	main := base{"main", "base1"}
	fresh := branch{name: "booty/sum", head: "booty/sum", from: "base1"}
	before := branch{name: "booty/sum-2", head: "booty/sum", from: "tip", exists: true, continued: true}
	reviewed := openPull{todo: open(), locks: []string{"go.sum"}}
	conflict := openPull{todo: todo{conflicts: []string{"a.go"}}}
	shared := runner.Shared{BaseName: "main", BaseCommit: "base1"}
	with := func(f func(*runner.Shared)) *runner.Shared {
		s := shared
		f(&s)
		return &s
	}
	tests := []struct {
		name    string
		target  target
		job     runner.Job
		want    runner.Job
		subject string
	}{
		{"a dry run of an issue", target{issue: issue}, runner.Job{}, runner.Job{Shared: &runner.Shared{}}, "chore: sums"},
		{"an issue with new work", target{issue: issue, base: main, start: start{branch: fresh}}, runner.Job{},
			runner.Job{Branch: "booty/sum", Base: "origin/main", Shared: with(func(s *runner.Shared) {
				s.From, s.Trailers = "base1", []string{"Refs: #7"}
			})}, "fix: sums"},
		{"a sentence with earlier work",
			target{base: main, start: start{branch: before, attempts: attempts{used: 2, left: 1}}}, runner.Job{},
			runner.Job{Branch: "booty/sum-2", Base: "origin/main", Earlier: 2, MaxAttempts: 1,
				Shared: with(func(s *runner.Shared) { s.From, s.Exists, s.Continued = "tip", true, true })},
			"chore: sums"},
		{"review comments", target{open: &reviewed, base: main}, runner.Job{},
			runner.Job{Shared: with(func(s *runner.Shared) { s.Asked, s.Protected = true, []string{"go.sum"} })},
			"chore: sums"},
		{"a conflict alone is done once the checks pass", target{open: &conflict, base: main}, runner.Job{},
			runner.Job{Shared: &shared}, "chore: sums"},
		{"a pending test", target{spec: &Spec{}, base: main}, runner.Job{}, runner.Job{Shared: &shared}, "chore: sums"},
		{"a pending test with more to do", target{spec: &Spec{Asked: "more"}, base: main}, runner.Job{},
			runner.Job{Shared: with(func(s *runner.Shared) { s.Asked = true })}, "chore: sums"},
		{"a refine", target{refine: true, base: base{name: "main"}}, runner.Job{},
			runner.Job{Shared: &runner.Shared{BaseName: "main", Drafts: true}}, "chore: sums"},
		{"a resumed run keeps its branch and attempts", target{base: main},
			runner.Job{Branch: "booty/sum", Base: "main", Earlier: 1, MaxAttempts: 2},
			runner.Job{Branch: "booty/sum", Base: "main", Earlier: 1, MaxAttempts: 2, Shared: &shared}, "chore: sums"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := job(tt.target, tt.job)
			functions := cmpopts.IgnoreFields(runner.Shared{}, "Answered", "Subject", "Publisher")
			if diff := cmp.Diff(tt.want, got, functions, cmpopts.IgnoreUnexported(runner.Again{})); diff != "" {
				t.Error(diff)
			}
			if subject := got.Shared.Subject("Sums"); subject != tt.subject {
				t.Errorf("the subject is %q, want %q", subject, tt.subject)
			}
		})
	}
}

func TestTargetPublishes(t *testing.T) {
	task := runner.Task{Task: event.Task{Kind: "issue", Number: 7}}
	pull := &github.PullRequest{Number: 9, Draft: true}
	at := start{earlier: earlier{pull: pull, wrote: "digest"}, branch: branch{head: "booty/sum"}}
	publisherOf := func(to target) engine.Publisher {
		publisher := job(to, runner.Job{Task: task}).Shared.Publisher
		if publisher == nil {
			return nil
		}
		return publisher(runner.Publishing{Run: "r1"})
	}
	if p := publisherOf(target{mode: "none"}); p != nil {
		t.Errorf("with --pr none it publishes: %T", p)
	}
	if a, ok := publisherOf(target{open: &openPull{pull: *pull}}).(*answerer); !ok || a.pull.Number != 9 {
		t.Errorf("work on an open pull request does not answer there: %+v", a)
	}
	p, ok := publisherOf(target{start: at}).(*publisher)
	if !ok || p.head != "booty/sum" || p.wrote != "digest" || p.mark != task.Marker() || p.Run != "r1" {
		t.Fatalf("the publisher is %+v", p)
	}
	p.pull.Draft = false // what publishing changes is its own
	if !pull.Draft {
		t.Error("the target has changed")
	}
	if p := publisherOf(target{}).(*publisher); p.pull != nil {
		t.Errorf("new work has the pull request %+v", p.pull)
	}
}

func TestSpecTask(t *testing.T) {
	sp := Spec{Task: runner.Task{Task: event.Task{Kind: "spec", Spec: "sum"}, Text: "Make it pass."}}
	if got := sp.task(); got != sp.Task {
		t.Errorf("got %+v", got)
	}
	sp.Asked = "And the checks."
	if got, want := sp.task().Text, "Make it pass.\nAnd the checks."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	sp.Pull = *pullWith(green().Marker())
	if e := sp.earlier(4); e.attempts != 4 || !e.past.Green || e.pull == nil {
		t.Errorf("earlier work is %+v", e)
	}
}

func TestPublishes(t *testing.T) {
	for mode, want := range map[string]bool{"": false, "none": false, "auto": true, "draft": true} {
		if got := (Options{PR: mode}).publishes(); got != want {
			t.Errorf("--pr %q: got %v", mode, got)
		}
		if (Options{PR: mode, DryRun: true}).publishes() {
			t.Errorf("--pr %q publishes a dry run", mode)
		}
	}
}

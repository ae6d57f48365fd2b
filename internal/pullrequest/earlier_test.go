package pullrequest

import (
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/google/go-cmp/cmp"
)

// green is the past of a run that was green after two attempts.
func green() report.Past {
	return report.Past{Title: report.TitleDigest("fix: sums"), Green: true, Commit: "abc",
		Runs: []report.PastRun{{ID: "r1", Attempts: 2, InputTokens: 10}}}
}

// pullWith is a pull request whose text holds these hidden lines.
func pullWith(marks ...string) *github.PullRequest {
	text := report.PullRequest{Summary: "fix: sums", Prose: "Because.", Markers: marks}
	return &github.PullRequest{Number: 9, Title: "fix: sums", Body: "Mine.\n\n" + text.Body()}
}

func TestEarlierOn(t *testing.T) {
	remembers, counts, plain := pullWith(green().Marker()), pullWith("<!-- booty:attempts 4 -->"), pullWith()
	past := *report.PastOf(remembers.Body)
	tests := []struct {
		name string
		pull *github.PullRequest
		want earlier
	}{
		{"none", nil, earlier{}},
		{"a text that remembers its runs", remembers,
			earlier{pull: remembers, attempts: 2, past: past, wrote: report.TitleDigest("fix: sums")}},
		{"a text that only counts attempts", counts, earlier{pull: counts, attempts: 4}},
		{"a text that says nothing", plain, earlier{pull: plain}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := earlierOn(tt.pull)
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(earlier{})); diff != "" {
				t.Error(diff)
			}
		})
	}
	over := earlierOn(remembers).startedOver()
	if over.pull != remembers || over.attempts != 0 || len(over.past.Runs) != 0 || over.wrote == "" {
		t.Errorf("started over it is %+v", over)
	}
}

func TestEarlierWithRecordedRuns(t *testing.T) {
	files := []event.File{{Path: "sum.go"}}
	try := journal.Attempt{N: 1, Outcome: event.Failing, Summary: "try", Files: files}
	done := journal.Attempt{N: 2, Outcome: event.Green, Summary: "add sums", Prose: "Because.", Files: files}
	var e earlier
	e = e.with(journal.Run{ID: "r1", Outcome: event.Green}, []journal.Attempt{try, done})
	if !e.past.Green || e.summary != "add sums" || e.past.Prose == "" || e.past.Attempts() != 2 {
		t.Errorf("after a green run: %+v", e)
	}
	e = e.with(journal.Run{ID: "r2", Outcome: event.Stuck}, []journal.Attempt{try})
	if e.past.Green || e.past.Attempts() != 3 || len(e.past.Runs) != 2 {
		t.Errorf("after one that was not: %+v", e)
	}
}

func TestMainOf(t *testing.T) {
	files := []event.File{{Path: "sum.go"}}
	at := func(n int, outcome, summary string, files []event.File) journal.Attempt {
		return journal.Attempt{N: n, Outcome: outcome, Summary: summary, Files: files}
	}
	tests := []struct {
		name     string
		attempts []journal.Attempt
		want     int
	}{
		{"none", nil, 0},
		{"the last", []journal.Attempt{at(1, event.Failing, "a", files), at(2, event.Failing, "b", files)}, 2},
		{"the green one", []journal.Attempt{at(1, event.Green, "a", files), at(2, event.Failing, "b", files)}, 1},
		{"not one that was rolled back",
			[]journal.Attempt{at(1, event.Failing, "a", files), at(2, event.RolledBack, "b", files)}, 1},
		{"not one without words or files",
			[]journal.Attempt{at(1, event.Failing, "a", files), at(2, event.Green, "", files), at(3, event.Green, "c", nil)}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := 0
			if a := mainOf(tt.attempts); a != nil {
				got = a.N
			}
			if got != tt.want {
				t.Errorf("got attempt %d, want %d", got, tt.want)
			}
		})
	}
}

func TestEarlierWorkInTheText(t *testing.T) {
	edited := pullWith()
	edited.Title = "Kim's title"
	attempts := []journal.Attempt{{Outcome: event.Failing}, {Outcome: event.Green}}
	own := report.PullRequest{Run: "r2", Summary: "mul", Prose: "Own.", Attempts: attempts}
	kept := report.PullRequest{Run: "r2", Summary: "mul", Prose: "Own."} // this run made no attempt
	failed := green()
	failed.Green, failed.Prose = false, "Earlier."
	done := green()
	done.Prose = "Earlier."
	tests := []struct {
		name           string
		earlier        earlier
		text           report.PullRequest
		summary, prose string
		attempts       string
		notes          []string
	}{
		{"none", earlier{}, own, "mul", "Own.", "2", nil},
		{"failed work", earlier{pull: pullWith(), attempts: 2, past: failed}, own, "mul", "Own.", "4", nil},
		{"green work is described already", earlier{pull: edited, attempts: 2, past: done, summary: "sums"}, own,
			"sums", "Earlier.", "4", nil},
		{"with the title of its pull request", earlier{pull: pullWith(), attempts: 2, past: done}, own, "fix: sums",
			"Earlier.", "4", nil},
		{"a run that only kept it up to date", earlier{pull: edited, attempts: 2, past: failed}, kept, "mul",
			"Earlier.", "2", nil},
		{"attempts that nobody remembers", earlier{attempts: 3}, own, "mul", "Own.", "5",
			[]string{"Attempts of earlier runs that this one went on from: 3."}},
		{"a resumed run counts once", earlier{attempts: 2, past: report.Past{Runs: []report.PastRun{
			{ID: "r1", Attempts: 2}, {ID: "r2", Attempts: 1}}}}, own, "mul", "Own.", "4", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.earlier.addTo(tt.text)
			if got.Summary != tt.summary || got.Prose != tt.prose {
				t.Errorf("the words are %q %q, want %q %q", got.Summary, got.Prose, tt.summary, tt.prose)
			}
			if diff := cmp.Diff([]string{"<!-- booty:attempts " + tt.attempts + " -->"}, got.Markers); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.notes, got.Notes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNotWanted(t *testing.T) {
	task := runner.Task{Task: event.Task{Kind: "issue", Number: 7}}
	last := github.PullRequest{URL: "https://x/9"}
	wantFault(t, notWanted(last, task), fault.NothingToDo,
		"pull request https://x/9 for issue #7 was closed without being merged")
	last.Merged = true
	wantFault(t, notWanted(last, task), fault.NothingToDo,
		"issue #7 is solved already: pull request https://x/9 is merged")
}

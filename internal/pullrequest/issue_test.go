package pullrequest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
)

// wantFault checks an error's kind and text; "" wants none.
func wantFault(t *testing.T, err error, kind fault.Kind, text string) {
	t.Helper()
	switch {
	case text == "" && err != nil:
		t.Errorf("got the error %v", err)
	case text == "":
	case err == nil:
		t.Errorf("got no error, want %q", text)
	case fault.KindOf(err) != kind || !strings.Contains(err.Error(), text):
		t.Errorf("got %v: %v, want %v: %s", fault.KindOf(err), err, kind, text)
	}
}

func TestMayBeTask(t *testing.T) {
	tests := []struct {
		name  string
		issue github.Issue
		kind  fault.Kind
		want  string
	}{
		{"open", github.Issue{State: "open"}, 0, ""},
		{"open again", github.Issue{State: "open", Reason: "reopened"}, 0, ""},
		{"closed", github.Issue{State: "closed", Reason: "completed"}, fault.NothingToDo, "issue #7 is closed"},
		{"not planned", github.Issue{State: "closed", Reason: "not_planned"}, fault.NothingToDo,
			"issue #7 is closed as not planned"},
		{"transferred", github.Issue{State: "closed", Moved: "kim/sums", URL: "https://x/1"}, fault.Git,
			"issue #7 was transferred to https://x/1"},
		{"locked", github.Issue{State: "open", Locked: true}, fault.Git, "issue #7 is locked"},
		{"a pull request", github.Issue{State: "closed", PullRequest: true}, fault.Usage,
			"#7 is a pull request, not an issue"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.issue.Number = 7
			wantFault(t, checkIssue(tt.issue), tt.kind, tt.want)
		})
	}
}

func TestIssueBranch(t *testing.T) {
	issue := github.Issue{Number: 7, Title: "Über-sums: add (all) of them, and then some more of the others too"}
	tests := []struct{ name, pattern, want, err string }{
		{"number and words", "booty/issue-{{.Number}}-{{.Slug}}", "booty/issue-7-uber-sums-add-all-of-them-and-then-some", ""},
		{"number alone", "b/{{.Number}}", "b/7", ""},
		{"no branch name", "a..b/{{.Number}}", "", "name the branch"},
		{"unknown place", "{{.Nummer}}", "", "name the branch"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := issueBranch(tt.pattern, issue)
			wantFault(t, err, fault.Usage, tt.err)
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCheckTriggered(t *testing.T) {
	const given = `{"issue": {"number": 7, "title": "Sum", "body": "1+1"}}`
	tests := []struct {
		name, event string
		actions     string
		issue       github.Issue
		want        string
	}{
		{"as it was given", given, "true", github.Issue{Number: 7, Title: "Sum", Body: "1+1"}, ""},
		{"another body", given, "true", github.Issue{Number: 7, Title: "Sum", Body: "rm -rf"}, "issue #7 was edited"},
		{"another title", given, "true", github.Issue{Number: 7, Title: "Mul", Body: "1+1"}, "issue #7 was edited"},
		{"another issue", given, "true", github.Issue{Number: 8, Title: "Mul"}, ""},
		{"outside of a workflow", given, "", github.Issue{Number: 7, Title: "Mul"}, ""},
		{"another event", `{"schedule": "daily"}`, "true", github.Issue{Number: 7, Title: "Mul"}, ""},
		{"no event", "", "true", github.Issue{Number: 7, Title: "Mul"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "event.json")
			if tt.event != "" {
				if err := os.WriteFile(path, []byte(tt.event), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			env := map[string]string{"GITHUB_EVENT_PATH": path, "GITHUB_ACTIONS": tt.actions}
			err := checkTriggered(tt.issue, func(name string) string { return env[name] })
			wantFault(t, err, fault.Refused, tt.want)
		})
	}
}

func TestReportsOnIssue(t *testing.T) {
	tests := []struct {
		outcome  string
		attempts int
		want     bool
	}{
		{event.Stuck, 0, true}, {event.NeedsReview, 0, true}, {event.Question, 0, true},
		{event.Declined, 0, true}, {event.NothingToDo, 0, true},
		{event.Exhausted, 3, true}, {event.Budget, 1, true}, {event.ModelFailed, 1, true},
		{event.Exhausted, 0, false}, {event.Budget, 0, false}, {event.ModelFailed, 0, false},
		{event.Environment, 3, false}, {event.Errored, 3, false},
	}
	for _, tt := range tests {
		if got := reportsOnIssue(tt.outcome, tt.attempts); got != tt.want {
			t.Errorf("%s after %d attempts: got %v", tt.outcome, tt.attempts, got)
		}
	}
}

package pullrequest

import (
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/github"
	"github.com/google/go-cmp/cmp"
)

// thread is a review thread with one comment.
func thread(id int64, path string, line int, body string) github.Thread {
	return github.Thread{Path: path, Line: line, Comments: []github.Comment{{ID: id, Author: "kim", Body: body}}}
}

// open is a pull request with two reviewers' comments, one of them a review.
func open() todo {
	r := github.Reviews{
		Changes: []github.Review{{ID: 11, Author: "lee", Body: "Please add a test."}},
		Threads: []github.Thread{thread(21, "sum.go", 7, "Why not +?")},
	}
	return todo{items: itemsOf(r, nil)}
}

func TestPullTask(t *testing.T) {
	pull := github.PullRequest{Number: 57, Title: "Add <!-- x -->sums", Body: "It adds.<!-- booty -->"}
	const head = "# Pull request #57: Add sums\n\nIts description:\n\nIt adds.\n\n" +
		"Its branch is what you see. Change what the following asks for, and nothing else.\n"
	const answers = "\nFor each review comment that you deal with, add one line outside of the edits, with its " +
		"number:\nANSWER 1: what you changed, or the answer to its question, in one sentence\nWhere a comment " +
		"only asks a question and nothing needs to change, the ANSWER line is all that is needed. Where only " +
		"its author can decide, ask with ASK."
	deps := pull
	deps.Body = "Bumps x from 1 to 2.\n<details>\n<summary>Dependabot commands and options</summary>\nrebase\n</details>"
	withHunk := thread(21, "sum.go", 0, "Why?")
	withHunk.Hunk = "@@ -1 +1 @@\n-a\n+b"
	tests := []struct {
		name string
		pull github.PullRequest
		todo todo
		text string
	}{
		{"what its reader asked for", pull, todo{asked: "Use <!-- x -->ints."},
			head + "\n## What is asked\n\nUse ints."},
		{"a failed check", pull, todo{checks: []failedCheck{{Check: github.Check{Name: "lint"}, command: "make lint", text: "bad"}}},
			head + "\n## Failed check: lint\n\nCommand: make lint\n\n```text\nbad\n```"},
		{"review comments", pull, open(), head +
			"\n## Review comment 1: lee requests changes\n\nPlease add a test.\n" +
			"\n## Review comment 2: sum.go:7\n\nkim: Why not +?\n" + answers},
		{"a comment on lines that are gone", pull, todo{items: []item{{n: 1, thread: &withHunk}}}, head +
			"\n## Review comment 1: sum.go\n\n```diff\n@@ -1 +1 @@\n-a\n+b\n```\n\nkim: Why?\n" + answers},
		{"a bot's update", deps, todo{updater: &dependencyBots()[0], asked: "Fix it."},
			"# Pull request #57: Add sums\n\nIts description:\n\nBumps x from 1 to 2.\n\n" +
				"Its branch is what you see. Change what the following asks for, and nothing else.\n" +
				"Dependabot opened it to update dependencies. Keep the new versions and their lock files: change " +
				"the code that uses them.\n\n## What is asked\n\nFix it."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := pullTask(tt.pull, tt.todo)
			if got.Kind != "pull_request" || got.Number != 57 || got.Title != "Add sums" {
				t.Errorf("the task is %+v", got.Task)
			}
			if diff := cmp.Diff(tt.text, got.Text); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestItemsAreNumberedAndDealtWithOnce(t *testing.T) {
	r := github.Reviews{
		Changes: []github.Review{{ID: 11, Body: "a"}, {ID: 12, Body: "b"}},
		Threads: []github.Thread{thread(21, "a.go", 1, "c")},
	}
	ids := func(items []item) (out []string) {
		for i, it := range items {
			if it.n != i+1 {
				t.Errorf("item %d has the number %d", i+1, it.n)
			}
			out = append(out, it.id())
		}
		return out
	}
	if got, want := ids(itemsOf(r, nil)), []string{"r11", "r12", "t21"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// A thread that was answered stays open until a person resolves it.
	if got, want := ids(itemsOf(r, []string{"r11", "t21"})), []string{"r12", "t21"}; !slices.Equal(got, want) {
		t.Errorf("after a run got %v, want %v", got, want)
	}
}

func TestKnownIn(t *testing.T) {
	before := open()
	text := before.taskText(github.PullRequest{Number: 57, Title: "Add sums"})
	same := thread(21, "sum.go", 7, "Why not +?")
	longer := thread(21, "sum.go", 7, "Why not +?")
	longer.Comments = append(longer.Comments, github.Comment{ID: 22, Author: "kim", Body: "Well?"})
	tests := []struct {
		name string
		now  []github.Thread
		want []int
	}{
		{"numbers as in the text", []github.Thread{thread(31, "new.go", 1, "New."), same}, []int{2}},
		{"numbers that have moved up", []github.Thread{thread(31, "new.go", 1, "New."),
			thread(32, "new.go", 2, "New."), same}, []int{2}},
		{"a thread with a comment that the model has not seen", []github.Thread{longer}, nil},
		{"none is left", []github.Thread{thread(31, "new.go", 1, "New.")}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []int
			for _, it := range knownIn(text, itemsOf(github.Reviews{Threads: tt.now}, nil)) {
				got = append(got, it.n)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got the numbers %v, want %v", got, tt.want)
			}
		})
	}
}

func TestTodoSummary(t *testing.T) {
	o := open()
	o.checks, o.conflicts, o.asked = make([]failedCheck, 1), []string{"a", "b"}, "more"
	const want = "1 failed check, 2 review comments, 2 files in conflict, a request"
	if got := o.summary(); got != want || o.none() {
		t.Errorf("got %q, want %q", got, want)
	}
	if (todo{asked: "more"}).none() {
		t.Error("a request alone is nothing")
	}
	if got := (todo{}).summary(); got != "" || !(todo{}).none() {
		t.Errorf("nothing is summed up as %q", got)
	}
}

func TestAnswersAll(t *testing.T) {
	checks, conflicts := open(), open()
	checks.checks, conflicts.conflicts = make([]failedCheck, 1), []string{"a"}
	const both = "Fine.\nANSWER 1: There is one.\n- **ANSWER 2**: It is slower."
	tests := []struct {
		name  string
		todo  todo
		reply string
		want  bool
	}{
		{"each has one", open(), both, true},
		{"one lacks one", open(), "ANSWER 1: There is one.", false},
		{"an empty one", open(), both + "\nANSWER 2: ", true},
		{"only empty ones", open(), "ANSWER 1:\nANSWER 2: ", false},
		{"a failed check needs an edit", checks, both, false},
		{"so does a conflict", conflicts, both, false},
		{"nothing to answer", todo{}, both, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.todo.answersAll(tt.reply); got != tt.want {
				t.Errorf("got %v from %q", got, strings.TrimSpace(tt.reply))
			}
		})
	}
}

func TestPullMemoryIsReadAgain(t *testing.T) {
	m := pullMemory{Attempts: 3, CostUSD: 0.25, Runs: 2, Commit: "0123abc", Done: []string{"r11", "t21"}}
	if diff := cmp.Diff(m, memoryIn("words\n"+m.marker()+"\nmore")); diff != "" {
		t.Error(diff)
	}
	for range maxDone {
		m.Done = append(m.Done, "t99")
	}
	if got := memoryIn(m.marker()).Done; len(got) != maxDone || got[0] != "t99" {
		t.Errorf("%d items are remembered, the first is %s", len(got), got[0])
	}
	if diff := cmp.Diff(pullMemory{}, memoryIn("<!-- booty:state attempts=3 runs=x -->")); diff != "" {
		t.Error(diff)
	}
}

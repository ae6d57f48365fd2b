package runner

import (
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
)

// TestTheCommitHasTheSentencesForTheReviewer: wrapped, and without what git would read as
// a trailer.
func TestTheCommitHasTheSentencesForTheReviewer(t *testing.T) {
	t.Parallel()
	prose := "The parser took an empty list for a missing one. It looks at the brackets now, not at what is between them.\n\n" +
		"Signed-off-by: Somebody <else@example.org>\n\n- one item"
	got := commitMessage(engine.Keep{Green: true, Summary: "fix(parser): accept an empty list", Prose: commitBody(prose)})
	want := `fix(parser): accept an empty list

The parser took an empty list for a missing one. It looks at the
brackets now, not at what is between them.

- one item`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if got, want := commitMessage(engine.Keep{}), "chore: apply the change that booty made\n\n"+
		"The checks still fail: this is the best attempt of an unfinished run."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTheCommitOfAReplyWithoutASummary: the task's first sentence is the subject.
func TestTheCommitOfAReplyWithoutASummary(t *testing.T) {
	t.Parallel()
	redact := func(s string) string { return strings.ReplaceAll(s, "k3y", "***") }
	for _, c := range []struct{ title, summary, want string }{
		{"Accept an empty list. It is an error today.", "", "Accept an empty list"},
		{"Accept k3y", " ", "Accept ***"},
		{"Accept an empty list", "fix(parser): accept []", "fix(parser): accept []"},
		{"", "", "chore: apply the change that booty made"},
	} {
		at := &tree{redact: redact, job: Job{Task: Task{Task: event.Task{Title: c.title}}}}
		if got := at.message(engine.Keep{Green: true, Summary: c.summary}); got != c.want {
			t.Errorf("title %q, summary %q: got %q, want %q", c.title, c.summary, got, c.want)
		}
	}
}

package runner

import (
	"testing"

	"github.com/booty-cli/booty/internal/engine"
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

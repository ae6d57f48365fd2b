package workspace

import (
	"slices"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

func TestHistoryTellsMessagesAndPaths(t *testing.T) {
	t.Parallel()
	dir := testkit.Repo(t, map[string]string{"a.go": "1", "b c/ä.go": "1"})
	testkit.Write(t, dir, map[string]string{"a.go": "2", "b c/ä.go": "2"})
	testkit.Git(t, dir, "commit", "-q", "-a", "-m", "parser: accept an empty list\n\nIt was refused.")
	testkit.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "nothing")
	past, err := open(t, dir).History.Past(t.Context(), 2)
	must(t, err)
	if len(past) != 2 || past[0].Message != "nothing" || len(past[0].Paths) != 0 {
		t.Fatalf("got %q", past)
	}
	if past[1].Message != "parser: accept an empty list\n\nIt was refused." || !slices.Equal(past[1].Paths, []string{"a.go", "b c/ä.go"}) {
		t.Errorf("got %q", past[1])
	}

	fresh := t.TempDir()
	testkit.Git(t, fresh, "init", "-q")
	past, err = open(t, fresh).History.Past(t.Context(), 9)
	if err != nil || len(past) != 0 {
		t.Errorf("a repository without a commit: %q, %v", past, err)
	}
}

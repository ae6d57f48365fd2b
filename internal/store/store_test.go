package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/testkit"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestStore: git reads what it borrows, its references come and go, and the user's repository
// stays as it is.
func TestStore(t *testing.T) {
	testkit.Hermetic(t)
	user := testkit.Repo(t, map[string]string{"a.txt": "a\n"})
	of, state := filepath.Join(user, ".git"), t.TempDir()
	head := strings.TrimSpace(testkit.Git(t, user, "rev-parse", "HEAD"))
	filed := []git.Setting{{Key: "user.name", Value: "Ann"}, {Key: "core.worktree", Value: "/elsewhere"},
		{Key: "alias.x", Value: "!echo"}, {Key: "remote.origin.url", Value: "https://example.com/x"}}
	s := New(state, of, filed, filed)
	must(t, s.Make())
	must(t, s.Make()) // again, as for each run

	for _, line := range []string{"name = \"Ann\"", "[remote \"origin\"]"} {
		if !strings.Contains(s.Config(), line) {
			t.Errorf("the settings lack %s:\n%s", line, s.Config())
		}
	}
	for _, word := range []string{"worktree", "alias"} {
		if strings.Contains(s.Config(), word) {
			t.Errorf("the settings hold %s:\n%s", word, s.Config())
		}
	}
	const ref = "refs/booty/r1/0"
	must(t, s.SetRef(ref, head))
	if got, err := s.Ref(ref); err != nil || got != head {
		t.Errorf("the reference is %q, %v; want %s", got, err, head)
	}
	if got := testkit.Git(t, s.Path(), "show", ref+":a.txt"); got != "a" && got != "a\n" {
		t.Errorf("git reads %q through the store", got)
	}
	must(t, s.DropRef(ref))
	if got, err := s.Ref(ref); err != nil || got != "" {
		t.Errorf("the reference is still %q, %v", got, err)
	}
	if got := testkit.Git(t, user, "for-each-ref"); strings.Contains(got, "booty") {
		t.Errorf("the user's repository has references of booty's:\n%s", got)
	}

	must(t, DropOrphans(state))
	if _, err := os.Stat(s.Path()); err != nil {
		t.Errorf("the store of a repository that is there is gone: %v", err)
	}
	must(t, os.Rename(user, user+"-moved"))
	must(t, DropOrphans(state))
	if _, err := os.Stat(s.Dir()); !os.IsNotExist(err) {
		t.Errorf("the store of a repository that is gone is kept: %v", err)
	}
}

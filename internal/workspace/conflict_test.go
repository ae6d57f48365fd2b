package workspace

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/trees"
)

func TestTheSidesOfEveryKindOfConflict(t *testing.T) {
	testkit.Hermetic(t)
	r, done := treeAt(t, open(t, conflicted(t)), trees.Options{})
	defer done()
	dir := r.at.Root
	m, err := r.Committer.Merge(t.Context(), "theirs", "")
	must(t, err)
	texts, err := r.Committer.ConflictTexts(t.Context(), m.Conflicts)
	must(t, err)
	got := map[string]string{}
	for _, c := range texts {
		got[c.Path] = strings.TrimSpace(string(c.Base)) + "/" + strings.TrimSpace(string(c.Ours)) + "/" + strings.TrimSpace(string(c.Theirs))
		both := c.Ours != nil && c.Theirs != nil
		if marked := strings.Contains(string(c.Merged), "<<<<<<< ") && strings.Contains(string(c.Merged), "||||||| "); marked != both {
			t.Errorf("%s: markers with the base: got %t, want %t", c.Path, marked, both)
		}
	}
	for path, want := range map[string]string{
		"both.txt": "base/ours/theirs", "added.txt": "/ours/theirs", "they-delete.txt": "base/ours/", "we-delete.txt": "base//theirs",
	} {
		if got[path] != want {
			t.Errorf("%s: got %q, want %q", path, got[path], want)
		}
	}
	must(t, r.Committer.TakeOurs(t.Context(), texts))
	if data, err := os.ReadFile(filepath.Join(dir, "both.txt")); err != nil || string(data) != "ours\n" {
		t.Errorf("got %q (%v)", data, err)
	}
	_, err = r.Committer.Commit(t.Context(), commit.Options{Message: "merge theirs", Paths: []string{"both.txt", "added.txt", "they-delete.txt", "we-delete.txt"}})
	must(t, err)
	if st := testkit.Git(t, dir, "status", "--porcelain"); st != "" {
		t.Errorf("got %q, want a clean tree", st)
	}
}

func TestAConflictIsSeenBeforehandAndTouchesNothing(t *testing.T) {
	testkit.Hermetic(t)
	dir := conflicted(t)
	r := open(t, dir)
	before := take(t, dir)
	got, err := r.Commits.WouldConflict(t.Context(), "main", "theirs")
	must(t, err)
	slices.Sort(got)
	if s := strings.Join(got, " "); s != "added.txt both.txt they-delete.txt we-delete.txt" {
		t.Errorf("got %s", s)
	}
	same(t, "after a look", take(t, dir), before)
	none, err := r.Commits.WouldConflict(t.Context(), "main", "main~1")
	if err != nil || len(none) > 0 {
		t.Errorf("got %v (%v), want none", none, err)
	}
}

package commit

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testkit/checkout"
)

// conflicted makes two branches that differ in every way a merge can stumble on.
func conflicted(t *testing.T) string {
	t.Helper()
	dir := testkit.Repo(t, map[string]string{"both.txt": "base\n", "they-delete.txt": "base\n", "we-delete.txt": "base\n", "fine.txt": "base\n"})
	testkit.Git(t, dir, "switch", "-q", "-c", "theirs")
	testkit.Write(t, dir, map[string]string{"both.txt": "theirs\n", "we-delete.txt": "theirs\n", "added.txt": "theirs\n", "fine.txt": "theirs\n"})
	testkit.Git(t, dir, "rm", "-q", "they-delete.txt")
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-q", "-m", "theirs")
	testkit.Git(t, dir, "switch", "-q", "main")
	testkit.Write(t, dir, map[string]string{"both.txt": "ours\n", "they-delete.txt": "ours\n", "added.txt": "ours\n"})
	testkit.Git(t, dir, "rm", "-q", "we-delete.txt")
	testkit.Git(t, dir, "add", "-A")
	testkit.Git(t, dir, "commit", "-q", "-m", "ours")
	return dir
}

func TestMergeConflictsAndTheirEnd(t *testing.T) {
	testkit.Hermetic(t)
	r := treeIn(t, conflicted(t))
	dir := r.at.Root
	before := state(t, dir)
	m, err := r.Merge(t.Context(), "theirs", "")
	must(t, err)
	var got []string
	for _, c := range m.Conflicts {
		got = append(got, c.Kind+" "+c.Path)
	}
	if s := strings.Join(got, ", "); s != "AA added.txt, UU both.txt, UD they-delete.txt, DU we-delete.txt" {
		t.Errorf("got conflicts %s", s)
	}
	must(t, r.AbortMerge(t.Context()))
	same(t, "after giving the merge up", state(t, dir), before)

	m, err = r.Merge(t.Context(), "theirs", "")
	must(t, err)
	var paths []string
	for _, c := range m.Conflicts {
		put(t, dir, c.Path, "settled\n")
		paths = append(paths, c.Path)
	}
	_, err = r.Commit(t.Context(), Options{Message: "merge theirs", Paths: paths})
	must(t, err)
	if n := testkit.Git(t, dir, "rev-list", "--count", "--merges", "HEAD"); n != "1" {
		t.Errorf("got %s merges, want one", n)
	}
	if st := testkit.Git(t, dir, "status", "--porcelain"); st != "" {
		t.Errorf("got %q, want a clean tree", st)
	}
	again, err := r.Merge(t.Context(), "theirs", "")
	if err != nil || again.Changed {
		t.Errorf("got %+v, %v; want nothing to merge", again, err)
	}
}

func TestMergeFailuresThatAreNoConflicts(t *testing.T) {
	testkit.Hermetic(t)
	dir := conflicted(t)
	testkit.Git(t, dir, "checkout", "-q", "--orphan", "alone")
	testkit.Git(t, dir, "commit", "-q", "--allow-empty", "-m", "alone")
	testkit.Git(t, dir, "switch", "-q", "-f", "main")
	r := treeIn(t, dir)
	dir = r.at.Root
	if _, err := r.Merge(t.Context(), "alone", ""); fault.KindOf(err) != fault.Git || !strings.Contains(err.Error(), "history") {
		t.Errorf("got %v, want no common history", err)
	}
	put(t, dir, "fine.txt", "not committed\n")
	before := state(t, dir)
	if _, err := r.Merge(t.Context(), "theirs", ""); fault.KindOf(err) != fault.Refused || !strings.Contains(err.Error(), "fine.txt") {
		t.Errorf("got %v, want a refusal that names the file", err)
	}
	same(t, "after a merge that was not begun", state(t, dir), before)
	if _, err := r.Merge(t.Context(), "no-such-branch", ""); fault.KindOf(err) != fault.Git {
		t.Errorf("got %v, want a git failure", err)
	}
}

func TestTheSidesOfEveryKindOfConflict(t *testing.T) {
	testkit.Hermetic(t)
	r := treeIn(t, conflicted(t))
	dir := r.at.Root
	m, err := r.Merge(t.Context(), "theirs", "")
	must(t, err)
	texts, err := r.ConflictTexts(t.Context(), m.Conflicts)
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
	must(t, r.TakeOurs(t.Context(), texts))
	if data, err := os.ReadFile(filepath.Join(dir, "both.txt")); err != nil || string(data) != "ours\n" {
		t.Errorf("got %q (%v)", data, err)
	}
	_, err = r.Commit(t.Context(), Options{Message: "merge theirs", Paths: []string{"both.txt", "added.txt", "they-delete.txt", "we-delete.txt"}})
	must(t, err)
	if st := testkit.Git(t, dir, "status", "--porcelain"); st != "" {
		t.Errorf("got %q, want a clean tree", st)
	}
}

func TestAConflictIsSeenBeforehandAndTouchesNothing(t *testing.T) {
	testkit.Hermetic(t)
	dir := conflicted(t)
	r := makerAt(checkout.At(t, dir))
	before := state(t, dir)
	got, err := r.WouldConflict(t.Context(), "main", "theirs")
	must(t, err)
	slices.Sort(got)
	if s := strings.Join(got, " "); s != "added.txt both.txt they-delete.txt we-delete.txt" {
		t.Errorf("got %s", s)
	}
	same(t, "after a look", state(t, dir), before)
	none, err := r.WouldConflict(t.Context(), "main", "main~1")
	if err != nil || len(none) > 0 {
		t.Errorf("got %v (%v), want none", none, err)
	}
}

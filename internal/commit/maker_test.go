package commit

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/git"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/testkit/checkout"
)

func TestCommitOfOneFileMovesNothing(t *testing.T) {
	testkit.Hermetic(t)
	at := checkout.At(t, testkit.Repo(t, map[string]string{"a.go": "one\n", "b.go": "two\n"}))
	r := makerAt(at)
	ctx := t.Context()
	branch, head, err := r.store.Objects().Head()
	if err != nil {
		t.Fatal(err)
	}
	made, err := r.File(ctx, head, history.FileAt{Path: "a.go", Data: []byte("three\r\n")}, Options{Message: "say three", Trailers: []string{"Key: value"}})
	if err != nil {
		t.Fatal(err)
	}
	if b, h, _ := r.store.Objects().Head(); b != branch || h != head {
		t.Errorf("HEAD moved to %s %s", b, h)
	}
	if entries, err := r.git.Status(ctx); err != nil || len(entries) > 0 {
		t.Errorf("the work tree is not clean: %v", err)
	}
	if data, _, err := r.history.ReadFile(ctx, made, "a.go"); err != nil || string(data) != "three\r\n" {
		t.Errorf("got %q, %v", data, err)
	}
	changes, err := at.Comparer().Changes(ctx, head, made)
	if err != nil || len(changes) != 1 || changes[0].Path != "a.go" {
		t.Errorf("got %v, %v", changes, err)
	}
	if v, err := r.history.Trailer(ctx, made, "Key"); err != nil || v != "value" {
		t.Errorf("the trailer is missing: %v", err)
	}
}

func TestCommitOfSomePaths(t *testing.T) {
	testkit.Hermetic(t)
	at := checkout.At(t, testkit.Repo(t, map[string]string{"a": "one\n", "b": "two\n", "c": "three\n"}))
	r := makerAt(at)
	ctx := t.Context()
	_, head, err := r.store.Objects().Head()
	if err != nil {
		t.Fatal(err)
	}
	other, err := r.File(ctx, head, history.FileAt{Path: "a", Data: []byte("new\n")}, Options{Message: "a"})
	if err != nil {
		t.Fatal(err)
	}
	other, err = r.File(ctx, other, history.FileAt{Path: "b", Data: []byte("not named\n")}, Options{Message: "b"})
	if err != nil {
		t.Fatal(err)
	}
	made, err := r.Paths(ctx, head, other, Options{Message: "some", Paths: []string{"a", "gone"}, Trailers: []string{"Key: 7"}})
	if err != nil {
		t.Fatal(err)
	}
	changes, err := at.Comparer().Changes(ctx, head, made)
	if err != nil || len(changes) != 1 || changes[0].Path != "a" {
		t.Errorf("got %v, %v", changes, err)
	}
	if v, err := r.history.Trailer(ctx, made, "Key"); err != nil || v != "7" {
		t.Errorf("got %q, %v", v, err)
	}
	if again, err := r.Paths(ctx, made, other, Options{Message: "some", Paths: []string{"a"}}); err != nil || again != "" {
		t.Errorf("a commit without a change: %q, %v", again, err)
	}
	like, err := r.Like(ctx, made, other)
	if err != nil {
		t.Fatal(err)
	}
	if data, _, err := r.history.ReadFile(ctx, like, "b"); err != nil || string(data) != "not named\n" {
		t.Errorf("got %q, %v", data, err)
	}
	if commit, parent, err := r.history.CommitSaying(ctx, like, "Key: 7"); err != nil || commit != made || parent != head {
		t.Errorf("got %s, %s, %v", commit, parent, err)
	}
}

// TestStagedIsWhatTheNextCommitWouldHave, by the index that a hook of git's was given, if it is one
// of this checkout.
func TestStagedIsWhatTheNextCommitWouldHave(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	head := testkit.Git(t, dir, "rev-parse", "HEAD")
	m := makerAt(checkout.At(t, dir))
	put(t, dir, "b.txt", "not staged\n")
	put(t, dir, "new.txt", "untracked\n")
	if got, err := m.Staged(t.Context(), ""); err != nil || got != "" {
		t.Errorf("nothing is staged: got %q, %v", got, err)
	}
	files := func(commit string) string {
		return testkit.Git(t, m.store.Path(), "diff", "--name-only", head, commit) + " on " +
			testkit.Git(t, m.store.Path(), "show", "-s", "--format=%P", commit)
	}
	put(t, dir, "a.txt", "staged\n")
	testkit.Git(t, dir, "add", "a.txt")
	put(t, dir, "a.txt", "and more\n")
	before := state(t, dir)
	got, err := m.Staged(t.Context(), "")
	must(t, err)
	if files(got) != "a.txt on "+head || testkit.Git(t, m.store.Path(), "show", got+":a.txt") != "staged" {
		t.Errorf("got %s", files(got))
	}
	same(t, "after a look at what is staged", state(t, dir), before)

	put(t, dir, ".git/next-index-1.lock", "")
	must(t, CopyFile(filepath.Join(dir, ".git", "next-index-1.lock"), m.index.Path()))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(dir, ".git", "next-index-1.lock"))
	testkit.Git(t, dir, "add", "b.txt")
	outside := filepath.Join(t.TempDir(), "index")
	must(t, CopyFile(outside, filepath.Join(dir, ".git", "next-index-1.lock")))
	t.Setenv("GIT_INDEX_FILE", m.index.Path())
	for index, want := range map[string]string{".git/next-index-1.lock": "a.txt\nb.txt", outside: "a.txt", "": "a.txt"} {
		got, err := m.Staged(t.Context(), index)
		must(t, err)
		if files(got) != want+" on "+head {
			t.Errorf("with the index %q: %s, want %s", index, files(got), want)
		}
	}
}

// TestStagedConflictsAreNoCommit: git would refuse it, too.
func TestStagedConflictsAreNoCommit(t *testing.T) {
	testkit.Hermetic(t)
	dir := conflicted(t)
	cmd := exec.Command("git", "merge", "-q", "theirs")
	if cmd.Dir = dir; cmd.Run() == nil {
		t.Fatal("the merge should be in conflict")
	}
	if got, err := makerAt(checkout.At(t, dir)).Staged(t.Context(), ""); err == nil || !strings.Contains(err.Error(), "in conflict") {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestASignerIsRunFromOutsideTheWorkTree alone: what a change may have written gets no key.
func TestASignerIsRunFromOutsideTheWorkTree(t *testing.T) {
	tree, home, out := t.TempDir(), t.TempDir(), t.TempDir()
	for name, c := range map[string]struct {
		set     []git.Setting
		refused string
	}{
		"a name on the path":       {[]git.Setting{{Key: "gpg.program", Value: "gpg2"}}, ""},
		"outside":                  {[]git.Setting{{Key: "gpg.program", Value: out + "/gpg"}}, ""},
		"in the tree":              {[]git.Setting{{Key: "gpg.program", Value: tree + "/tools/gpg"}}, "gpg.program"},
		"in the user's checkout":   {[]git.Setting{{Key: "gpg.ssh.program", Value: home + "/sign"}}, "gpg.ssh.program"},
		"relative to the tree":     {[]git.Setting{{Key: "gpg.openpgp.program", Value: "tools/gpg --batch"}}, "gpg.openpgp.program"},
		"relative, leading out":    {[]git.Setting{{Key: "gpg.x509.program", Value: "../gpgsm"}}, ""},
		"a command for the key":    {[]git.Setting{{Key: "gpg.ssh.defaultKeyCommand", Value: "./key"}}, "gpg.ssh.defaultkeycommand"},
		"the last of two settings": {[]git.Setting{{Key: "gpg.program", Value: "./gpg"}, {Key: "gpg.program", Value: "gpg"}}, ""},
	} {
		m := &Maker{settings: append(c.set, git.Setting{Key: "commit.gpgsign", Value: "true"}), roots: []string{tree, home}}
		err := m.signable()
		if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: got %v", name, err)
		}
		if m.settings[len(c.set)].Value = "false"; m.signable() != nil {
			t.Errorf("%s: refused where nothing is signed", name)
		}
	}
}

// TestMergeOfCommits has both as parents, ours first, and moves nothing.
func TestMergeOfCommits(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.txt": "a\n", "b.txt": "b\n"})
	testkit.Git(t, dir, "switch", "-q", "-c", "theirs")
	put(t, dir, "b.txt", "B\n")
	testkit.Git(t, dir, "commit", "-q", "-am", "theirs")
	testkit.Git(t, dir, "switch", "-q", "main")
	put(t, dir, "a.txt", "A\n")
	testkit.Git(t, dir, "commit", "-q", "-am", "ours")
	before := state(t, dir)
	m := makerAt(checkout.At(t, dir))
	ours, theirs := testkit.Git(t, dir, "rev-parse", "main"), testkit.Git(t, dir, "rev-parse", "theirs")
	made, err := m.Merge(t.Context(), ours, theirs, "merge")
	must(t, err)
	got := []string{testkit.Git(t, m.store.Path(), "show", "-s", "--format=%P %s", made),
		testkit.Git(t, m.store.Path(), "show", made+":a.txt"), testkit.Git(t, m.store.Path(), "show", made+":b.txt")}
	if diff := cmp.Diff([]string{ours + " " + theirs + " merge", "A", "B"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	same(t, "afterwards", state(t, dir), before)
}

package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/history"
	"github.com/booty-cli/booty/internal/testkit"
	"github.com/booty-cli/booty/internal/trees"
)

func TestFilesOfACommit(t *testing.T) {
	r := open(t, testkit.Repo(t, map[string]string{"a.go": "one booty\n", "dir/b c.go": "two\nbooty", "d.txt": "booty"}))
	ctx := t.Context()
	_, head, err := r.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	goFiles := func(p string) bool { return strings.HasSuffix(p, ".go") }
	for name, words := range map[string][]string{"with words": {"nothing", "booty"}, "all": nil} {
		files, err := r.History.FilesAt(ctx, head, goFiles, words)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) != 2 || files[0].Path != "a.go" || string(files[1].Data) != "two\nbooty" {
			t.Errorf("%s: got %+v", name, files)
		}
	}
	if files, err := r.History.FilesAt(ctx, head, goFiles, []string{"nowhere"}); err != nil || len(files) != 0 {
		t.Errorf("got %v, %v", files, err)
	}
}

func TestCommitOfOneFileMovesNothing(t *testing.T) {
	r := open(t, testkit.Repo(t, map[string]string{"a.go": "one\n", "b.go": "two\n"}))
	ctx := t.Context()
	branch, head, err := r.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	made, err := r.Commits.File(ctx, head, history.FileAt{Path: "a.go", Data: []byte("three\r\n")}, commit.Options{Message: "say three", Trailers: []string{"Key: value"}})
	if err != nil {
		t.Fatal(err)
	}
	if b, h, _ := r.Head(ctx); b != branch || h != head {
		t.Errorf("HEAD moved to %s %s", b, h)
	}
	if entries, err := r.Listing.Status(ctx); err != nil || len(entries) > 0 {
		t.Errorf("the work tree is not clean: %v", err)
	}
	if data, _, err := r.History.ReadFile(ctx, made, "a.go"); err != nil || string(data) != "three\r\n" {
		t.Errorf("got %q, %v", data, err)
	}
	changes, err := r.Compare.Changes(ctx, head, made)
	if err != nil || len(changes) != 1 || changes[0].Path != "a.go" {
		t.Errorf("got %v, %v", changes, err)
	}
	if v, err := r.History.Trailer(ctx, made, "Key"); err != nil || v != "value" {
		t.Errorf("the trailer is missing: %v", err)
	}
}

func TestCommitOfSomePaths(t *testing.T) {
	r := open(t, testkit.Repo(t, map[string]string{"a": "one\n", "b": "two\n", "c": "three\n"}))
	ctx := t.Context()
	_, head, err := r.Head(ctx)
	if err != nil {
		t.Fatal(err)
	}
	other, err := r.Commits.File(ctx, head, history.FileAt{Path: "a", Data: []byte("new\n")}, commit.Options{Message: "a"})
	if err != nil {
		t.Fatal(err)
	}
	other, err = r.Commits.File(ctx, other, history.FileAt{Path: "b", Data: []byte("not named\n")}, commit.Options{Message: "b"})
	if err != nil {
		t.Fatal(err)
	}
	made, err := r.Commits.Paths(ctx, head, other, commit.Options{Message: "some", Paths: []string{"a", "gone"}, Trailers: []string{"Key: 7"}})
	if err != nil {
		t.Fatal(err)
	}
	changes, err := r.Compare.Changes(ctx, head, made)
	if err != nil || len(changes) != 1 || changes[0].Path != "a" {
		t.Errorf("got %v, %v", changes, err)
	}
	if v, err := r.History.Trailer(ctx, made, "Key"); err != nil || v != "7" {
		t.Errorf("got %q, %v", v, err)
	}
	if again, err := r.Commits.Paths(ctx, made, other, commit.Options{Message: "some", Paths: []string{"a"}}); err != nil || again != "" {
		t.Errorf("a commit without a change: %q, %v", again, err)
	}
	like, err := r.Commits.Like(ctx, made, other)
	if err != nil {
		t.Fatal(err)
	}
	if data, _, err := r.History.ReadFile(ctx, like, "b"); err != nil || string(data) != "not named\n" {
		t.Errorf("got %q, %v", data, err)
	}
	if commit, parent, err := r.History.CommitSaying(ctx, like, "Key: 7"); err != nil || commit != made || parent != head {
		t.Errorf("got %s, %s, %v", commit, parent, err)
	}
}

// TestStaleLocksOfGitAreIgnored: what a killed git left beside booty's own
// indexes stands in nobody's way.
func TestStaleLocksOfGitAreIgnored(t *testing.T) {
	testkit.Hermetic(t)
	dir := testkit.Repo(t, map[string]string{"a.go": "one\n"})
	r := open(t, dir)
	r, done := treeAt(t, r, trees.Options{})
	defer done()
	lock := filepath.Join(r.at.Store.Private(), "commit.index.lock")
	must(t, os.WriteFile(lock, nil, 0o600))
	put(t, r.at.Root, "a.go", "three\n")
	if made, err := r.Committer.Commit(t.Context(), commit.Options{Message: "three", Paths: []string{"a.go"}}); err != nil || made == "" {
		t.Errorf("got %q, %v", made, err)
	}
	if _, err := os.Lstat(lock); err == nil {
		t.Error("the lock stays")
	}
}

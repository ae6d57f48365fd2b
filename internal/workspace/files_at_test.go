package workspace

import (
	"github.com/booty-cli/booty/internal/testkit"
	"strings"
	"testing"
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
		files, err := r.FilesAt(ctx, head, goFiles, words)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) != 2 || files[0].Path != "a.go" || string(files[1].Data) != "two\nbooty" {
			t.Errorf("%s: got %+v", name, files)
		}
	}
	if files, err := r.FilesAt(ctx, head, goFiles, []string{"nowhere"}); err != nil || len(files) != 0 {
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
	made, err := r.CommitFile(ctx, head, FileAt{"a.go", []byte("three\r\n")}, CommitOptions{Message: "say three", Trailers: []string{"Key: value"}})
	if err != nil {
		t.Fatal(err)
	}
	if b, h, _ := r.Head(ctx); b != branch || h != head {
		t.Errorf("HEAD moved to %s %s", b, h)
	}
	if clean, err := r.Clean(ctx); err != nil || !clean {
		t.Errorf("the work tree is not clean: %v", err)
	}
	if data, _, err := r.ReadFile(ctx, made, "a.go"); err != nil || string(data) != "three\r\n" {
		t.Errorf("got %q, %v", data, err)
	}
	changes, err := r.Changes(ctx, head, made)
	if err != nil || len(changes) != 1 || changes[0].Path != "a.go" {
		t.Errorf("got %v, %v", changes, err)
	}
	if ok, err := r.CommitMentions(ctx, made, "Key: value"); err != nil || !ok {
		t.Errorf("the trailer is missing: %v", err)
	}
}

package workspace

import (
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
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

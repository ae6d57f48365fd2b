package edit_test

import (
	"testing"
	"testing/fstest"

	"github.com/booty-cli/booty/pkg/edit"
)

// A new file's name may hold spaces without quotes where its folder is known; a sentence that
// ends in a file's name is none.
func TestNewFilesWithSpaces(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"my notes/old.txt": {Data: []byte("x\n")}}
	for line, want := range map[string]string{
		"my notes/new list.txt":                "my notes/new list.txt",
		"your notes/new list.txt":              "",
		"This is what goes into src/list.txt ": "",
	} {
		got := ""
		if r := edit.Parse(tree, line+"\n```\ny\n```\n"); len(r.Edits) == 1 {
			got = r.Edits[0].Path
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

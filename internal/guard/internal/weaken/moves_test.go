package weaken

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/guard/internal/lexer"
)

// TestMoves tries changes that only put lines elsewhere. Those whose names begin with BAD put
// another value, case or block in the place of an old one.
//
// A file of testdata/moves holds changes, each begun by "##### path name", old and new parted
// by "=====".
func TestMoves(t *testing.T) {
	files, err := filepath.Glob("testdata/moves/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no moves: ", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range strings.Split("\n"+string(data), "\n##### ")[1:] {
			head, text, _ := strings.Cut(change, "\n")
			path, name, _ := strings.Cut(head, " ")
			before, after, _ := strings.Cut(text, "\n=====\n")
			t.Run(head, func(t *testing.T) {
				out := Split(lexer.Of(path), path, before+"\n", strings.TrimRight(after, "\n")+"\n")
				if bad := strings.HasPrefix(name, "BAD"); bad == out.Whole() {
					t.Errorf("whole is %v: %s %q", out.Whole(), out.Why, out.Refused)
				}
			})
		}
	}
}

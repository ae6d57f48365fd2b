package weaken

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/guard/internal/lexer"
)

// TestAdditions adds, to small tests, what people add to theirs: cases and helpers in the
// forms that each language has, and tricks that look like them, whose names begin with BAD.
//
// A file of testdata/additions holds old files, each begun by "##### path", with a line
// ">>>" where something is added, and behind each what is added, begun by "+++++ name".
func TestAdditions(t *testing.T) {
	files, err := filepath.Glob("testdata/additions/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no additions: ", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split("\n"+string(data), "\n##### ")[1:] {
			pieces := strings.Split(part, "\n+++++ ")
			path, old, _ := strings.Cut(pieces[0], "\n")
			for _, piece := range pieces[1:] {
				name, text, _ := strings.Cut(piece, "\n")
				t.Run(path+"/"+name, func(t *testing.T) { tryAddition(t, path, old+"\n", name, text) })
			}
		}
	}
}

func tryAddition(t *testing.T, path, old, name, text string) {
	before := strings.Replace(old, ">>>\n", "", 1)
	if before == old {
		t.Fatal("the old file says not where to add")
	}
	after := strings.Replace(old, ">>>\n", strings.TrimRight(text, "\n")+"\n", 1)
	out := Split(lexer.Of(path), path, before, after)
	switch bad := strings.HasPrefix(name, "BAD"); {
	case bad && out.Whole():
		t.Error("a trick was let through")
	case !bad && !out.Whole():
		t.Errorf("held up: %s %q", out.Why, out.Refused)
	}
}

package edit_test

import (
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

func TestUnifiedSpeaksAsGitDoes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change edit.Change
		want   string
	}{
		"a new file that can be executed": {
			edit.Change{Op: edit.Create, Path: "x.sh", New: []byte("a\n"), Mode: 0o755},
			"diff --git a/x.sh b/x.sh\nnew file mode 100755\n--- /dev/null\n+++ b/x.sh\n@@ -0,0 +1 @@\n+a\n",
		},
		"a deleted file without a final newline": {
			edit.Change{Op: edit.Delete, Path: "x", Old: []byte("a\nb")},
			"diff --git a/x b/x\ndeleted file mode 100644\n--- a/x\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n",
		},
		"a rename alone": {
			edit.Change{Op: edit.Rename, From: "a", Path: "b", Old: []byte("x\n"), New: []byte("x\n")},
			"diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n",
		},
		"a path that must be quoted": {
			edit.Change{Op: edit.Modify, Path: "d/\"q\"\t\n\x01\\.txt", Old: []byte("a\n"), New: []byte("b\n")},
			`diff --git "a/d/\"q\"\t\n\001\\.txt" "b/d/\"q\"\t\n\001\\.txt"` + "\n" +
				`--- "a/d/\"q\"\t\n\001\\.txt"` + "\n" + `+++ "b/d/\"q\"\t\n\001\\.txt"` + "\n@@ -1 +1 @@\n-a\n+b\n",
		},
		"letters beyond ASCII are not quoted, blanks end in a tab": {
			edit.Change{Op: edit.Modify, Path: "é e.txt", Old: []byte("a\n"), New: []byte("b\n")},
			"diff --git a/é e.txt b/é e.txt\n--- a/é e.txt\t\n+++ b/é e.txt\t\n@@ -1 +1 @@\n-a\n+b\n",
		},
		"an empty file": {
			edit.Change{Op: edit.Create, Path: "x"},
			"diff --git a/x b/x\nnew file mode 100644\n",
		},
		"a file that is no text": {
			edit.Change{Op: edit.Modify, Path: "x", Old: []byte("a\x00"), New: []byte("b\x00")},
			"diff --git a/x b/x\nBinary files a/x and b/x differ\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := edit.Unified([]edit.Change{c.change}); got != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestLinesAreCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		old, now       string
		added, removed int
	}{
		"a new file":           {"", "a\nb\n", 2, 0},
		"a deleted file":       {"a\nb", "", 0, 2},
		"a line in the middle": {"a\nb\nc\n", "a\nB\nc\n", 1, 1},
		"nothing":              {"a\n", "a\n", 0, 0},
		"the final newline":    {"a", "a\n", 1, 1},
		"lines far apart":      {"a\nb\nc\nd\ne\nf\ng\nh\ni\n", "A\nb\nc\nd\ne\nf\ng\nh\nI\nj\n", 3, 2},
		"lines of a CRLF file": {"a\r\nb\r\n", "a\r\nc\r\n", 1, 1},
	} {
		added, removed := edit.Change{Op: edit.Modify, Path: "f", Old: []byte(c.old), New: []byte(c.now)}.Lines()
		if added != c.added || removed != c.removed {
			t.Errorf("%s: got +%d -%d, want +%d -%d", name, added, removed, c.added, c.removed)
		}
	}
}

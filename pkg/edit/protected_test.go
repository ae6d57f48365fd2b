package edit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

// A part that leads out is dropped by itself: its problem says so in one clear
// line, and the other parts are resolved.
func TestRefusesPathsOutside(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	writeTree(t, root, map[string]string{"in.txt": "one\n"})
	for name, to := range map[string]string{"out": t.TempDir(), "loose": "/nowhere/at/all", "up.txt": "../up.txt"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	const good = "in.txt\n<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE\n\n"
	for name, reply := range map[string]string{
		"upwards":               "../other.txt\n```\nx\n```\n",
		"upwards in the middle": "a/../../other.txt\n```\nx\n```\n",
		"absolute":              "/etc/other.conf\n```\nx\n```\n",
		"a drive":               "File: C:\\Users\\x\\other.txt\n```\nx\n```\n",
		"through a link":        "out/other.txt\n```\nx\n```\n",
		"through a dead link":   "loose/other.txt\n```\nx\n```\n",
		"a link itself":         "up.txt\n```\nx\n```\n",
		"a search":              "out/other.txt\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
		"a deletion":            "DELETE ../other.txt\n",
		"a rename outwards":     "RENAME in.txt -> ../out.txt\n",
		"a rename through":      "RENAME in.txt -> out/in.txt\n",
		"a rename from outside": "RENAME ../out.txt -> new.txt\n",
		"a diff":                "```diff\n--- a/../x.txt\n+++ b/../x.txt\n@@ -1 +1 @@\n-a\n+b\n```\n",
		"a patch":               "*** Begin Patch\n*** Add File: /tmp/x.txt\n+x\n*** End Patch\n",
	} {
		t.Run(name, func(t *testing.T) {
			changes, problems := readAndResolve(edit.DirFS(root), good+reply)
			if len(problems) != 1 || problems[0].Kind != edit.Protected || !strings.Contains(problems[0].Reason, "not a path inside the repository") ||
				strings.Contains(problems[0].Reason, "statat") || strings.Contains(problems[0].Reason, "\n") {
				t.Errorf("problems: %q", problems)
			}
			if len(changes) != 1 || changes[0].Path != "in.txt" || string(changes[0].New) != "two\n" {
				t.Errorf("changes: %+v", changes)
			}
		})
	}
	if _, problems := readAndResolve(edit.DirFS(root), good+"in.txt\n<<<<<<< SEARCH\nnone\n=======\nx\n>>>>>>> REPLACE\n"); len(problems) != 1 || problems[0].Kind != "" {
		t.Errorf("a block that does not match: %q", problems)
	}
}

package guard

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/pkg/edit"
)

// forms are the ways in which a reply can name a file; P is the path.
var forms = map[string]string{
	"whole":         "P\n```\nx = 1\n```\n",
	"label":         "File: P\n```\nx = 1\n```\n",
	"heading":       "### P\n\n```\nx = 1\n```\n",
	"bold":          "**P**\n```\nx = 1\n```\n",
	"ticks":         "`P`\n```\nx = 1\n```\n",
	"info string":   "```go P\nx = 1\n```\n",
	"info key":      "```go path=P\nx = 1\n```\n",
	"info title":    "```go title=\"P\"\nx = 1\n```\n",
	"first comment": "```\n# P\nx = 1\n```\n",
	"search":        "P\n<<<<<<< SEARCH\nold\n=======\nx = 1\n>>>>>>> REPLACE\n",
	"search, new":   "P\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n",
	"diff":          "--- a/P\n+++ b/P\n@@ -1 +1 @@\n-old\n+x = 1\n",
	"bare diff":     "--- P\n+++ P\n@@ -1 +1 @@\n-old\n+x = 1\n",
	"diff, new":     "--- /dev/null\n+++ b/P\n@@ -0,0 +1 @@\n+x = 1\n",
	"diff, link":    "diff --git a/P b/P\nnew file mode 120000\n--- /dev/null\n+++ b/P\n@@ -0,0 +1 @@\n+../out.txt\n",
	"diff, rename":  "diff --git a/ok.txt b/P\nsimilarity index 100%\nrename from ok.txt\nrename to P\n",
	"diff, delete":  "diff --git a/P b/P\ndeleted file mode 100644\n--- a/P\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n",
	"patch, add":    "*** Begin Patch\n*** Add File: P\n+x = 1\n*** End Patch\n",
	"patch, update": "*** Begin Patch\n*** Update File: P\n@@\n-old\n+x = 1\n*** End Patch\n",
	"patch, delete": "*** Begin Patch\n*** Delete File: P\n*** End Patch\n",
	"patch, move":   "*** Begin Patch\n*** Update File: ok.txt\n*** Move to: P\n@@\n-old\n+x = 1\n*** End Patch\n",
	"delete":        "DELETE P\n",
	"delete, ticks": "DELETE `P`\n",
	"rename to":     "RENAME ok.txt -> P\n",
	"rename from":   "RENAME P -> stolen.txt\n",
	"rename, ticks": "RENAME `ok.txt` -> `P`\n",
	"move":          "MOVE ok.txt => P\n",
}

// reaching are spellings of what a reply may not touch: beside and above the
// checkout (here /work), its git directory, its configuration, a protected path,
// a nested repository, a link.
var reaching = []string{
	"../out.txt", "a/../../out.txt", "./../out.txt", ".//../out.txt", "a/./../../out.txt", "a b/../../out.txt", "/abs", "~/out.txt", "~root/out.txt", `..\out.txt`, `a\..\..\out.txt`,
	`.\..\out.txt`, `C:\out.txt`, "C:out.txt", `\\server\share\out.txt`, "//out.txt", "///abs", "..", "../", "../../", "....//out.txt", "../out.txt\r", "\t../out.txt", "..\t/out.txt", "a\x00/../../out.txt",
	"‥/out.txt", "x/‥/out.txt", "..∕out.txt", ".git", ".git/config", "./.git/config", "a/../.git/config", "a//.git/config", ".git/../.git/config", "ok.txt/../.git/config", ".GIT/config", ".Git/Config",
	".git./config", ".git /config", `.git\config`, ".git/hooks/pre-commit", "git~1/config", "GIT~1/config", ".g\u200cit/config", ".ɡit/config", "．git/config", ".git∕config", "\ufeff.git/config", "\u202e.git/config",
	".git::$INDEX_ALLOCATION/config", "../work/.git/config", "b/../../work/.booty.yml", ".booty.yml", "./.booty.yml", ".Booty.YML", ".booty.yaml", ".booty.yml.", "secrets.txt", "./secrets.txt",
	"a/../secrets.txt", "secrets.txt/.", "prot/x.txt", "prot/../prot/x.txt", "sub/x.txt", "sub/.git/config", "link/x.txt", "link", "linkfile", "deep/link/x.txt", "deep/../link/x.txt", "nul", "con.txt", "aux/x.go", "ok.txt:stream",
}

func TestNoFormOfReplyReaches(t *testing.T) {
	root := filepath.Join(t.TempDir(), "work")
	for _, p := range []string{"../out.txt", "../beside/x.txt", ".git/config", ".git/hooks/pre-commit", ".booty.yml", "secrets.txt", "prot/x.txt", "sub/x.txt", "sub/.git/config", "ok.txt", "a/b.txt", "deep/y.txt"} {
		full := filepath.Join(root, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte("old\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"link": "../beside", "deep/link": "../../beside", "linkfile": "../out.txt"} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(root, filepath.FromSlash(name))); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	g, err := New(Policy{Protected: []string{"secrets.txt", "prot/**"}}, DirTree(root))
	if err != nil {
		t.Fatal(err)
	}
	fine := 0 // changes to a file that may be touched: the forms are understood
	for form, text := range forms {
		marked := strings.NewReplacer("Patch", "Patch", "P", "\x02").Replace(text)
		for _, p := range append(reaching, "ok.txt") {
			reply := strings.ReplaceAll(marked, "\x02", p)
			changes, _ := edit.Resolve(edit.DirFS(root), edit.Parse(edit.DirFS(root), reply))
			v, err := g.Review(changes)
			if err != nil {
				t.Errorf("%s, %+q: %v", form, p, err)
			}
			for _, k := range v.Kept {
				if p == "ok.txt" {
					fine++
				} else {
					t.Errorf("%s, %+q: keeps %s %q %q", form, p, k.Op, k.From, k.Path)
				}
			}
		}
	}
	if fine < 15 {
		t.Errorf("only %d forms were understood", fine)
	}
}

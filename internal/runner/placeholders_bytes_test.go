package runner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/booty-cli/booty/internal/redact"
	"github.com/booty-cli/booty/pkg/edit"
)

// TestEditsByTheBytesOfAFile: a search block that gives the bytes of a file is
// applied although the file was shown with a mark in their place.
func TestEditsByTheBytesOfAFile(t *testing.T) {
	t.Parallel()
	token := "ghp_" + "Zt5uVw8xYa1bCd4eFg7hIj0kLm3nOp6qRs9T"
	old := "a = \"" + token + "\"\nb = 1\n"
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.py"), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	r := redact.New(redact.Options{})
	for name, c := range map[string]struct{ search, replace, want string }{
		"the bytes":           {"a = \"" + token + "\"", "a = \"" + token + "\"  # sample", "a = \"" + token + "\"  # sample\nb = 1\n"},
		"the mark":            {"a = \"[REDACTED:github-token]\"", "aa = \"[REDACTED:github-token]\"", "aa = \"" + token + "\"\nb = 1\n"},
		"another line":        {"b = 1", "b = 2", "a = \"" + token + "\"\nb = 2\n"},
		"neither":             {"a = \"nothing\"", "a = 2", ""},
		"the bytes by a mark": {"a = \"" + token + "\"", "aa = \"[REDACTED:github-token]\"", "aa = \"" + token + "\"\nb = 1\n"},
	} {
		files := shownFS{FS: edit.DirFS(dir), redact: r.String}
		reply := edit.Parse(files, "Summary: x\n\na.py\n```python\n<<<<<<< SEARCH\n"+c.search+"\n=======\n"+c.replace+"\n>>>>>>> REPLACE\n```\n")
		changes, problems := resolveShown(files, reply)
		got := ""
		if len(problems) == 0 && len(changes) == 1 {
			got = string(changes[0].New)
		}
		if got != c.want {
			t.Errorf("%s: got %q %v, want %q", name, got, problems, c.want)
		}
	}
}

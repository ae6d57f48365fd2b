package distill

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHiddenFilesAreNotQuoted, and paths are those that the command printed, where it
// saw the folder elsewhere.
func TestHiddenFilesAreNotQuoted(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.go": "package a\n\nvar open = 1\n", "b.go": "package a\n\nvar hidden = 2\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	output := "# example.com/a\n/seen/at/a.go:3:5: undefined: x\n/seen/at/b.go:3:5: undefined: y\n"
	code := 1
	r, err := Read(context.Background(), strings.NewReader(output), Options{Dir: dir, PrintedDir: "/seen/at", ExitCode: &code,
		Hidden: func(path string) bool { return path == "b.go" }})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{r.Text, r.TextWithin(2000)} {
		if !strings.Contains(text, "var open") || strings.Contains(text, "var hidden") || strings.Contains(text, "/seen/at") {
			t.Errorf("got %q", text)
		}
	}
	if len(r.Failures) != 2 || r.Failures[1].File != "b.go" {
		t.Errorf("got %+v", r.Failures)
	}
}

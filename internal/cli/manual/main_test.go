package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/cli"
)

// TestEachCommandHasItsPage looks for what a package's manual must tell.
func TestEachCommandHasItsPage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "man")
	if err := write(dir, cli.Build{Version: "1.2.3", Date: "2026-11-22T10:00:00Z"}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"booty.1": "exit-codes", "booty-run.1": "Give exactly one task", "booty-status.1": "context", "booty-undo.1": "Nov 2026",
	} {
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(page), want) {
			t.Errorf("%s lacks %q:\n%s", name, want, page)
		}
	}
	file := filepath.Join(dir, "booty.1")
	if err := write(file, cli.Build{}); err == nil {
		t.Error("a file was taken for a folder")
	}
}

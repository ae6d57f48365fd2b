package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/booty-cli/booty/internal/term"
)

// TestATerminalObeysTheStyles: what makes foreign text harmless lets booty's own styles pass.
func TestATerminalObeysTheStyles(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../report/testdata/*.ansi")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files with styles: %v", err)
	}
	for _, file := range files {
		styled, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := term.Escape(string(styled)); got != string(styled) {
			t.Errorf("%s: a terminal shows\n%s", file, got)
		}
	}
}

package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestValuesOfAnotherTypeAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"a number for a command":    {"test_command: 5\n", "want text or a list of texts, got the number 5"},
		"a fraction for a command":  {"test_command: 1.5\n", "got the number 1.5"},
		"a quoted word for a bool":  {"test_command: x\nsandbox: {network: \"no\"}\n", "take its quotes away"},
		"a quoted number in quotes": {"test_command: \"5\"\n", ""},
		"a plain word for a bool":   {"test_command: x\nsandbox: {network: no}\n", ""},
		"a command named true":      {"test_command: true\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := Check(".booty.yml", []byte(c.text))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestALinkToNowhereIsNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("gone.yml", filepath.Join(dir, ".booty.yml")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	_, err := Load(LoadOptions{Root: dir, RequireProject: true, Getenv: func(string) string { return "" }})
	if err == nil || !strings.Contains(err.Error(), ".booty.yml is a link to gone.yml") {
		t.Errorf("got %v", err)
	}
}

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestArchitectureNamesRealFunctions: every function on the walks through the house
// is where docs/architecture.md says, and every room has its row.
func TestArchitectureNamesRealFunctions(t *testing.T) {
	data, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	steps := regexp.MustCompile("`([a-z_/0-9]+\\.go): (\\w+)`").FindAllStringSubmatch(text, -1)
	if len(steps) < 30 {
		t.Fatalf("only %d functions are named: has the form changed?", len(steps))
	}
	for _, m := range steps {
		file, name := filepath.Join("../../internal", m[1]), m[2]
		if _, err := os.Stat(file); err != nil {
			file = filepath.Join("../../pkg", m[1])
		}
		code, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("%s: there is no such file", m[1])
			continue
		}
		if !regexp.MustCompile(`(?m)^func (?:\([^)]*\) )?` + name + `\b`).Match(code) {
			t.Errorf("%s has no function %s", m[1], name)
		}
	}
	rooms, err := os.ReadDir("../../internal")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rooms {
		if r.IsDir() && !strings.Contains(text, "| `internal/"+r.Name()+"`") {
			t.Errorf("internal/%s has no row", r.Name())
		}
	}
}

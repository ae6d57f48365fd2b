//go:build slow

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// slow says that the tests were built with -tags slow.
const slow = true

// TestSlowScripts runs the scripts that TestScripts skips without -tags slow: those that
// start real compilers and test runners many times over.
func TestSlowScripts(t *testing.T) {
	var files []string
	for _, file := range scripts(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("\n[!slow] skip")) {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		t.Fatalf("no script in %s is slow", filepath.Join("testdata", "script"))
	}
	runScripts(t, files)
}

//go:build slow && unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/testkit"
)

// TestProveSeeded has prove judge bad changes: tests weakened, tests of nothing, special
// cases for the tests' inputs, half a fix, refactors that change behavior. What it is to
// say was written before it was run; of a special case that fits all tests, running them
// says nothing. A fifth of them are judged, with BOOTY_KILL_ALL all.
func TestProveSeeded(t *testing.T) {
	need(t, "node")
	booty := buildBooty(t)
	changes := seededChanges(t, "prove_seeded.txtar")
	if len(changes) != 30 {
		t.Fatalf("got %d cases", len(changes))
	}
	testkit.Hermetic(t)
	for i, c := range changes {
		if !all() && i%5 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			repo := testkit.Repo(t, c.base)
			for path, text := range c.files {
				path = filepath.Join(repo, path)
				if text == gone {
					if err := os.Remove(path); err != nil {
						t.Fatal(err)
					}
				} else if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(booty, "prove", "--json", "--quiet")
			cmd.Dir = repo
			out, _ := cmd.Output() // its exit code says that it is not proven
			lines := strings.Split(strings.TrimSpace(string(out)), "\n")
			var got event.ProofFinished
			if err := json.Unmarshal([]byte(lines[len(lines)-1]), &got); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if got.Verdict != c.verdict {
				t.Errorf("got %s (%s), want %s\n%s", got.Verdict, got.Reason, c.verdict, lines[len(lines)-1])
			}
		})
	}
}

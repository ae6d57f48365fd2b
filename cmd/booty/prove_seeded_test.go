//go:build slow && unix

package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

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
	archive, err := txtar.ParseFile(filepath.Join("testdata", "prove_seeded.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	base, cases, order := map[string]string{}, map[string]map[string]string{}, []string{}
	for _, f := range archive.Files {
		dir, name, _ := strings.Cut(f.Name, "/")
		if dir == "base" {
			base[name] = string(f.Data)
			continue
		}
		if cases[dir] == nil {
			cases[dir] = map[string]string{}
			order = append(order, dir)
		}
		cases[dir][name] = string(f.Data)
	}
	if len(order) != 30 {
		t.Fatalf("got %d cases", len(order))
	}
	testkit.Hermetic(t)
	for i, dir := range order {
		if !all() && i%5 != 0 {
			continue
		}
		files := maps.Clone(cases[dir])
		name, want, _ := strings.Cut(strings.TrimSpace(files["case"]), "\n")
		delete(files, "case")
		t.Run(dir+" "+name, func(t *testing.T) {
			repo := testkit.Repo(t, base)
			for path, text := range files {
				path = filepath.Join(repo, path)
				if text == "GONE\n" {
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
			if got.Verdict != want {
				t.Errorf("got %s (%s), want %s\n%s", got.Verdict, got.Reason, want, lines[len(lines)-1])
			}
		})
	}
}

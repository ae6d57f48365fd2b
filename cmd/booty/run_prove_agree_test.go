//go:build slow && unix

package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/booty-cli/booty/internal/event"
)

// A seeded change is some files of a repository, made by whom it may be.
type seededChange struct {
	name, verdict string
	base, files   map[string]string
}

// gone is what a file holds that a change deletes.
const gone = "GONE\n"

// seededChanges reads those of an archive: the files of base, and of each case what it changes,
// its name and what prove is to say of it.
func seededChanges(t *testing.T, archive string) []seededChange {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", archive))
	if err != nil {
		t.Fatal(err)
	}
	base, cases, order := map[string]string{}, map[string]map[string]string{}, []string{}
	for _, f := range a.Files {
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
	var out []seededChange
	for _, dir := range order {
		name, verdict, _ := strings.Cut(strings.TrimSpace(cases[dir]["case"]), "\n")
		delete(cases[dir], "case")
		out = append(out, seededChange{dir + " " + name, verdict, base, cases[dir]})
	}
	return out
}

// reply is the proposal that makes the change.
func (c seededChange) reply() string {
	var b strings.Builder
	b.WriteString("Summary: fix: " + c.name + "\n")
	for _, path := range slices.Sorted(maps.Keys(c.files)) {
		if text := c.files[path]; text == gone {
			b.WriteString("\nDELETE " + path + "\n")
		} else {
			b.WriteString("\n" + path + "\n````\n" + text + "````\n")
		}
	}
	return b.String()
}

// TestRunAndProveAgree has run judge changes, by which the model stands when it is asked, and prove
// what run has made of them: they claim the same. Where run calls nothing good, prove does not either. Each fifth change is tried, with
// BOOTY_KILL_ALL all.
func TestRunAndProveAgree(t *testing.T) {
	need(t, "node")
	need(t, "go")
	need(t, "python3")
	t.Parallel()
	for i, c := range slices.Concat(seededChanges(t, "agree_seeded.txtar"), seededChanges(t, "prove_seeded.txtar"),
		seededChanges(t, "agree_python_seeded.txtar")) {
		if !all() && i%5 != 0 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			asked := false
			l := newLab(t, c.base, func(string) string {
				if asked {
					return "The change is complete as it is."
				}
				asked = true
				return c.reply()
			})
			for _, k := range []string{"GOCACHE", "GOMODCACHE"} {
				l.extra = append(l.extra, k+"="+goEnv(t, k))
			}
			ran := l.booty("run", "--task", "do what is asked for", "--pr", "none", "--max-retries", "2", "--branch", "work", "--json", "--yes", "--no-review")
			claims, end := claimsOf(t, ran.stdout)
			if _, err := l.gitTry("rev-parse", "--verify", "work"); err != nil {
				t.Fatalf("run left no branch: %s", ran)
			}
			proved := l.booty("prove", "work", "--base", "main", "--mutants", "0", "--json", "--quiet")
			others, _ := claimsOf(t, proved.stdout)
			if len(claims) == 0 {
				t.Logf("run (%d) claims nothing: %s; prove (%d): %+v", ran.code, end.Message, proved.code, others)
				if ran.code == 0 || proved.code == 0 {
					t.Errorf("run ends with %d and claims nothing; prove ends with %d: %+v\n%s", ran.code, proved.code, others, end.Message)
				}
				return
			}
			if proved.code == 4 && len(others) == 0 { // no code was changed: it ran nothing
				if claims[0].State == event.StateProven {
					t.Errorf("prove finds nothing to prove, and run claims %+v", claims)
				}
				return
			}
			for i := range max(len(claims), len(others)) {
				var a, b event.Claim
				if i < len(claims) {
					a = claims[i]
				}
				if i < len(others) {
					b = others[i]
				}
				if a.Claim != b.Claim || a.State != b.State || a.Reason != b.Reason || !slices.Equal(a.Tests, b.Tests) {
					t.Errorf("run (%d) and prove (%d) differ:\nrun   %+v\nprove %+v\n%s", ran.code, proved.code, a, b, end.Message)
				}
			}
		})
	}
}

// claimsOf reads the claims that a run or a proof ends with, and its end.
func claimsOf(t *testing.T, events string) (claims []event.Claim, end event.RunFinished) {
	t.Helper()
	for line := range strings.Lines(events) {
		var e struct{ Event string }
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		var proved event.ProofFinished
		switch e.Event {
		case proved.Name():
			_ = json.Unmarshal([]byte(line), &proved)
			claims = proved.Claims
		case end.Name():
			_ = json.Unmarshal([]byte(line), &end)
		}
	}
	return claims, end
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	if v := os.Getenv(name); v != "" {
		return v
	}
	if name == "GOCACHE" {
		return builtBefore()
	}
	return ""
}

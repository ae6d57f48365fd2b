//go:build slow && unix

package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// challengedFiles are a project whose change is challenged: the first one is caught, the second holds.
func challengedFiles() map[string]string {
	return map[string]string{
		".booty.yml":   "test_command: node --test\nevidence: off\nreview: {mode: tests}\n",
		"package.json": "{\"type\": \"module\"}\n",
		"abs.js":       "export const abs = (x) => x;\n",
		"abs.test.js":  absTest("one", "abs(1)", "1"),
	}
}

func absTest(title, got, want string) string {
	return "import test from 'node:test';\nimport assert from 'node:assert';\nimport { abs } from './abs.js';\n\n" +
		"test('" + title + "', () => {\n  assert.equal(" + got + ", " + want + ");\n});\n"
}

// specialThenRight writes tests where it is asked for them, and first code that answers for one input.
func specialThenRight(request string) string {
	code := "x === -3 ? 3 : x"
	switch {
	case strings.Contains(request, "You write tests against a change"):
		return "TEST others: \"abs of negative numbers is positive\"\n\n```js\n" + absTest("others", "abs(-7)", "7") + "```\n"
	case strings.Contains(request, "a reviewer wrote tests"):
		code = "Math.abs(x)"
	}
	return "Summary: fix: abs\n\nabs.js\n```js\nexport const abs = (x) => " + code + ";\n```\n"
}

// TestKillDuringChallenge kills a run with -9 at every event from its challenge on.
func TestKillDuringChallenge(t *testing.T) {
	t.Parallel()
	if exec.Command("node", "--version").Run() != nil {
		t.Skip("node is not installed, or does not start")
	}
	args := []string{"run", "--json", "--branch", "work", "--task", "abs of negative numbers is positive"}
	whole := newLab(t, challengedFiles(), specialThenRight)
	h := whole.strike(syscall.Signal(0), -1, 0, args...)
	if n := whole.model.count(); h.code != 0 || n != 3 {
		t.Fatalf("undisturbed: exit code %d, %d requests\n%s%v", h.code, n, h.stderr, h.events)
	}
	tree := whole.git("rev-parse", "work^{tree}")
	first := slices.Index(h.events, "edits.applied")
	for i := first; i < len(h.events); i++ {
		if !every(i-first, 3) {
			continue
		}
		t.Run(fmt.Sprintf("event %d, %s", i, h.events[i]), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, challengedFiles(), specialThenRight)
			before := manifest(t, l.repo)
			h := l.strike(syscall.SIGKILL, i+1, 0, args...)
			if got := manifest(t, l.repo); got != before {
				t.Errorf("the kill left files\n%s\nwant\n%s", got, before)
			}
			if h.code != 0 {
				if r := l.booty("resume", "--json"); r.code != 0 {
					t.Fatalf("resume after %v: %s", h.events, r)
				}
			}
			if got := l.git("rev-parse", "work^{tree}"); got != tree {
				t.Errorf("killed after %v: another commit:\n%s", h.events, l.git("show", "work"))
			}
			if n, want := l.model.count(), 3+h.inFlight(); n > want {
				t.Errorf("got %d requests in all, want at most %d: a reply was paid for twice (killed after %v)", n, want, h.events)
			}
			if err := l.sound("main"); err != nil {
				t.Error(err)
			}
		})
	}
}

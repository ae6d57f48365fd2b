//go:build slow && unix

package main

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
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

// survivorFiles are a project whose right change leaves a mutant alive that a test of the challenge
// kills, which is kept.
func survivorFiles() map[string]string {
	files := challengedFiles()
	files[".booty.yml"] = "test_command: node --test\nreview: {mode: tests, keep: true}\nevidence: {mutants: 4}\n"
	files["abs.js"] = "export const abs = (x) => x;\nexport const fee = (x) => x;\n"
	return files
}

// rightAtOnce writes tests where it is asked for them, and code of which its own test shows a half.
func rightAtOnce(request string) string {
	if strings.Contains(request, "You write tests against a change") {
		return "TEST others: \"abs of negative numbers is positive\"\n\n```js\n" + absTest("others", "abs(-7)", "7") + "```\n"
	}
	return "Summary: fix: abs\n\nabs.js\n```js\nexport const abs = (x) => (x < 0 ? 0 - x : x);\nexport const fee = (x) => x;\n```\n\n" +
		"abs.test.js\n```js\n" + absTest("one", "abs(1)", "1") + "test('sign', () => {\n  assert.ok(abs(-3) >= 0);\n});\n```\n"
}

// rightButAsked writes a test too many, which the author of right code disputes and a reviewer drops.
func rightButAsked(request string) string {
	switch {
	case strings.Contains(request, "You write tests against a change"):
		return "TEST zero: \"abs of negative numbers is positive\"\n\n```js\n" + absTest("zero", "abs(0)", "1") + "```\n"
	case strings.Contains(request, "You decide whether tests"):
		return "FALLS zero: zero is no negative number\n"
	case strings.Contains(request, "a reviewer wrote tests"):
		return "DISPUTE zero: nothing says that zero becomes one\n"
	}
	return "Summary: fix: abs\n\nabs.js\n```js\nexport const abs = (x) => Math.abs(x);\n```\n"
}

// TestKillDuringChallenge kills a run with -9 at every event from its challenge on, and between
// them: while the file of tests is written, while its tests run, and while one is kept.
func TestKillDuringChallenge(t *testing.T) {
	t.Parallel()
	t.Run("caught, then right", func(t *testing.T) {
		killsDuringChallenge(t, challengedFiles, specialThenRight, 3, "")
	})
	t.Run("disputed", func(t *testing.T) {
		killsDuringChallenge(t, challengedFiles, rightButAsked, 4, "")
	})
	t.Run("a test is kept", func(t *testing.T) {
		killsDuringChallenge(t, survivorFiles, rightAtOnce, 2, "test: add tests of a challenge")
	})
}

// killsDuringChallenge makes the run of a task whole, and killed at each moment: each must end with
// the same commits, the last of which is last where that is given.
func killsDuringChallenge(t *testing.T, files func() map[string]string, reply func(string) string, requests int, last string) {
	t.Parallel()
	if exec.Command("node", "--version").Run() != nil {
		t.Skip("node is not installed, or does not start")
	}
	args := []string{"run", "--json", "--branch", "work", "--task", "abs of negative numbers is positive"}
	whole := newLab(t, files(), reply)
	h := whole.strike(syscall.Signal(0), -1, 0, args...)
	if n := whole.model.count(); h.code != 0 || n != requests {
		t.Fatalf("undisturbed: exit code %d, %d requests\n%s%v", h.code, n, h.stderr, h.events)
	}
	trees := whole.git("log", "--format=%T %s", "work")
	if !strings.Contains(trees, last) {
		t.Fatalf("undisturbed: no commit %q in\n%s", last, trees)
	}
	first := slices.Index(h.events, "edits.applied")
	for i := first; i < len(h.events); i++ {
		for n, delay := range []time.Duration{0, 30 * time.Millisecond, 120 * time.Millisecond} {
			if !turn(i-first, n, 12) {
				continue
			}
			t.Run(fmt.Sprintf("event %d, %s, %s later", i, h.events[i], delay), func(t *testing.T) {
				t.Parallel()
				l := newLab(t, files(), reply)
				before := manifest(t, l.repo)
				h := l.strike(syscall.SIGKILL, i+1, delay, args...)
				if got := manifest(t, l.repo); got != before {
					t.Errorf("the kill left files\n%s\nwant\n%s", got, before)
				}
				if h.code != 0 && !slices.Contains(h.events, "run.finished") {
					if r := l.booty("resume", "--json"); r.code != 0 {
						t.Fatalf("resume after %v: %s", h.events, r)
					}
				}
				if got := l.git("log", "--format=%T %s", "work"); got != trees {
					t.Errorf("killed after %v: other commits:\n%s\nwant\n%s", h.events, got, trees)
				}
				if n, want := l.model.count(), requests+h.inFlight(); n > want {
					t.Errorf("got %d requests in all, want at most %d: a reply was paid for twice (killed after %v)", n, want, h.events)
				}
				if err := l.sound("main"); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

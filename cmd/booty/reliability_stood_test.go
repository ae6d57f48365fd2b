//go:build slow && unix

package main

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestKilledWithOldTests kills booty while the tests as they stood are in the tree, at each
// event on the way and a moment later: resume finishes the work with the tests as the work
// has them.
func TestKilledWithOldTests(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		".booty.yml": "test_command: sh test.sh\n", "greet.sh": "echo hello\n",
		"test.sh": "echo 1..1\nsleep 0.2\nif [ \"$(sh greet.sh)\" = hello ]; then echo 'ok 1 - greets'; else echo 'not ok 1 - greets'; exit 1; fi\n",
	}
	const reply = "Summary: feat: greet twice\n\ngreet.sh\n```\n# greets\necho hello\n```\n\ntest.sh\n```\n# changed\n" +
		"echo 1..1\nsleep 0.2\nif [ \"$(sh greet.sh | head -1)\" = hello ]; then echo 'ok 1 - greets'; else echo 'not ok 1 - greets'; exit 1; fi\n```\n"
	for i, at := range []struct {
		event string
		nth   int
		delay time.Duration
	}{
		{"edits.applied", 1, 0}, {"check.finished", 2, 0}, {"check.finished", 2, 300 * time.Millisecond},
		{"check.finished", 2, 900 * time.Millisecond}, {"check.finished", 3, 0}, {"check.finished", 3, 300 * time.Millisecond},
		{"tests.stood", 1, 0},
	} {
		t.Run(fmt.Sprintf("%s_%d_%d", at.event, at.nth, i), func(t *testing.T) {
			t.Parallel()
			l := newLab(t, files, func(string) string { return reply })
			l.strikeWhen(syscall.SIGKILL, at.delay, func(events []string) bool {
				n := 0
				for _, e := range events {
					if e == at.event {
						n++
					}
				}
				return n == at.nth && events[len(events)-1] == at.event
			}, "run", "--task", "greet twice", "--json")
			if r := l.booty("resume"); r.code != 0 && r.code != 4 { // it may have ended before the signal came
				t.Fatalf("resume: %s", r)
			}
			if got := l.git("show", "booty/greet-twice:test.sh"); !strings.HasPrefix(got, "# changed") {
				t.Errorf("the branch has the test as it stood:\n%s", got)
			}
			if err := l.sound("main"); err != nil {
				t.Error(err)
			}
			if got := l.git("status", "--porcelain"); got != "" {
				t.Errorf("left behind: %s", got)
			}
		})
	}
}

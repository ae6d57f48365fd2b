//go:build slow && unix

package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
)

// points finds how many events an undisturbed run writes, and what it makes.
func points(t *testing.T, files map[string]string, prepare func(*lab), args ...string) (events []string, tree string) {
	t.Helper()
	l := newLab(t, files, wrongThenRight)
	if prepare != nil {
		prepare(l)
	}
	h := l.strike(syscall.Signal(0), -1, 0, args...)
	if h.code != 0 {
		t.Fatalf("undisturbed: exit code %d\n%s%v", h.code, h.stderr, h.events)
	}
	if n := l.model.count(); n != 2 {
		t.Fatalf("undisturbed: got %d requests, want 2", n)
	}
	if args[0] == "run" {
		tree = l.git("rev-parse", "booty/greet-with-hello^{tree}")
	} else {
		tree = manifest(t, l.repo)
	}
	return h.events, tree
}

// moment is a point in a run: so long after so many events.
type moment struct {
	event int
	delay time.Duration
}

func (m moment) String() string { return fmt.Sprintf("event %d + %s", m.event, m.delay) }

// moments are all events, and several delays after some of them.
func moments(events int) []moment {
	var out []moment
	for i := range events + 1 {
		out = append(out, moment{i, 0})
	}
	for i := range events + 1 {
		for _, ms := range []int{2, 10, 40, 100} {
			if all() || (i+ms)%11 == 0 {
				out = append(out, moment{i, time.Duration(ms) * time.Millisecond})
			}
		}
	}
	return out
}

// TestKillDuringRun kills a run with -9 at every event and between them.
func TestKillDuringRun(t *testing.T) {
	t.Parallel()
	events, tree := points(t, suite, nil, runArgs...)
	var count tally
	t.Cleanup(func() { count.log(t, "run killed with -9") })
	for i, m := range moments(len(events)) {
		if !every(i, 5) {
			continue
		}
		ways := []string{[]string{"resume", "undo"}[i%2]}
		if all() {
			ways = []string{"resume", "undo"}
		}
		for _, way := range ways {
			t.Run(fmt.Sprintf("%s then %s", m, way), func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() { count.add(!t.Failed()) })
				killedRun(t, m, way, tree)
			})
		}
	}
}

func killedRun(t *testing.T, m moment, way, tree string) {
	l := newLab(t, suite, wrongThenRight)
	before := manifest(t, l.repo)
	h := l.strike(syscall.SIGKILL, m.event, m.delay, runArgs...)
	if h.code == 0 { // it was over before
		if err := l.sound("main"); err != nil || manifest(t, l.repo) != before {
			t.Errorf("after a whole run: %v", err)
		}
		return
	}
	if alive := l.alive(); len(alive) > 0 {
		t.Errorf("processes outlive a killed booty: %s", alive)
	}
	if got := manifest(t, l.repo); got != before {
		t.Errorf("the kill left files\n%s\nwant\n%s", got, before)
	}
	asked := l.model.count()
	switch way {
	case "undo":
		r := l.booty("undo")
		if r.code != 0 && r.code != 4 {
			t.Errorf("undo: %s", r)
		}
		if l.model.count() != asked {
			t.Error("undo asked the model")
		}
	case "resume":
		r := l.booty("resume", "--json")
		began := len(h.events) > 0
		switch {
		case r.code == 0:
			if got := l.git("rev-parse", "booty/greet-with-hello^{tree}"); got != tree {
				t.Errorf("resume made another commit:\n%s", l.git("show", "--stat", "booty/greet-with-hello"))
			}
			if n, want := l.model.count(), 2+h.inFlight(); n > want {
				t.Errorf("got %d requests in all, want at most %d: a reply was paid for twice (killed after %v)", n, want, h.events)
			}
		case !began && (r.code == 2 || r.code == 4):
			// nothing on record yet
		case r.code == 4 && strings.Contains(r.stdout, "green already"):
		default:
			t.Errorf("resume after %v: %s", h.events, r)
		}
	}
	if err := l.sound("main"); err != nil {
		t.Error(err)
	}
	if got := manifest(t, l.repo); got != before {
		t.Errorf("the files are not as before:\n%s\nwant\n%s", got, before)
	}
	if got := l.git("status", "--porcelain", "--ignored"); got != "" {
		t.Errorf("git status: %s", got)
	}
	// And all works again.
	if r := l.booty("run", "--task", "greet once more", "--branch", "again"); r.code != 0 {
		t.Errorf("a run afterwards: %s", r)
	}
}

// half is someone's half-done work: modified, staged, untracked and ignored files.
func half(l *lab) {
	testkit.Write(l.t, l.repo, map[string]string{
		"tests/greet_test.sh": "[ \"$(sh greet.sh)\" = hello ]\n",
		"no_newline.txt":      "changed, and still none",
		"notes.txt":           "mine, untracked\r\n",
		"ignored.log":         "ignored\n",
		".gitignore":          "*.log\n",
	})
	l.git("add", "no_newline.txt")
	if err := os.Symlink("notes.txt", l.repo+"/link"); err != nil {
		l.t.Fatal(err)
	}
	if err := os.Chmod(l.repo+"/crlf.txt", 0o755); err != nil {
		l.t.Fatal(err)
	}
}

// refineReplies are wrong, then right.
func refineReplies(request string) string {
	if strings.Contains(request, "This is attempt 1 of") {
		return "Summary: fix: greet\n\ngreet.sh\n```sh\necho hullo\n```\n"
	}
	return rightReply
}

// TestKillDuringRefine kills a refine of a dirty tree.
func TestKillDuringRefine(t *testing.T) {
	t.Parallel()
	args := []string{"refine", "--json"}
	events, after := points(t, suite, func(l *lab) { half(l); l.model.answers(refineReplies) }, args...)
	var count tally
	t.Cleanup(func() { count.log(t, "refine killed with -9") })
	for i, m := range moments(len(events)) {
		if !every(i, 5) {
			continue
		}
		ways := []string{[]string{"undo", "resume", "undo the resumed"}[i%3]}
		if all() {
			ways = []string{"undo", "resume", "undo the resumed"}
		}
		for _, way := range ways {
			t.Run(fmt.Sprintf("%s then %s", m, way), func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() { count.add(!t.Failed()) })
				l := newLab(t, suite, refineReplies)
				half(l)
				before, staged := manifest(t, l.repo), l.git("diff", "--cached")
				h := l.strike(syscall.SIGKILL, m.event, m.delay, args...)
				want := before
				if way != "undo" {
					r := l.booty("resume", "--json")
					began := r.code == 0 || h.code == 0
					if !began && len(h.events) > 0 && !strings.Contains(r.stdout, "green already") {
						t.Errorf("resume: %s", r)
					}
					if n, most := l.model.count(), 2+h.inFlight(); n > most {
						t.Errorf("got %d requests in all, want at most %d (killed after %v)", n, most, h.events)
					}
					if r.code == 0 || r.code == 4 && strings.Contains(r.stdout, "green") {
						want = after
					}
				}
				if way != "resume" {
					if r := l.booty("undo"); r.code != 0 && r.code != 4 {
						t.Errorf("undo after %v: %s", h.events, r)
					}
					want = before
					if got := l.git("diff", "--cached"); got != staged {
						t.Errorf("staged is now: %s", got)
					}
				}
				if got := manifest(t, l.repo); got != want {
					t.Errorf("got files\n%s\nwant\n%s", got, want)
				}
				if err := l.sound("main"); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// TestSignals ends a run with a signal after every event: it leaves at once
// with 130, in order, and resume goes on.
func TestSignals(t *testing.T) {
	t.Parallel()
	events, tree := points(t, suite, nil, runArgs...)
	var count tally
	t.Cleanup(func() { count.log(t, "run ended by SIGINT, SIGTERM, SIGHUP") })
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}
	for i := range len(events) {
		if i == 0 || !every(i, 4) {
			continue
		}
		for k, sig := range signals {
			if !all() && i%len(signals) != k {
				continue
			}
			t.Run(fmt.Sprintf("%s after event %d", sig, i), func(t *testing.T) {
				t.Parallel()
				t.Cleanup(func() { count.add(!t.Failed()) })
				l := newLab(t, suite, wrongThenRight)
				before := manifest(t, l.repo)
				h := l.strike(sig, i, 0, runArgs...)
				if h.code != 130 && h.code != 0 {
					t.Errorf("got exit code %d, want 130 (or 0 at the very end) after %v\n%s", h.code, h.events, h.stderr)
				}
				if err := l.sound("main"); err != nil {
					t.Error(err)
				}
				if manifest(t, l.repo) != before {
					t.Error("the files are not as before")
				}
				if h.code == 0 {
					return
				}
				if r := l.booty("resume", "--json"); r.code != 0 {
					t.Errorf("resume after %v: %s", h.events, r)
				} else if got := l.git("rev-parse", "booty/greet-with-hello^{tree}"); got != tree {
					t.Error("resume made another commit")
				}
				if n, want := l.model.count(), 2+h.inFlight(); n > want {
					t.Errorf("got %d requests, want at most %d", n, want)
				}
				if err := l.sound("main"); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

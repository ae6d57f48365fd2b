//go:build slow && unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestQueueEndToEnd works off specs with the real runners of five
// frameworks: easy ones, one that takes two attempts, one never solved, one that
// leads nowhere, one that passes at once, one that comes into conflict, one that is
// too dear. Half-way the records are lost.
func TestQueueEndToEnd(t *testing.T) {
	t.Parallel()
	with := present(t)
	files, end, want := frameworkFiles(with)
	q := newQueueLab(t, files)
	q.extra = append(q.extra, compilers()...)
	var conflict sync.Once
	q.solve = func(id, key, request string, try int) string {
		f := with[id[:2]]
		if id == "JS-002" {
			conflict.Do(func() { q.disturb(f.code(key, "other")) })
		}
		return solve(f, id, key, request, try)
	}
	var codes []int
	for range 3 {
		codes = append(codes, q.booty("run", "--next").code)
	}
	q.loseRecords()
	codes = append(codes, q.until(40)...)
	if got := q.pulls(); got != end {
		t.Errorf("exit codes %v; got\n%s\nwant\n%s", codes, got, end)
	}
	if err := q.sound("main"); err != nil {
		t.Error(err)
	}
	if !slices.Equal(codes, want) {
		t.Errorf("exit codes %v, want %v", codes, want)
	}
}

// loseRecords takes the journal away, as a fresh machine has none.
func (q *queueLab) loseRecords() {
	if err := os.RemoveAll(filepath.Join(q.home, ".local", "state", "booty")); err != nil {
		q.t.Fatal(err)
	}
}

// TestQueueKilled kills the queue after each request with which it changes
// something on GitHub: the turns after that end the same.
func TestQueueKilled(t *testing.T) {
	t.Parallel()
	q := newQueueLab(t, fewSpecs())
	codes := q.until(10)
	want, requests := q.pulls(), q.changing
	t.Logf("undisturbed: exit codes %v, %d requests that change something\n%s", codes, requests, want)
	for n := 1; n <= requests; n++ {
		if !all() && n%8 != 1 {
			continue
		}
		t.Run(fmt.Sprintf("at request %d", n), func(t *testing.T) {
			t.Parallel()
			killQueue(t, n, want)
		})
	}
}

func killQueue(t *testing.T, n int, want string) {
	q := newQueueLab(t, fewSpecs())
	dead := false
	var codes []int
	for range 12 {
		cmd := q.command("run", "--next")
		q.mu.Lock()
		q.onRequest = func(i int) {
			if i == n && !dead {
				dead = true
				_ = cmd.Process.Kill()
			}
		}
		q.mu.Unlock()
		out, _ := cmd.CombinedOutput()
		code := cmd.ProcessState.ExitCode()
		codes = append(codes, code)
		if code == 4 && !strings.Contains(string(out), "merged by GitHub") {
			break
		}
		if code != 4 && code != 0 && code != 3 && code != -1 {
			t.Fatalf("exit codes %v: %s", codes, out)
		}
	}
	if got := q.pulls(); got != want {
		t.Errorf("exit codes %v; got\n%s\nwant\n%s", codes, got, want)
	}
	if err := q.sound("main"); err != nil {
		t.Error(err)
	}
}

// TestQueueBaseMovesOn: the run that is made anew since the base has moved on is one more
// run, and both tell their end, and the branch on GitHub.
func TestQueueBaseMovesOn(t *testing.T) {
	t.Parallel()
	q := newQueueLab(t, fewSpecs())
	var once sync.Once
	q.onAsk = func(string) { once.Do(func() { q.disturb("src/start", "moved\n") }) }
	cmd := q.command("run", "--spec", "GO-002", "--json")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, kind := range []string{"run.started", "run.finished"} {
		lines := slices.DeleteFunc(strings.Split(string(out), "\n"), func(l string) bool {
			return !strings.Contains(l, `{"event":"`+kind+`"`)
		})
		if len(lines) != 2 || strings.Count(strings.Join(lines, ""), `"branch":"tdd/GO-002"`) != 2 {
			t.Errorf("got %s", strings.Join(lines, "\n"))
		}
	}
}

// TestQueueOfTwoMachines starts a second machine while the first is at work.
func TestQueueOfTwoMachines(t *testing.T) {
	t.Parallel()
	q := newQueueLab(t, fewSpecs())
	other := filepath.Join(filepath.Dir(q.repo), "other")
	q.git("clone", "-q", filepath.Join(filepath.Dir(q.repo), "hub.git"), other)
	second := *q.lab
	second.repo = other
	var once sync.Once
	q.onAsk = func(string) {
		once.Do(func() {
			if r := second.booty("run", "--next"); r.code != 4 ||
				!strings.Contains(r.stderr, "another machine is working on GO-002") {
				t.Errorf("the second machine: %s", r)
			}
		})
	}
	if r := q.booty("run", "--next"); r.code != 0 {
		t.Errorf("the first machine: %s", r)
	}
	// Both at once: one works, whichever it is; the other has nothing to do.
	results := make(chan result, 2)
	for _, l := range []*lab{q.lab, &second} {
		go func() { results <- l.booty("run", "--next") }()
	}
	a, b := <-results, <-results
	if min(a.code, b.code) != 3 || max(a.code, b.code) != 4 {
		t.Errorf("both at once: %s\nand %s", a, b)
	}
	if got := strings.Count(q.pulls(), "GO-003: "); got != 1 {
		t.Errorf("%d pull requests for one spec", got)
	}
}

// TestQueueDoneMeanwhile: between the look of one machine and its first push, another one does
// the spec, and GitHub merges it and, in some repositories, deletes its branch. The spec is done
// once.
func TestQueueDoneMeanwhile(t *testing.T) {
	t.Parallel()
	for _, deletes := range []bool{true, false} {
		t.Run(fmt.Sprintf("GitHub deletes=%v", deletes), func(t *testing.T) { doneMeanwhile(t, deletes) })
	}
}

func doneMeanwhile(t *testing.T, deletes bool) {
	t.Parallel()
	q := newQueueLab(t, fewSpecs())
	second := q.second()
	hub := func(args ...string) string {
		return q.git(append([]string{"-C", filepath.Join(filepath.Dir(q.repo), "hub.git")}, args...)...)
	}
	// What was spent elsewhere is read between the two.
	q.onceBefore("GET", "/issues/comments", func() {
		if r := second.booty("run", "--spec", "GO-002"); r.code != 0 {
			t.Errorf("the second machine: %s", r)
		}
		q.mergeReady()
		if deletes {
			hub("branch", "-D", "tdd/GO-002")
		}
	})
	if r := q.booty("run", "--next"); r.code != 3 || !strings.Contains(r.stderr, "GO-003") {
		t.Errorf("the first machine: %s", r)
	}
	if got := strings.Count(q.pulls(), "tdd/GO-002: "); got != 1 {
		t.Errorf("%d pull requests for one spec:\n%s", got, q.pulls())
	}
	if left := hub("branch", "--list", "tdd/GO-002"); left != "" {
		t.Errorf("left on GitHub: %s", left)
	}
}

// TestQueueBothFromALeftBranch: two machines begin from the branch of a turn that ended before its
// pull request was there, and one is done before the other opens its own. The spec is done once.
func TestQueueBothFromALeftBranch(t *testing.T) {
	t.Parallel()
	q := newQueueLab(t, fewSpecs())
	q.hub.Fault(testkit.GitHubFault{Method: "POST", Path: "repos/acme/app/pulls", Status: 403})
	if r := q.booty("run", "--next"); r.code == 0 || q.git("ls-remote", "origin", "tdd/GO-002") == "" {
		t.Fatalf("a branch without a pull request: %s", r)
	}
	second := q.second()
	q.onceBefore("POST", "/pulls", func() {
		if r := second.booty("run", "--spec", "GO-002"); r.code != 0 {
			t.Errorf("the second machine: %s", r)
		}
		q.mergeReady()
	})
	if r := q.booty("run", "--next"); r.code != 3 || !strings.Contains(r.stderr, "GO-003") {
		t.Errorf("the first machine: %s", r)
	}
	if got := q.pulls(); strings.Count(got, "tdd/GO-002: closed") != 2 || strings.Count(got, "merged=true") != 1 {
		t.Errorf("got:\n%s", got)
	}
}

// TestQueueKeepsLimitsWithoutRecords: what other machines have spent is told by
// their comments.
func TestQueueKeepsLimitsWithoutRecords(t *testing.T) {
	t.Parallel()
	files := fewSpecs()
	files[".booty.yml"] = strings.ReplaceAll(files[".booty.yml"], "run_usd: 0.0095",
		"run_usd: 1, day_usd: 0.0065")
	q := newQueueLab(t, files)
	if r := q.booty("run", "--next"); r.code != 0 {
		t.Fatalf("got %s", r)
	}
	q.loseRecords()
	r := q.booty("run", "--next")
	if r.code != 5 {
		t.Errorf("without records: %s", r)
	}
	if n := q.model.count(); n > 4 { // each is $0.0011, and reserved at more
		t.Errorf("%d calls were made for $0.0065", n)
	}
}

// TestQueueInterrupted: after Ctrl-C another machine may go on at once, and goes
// on from the last attempt.
func TestQueueInterrupted(t *testing.T) {
	t.Parallel()
	q := newQueueLab(t, fewSpecs())
	attempts := 0
	h := q.strikeWhen(syscall.SIGINT, 0, func(events []string) bool {
		if len(events) == 0 || events[len(events)-1] != "attempt.finished" {
			return false
		}
		attempts++
		return attempts == 1
	}, "run", "--next", "--json")
	if h.code != 130 {
		t.Fatalf("exit code %d: %s", h.code, h.stderr)
	}
	if last := h.events[len(h.events)-1]; last != "run.finished" {
		t.Errorf("the last event is %s", last)
	}
	other := filepath.Join(filepath.Dir(q.repo), "other")
	q.git("clone", "-q", filepath.Join(filepath.Dir(q.repo), "hub.git"), other)
	second := *q.lab
	second.repo = other
	// A third one reads the comment only after the other has finished: what it saw of the pull
	// request before is out of date.
	third := *q.lab
	q.onceBefore("GET", "/comments", func() {
		if r := second.booty("run", "--next"); r.code != 0 {
			t.Errorf("the other machine: %s", r)
		}
	})
	if r := third.booty("run", "--next"); r.code != 3 || !strings.Contains(r.stderr, "going on with tdd/GO-003") {
		t.Errorf("the third machine: %s", r)
	}
	if got := q.pulls(); strings.Contains(got, "GO-002 needs human review") || !strings.Contains(got, "tdd/GO-002: closed draft=false merged=true comments=1 tdd-automation [TDD] Implement GO-002 | Attempt 2/3") {
		t.Errorf("got %s", got)
	}
	if err := q.sound("main"); err != nil {
		t.Error(err)
	}
}

// TestQueueUnreadableCosts: where booty's own figures cannot be read, a person is
// asked, and nothing is spent.
func TestQueueUnreadableCosts(t *testing.T) {
	t.Parallel()
	q := newQueueLab(t, fewSpecs())
	if r := q.booty("run", "--next"); r.code != 0 {
		t.Fatalf("got %s", r)
	}
	q.hub.Change(func(s *testkit.GitHubState) {
		for _, i := range s.Issues {
			for _, c := range i.Comments {
				c.Body = strings.ReplaceAll(c.Body, "\"spent\":", "\"spent\" ")
			}
		}
	})
	asked := q.model.count()
	for range 2 { // one issue, however often
		if r := q.booty("run", "--next"); r.code != 7 || !strings.Contains(r.stderr, "what the queue has spent cannot be read") {
			t.Errorf("got %s", r)
		}
	}
	if got := q.pulls(); strings.Count(got, "booty cannot read what its queue has spent") != 1 {
		t.Errorf("got %s", got)
	}
	if q.model.count() != asked {
		t.Error("the model was asked")
	}
}

// TestQueueResumed: a run that was cut short after its first attempt, by Ctrl-C or
// for good, ends with resume as it would have in one go.
func TestQueueResumed(t *testing.T) {
	t.Parallel()
	for name, signal := range map[string]syscall.Signal{"interrupted": syscall.SIGINT, "killed": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			q := newQueueLab(t, fewSpecs())
			attempts := 0
			q.strikeWhen(signal, 0, func(events []string) bool {
				if len(events) == 0 || events[len(events)-1] != "attempt.finished" {
					return false
				}
				attempts++
				return attempts == 1
			}, "run", "--next", "--json")
			if r := q.booty("resume"); r.code != 0 {
				t.Fatalf("got %s", r)
			}
			if got := q.pulls(); !strings.Contains(got, "tdd/GO-002: open draft=false merged=false comments=1 tdd-automation "+
				"[TDD] Implement GO-002 | Attempt 2/3") {
				t.Errorf("got %s", got)
			}
			if err := q.sound("main"); err != nil {
				t.Error(err)
			}
			if r := q.booty("run", "--next"); r.code != 3 { // the next one, which is never solved
				t.Errorf("the next turn: %s", r)
			}
		})
	}
}

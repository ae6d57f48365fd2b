//go:build slow && unix

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// second is another machine: a checkout and records of its own.
func (q *queueLab) second() *lab {
	q.t.Helper()
	other := *q.lab
	other.home, other.repo = filepath.Join(filepath.Dir(q.repo), "home2"), filepath.Join(filepath.Dir(q.repo), "other")
	testkit.Write(q.t, other.home, map[string]string{"gitconfig": "[init]\n\tdefaultBranch = main\n"})
	q.git("clone", "-q", filepath.Join(filepath.Dir(q.repo), "hub.git"), other.repo)
	return &other
}

// noted is what the comments on GitHub say was spent, each run once.
func (q *queueLab) noted() float64 {
	runs := map[string]float64{}
	q.hub.Change(func(s *testkit.GitHubState) {
		for _, i := range s.Issues {
			for _, c := range i.Comments {
				_, rest, _ := strings.Cut(c.Body, "<!-- booty:queue ")
				data, _, _ := strings.Cut(rest, " -->")
				var note struct {
					Spent []struct {
						Run string
						USD float64
					}
				}
				if json.Unmarshal([]byte(data), &note) != nil {
					continue
				}
				for _, r := range note.Spent {
					runs[r.Run] = r.USD
				}
			}
		}
	})
	sum := 0.0
	for _, usd := range runs {
		sum += usd
	}
	return sum
}

// TestQueueOneLimitForTwoMachines: what two machines spend counts together, each run
// once, to the cent. One is killed on the way; the other has spent on work that is no
// spec's, of which no comment tells.
func TestQueueOneLimitForTwoMachines(t *testing.T) {
	t.Parallel()
	files := fewSpecs()
	files[".booty.yml"] = "test_command: awk -f run.awk tests/*\n" +
		"model: {max_output_tokens: 100, prices: {output: 3000}}\nbudget: {run_usd: 1, day_usd: 1.5}\n"
	q := newQueueLab(t, files) // each call is $0.30, and at most that
	other := q.second()
	killed := q.strikeWhen(syscall.SIGKILL, 0, func(events []string) bool {
		return len(events) > 0 && events[len(events)-1] == "edits.applied"
	}, "run", "--next", "--no-review", "--json")
	if killed.code != -1 {
		t.Fatalf("not killed: %+v", killed)
	}
	if r := q.booty("run", "--next", "--no-review"); r.code != 0 {
		t.Fatalf("the first machine: %s", r)
	}
	calls := q.model.count()
	if got, want := q.noted(), 0.3*float64(calls); math.Abs(got-want) > 0.001 {
		t.Errorf("GitHub has $%.2f for %d calls: $%.2f", got, calls, want)
	}
	q.model.answers(func(string) string {
		return fmt.Sprintf("Summary: feat: an own thing\n\nsrc/own%d\n```\nyes\n```\n", q.model.count())
	})
	for q.model.count() < 5 {
		if r := other.booty("run", "--no-review", "--max-retries", "1", "--task", "write src/own"); r.code != 3 {
			t.Fatalf("the second machine's own work: %s", r)
		}
	}
	r := other.booty("run", "--next", "--no-review")
	if r.code != 5 || !strings.Contains(r.stderr, "the limit of the day is reached: $1.50 of $1.50") {
		t.Errorf("the second machine's turn: %s", r)
	}
	if r := other.booty("status", "--stats", "--json"); !strings.Contains(r.stdout, `"specs":1,"done":1,`) ||
		!strings.Contains(r.stdout, `"attempts_per_spec":2,`) {
		t.Errorf("what the first machine did is not in the statistics of the second: %s", r)
	}
	if n := q.model.count(); n != 5 {
		t.Errorf("%d calls at $0.30 were made for $1.50", n)
	}
}

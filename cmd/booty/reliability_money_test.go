//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestEightAtOnceSpendNoMoreThanTheLimit: eight booty in eight checkouts share
// a day limit that has room for some of their calls.
func TestEightAtOnceSpendNoMoreThanTheLimit(t *testing.T) {
	quick(t)
	t.Parallel()
	const many, limit = 8, 1.0
	files := map[string]string{
		".booty.yml":          "test_command: sh run_tests.sh\nmax_retries: 2\nbudget: {day_usd: 50}\n", // cannot raise the user's own
		"run_tests.sh":        suite["run_tests.sh"],
		"tests/greet_test.sh": "[ \"$(sh greet.sh)\" = hello ]\n",
		"greet.sh":            "echo bye\n",
	}
	l := newLab(t, files, wrongThenRight)
	l.model.usage = [2]int{1000, 1000} // 0.2 USD a call at 100 USD a million
	l.model.answers(func(request string) string {
		if strings.Contains(request, "This is attempt 1 of") {
			return "Summary: fix: greet\n\ngreet.sh\n```sh\necho hullo\n```\n"
		}
		return rightReply
	})
	testkit.Write(t, l.home, map[string]string{".config/booty/config.yml": `model:
  prices: {input: 100, output: 100}
  max_output_tokens: 1000
budget: {run_usd: 100, day_usd: 1, week_usd: 100}
`})
	var repos []string
	for i := range many {
		dir := filepath.Join(filepath.Dir(l.repo), fmt.Sprintf("clone%d", i))
		if out, err := exec.Command("git", "clone", "-q", l.repo, dir).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		repos = append(repos, dir)
	}
	codes := make([]int, many)
	var all sync.WaitGroup
	for i, dir := range repos {
		all.Go(func() {
			cmd := l.command("-C", dir, "run", "--task", "greet with hello", "--json")
			out, _ := cmd.CombinedOutput()
			codes[i] = cmd.ProcessState.ExitCode()
			if codes[i] != 0 && codes[i] != 5 {
				t.Errorf("booty %d: exit code %d\n%s", i, codes[i], out)
			}
		})
	}
	all.Wait()
	stopped := 0
	for _, c := range codes {
		if c == 5 {
			stopped++
		}
	}
	if stopped == 0 {
		t.Errorf("got exit codes %v: none was stopped by the limit", codes)
	}
	calls := l.model.count()
	spent := float64(calls) * 0.2
	if calls == 0 || spent > limit+1e-9 {
		t.Errorf("%d calls were made for %.2f USD, the limit is %.2f", calls, spent, limit)
	}
	r := l.booty("status", "--all", "--json")
	var s struct {
		Runs []struct {
			CostUSD float64 `json:"cost_usd"`
		} `json:"runs"`
		Money json.RawMessage `json:"money"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
		t.Fatalf("%v in %s", err, r)
	}
	sum := 0.0
	for _, run := range s.Runs {
		sum += run.CostUSD
	}
	if diff := sum - spent; diff > 1e-6 || diff < -1e-6 {
		t.Errorf("the runs add up to %.4f USD, %.4f were spent: %s", sum, spent, r.stdout)
	}
	var money map[string]any
	_ = json.Unmarshal(s.Money, &money)
	t.Logf("%d booty, %d calls, %.2f of %.2f USD, %d stopped; status: %s", many, calls, spent, limit, stopped, s.Money)
}

//go:build slow && unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestQueueYear works off many specs through the binary while GitHub has outages
// and rate limits, labels get lost, and people merge and close pull requests. It
// takes minutes and runs only where BOOTY_QUEUE_YEAR says how many specs there are;
// its figures stand in docs/queue.md.
func TestQueueYear(t *testing.T) {
	specs, err := strconv.Atoi(os.Getenv("BOOTY_QUEUE_YEAR"))
	if err != nil {
		t.Skip("BOOTY_QUEUE_YEAR is not set")
	}
	files := map[string]string{
		".booty.yml": "test_command: awk -f run.awk tests/*\n", "run.awk": queueRunner, "tests/start_test.go": "// none\n", "src/start": "yes\n",
	}
	for i := range specs {
		key := fmt.Sprintf("GO-%03d", i)
		files["src/"+key] = "no\n"
		files["tests/"+key+"_test.go"] = "// @tdd-max-attempts 2\n" + goSpec(key+" is one of many", key)
	}
	q := newQueueLab(t, files)
	rnd := rand.New(rand.NewPCG(3, 4))
	q.lab.model.answers(func(request string) string {
		m := askedFor.FindStringSubmatch(request)
		if m == nil {
			return "Summary: nothing\n"
		}
		q.mu.Lock()
		q.tries[m[1]]++
		n := q.tries[m[1]]
		q.mu.Unlock()
		text := "yes"
		if strings.HasSuffix(m[1], "7") || strings.HasSuffix(m[1], "3") && n == 1 {
			text = fmt.Sprintf("wrong %d", n)
		}
		return fmt.Sprintf("Summary: feat: solve %s\n\nsrc/%s\n```\n%s\n```\n", m[1], m[1], text)
	})
	codes, memory := map[int]int{}, []int64{}
	turns, idle, most := 0, 0, 0
	for turns < 5*specs && idle < 3 {
		turns++
		q.trouble(rnd)
		before := len(q.hub.Requests())
		cmd := q.command("run", "--next")
		out, _ := cmd.CombinedOutput()
		code := cmd.ProcessState.ExitCode()
		codes[code]++
		if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
			memory = append(memory, u.Maxrss/1024)
		}
		switch {
		case code == 4 && strings.Contains(string(out), "a person merges it"):
			q.mergeReady()
		case code == 4 && !strings.Contains(string(out), "merged by GitHub"):
			idle++
			most = max(most, len(q.hub.Requests())-before)
			continue
		case code != 0 && code != 3 && code != 4 && code != 7:
			t.Errorf("exit code %d: %s", code, out)
		}
		idle = 0
	}
	merged := map[string]int{}
	q.hub.Change(func(s *testkit.GitHubState) {
		for _, p := range s.Pulls {
			if p.Merged {
				merged[p.Head]++
			}
			for _, i := range s.Issues {
				if i.Number == p.Number && len(i.Comments) > 1 {
					t.Errorf("%d comments on #%d", len(i.Comments), p.Number)
				}
			}
		}
	})
	for head, n := range merged {
		if n > 1 {
			t.Errorf("%s was merged %d times", head, n)
		}
	}
	tenth := len(memory) / 10
	first, last := slices.Max(memory[:tenth]), slices.Max(memory[len(memory)-tenth:])
	t.Logf("%d turns, exit codes %v, %d of %d specs merged, at most %d requests where nothing was to do, "+
		"memory %d MB at first, %d MB in the end",
		turns, codes, len(merged), specs, most, first, last)
	if idle < 3 {
		t.Error("the queue is stuck")
	}
	if most > 12 {
		t.Errorf("%d requests to find nothing to do", most)
	}
	if last > first*3/2 {
		t.Errorf("memory grew from %d to %d MB", first, last)
	}
}

// trouble is what happens between two turns, now and then.
func (q *queueLab) trouble(rnd *rand.Rand) {
	switch rnd.IntN(12) {
	case 0:
		q.hub.Fault(testkit.GitHubFault{Path: "repos/acme/app*", Status: 502, Times: 2})
	case 1:
		q.hub.Fault(testkit.GitHubFault{
			Method: "POST", Path: "repos/acme/app*", Status: 403, Header: map[string]string{"Retry-After": "1"},
			Body: `{"message":"You have exceeded a secondary rate limit."}`,
		})
	case 2: // an outage that is longer than booty's patience
		q.hub.Fault(testkit.GitHubFault{Path: "repos/acme/app*", Status: 503, Times: 6})
	case 3: // the answer is lost, what was asked for is done
		q.hub.Fault(testkit.GitHubFault{Method: "POST", Path: "repos/acme/app*", Status: 502, Late: true})
	case 4, 5:
		q.hub.Change(func(s *testkit.GitHubState) {
			for _, p := range s.Pulls {
				if p.State == "open" && rnd.IntN(4) == 0 { // a label is lost
					p.Labels = slices.DeleteFunc(p.Labels, func(l string) bool { return l == "tdd-automation" })
				}
				if p.State == "open" && p.Draft && rnd.IntN(12) == 0 { // a person closes it
					p.State = "closed"
				}
			}
		})
	}
}

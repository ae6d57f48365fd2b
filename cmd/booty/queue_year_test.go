//go:build slow && unix

package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/testkit"
)

// TestQueueYear works off many specs through the binary while GitHub has outages
// and rate limits, labels get lost, and people merge and close pull requests. It
// takes minutes and runs only where BOOTY_QUEUE_YEAR says how many specs there are.
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

// TestQueueNight: two machines work off twelve specs at the same time while GitHub fails,
// and are killed once. What is done and what is left to people is as planned, no turn ends
// by a fault, and what was spent is known to the cent.
func TestQueueNight(t *testing.T) {
	t.Parallel()
	files, want := nightFiles()
	q := newQueueLab(t, files)
	q.solve = func(id, _, request string, try int) string {
		text := "yes"
		switch {
		case id == "GO-012":
			return "Summary: nothing\n"
		case id == "GO-008" || id == "GO-007" && strings.Contains(request, "This is attempt 1 of"):
			text = fmt.Sprintf("wrong %d", try)
		}
		return fmt.Sprintf("Summary: feat: solve %s\n\nsrc/%s\n```\n%s\n```\n", id, id, text)
	}
	machines := []*lab{q.lab, q.second()}
	n := &night{q: q, rnd: rand.New(rand.NewPCG(5, 6)), running: map[int]*exec.Cmd{}, codes: map[int]int{}}
	q.onRequest = n.killOnce
	var all sync.WaitGroup
	for i, m := range machines {
		all.Go(func() { n.work(i, m) })
	}
	all.Wait()
	if got := q.pulls(); got != want {
		t.Errorf("got\n%s\nwant\n%s\nthe issues say\n%s", got, want, q.issueTexts())
	}
	if !n.dead {
		t.Error("nobody was killed")
	}
	calls := q.model.count()
	if got, want := q.noted(), 0.0011*float64(calls); math.Abs(got-want) > 0.0001 {
		t.Errorf("GitHub has $%.4f for %d calls: $%.4f", got, calls, want)
	}
	t.Logf("exit codes %v, %d faults of GitHub, %d calls", n.codes, n.faults, calls)
}

// nightFiles are twelve specs, and how they end.
func nightFiles() (files map[string]string, end string) {
	files = map[string]string{
		".booty.yml": "test_command: awk -f run.awk tests/*\nmodel: {max_output_tokens: 100, prices: {input: 1, output: 1}}\n",
		"run.awk":    queueRunner,
		// What runs before any spec is active: else no test ran at all.
		"tests/start_test.go": "func Test_start(t *testing.T) {\n\twant(\"start\", \"yes\")\n}\n", "src/start": "yes\n",
	}
	var lines []string
	for i := 1; i <= 12; i++ {
		id := fmt.Sprintf("GO-%03d", i)
		text, dir, src := goSpec(id+" is one of twelve", strings.ToLower(id[:2]+id[3:])), "tests", "no\n"
		state, title := "closed draft=false merged=true comments=1 tdd-automation", "1/5"
		held := "open draft=true merged=false comments=1 tdd-automation tdd-automation:"
		switch i {
		case 7:
			title = "2/5"
		case 8:
			text, state, title = "// @tdd-max-attempts 2\n"+text, held+"manual-intervention", "2/2"
		case 9:
			text, state = "// @tdd-after GO-008\n"+text, ""
		case 10:
			dir, state = "e2e", held+"spec-review-needed" // no command runs it
		case 11:
			src = "yes\n"
		case 12:
			state = held + "spec-review-needed"
		}
		text = strings.ReplaceAll(text, fmt.Sprintf("want(%q", strings.ToLower(id[:2]+id[3:])), fmt.Sprintf("want(%q", id))
		files[dir+"/"+id+"_test.go"], files["src/"+id] = text, src
		if strings.HasPrefix(state, held) {
			lines = append(lines, "issue open: TDD spec "+id+" needs human review")
		}
		if state != "" {
			lines = append(lines, fmt.Sprintf("tdd/%s: %s [TDD] Implement %s | Attempt %s", id, state, id, title))
		}
	}
	slices.Sort(lines)
	return files, strings.Join(lines, "\n") + "\n"
}

// night is what two machines and a failing GitHub make of a queue.
type night struct {
	q       *queueLab
	mu      sync.Mutex
	rnd     *rand.Rand
	running map[int]*exec.Cmd
	codes   map[int]int
	faults  int
	dead    bool
}

// work takes turns on one machine until there is nothing to do, twice.
func (n *night) work(machine int, l *lab) {
	for idle, turns := 0, 0; idle < 2; turns++ {
		if turns > 80 {
			n.q.t.Errorf("machine %d does not come to an end", machine)
			return
		}
		cmd := l.command("run", "--next", "--no-review")
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		n.mu.Lock()
		n.trouble()
		n.running[machine] = cmd
		err := cmd.Start()
		n.mu.Unlock()
		if err != nil {
			n.q.t.Error(err)
			return
		}
		_ = cmd.Wait()
		code := cmd.ProcessState.ExitCode()
		n.mu.Lock()
		n.codes[code]++
		n.mu.Unlock()
		switch {
		case code == 0 || code == 3 || code == -1:
			idle = 0
		case code == 4 && !strings.Contains(out.String(), "machine") && !strings.Contains(out.String(), "merged by GitHub"):
			idle++
		case code == 4:
			time.Sleep(2 * time.Second) // the other one is at work
		default:
			n.q.t.Errorf("machine %d: exit code %d: %s", machine, code, out.String())
		}
	}
}

// killOnce kills both machines when the third pull request has been opened.
func (n *night) killOnce(int) {
	opened := 0
	for _, r := range n.q.hub.Requests() {
		if r.Method == "POST" && r.Path == "repos/acme/app/pulls" {
			opened++
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if opened < 3 || n.dead {
		return
	}
	n.dead = true
	for _, cmd := range n.running {
		_ = cmd.Process.Kill()
	}
}

// trouble makes GitHub fail, now and then, for less than booty's patience.
func (n *night) trouble() {
	faults := []testkit.GitHubFault{
		{Path: "repos/acme/app*", Status: 502, Times: 2},
		{Path: "graphql", Status: 502},
		{Method: "POST", Path: "repos/acme/app/issues*", Status: 502},
		{Method: "POST", Path: "repos/acme/app*", Status: 502, Late: true},
		{Method: "PATCH", Path: "repos/acme/app*", Status: 403, Header: map[string]string{"Retry-After": "1"},
			Body: `{"message":"You have exceeded a secondary rate limit."}`},
	}
	if i := n.rnd.IntN(3 * len(faults)); i < len(faults) {
		n.faults++
		n.q.hub.Fault(faults[i])
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

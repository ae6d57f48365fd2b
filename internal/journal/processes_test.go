package journal

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
)

// The tests below start this test binary again as other booty processes.
const childEnv = "BOOTY_JOURNAL_TEST_CHILD"

func TestMain(m *testing.M) {
	if what := os.Getenv(childEnv); what != "" {
		os.Exit(child(what, os.Getenv(childEnv+"_DIR")))
	}
	os.Exit(m.Run())
}

// child opens the journal in dir and does what it is asked to.
func child(what, dir string) int {
	if n, ok := strings.CutPrefix(what, "crash "); ok {
		at, _ := strconv.Atoi(n)
		if err := crash(dir, at); err != nil {
			fmt.Println(err)
			return 1
		}
		return 0
	}
	ctx := context.Background()
	_, _ = io.Copy(io.Discard, os.Stdin) // until the parent has started all
	told := []string{}
	j, err := Open(ctx, Options{Dir: dir, Warn: func(s string) { told = append(told, s) }})
	if err != nil {
		fmt.Println("open:", err)
		return 1
	}
	switch what {
	case "spend": // as many calls as the limit lets through, some settled below the worst case
		n := 0
		for i := 0; ; i++ {
			id, _, err := j.Money.Reserve(ctx, Reservation{Run: "r" + strconv.Itoa(os.Getpid()), WorstUSD: 0.1, Limits: Limits{DayUSD: 10, WeekUSD: 10}})
			var limit *LimitError
			if errors.As(err, &limit) {
				fmt.Println("made", n)
				return 0
			}
			if err == nil {
				n++
				switch i % 3 {
				case 0:
					_, err = j.Money.Settle(ctx, id, 0.1)
				case 1:
					_, err = j.Money.Settle(ctx, id, 0.05)
				}
			}
			if err != nil {
				fmt.Println("spend:", err)
				return 1
			}
		}
	case "record": // a run with events, as eight at once would
		run, err := j.StartRun(ctx, Run{Repo: "/r"})
		if err != nil {
			fmt.Println("start:", err)
			return 1
		}
		l := j.Listener(run.ID)
		for i := range 50 {
			l.Handle(event.Notice{Message: strconv.Itoa(i)})
		}
		l.Handle(event.RunFinished{Outcome: "green"})
		for _, n := range told {
			if !strings.Contains(n, "damaged") {
				fmt.Println(n)
				return 1
			}
		}
	case "hang": // reserve, say so, and wait to be killed
		run, err := j.StartRun(ctx, Run{ID: "hanging000", Repo: "/r"})
		if err != nil {
			fmt.Println("start:", err)
			return 1
		}
		if _, _, err := j.Money.Reserve(ctx, Reservation{Run: run.ID, WorstUSD: 3, Limits: Limits{DayUSD: 10}}); err != nil {
			fmt.Println("reserve:", err)
			return 1
		}
		fmt.Println("reserved")
		time.Sleep(time.Hour)
	case "open":
	}
	_ = j.Close()
	return 0
}

func childCmd(t *testing.T, what, dir string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	must(t, err)
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), childEnv+"="+what, childEnv+"_DIR="+dir)
	return cmd
}

// eight runs eight children at once and gives what they printed.
func eight(t *testing.T, what, dir string) []string {
	t.Helper()
	out := make([]string, 8)
	starter, hold, err := os.Pipe()
	must(t, err)
	defer func() { _ = starter.Close() }()
	var wg sync.WaitGroup
	for i := range out {
		cmd := childCmd(t, what, dir)
		var text bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = starter, &text, &text
		must(t, cmd.Start())
		wg.Add(1)
		go func() {
			defer wg.Done()
			err := cmd.Wait()
			out[i] = text.String()
			if err != nil {
				t.Errorf("child %d: %v\n%s", i, err, text.String())
			}
		}()
	}
	_ = hold.Close()
	wg.Wait()
	return out
}

func TestEightProcessesNeverPassALimit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	made := 0
	for _, out := range eight(t, "spend", dir) {
		var n int
		if _, err := fmt.Sscanf(out, "made %d", &n); err != nil {
			t.Errorf("child said %q", out)
		}
		made += n
	}
	j := open(t, Options{Dir: dir})
	// Settled at 0.1 and 0.05 and left open at 0.1: all of it counts, none twice.
	var settled, left int64
	var calls int
	err := j.db.QueryRowContext(t.Context(), `SELECT count(*), sum(CASE state WHEN 'settled' THEN actual ELSE 0 END),
		sum(CASE state WHEN 'open' THEN worst ELSE 0 END) FROM spending`).Scan(&calls, &settled, &left)
	must(t, err)
	if calls != made {
		t.Errorf("%d calls on record, %d were made", calls, made)
	}
	sum := settled + left
	if sum > 10*nano || sum <= 9.9*nano {
		t.Errorf("%v USD counted, want no more than the limit of 10 and no room for another call", fromNano(sum))
	}
	ps, err := j.Money.Usage(t.Context(), "", Limits{DayUSD: 10, WeekUSD: 10})
	must(t, err)
	for _, p := range ps {
		if p.UsedUSD != fromNano(sum) || p.UnsettledUSD != fromNano(left) || p.ReservedUSD != 0 || p.Calls != made {
			t.Errorf("%+v, want %v used, %v of it unsettled, %d calls", p, fromNano(sum), fromNano(left), made)
		}
	}
}

func TestEightProcessesRecordAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	eight(t, "record", dir)
	j := open(t, Options{Dir: dir})
	rs, err := j.Runs(t.Context(), Filter{Repo: "/r"})
	must(t, err)
	if len(rs) != 8 {
		t.Fatalf("%d runs, want 8", len(rs))
	}
	for _, r := range rs {
		d, err := j.Detail(t.Context(), r.ID, "")
		must(t, err)
		if r.Outcome != "green" || len(d.Notes) != 50 {
			t.Errorf("run %s: %s with %d notes", r.ID, r.Outcome, len(d.Notes))
		}
	}
}

func TestAKillBetweenReserveAndSettleLosesAndDoublesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, Options{Dir: dir})
	cmd := childCmd(t, "hang", dir)
	stdout, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != "reserved" {
		t.Fatalf("child said %q, %v", line, err)
	}
	day := func() Period {
		ps, err := j.Money.Usage(t.Context(), "", Limits{DayUSD: 10})
		must(t, err)
		return ps[0]
	}
	if p := day(); p.ReservedUSD != 3 || p.UnsettledUSD != 0 || p.UsedUSD != 3 {
		t.Errorf("while it lives: %+v", p)
	}
	if r, err := j.Run(t.Context(), "hanging000", ""); err != nil || r.State != "running" {
		t.Errorf("while it lives: %s, %v", r.State, err)
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	if p := day(); p.ReservedUSD != 0 || p.UnsettledUSD != 3 || p.UsedUSD != 3 || p.LeftUSD != 7 {
		t.Errorf("after the kill: %+v", p)
	}
	if r, err := j.Run(t.Context(), "hanging000", ""); err != nil || r.State != "interrupted" {
		t.Errorf("after the kill: %s, %v", r.State, err)
	}
	// Continued: the new call is counted beside the old one, each once.
	must(t, j.Resume(t.Context(), "hanging000"))
	id, _ := reserve(t, j, "hanging000", 3, Limits{DayUSD: 10})
	_, err = j.Money.Settle(t.Context(), id, 2)
	must(t, err)
	if p := day(); p.UsedUSD != 5 || p.UnsettledUSD != 3 {
		t.Errorf("after the resumption: %+v", p)
	}
	_, _, err = j.Money.Reserve(t.Context(), Reservation{Run: "x", WorstUSD: 5.01, Limits: Limits{DayUSD: 10}})
	var limit *LimitError
	if !errors.As(err, &limit) {
		t.Errorf("the unsettled worst case does not count: %v", err)
	}
}

package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal/record"
)

func sampleStatus() Status {
	done := sample().Run
	broken := record.Run{ID: "0f3k000000", Task: event.Task{Kind: "text", Title: "日本 \x1b[2Jtwo\nlines " + strings.Repeat("long ", 30)}, State: record.Interrupted, Started: noon.Add(-3 * time.Hour), MaxRetries: 5, Attempts: 1, AttemptsTotal: 1, Branch: "booty/x"}
	return Status{
		Now: noon.Add(10 * time.Minute), Runs: []record.Run{done, broken},
		Days:         fourteenDays(),
		PullRequests: []OpenPullRequest{{Number: 9, Title: "[TDD] Implement A-001 | Attempt 2/5", Branch: "tdd/A-001", Draft: true, Attempt: 2, MaxAttempts: 5}},
		Money: []record.Period{
			{Period: "day", UsedUSD: 81.5, LimitUSD: 100, LeftUSD: 18.5, Percent: 81.5, UnsettledUSD: 0.004, State: record.Warned, Resets: noon.Add(12 * time.Hour), Calls: 3, Runs: 2},
			{Period: "week", UsedUSD: 81.5, State: record.Available, Resets: noon.Add(60 * time.Hour)},
		},
	}
}

func fourteenDays() []record.Day {
	var days []record.Day
	for i, v := range []float64{0, 0, 1.2, 0.004, 0, 7.5, 3, 0, 0, 12.25, 0, 0, 2, 6.1} {
		days = append(days, record.Day{Day: noon.AddDate(0, 0, i-13).Format(time.DateOnly), UsedUSD: v})
	}
	return days
}

// narrow wants no line to be wider than a terminal.
func narrow(t *testing.T, text string, width int) {
	t.Helper()
	for l := range strings.SplitSeq(text, "\n") {
		if w := lipgloss.Width(l); w > width {
			t.Errorf("a line has %d columns: %s", w, l)
		}
	}
}

// At 80 columns and fewer a task is still to be read, and nothing wraps.
func TestStatusInNarrowTerminals(t *testing.T) {
	s := sampleStatus()
	s.Runs[0].Model, s.Runs[1].Model = "claude-sonnet-5", "qwen3-coder:30b"
	s.Runs[1].Branch, s.Runs[1].Task.Title = "booty/make-the-parser-accept-an-empty-list", "Make the parser accept an empty list where it wants one"
	var all strings.Builder
	for _, width := range []int{160, 120, 80, 60} {
		var b bytes.Buffer
		if err := s.Write(&b, nil, width); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "%d columns\n%s\n", width, b.String())
		narrow(t, b.String(), width)
		if strings.Contains(b.String(), "booty/make-…") {
			t.Errorf("%d columns: a branch is shown by its beginning", width)
		}
	}
	golden(t, "status_widths.txt", all.String())
}

func terminal(w io.Writer) *lipgloss.Renderer {
	r := lipgloss.NewRenderer(w)
	r.SetColorProfile(termenv.ANSI)
	return r
}

func TestStatusText(t *testing.T) {
	var plain, colored bytes.Buffer
	if err := sampleStatus().Write(&plain, nil, 100); err != nil {
		t.Fatal(err)
	}
	golden(t, "status.txt", plain.String())
	if strings.Contains(plain.String(), "\x1b") {
		t.Error("plain text holds an escape")
	}
	if err := sampleStatus().Write(&colored, terminal(&colored), 100); err != nil {
		t.Fatal(err)
	}
	golden(t, "status.ansi", colored.String())
	if strings.Contains(colored.String(), "\x1b[2J") {
		t.Error("a title moves the cursor")
	}
	// The same words stand in both.
	if got, want := strings.Fields(stripEscapes(colored.String())), strings.Fields(plain.String()); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("colored words:\n%q\nplain words:\n%q", got, want)
	}
	var empty bytes.Buffer
	if err := (Status{}).Write(&empty, nil, 0); err != nil || !strings.Contains(empty.String(), "booty run") {
		t.Errorf("empty status: %q, %v", empty.String(), err)
	}
}

func TestRunText(t *testing.T) {
	var plain, colored bytes.Buffer
	d := shownRun().Detail
	d.Run.Message = "the checks pass, but for what failed before: TestOldAndSlow, which the change has nothing to do with"
	if err := WriteRun(&plain, d, nil, noon.Add(time.Hour), 80); err != nil {
		t.Fatal(err)
	}
	golden(t, "run.txt", plain.String())
	narrow(t, plain.String(), 80)
	if err := WriteRun(&colored, sample(), terminal(&colored), noon.Add(time.Hour), 0); err != nil {
		t.Fatal(err)
	}
	golden(t, "run.ansi", colored.String())
}

func TestRunTextOfAnInterruptedRun(t *testing.T) {
	d := sample()
	d.Run.State, d.Run.Outcome, d.Run.Finished = record.Interrupted, "", time.Time{}
	d.Attempts = nil
	d.Baseline = []record.Check{{Name: "test", ExitCode: 1, Distilled: "one\ntwo\n3\n4\n5\n6\n7"}}
	var b bytes.Buffer
	if err := WriteRun(&b, d, nil, noon.Add(time.Hour), 0); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"interrupted", "booty resume 0f3k2m9x1a continues it", "No attempt was made.", "    one\n    two\n", "and 2 more lines"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
}

func TestRunTextOfARunStoppedBeforeAnAttemptWasChecked(t *testing.T) {
	d := sample()
	d.Run.Outcome, d.Run.Attempts, d.Run.AttemptsTotal = "interrupted", 0, 0
	d.Attempts = []record.Attempt{{N: 1, Role: "implement", Trouble: strings.Repeat("long ", 20), Calls: []record.Call{{Attempt: 1, Role: "implement", Model: "m-1", At: noon}}}}
	var b strings.Builder
	if err := WriteRun(&b, d, nil, noon.Add(time.Hour), 80); err != nil {
		t.Fatal(err)
	}
	narrow(t, b.String(), 80)
	if strings.Contains(b.String(), "proves") || !strings.Contains(b.String(), "Attempt 1/3") {
		t.Errorf("want the attempt, and no claim:\n%s", b.String())
	}
}

func TestRunTextOfARunAtWork(t *testing.T) {
	d := shownRun().Detail
	d.Run.State, d.Run.Outcome, d.Run.Finished, d.Run.PullRequest = record.Running, "", time.Time{}, nil
	last := &d.Attempts[1]
	last.Outcome, last.Finished, last.Checks = "", time.Time{}, nil
	last.Calls[0].Model = "/opt/tools/my-model.sh"
	d.Last = &record.Last{Event: "edits.applied", Attempt: 2, At: noon.Add(3 * time.Minute)}
	var b strings.Builder
	if err := WriteRun(&b, d, nil, noon.Add(4*time.Minute), 80); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Run 0f3k2m9x1a  running  checks for 1m00s, 4m00s total\n", "Attempt 2/3  running\n", "m-1, my-model.sh"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("lacks %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "proves") || strings.Contains(b.String(), "--html") {
		t.Errorf("a run at work proves nothing yet:\n%s", b.String())
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := sampleStatus().JSON(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "status.json", b.String())
	b.Reset()
	if err := RunJSON(&b, sample()); err != nil {
		t.Fatal(err)
	}
	golden(t, "run.json", b.String())
	b.Reset()
	if err := (Status{}).JSON(&b); err != nil || b.String() != `{"runs":[],"pull_requests":[],"money":[],"days":[]}`+"\n" {
		t.Errorf("an empty status is %q, %v", b.String(), err)
	}
}

func blobs(ref string) ([]byte, error) {
	texts := map[string]string{
		"runs/r/attempt-1/diff.patch.gz": "--- a/list.go\n+++ b/list.go\n@@ -1 +1 @@\n-old\n+new </pre><script>alert(1)</script>\n\n",
		"runs/r/attempt-1/test.log.gz":   "ok 1\n\x1b[31m--- FAIL\x1b[0m: <b>TestEmpty</b>\n",
		"runs/r/attempt-1/prompt.md.gz":  "the prompt",
	}
	if s, ok := texts[ref]; ok {
		return []byte(s), nil
	}
	return nil, errors.New(ref + ": no longer kept")
}

func TestShow(t *testing.T) {
	cases := []struct {
		name string
		n    int
		what string
		want string
		says string
	}{
		{"the diff as it is", 1, "diff", "+new </pre><script>alert(1)</script>\n", ""},
		{"output as it is", 1, "output", "ok 1\n\x1b[31m--- FAIL\x1b[0m: <b>TestEmpty</b>\n", ""},
		{"the prompt", 1, "prompt", "the prompt\n", ""},
		{"a reply that was pruned", 1, "reply", "", "no longer kept"},
		{"nothing on record", 2, "diff", "", "no diff on record"},
		{"an unknown attempt", 9, "diff", "", "no attempt 9"},
		{"an unknown part", 1, "soul", "", `no "soul"`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Show(sample(), c.n, c.what, blobs)
			if c.says != "" {
				if err == nil || !strings.Contains(err.Error(), c.says) {
					t.Errorf("got %q, %v, want an error that says %q", got, err, c.says)
				}
				return
			}
			if err != nil || !strings.Contains(got, c.want) {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
	if _, err := Show(sample(), 9, "diff", blobs); fault.KindOf(err) != fault.Usage {
		t.Errorf("got kind %d, want usage", fault.KindOf(err))
	}
}

func TestCredit(t *testing.T) {
	money := append(sampleStatus().Money, record.Period{Period: "run", UsedUSD: 5, LimitUSD: 5, Percent: 100, State: record.Reached, Runs: 1})
	golden(t, "credit.md", Credit(money, noon))
}

func TestQueue(t *testing.T) {
	q := Queue{Specs: []QueuedSpec{
		{ID: "APP-001", Title: "APP-001: rejects\x1b[2J nothing", File: "e2e/app.spec.ts", Line: 12, Marker: "test.fixme", Priority: 100, Attempts: 2, MaxAttempts: 5, State: "active", PullRequest: &event.PullRequest{Number: 9, URL: "u", Draft: true}},
		{ID: "APP-002", Title: "APP-002: later", File: "e2e/app.spec.ts", Line: 30, Marker: "test.fixme", Priority: 100, MaxAttempts: 5, State: "pending"},
		{ID: "APP-003", Title: "<script>x</script>", File: "e2e/b.spec.ts", Line: 3, Marker: "test.fixme", Priority: 100, Attempts: 5,
			MaxAttempts: 5, State: "manual", PullRequest: &event.PullRequest{Number: 8, URL: "u", Draft: true},
			Began: noon.Add(-26 * time.Hour), USD: 1.25, Why: "All attempts are used up.\x1b[31m\nReally."},
	}, Done: []DoneSpec{{ID: "APP-000", At: noon.Add(-3 * time.Hour), Attempts: 2, USD: 0.4,
		PullRequest: &event.PullRequest{Number: 7, URL: "u", State: "merged"}}},
		Next: "go on with pull request #9 (APP-001): it is a draft that nobody holds", Since: noon.Add(-24 * time.Hour), Now: noon}
	var text, object, empty, page bytes.Buffer
	if err := errors.Join(q.Write(&text, nil, 120), q.JSON(&object), Queue{}.JSON(&empty), q.HTML(&page)); err != nil {
		t.Fatal(err)
	}
	golden(t, "queue.txt", text.String())
	golden(t, "queue.json", object.String())
	if html := page.String(); strings.Contains(html, "<script>") || !strings.Contains(html, "<td>manual</td>") ||
		!strings.Contains(html, "<h2>Waiting: 1</h2>") {
		t.Errorf("the page is %s", html)
	}
	if empty.String() != `{"specs":[],"done":[],"next":"","since":"0001-01-01T00:00:00Z"}`+"\n" {
		t.Errorf("an empty queue is %q", empty.String())
	}
}

// Runs of several repositories say which one each belongs to.
func TestStatusNamesRepositoriesWhereThereAreSeveral(t *testing.T) {
	runs := []record.Run{{ID: "1", Repo: "/a", RepoName: "acme/a"}, {ID: "2", Repo: "/a", RepoName: "acme/a"}}
	text := func() string {
		var b strings.Builder
		if err := (Status{Runs: runs}).Write(&b, nil, 0); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := text(); strings.Contains(got, "REPOSITORY") {
		t.Errorf("one repository: got\n%s", got)
	}
	runs[1].Repo, runs[1].RepoName = "/b", "acme/b"
	if got := text(); !strings.Contains(got, "REPOSITORY") || !strings.Contains(got, "acme/b") {
		t.Errorf("two repositories: got\n%s", got)
	}
}

func TestOpenPullRequestsAreAsTheLastRunLeftThem(t *testing.T) {
	pull := func(n int, draft bool, state string) *event.PullRequest {
		return &event.PullRequest{Number: n, URL: fmt.Sprint("u", n), Draft: draft, State: state}
	}
	runs := []record.Run{ // the newest first
		{PullRequest: pull(1, false, "")},
		{PullRequest: pull(1, true, "")},
		{PullRequest: pull(2, true, ""), State: record.Running},
		{PullRequest: pull(3, true, "")},
		{PullRequest: pull(4, false, "merged")},
		{PullRequest: pull(4, false, "")},
		{},
	}
	var got []string
	for _, p := range OpenPullRequests(runs) {
		got = append(got, fmt.Sprint(p.Number, " ", p.State))
	}
	if want := []string{"1 ready", "2 active", "3 draft"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestHintForTheLastInterruptedRun(t *testing.T) {
	cut := func(repo string) record.Run { return record.Run{Repo: repo, State: record.Interrupted} }
	got := Settled([]record.Run{cut("here"), cut("there"), cut("here")}, "here")
	for i, want := range []string{record.Interrupted, record.Finished, record.Finished} {
		if got[i].State != want {
			t.Errorf("run %d: got %s, want %s", i, got[i].State, want)
		}
	}
}

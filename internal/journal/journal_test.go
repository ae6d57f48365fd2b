package journal

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal/record"
)

// clock is a settable time, a Thursday.
type clock struct{ t time.Time }

func newClock() *clock                   { return &clock{time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)} }
func (c *clock) now() time.Time          { return c.t }
func (c *clock) advance(d time.Duration) { c.t = c.t.Add(d) }

func open(t *testing.T, o Options) *Journal {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	j, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func start(t *testing.T, j *Journal, r Run) Run {
	t.Helper()
	r, err := j.StartRun(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func num(n int) *int { return &n }

func TestARunIsRecordedFromItsEvents(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := open(t, Options{Now: c.now, Warn: func(s string) { t.Errorf("notice: %q", s) }})
	ctx := t.Context()
	run := start(t, j, Run{
		ID: "0000000001", Repo: "/src/app", RepoName: "acme/app", Kind: "run", Task: event.Task{Kind: "issue", Number: 42, Title: "Empty list"},
		TaskText: "Accept an empty list", StartBranch: "main", StartCommit: "aaaa", Options: json.RawMessage(`{"pr":"auto"}`), MaxRetries: 3,
	})
	log, err := j.Blobs.Save(ctx, run.ID, "attempt-1/test.log", []byte("FAIL TestEmpty\n"))
	must(t, err)
	prompt, err := j.Blobs.Save(ctx, run.ID, "attempt-1/prompt.md", []byte("do it"))
	must(t, err)

	l := j.Listener(run.ID)
	failures := []event.Failure{{Test: "TestEmpty", File: "list_test.go", Line: 7, Message: "got 1, want 0"}}
	l.Handle(event.RunStarted{Task: run.Task, Repo: "acme/app", Branch: "booty/issue-42", Base: "main", MaxRetries: 3})
	must(t, j.AddCheck(ctx, Check{Run: run.ID, Name: "test", Kind: "test", Passed: true, Counts: event.Counts{Passed: num(4)}}))
	l.Handle(event.ModelRequest{Attempt: 1, Role: "implement", Provider: "openai", Model: "m1", InputTokens: 900})
	l.Handle(event.ModelReply{Attempt: 1, Role: "implement", InputTokens: 1000, OutputTokens: 200, CachedTokens: 50, CostUSD: 0.0125, DurationMS: 1500})
	must(t, j.AddCall(ctx, Call{Run: run.ID, Attempt: 1, Role: "implement", Prompt: prompt}))
	l.Handle(event.EditsRefused{Attempt: 1, Problems: []event.Problem{{Path: ".env", Reason: "protected", Kind: "guard"}}})
	l.Handle(event.EditsApplied{Attempt: 1, Summary: "fix: accept an empty list", Files: []event.File{{Path: "list.go", Op: "modify", Added: 3, Removed: 1}}})
	must(t, j.AddCheck(ctx, Check{Run: run.ID, Attempt: 1, Name: "test", Kind: "test", Command: "go test ./...", Log: log, Distilled: "TestEmpty: got 1, want 0",
		ExitCode: 1, DurationMS: 800, Failures: failures}))
	l.Handle(event.AttemptFinished{Attempt: 1, Outcome: "failing", Failing: 1})
	must(t, j.FinishAttempt(ctx, Attempt{Run: run.ID, N: 1, Signature: "sig", PatchHash: "hash", Checkpoint: "bbbb"}))
	l.Handle(event.ReviewFinished{Verdict: "APPROVED", Notes: "fine"})
	l.Handle(event.PullRequestOpened{Number: 7, URL: "https://example.com/7", Draft: true})
	c.advance(time.Minute)
	l.Handle(event.RunFinished{Outcome: "exhausted", ExitCode: 3, Attempts: 1, Branch: "booty/issue-42", Commit: "cccc", CostUSD: 99, Message: "1 test fails", Hint: "booty resume"})

	d, err := j.Detail(ctx, "latest", "/src/app")
	must(t, err)
	if len(d.Baseline) != 1 || !d.Baseline[0].Passed {
		t.Errorf("baseline: %+v", d.Baseline)
	}
	if len(d.Attempts) != 1 {
		t.Fatalf("got %d attempts, want 1", len(d.Attempts))
	}
	at := time.Date(2026, 11, 19, 12, 0, 0, 0, time.UTC)
	want := Attempt{
		Run: run.ID, N: 1, Role: "implement", Outcome: "failing", Summary: "fix: accept an empty list",
		Files: []event.File{{Path: "list.go", Op: "modify", Added: 3, Removed: 1}}, Failing: 1,
		Signature: "sig", PatchHash: "hash", Checkpoint: "bbbb",
		Refused: []event.Problem{{Path: ".env", Reason: "protected", Kind: "guard"}}, Started: at, Finished: at,
		Checks: []Check{{
			Run: run.ID, Attempt: 1, Name: "test", Kind: "test", Command: "go test ./...", At: at, ExitCode: 1, DurationMS: 800,
			Failures: failures, Log: log, Distilled: "TestEmpty: got 1, want 0",
		}},
		Calls: []Call{{
			Run: run.ID, Attempt: 1, Role: "implement", Provider: "openai", Model: "m1", At: at, GuessTokens: 900, InputTokens: 1000, OutputTokens: 200,
			CachedTokens: 50, CostUSD: 0.0125, DurationMS: 1500, Prompt: prompt,
		}},
	}
	if diff := cmp.Diff(want, d.Attempts[0]); diff != "" {
		t.Errorf("attempt (-want +got):\n%s", diff)
	}
	r := d.Run
	if r.State != "finished" || r.Outcome != "exhausted" || r.ExitCode != 3 || r.Commit != "cccc" || r.Branch != "booty/issue-42" || r.Hint != "booty resume" {
		t.Errorf("run: %+v", r)
	}
	if r.PullRequest == nil || r.PullRequest.Number != 7 || r.Attempts != 1 || r.CostUSD != 0.0125 || r.InputTokens != 1000 || r.Estimated {
		t.Errorf("run: %+v", r)
	}
	if !r.Finished.Equal(at.Add(time.Minute)) || r.TaskText != "Accept an empty list" || string(r.Options) != `{"pr":"auto"}` {
		t.Errorf("run: %+v", r)
	}
	lines, err := j.Events(ctx, run.ID, 0)
	must(t, err)
	if len(lines) != 9 || !strings.HasPrefix(lines[0].JSON, `{"event":"run.started","time":"2026-11-19T12:00:00.000Z","run":"0000000001"`) {
		t.Errorf("events: %d, first %v", len(lines), lines)
	}
	if rest, err := j.Events(ctx, run.ID, lines[7].Seq); err != nil || len(rest) != 1 {
		t.Errorf("got %d events after the eighth, %v", len(rest), err)
	}
}

func TestARunIsFoundByNamePrefixAndLatest(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := open(t, Options{Now: c.now})
	for _, r := range []Run{{ID: "aaaa111111", Repo: "/a"}, {ID: "aaaa222222", Repo: "/b"}, {ID: "abcd333333", Repo: "/a"}, {ID: "abcd", Repo: "/b"}} {
		start(t, j, r)
		c.advance(time.Second)
	}
	cases := []struct {
		name, ask, repo, want string
		kind                  fault.Kind
		says                  string
	}{
		{"the whole name", "aaaa111111", "", "aaaa111111", 0, ""},
		{"a unique prefix", "aaaa2", "", "aaaa222222", 0, ""},
		{"upper case is the same name", "AAAA2", "", "aaaa222222", 0, ""},
		{"a whole name wins over a longer one", "abcd", "", "abcd", 0, ""},
		{"an ambiguous prefix names them", "aaaa", "", "", fault.Usage, "aaaa111111, aaaa222222"},
		{"an unknown name", "zzz", "", "", fault.Usage, "no such run"},
		{"a wildcard is a letter", "a%", "", "", fault.Usage, "no such run"},
		{"latest of all", "latest", "", "abcd", 0, ""},
		{"latest of a repository", "latest", "/a", "abcd333333", 0, ""},
		{"nothing said means latest", "", "/b", "abcd", 0, ""},
		{"latest where there is none", "latest", "/none", "", fault.Usage, "no run was recorded"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r, err := j.Run(t.Context(), c.ask, c.repo)
			if c.says != "" {
				if err == nil || fault.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.says) || fault.HintOf(err) == "" {
					t.Errorf("got %v, want an error of kind %d that says %q and hints", err, c.kind, c.says)
				}
				return
			}
			if err != nil || r.ID != c.want {
				t.Errorf("got %q, %v, want %q", r.ID, err, c.want)
			}
		})
	}
}

func TestARunIsInterruptedOnceItsProcessIsGone(t *testing.T) {
	t.Parallel()
	j := open(t, Options{})
	other := open(t, Options{Dir: j.Dir()})
	start(t, j, Run{ID: "mine000000"})
	start(t, other, Run{ID: "live000000"})
	start(t, other, Run{ID: "done000000"})
	must(t, other.FinishRun(t.Context(), "done000000", event.RunFinished{Outcome: "green"}))
	states := func() string {
		var s []string
		for _, id := range []string{"mine000000", "live000000", "done000000"} {
			r, err := j.Run(t.Context(), id, "")
			must(t, err)
			s = append(s, r.State)
		}
		return strings.Join(s, " ")
	}
	if got := states(); got != "running running finished" {
		t.Errorf("got %s", got)
	}
	must(t, other.Close())
	if got := states(); got != "running interrupted finished" {
		t.Errorf("after the other has ended: %s", got)
	}
}

func TestResumeTakesOverOnlyWhatNobodyWorksOn(t *testing.T) {
	t.Parallel()
	j := open(t, Options{})
	ctx := t.Context()
	gone := open(t, Options{Dir: j.Dir()})
	start(t, gone, Run{ID: "dead000000"})
	must(t, gone.Close())
	must(t, j.SaveStep(ctx, "dead000000", "baseline", map[string]any{"failed": 2}))
	must(t, j.SaveStep(ctx, "dead000000", "attempt-1/applied", []string{"old.go"}))
	must(t, j.SaveStep(ctx, "dead000000", "attempt-1/applied", []string{"a.go"}))
	must(t, j.Resume(ctx, "dead000000"))
	r, err := j.Run(ctx, "dead000000", "")
	must(t, err)
	if r.State != "running" || r.PID != os.Getpid() {
		t.Errorf("got %s in process %d", r.State, r.PID)
	}
	steps, err := j.Steps(ctx, "dead000000")
	must(t, err)
	if len(steps) != 2 || steps[0].Name != "baseline" || string(steps[1].Data) != `["a.go"]` {
		t.Errorf("steps: %+v", steps)
	}
	must(t, j.FinishRun(ctx, "dead000000", event.RunFinished{Outcome: "stuck", Message: "m", ExitCode: 3}))
	must(t, j.Resume(ctx, "dead000000"))
	if r, err := j.Run(ctx, "dead000000", ""); err != nil || r.Outcome != "" || !r.Finished.IsZero() {
		t.Errorf("a resumed run is open again: %+v, %v", r, err)
	}
	start(t, open(t, Options{Dir: j.Dir()}), Run{ID: "live000000"})
	if err := j.Resume(ctx, "live000000"); fault.KindOf(err) != fault.Refused {
		t.Errorf("resumed a run at work: %v", err)
	}
	if err := j.Resume(ctx, "nosuchrun0"); !errors.Is(err, ErrNoRun) {
		t.Errorf("got %v, want ErrNoRun", err)
	}
}

func TestEverythingStoredIsRedacted(t *testing.T) {
	t.Parallel()
	const secret = "hunter2secret"
	dir := t.TempDir()
	j := open(t, Options{Dir: dir, Redact: func(s string) string { return strings.ReplaceAll(s, secret, `[REDACTED:"test"]`) },
		Warn: func(s string) { t.Errorf("notice: %q", s) }})
	ctx := t.Context()
	s := "x " + secret + " y"
	run := start(t, j, Run{Task: event.Task{Title: s}, TaskText: s, Options: json.RawMessage(`{"task":"` + s + `"}`)})
	must(t, j.SetPullRequest(ctx, run.ID, event.PullRequest{URL: s}))
	l := j.Listener(run.ID)
	for _, e := range []event.Event{
		event.RunStarted{Task: event.Task{Title: s}}, event.ModelRequest{Attempt: 1, Role: "implement", Model: s}, event.ModelRetry{Attempt: 1, Reason: s},
		event.EditsRefused{Attempt: 1, Problems: []event.Problem{{Path: s, Reason: s}}},
		event.EditsApplied{Attempt: 1, Summary: s, Files: []event.File{{Path: s}}},
		event.CheckFinished{Attempt: 1, Check: s, Note: s, Failures: []event.Failure{{Test: s, Message: s}}},
		event.ReviewFinished{Verdict: "APPROVED", Notes: s}, event.EvidenceFinished{Tests: []string{s}, Note: s}, event.Notice{Message: s},
		event.PullRequestOpened{URL: s}, event.RunFinished{Message: s, Hint: s},
	} {
		l.Handle(e)
	}
	must(t, j.AddCheck(ctx, Check{Run: run.ID, Attempt: 1, Name: "lint", Command: s, Distilled: s, Note: s}))
	must(t, j.AddCall(ctx, Call{Run: run.ID, Attempt: 1, Role: "implement", Error: s}))
	must(t, j.SaveStep(ctx, run.ID, "one", map[string]string{"k": s}))
	must(t, j.FinishAttempt(ctx, Attempt{Run: run.ID, N: 2, Summary: s}))
	ref, err := j.Blobs.Save(ctx, run.ID, "p.txt", []byte(s))
	must(t, err)
	if data, err := j.Blobs.Read(ctx, ref); err != nil || string(data) != `x [REDACTED:"test"] y` {
		t.Errorf("blob: %q, %v", data, err)
	}
	must(t, j.Close())
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), secret) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	})
	must(t, err)
}

func TestWhatOnlyEventsTellIsPartOfARun(t *testing.T) {
	t.Parallel()
	const secret = "hunter2secret"
	j := open(t, Options{Redact: func(s string) string { return strings.ReplaceAll(s, secret, "[R]") }})
	run := start(t, j, Run{})
	l := j.Listener(run.ID)
	files := []event.ContextFile{{Path: "a.go", Tokens: 5, Part: "full", Why: "names " + secret}}
	for _, e := range []event.Event{
		event.BaselineFinished{Failing: 2},
		event.ContextSelected{Attempt: 1, Files: files}, event.ModelRequest{Attempt: 1, Role: "implement", Model: "m", InputTokens: 7},
		event.ModelRequest{Attempt: 2, Role: "fix-tests"},
		event.EvidenceFinished{Verdict: "none"}, event.EvidenceFinished{Verdict: "proven", Tests: []string{"T"}},
		event.ModelRequest{Attempt: 2, Role: "review"},
		event.RunFinished{Known: []string{"TestOld"}},
	} {
		l.Handle(e)
	}
	d, err := j.Detail(t.Context(), run.ID, "")
	must(t, err)
	files[0].Why = "names [R]"
	want := []record.Request{
		{Attempt: 1, Role: "implement", Model: "m", Tokens: 7, Files: files},
		{Attempt: 2, Role: "fix-tests", Files: []event.ContextFile{}},
		{Attempt: 2, Role: "review", Files: []event.ContextFile{}},
	}
	if diff := cmp.Diff(want, d.Requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if d.Found == nil || d.Found.Failing != 2 || d.Evidence == nil || d.Evidence.Verdict != "proven" || len(d.Known) != 1 {
		t.Errorf("found %+v, evidence %+v, known %q", d.Found, d.Evidence, d.Known)
	}
}

func TestFilesAreClosedToOthers(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	dir := filepath.Join(t.TempDir(), "a", "booty")
	j := open(t, Options{Dir: dir})
	run := start(t, j, Run{})
	_, err := j.Blobs.Save(t.Context(), run.ID, "x/y", nil)
	must(t, err)
	seen := 0
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		seen++
		return err
	})
	must(t, err)
	if seen < 6 { // directory, database, -wal, -shm, runs, run, x, y
		t.Errorf("saw %d files only", seen)
	}
}

func TestBlobNamesStayInTheirDirectory(t *testing.T) {
	t.Parallel()
	j := open(t, Options{})
	for _, name := range []string{"../x", "a/../../x", "/x", "", "..", "a//../../../b"} {
		if ref, err := j.Blobs.Save(t.Context(), "0000000001", name, []byte("x")); err == nil && !strings.HasPrefix(ref, "runs/0000000001/") {
			t.Errorf("%q was stored as %q", name, ref)
		}
	}
	for _, run := range []string{"..", "../x", "", "a/b", "A"} {
		if ref, err := j.Blobs.Save(t.Context(), run, "x", nil); err == nil {
			t.Errorf("run %q was stored as %q", run, ref)
		}
	}
	for _, ref := range []string{"booty.db", "runs/../booty.db", "../x.gz", "runs/x.gz", "/etc/passwd", ""} {
		if _, err := j.Blobs.Read(t.Context(), ref); err == nil || errors.Is(err, errPruned) {
			t.Errorf("%q: got %v, want a refusal", ref, err)
		}
	}
}

func TestAFailedWriteIsToldOnceAndNeverStopsTheRun(t *testing.T) {
	t.Parallel()
	var told []string
	j := open(t, Options{Warn: func(s string) { told = append(told, s) }})
	l := j.Listener("neveropened")
	l.Handle(event.Notice{Message: "a"})
	l.Handle(event.Notice{Message: "b"})
	if len(told) != 1 || !strings.Contains(told[0], "not recorded") {
		t.Errorf("told %q", told)
	}
}

func TestNamesOfRunsSortByTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 5, 0, 0, 0, time.UTC)
	last, seen := "", map[string]bool{}
	for range 50 {
		id := newRunID(at)
		if len(id) != 10 || validID(id) != nil || id <= last || seen[id] {
			t.Fatalf("%q after %q", id, last)
		}
		last, seen[id] = id, true
		at = at.Add(time.Hour)
	}
}

func TestPruningTakesWhatIsOldOnceADay(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := open(t, Options{Now: c.now})
	ctx := t.Context()
	blob := func(r Run) string {
		ref, err := j.Blobs.Save(ctx, r.ID, "log", []byte("x"))
		must(t, err)
		j.Listener(r.ID).Handle(event.Notice{Message: "n"})
		return ref
	}
	kept := func(ref string) bool {
		_, err := j.Blobs.Read(ctx, ref)
		if err != nil && !errors.Is(err, errPruned) {
			t.Fatal(err)
		}
		return err == nil
	}
	old := start(t, j, Run{ID: "old0000000"})
	oldRef := blob(old)
	must(t, j.FinishRun(ctx, old.ID, event.RunFinished{Outcome: "exhausted"}))
	cut := start(t, j, Run{ID: "cut0000000"}) // killed: it can still be continued
	cutRef := blob(cut)
	c.advance(29 * 24 * time.Hour)
	young := start(t, j, Run{ID: "young00000"})
	youngRef := blob(young)
	if !kept(oldRef) {
		t.Fatal("pruned after 29 days")
	}
	c.advance(23 * time.Hour)
	c.advance(90 * time.Minute) // 30 days and half an hour after the first
	start(t, j, Run{})
	if kept(oldRef) || !kept(youngRef) || !kept(cutRef) {
		t.Errorf("after 30 days: old kept %v, young kept %v, interrupted kept %v", kept(oldRef), kept(youngRef), kept(cutRef))
	}
	if ev, err := j.Events(ctx, old.ID, 0); err != nil || len(ev) != 0 {
		t.Errorf("%d old events left, %v", len(ev), err)
	}
	if ev, err := j.Events(ctx, young.ID, 0); err != nil || len(ev) != 1 {
		t.Errorf("%d young events left, %v", len(ev), err)
	}
	if rs, err := j.Runs(ctx, Filter{}); err != nil || len(rs) != 4 {
		t.Errorf("%d runs left of 4, %v", len(rs), err)
	}
	// Again within the day: nothing is looked at.
	must(t, os.MkdirAll(filepath.Join(j.Dir(), "runs", "orphan0000"), 0o700))
	long := c.t.AddDate(-1, 0, 0)
	must(t, os.Chtimes(filepath.Join(j.Dir(), "runs", "orphan0000"), long, long))
	c.advance(time.Hour)
	start(t, j, Run{})
	if _, err := os.Stat(filepath.Join(j.Dir(), "runs", "orphan0000")); err != nil {
		t.Errorf("pruned twice a day: %v", err)
	}
	c.advance(24 * time.Hour)
	start(t, j, Run{})
	if _, err := os.Stat(filepath.Join(j.Dir(), "runs", "orphan0000")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("an old directory without a run stays: %v", err)
	}
}

func TestACallWithoutAnAnswerCountsNothing(t *testing.T) {
	t.Parallel()
	j := open(t, Options{})
	run := start(t, j, Run{})
	l := j.Listener(run.ID)
	l.Handle(event.ModelRequest{Attempt: 1, Role: "implement", Model: "m", InputTokens: 900})
	must(t, j.AddCall(t.Context(), Call{Run: run.ID, Attempt: 1, Role: "implement", Error: "reset"}))
	l.Handle(event.ModelRequest{Attempt: 1, Role: "implement", Model: "m", InputTokens: 900})
	must(t, j.AddCall(t.Context(), Call{Run: run.ID, Attempt: 1, Role: "implement", Reply: "runs/x/y.gz"}))
	l.Handle(event.ModelReply{Attempt: 1, Role: "implement", InputTokens: 5, CostUSD: 0.5, Estimated: true})
	l.Handle(event.ReviewFinished{Verdict: "APPROVED"})
	d, err := j.Detail(t.Context(), run.ID, "")
	must(t, err)
	if d.Run.InputTokens != 5 || d.Run.CostUSD != 0.5 || !d.Run.Estimated || len(d.Attempts) != 1 || len(d.Attempts[0].Calls) != 2 {
		t.Fatalf("%+v", d)
	}
	if c := d.Attempts[0].Calls; c[0].Error != "reset" || c[0].InputTokens != 0 || c[1].Reply == "" || c[1].InputTokens != 5 || c[1].Error != "" {
		t.Errorf("the two calls are mixed up: %+v", c)
	}
}

func TestARunsFilter(t *testing.T) {
	t.Parallel()
	c := newClock()
	j := open(t, Options{Now: c.now})
	for _, id := range []string{"aaaa", "bbbb", "cccc"} {
		start(t, j, Run{ID: id, Repo: "/a"})
		c.advance(time.Hour)
	}
	rs, err := j.Runs(context.Background(), Filter{Repo: "/a", Since: c.t.Add(-2 * time.Hour), Limit: 1})
	if err != nil || len(rs) != 1 || rs[0].ID != "cccc" {
		t.Errorf("got %+v, %v", rs, err)
	}
	rs, err = j.Runs(context.Background(), Filter{Repo: "/b"})
	if err != nil || len(rs) != 0 {
		t.Errorf("got %+v, %v", rs, err)
	}
}

func TestTheLogOfTheLastGoodRunOfACommand(t *testing.T) {
	t.Parallel()
	j := open(t, Options{})
	ctx := t.Context()
	for _, c := range []struct {
		run, repo, command, log string
		passed                  bool
	}{
		{"0000000001", "/src/app", "make test", "first", true},
		{"0000000002", "/src/app", "make test", "second", true},
		{"0000000003", "/src/app", "make test", "failed", false},
		{"0000000004", "/src/app", "make lint", "another command", true},
		{"0000000005", "/src/other", "make test", "another repository", true},
	} {
		start(t, j, Run{ID: c.run, Repo: c.repo, Kind: "run", MaxRetries: 1})
		log, err := j.Blobs.Save(ctx, c.run, "attempt-0/test.log", []byte(c.log))
		must(t, err)
		must(t, j.AddCheck(ctx, Check{Run: c.run, Name: "test", Kind: "test", Command: c.command, Passed: c.passed, Log: log}))
	}
	for command, want := range map[string]string{"make test": "second", "make lint": "another command", "make": ""} {
		check, got, err := j.LastGoodLog(ctx, "/src/app", command, 0)
		if err != nil || string(got) != want || (check == 0) != (want == "") {
			t.Errorf("%s: got %q of %d, %v, want %q", command, got, check, err, want)
		}
		if again, got, err := j.LastGoodLog(ctx, "/src/app", command, check); again != check || got != nil || err != nil {
			t.Errorf("%s: got %q of %d, %v, though it is known", command, got, again, err)
		}
	}
	must(t, os.RemoveAll(filepath.Join(j.Dir(), "runs", "0000000002")))
	if _, got, err := j.LastGoodLog(ctx, "/src/app", "make test", 0); err != nil || got != nil {
		t.Errorf("of a log that is no longer kept: %q, %v", got, err)
	}
}

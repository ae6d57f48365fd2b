package report

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// shownRun is the sample with what a page tells beside it.
func shownRun() Page {
	d := sample()
	d.Run.PullRequest.URL = "javascript:alert(1)"
	failing := d.Attempts[0].Checks[0]
	failing.Attempt, failing.Log, failing.DurationMS = 0, "", 1900
	failing.Counts.Failed = num(2)
	failing.Failures = append(failing.Failures, event.Failure{Test: "TestNil", File: "list_test.go", Line: 19, Message: "panic in /src/app/list.go:3"})
	again := failing
	again.Name, again.Kind = "test (failed only)", "rerun"
	d.Baseline = []record.Check{failing, again}
	d.Found = &event.BaselineFinished{Failing: 2}
	d.Evidence = &event.EvidenceFinished{Verdict: "proven", Tests: []string{"TestEmpty", "TestNil", "TestNewCase"}}
	d.Notes = append(d.Notes, record.Note{Attempt: 1, Kind: "info", Text: "the model asked for SHOW list.go (shown), FIND Len (not found)"})
	d.Requests = []record.Request{
		{Attempt: 1, Role: "implement", Model: "m-1", Tokens: 1815, Files: []event.ContextFile{
			{Path: "list_test.go", Tokens: 196, Part: "full", Why: "the failing test"},
			{Path: "list.go", Tokens: 103, Part: "excerpt", Lines: [][2]int{{1, 40}}, Why: "the failure points to it"},
		}},
		{Attempt: 2, Role: "fix-tests", Model: "m-1", Tokens: 900},
	}
	return Page{Detail: d, Read: blobs, Hide: []Place{{Dir: "/src/app"}, {Dir: "/home/me", Word: "~"}}, Diff: `diff --git a/list.go b/list.go
index 1111111..2222222 100644
--- a/list.go
+++ b/list.go
@@ -1,4 +1,5 @@ package list
 package list
 
-func Len(l []int) int { return -1 }
+func Len(l []int) int {
+	return len(l) // </pre><script>alert(1)</script>
 // end
diff --git a/old.txt b/new.txt
similarity index 100%
rename from old.txt
rename to new.txt
`}
}

func written(t *testing.T, g Page) string {
	t.Helper()
	var b strings.Builder
	if err := g.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPage(t *testing.T) {
	got := written(t, shownRun())
	golden(t, "page.html", got)
	for _, no := range []string{"<script", "javascript:alert(1)\"", "http://", "src=", "\x1b", "<b>", "/src/app"} {
		if strings.Contains(got, no) {
			t.Errorf("the page holds %q", no)
		}
	}
	// What a reviewer asks comes first, in this order.
	at := 0
	for _, want := range []string{"The checks pass", "$0.21", "3 tests fail without the change and pass with it", "TestNewCase", "fails without the change", "return len(l)", "Attempts</h2>"} {
		i := strings.Index(got[at:], want)
		if i < 0 {
			t.Fatalf("%q does not follow what comes before it", want)
		}
		at += i
	}
	if n := strings.Count(got, "panic in list.go:3"); n != 1 {
		t.Errorf("a failure of two checks is told %d times", n)
	}
}

// hostileRun has markup in every name, thousands of failures and logs of 5 MB.
func hostileRun() Page {
	g := shownRun()
	log := []byte(strings.Repeat("</pre><script>alert(1)</script> \x1b[31m/src/app/x.go:1: \xff boom "+strings.Repeat("x", 60)+"\n", 50_000))
	g.Read = func(string) ([]byte, error) { return log, nil }
	var failures []event.Failure
	for i := range 5000 {
		failures = append(failures, event.Failure{Test: fmt.Sprintf("<img src=x onerror=alert(%d)> \"'", i), File: "/src/app/<b>.go", Line: i + 1, Message: "</li><script>alert(1)</script>"})
	}
	for i := range g.Detail.Attempts {
		a := &g.Detail.Attempts[i]
		a.Diff = "diff"
		for len(a.Checks) < 20 {
			a.Checks = append(a.Checks, record.Check{Name: "</caption><script>" + fmt.Sprint(len(a.Checks)), Kind: "test", Failures: failures, Log: "log", Command: strings.Repeat("long ", 500)})
		}
		a.Calls = append(a.Calls, record.Call{Attempt: a.N, Role: "<svg/onload=alert(1)>", Model: "m\"><script>", Prompt: "p", Reply: "r", Error: "<b>bad</b>"})
	}
	g.Detail.Baseline[0].Failures = failures
	g.Diff = string(log) + g.Diff
	return g
}

func TestAHostileRunStaysAPageThatABrowserCanHold(t *testing.T) {
	g := hostileRun()
	began := time.Now()
	got := written(t, g)
	t.Logf("%d bytes in %s", len(got), time.Since(began))
	for _, no := range []string{"<script", "<img", "<svg/onload", "<b>", "/src/app", "\x1b"} {
		if i := strings.Index(got, no); i >= 0 {
			t.Errorf("the page holds %q: …%s", no, got[max(0, i-80):i+80])
		}
	}
	if len(got) > 40<<20 {
		t.Errorf("the page has %d bytes", len(got))
	}
	for _, want := range []string{"bytes are left out here", "the page would be too large", "more tests", "The diff is cut"} {
		if !strings.Contains(got, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestFoldersOfTheMachineAreHidden(t *testing.T) {
	p := hide([]Place{{Dir: "/home/me/src/app"}, {Dir: "/home/me", Word: "~"}, {Dir: "/"}, {Dir: `C:\src\app`}})
	for in, want := range map[string]string{
		"/home/me/src/app/list.go:3: no":                 "list.go:3: no",
		"in /home/me/src/app.":                           "in ~/src/app.",
		"cd /home/me/src/app && ls":                      "cd ~/src/app && ls",
		"/home/me/src/apples /home/me/src/app-2":         "~/src/apples ~/src/app-2",
		"/home/me/.cache and /home/mel":                  "~/.cache and /home/mel",
		"https://host/home/me/src/app/x":                 "https://host/home/me/src/app/x",
		"file:///home/me/src/app/x.py":                   "file://x.py",
		"(/home/me/src/app/a.go, /home/me/src/app/b.go)": "(a.go, b.go)",
		`C:\src\app\x.go and "C:\\src\\app\\y.go"`:       `x.go and "y.go"`,
		"/etc/passwd": "/etc/passwd",
	} {
		if got := p.text(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestDiffsAreReadInFull(t *testing.T) {
	files := parseDiff("--- a/x\n+++ b/x\n@@ -1,3 +1,2 @@ fn\n-- a rule of dashes\n--- another\n+++ plus\n same\n\\ No newline at end of file\n" +
		"diff --git \"a/\\303\\244\" \"b/\\303\\244\"\nnew file mode 100644\n--- /dev/null\n+++ \"b/\\303\\244\"\n@@ -0,0 +1 @@\n+one\n" +
		"diff --git a/p.png b/p.png\nBinary files a/p.png and b/p.png differ\nstray\n")
	if len(files) != 3 {
		t.Fatalf("got %d files: %+v", len(files), files)
	}
	x, umlaut, png := files[0], files[1], files[2]
	if x.Path != "x" || x.Removed != 2 || x.Added != 1 || len(x.Lines) != 5 {
		t.Errorf("x: %+v", x)
	}
	if x.Lines[0].Sign != "@" || x.Lines[2] != (lineDiff{"-", "-- another"}) {
		t.Errorf("lines: %+v", x.Lines)
	}
	if umlaut.Path != "ä" || umlaut.Added != 1 || len(umlaut.Notes) != 1 {
		t.Errorf("umlaut: %+v", umlaut)
	}
	if png.Path != "p.png" || strings.Join(png.Notes, "|") != "Binary files a/p.png and b/p.png differ|stray" {
		t.Errorf("png: %+v", png)
	}
}

func TestProofOfAChange(t *testing.T) {
	test := func(names ...string) []record.Check {
		c := record.Check{Name: "test", Kind: "test", Passed: len(names) == 0}
		for _, n := range names {
			c.Failures = append(c.Failures, event.Failure{Test: n})
		}
		return []record.Check{c}
	}
	proven := &event.EvidenceFinished{Verdict: "proven", Tests: []string{"new"}}
	cases := []struct {
		name  string
		d     record.Detail
		claim string
		rows  string
	}{
		{"nothing was tried", record.Detail{}, "No change could be checked.", ""},
		{"a new test fails without the change", record.Detail{Evidence: proven, Baseline: test(), Attempts: []record.Attempt{{Outcome: "green", Checks: test()}}},
			"1 test fails without the change and passes with it; whatever passed before still passes.", "new: fails without the change, passes"},
		{"the task changes a test", record.Detail{ChangedTests: []event.ChangedTest{{Test: "old"}}, Evidence: proven, Baseline: test(), Attempts: []record.Attempt{{Outcome: "green", Checks: test()}}},
			"1 test fails without the change and passes with it; 1 existing test was changed, as the task asks.", "new: fails without the change, passes"},
		{"work in place began with failing tests", record.Detail{Baseline: test("a", "b"), Attempts: []record.Attempt{{Outcome: "green", Checks: test()}}},
			"2 tests failed before and pass now.", "a: fails, passes; b: fails, passes"},
		{"a known failure is no proof", record.Detail{Known: []string{"a"}, Evidence: proven, Baseline: test("a"), Attempts: []record.Attempt{{Outcome: "green", Checks: test("a")}}},
			"1 test fails without the change and passes with it; whatever passed before still passes.",
			"new: fails without the change, passes; a: fails, fails as before: known, not part of the task"},
		{"no test of its own", record.Detail{Evidence: &event.EvidenceFinished{Verdict: "none", Note: "no test of its own"}, Baseline: test(), Attempts: []record.Attempt{{Outcome: "green", Checks: test()}}},
			"The checks pass, but no test shows that the change does what it should: no test of its own.", ""},
		{"the best of failing attempts stands, not the last", record.Detail{Baseline: test("a", "b"), Attempts: []record.Attempt{
			{N: 1, Outcome: "failing", Failing: 1, Checks: test("b")}, {N: 2, Outcome: "rolled_back", Failing: 1, Checks: test("a", "b", "c")}, {N: 3, Outcome: "failing", Failing: 2, Checks: test("a", "c")},
		}}, "1 test that failed before passes now; the checks do not pass.", "a: fails, passes; b: fails, fails"},
		{"fixed by hand after a failed attempt", record.Detail{
			Run:      record.Run{Outcome: event.NothingToDo},
			Baseline: append(test("a"), record.Check{Name: "test", Kind: "test", Passed: true, At: noon.Add(time.Hour)}),
			Attempts: []record.Attempt{{N: 1, Started: noon, Outcome: "failing", Failing: 1, Checks: test("a")}},
		}, "The checks pass, with files that were changed outside the run. No attempt made them pass.", "a: fails, passes"},
		{"a test broke", record.Detail{Baseline: test(), Attempts: []record.Attempt{{Outcome: "failing", Failing: 1, Checks: test("c")}}},
			"Nothing yet: the checks do not pass.", "c: does not fail, fails"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := storyOf(c.d)
			var rows []string
			for _, r := range p.Rows {
				rows = append(rows, r.Test+": "+r.Before+", "+r.After)
			}
			if got := strings.Join(rows, "; "); got != c.rows || p.Claim != c.claim {
				t.Errorf("got %q\n%q\nwant %q\n%q", p.Claim, got, c.claim, c.rows)
			}
		})
	}
}

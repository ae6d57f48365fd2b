package term

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/muesli/termenv"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/testkit"
)

var update = flag.Bool("update", false, "write the golden files anew")

func number(n int) *int { return &n }

// story is a run with most of what can happen in one.
func story() []event.Event {
	failing := []event.Failure{{Test: "TestAdd", File: "add_test.go", Line: 7, Message: "got 1,\nwant 2"}, {File: "b.go", Line: 3, Message: "unused\x1b[31m x"}}
	return []event.Event{
		event.RunStarted{Task: event.Task{Kind: "issue", Number: 42, Title: "Add\x1b]0;evil\x07 two"}, Repo: "o/r", Branch: "booty/issue-42", Base: "main", MaxRetries: 3},
		event.CheckFinished{Check: "setup", Kind: "setup", Passed: true, DurationMS: 2100},
		event.SetupFinished{Passed: true, DurationMS: 2100},
		event.CheckFinished{Check: "test", Kind: "test", ExitCode: 1, DurationMS: 800, Counts: event.Counts{Passed: number(10), Failed: number(2)}, Failures: failing},
		event.BaselineFinished{Passed: number(10), Failed: number(2), Failing: 2},
		event.ContextSelected{Attempt: 1, Files: []event.ContextFile{{Path: "add.go", Tokens: 12, Part: "full"}}, Tokens: 1200},
		event.ModelRequest{Attempt: 1, Role: "implement"},
		event.ModelRetry{Attempt: 1, Try: 1, Reason: "429 slow down", WaitMS: 1500},
		event.ModelReply{Attempt: 1, Role: "implement", InputTokens: 1200, OutputTokens: 90, CostUSD: 0.0042, DurationMS: 6100},
		event.EditsRefused{Attempt: 1, Problems: []event.Problem{{Path: "add_test.go", Reason: "old lines were changed\nmore"}}},
		event.ModelReply{Attempt: 1, Role: "implement", InputTokens: 1300, OutputTokens: 80, CostUSD: 0.5, Estimated: true, DurationMS: 12100},
		event.EditsApplied{Attempt: 1, Files: []event.File{
			{Path: "add.go", Op: "modify", Added: 2, Removed: 1}, {Path: "new.go", Op: "create", Added: 9},
			{Path: "old.go", Op: "delete", Removed: 4}, {Path: "b.go", From: "a.go", Op: "rename"},
		}},
		event.CheckFinished{Attempt: 1, Check: "lint", Kind: "gate", TimedOut: true, DurationMS: 60000},
		event.CheckFinished{Attempt: 1, Check: "test", Kind: "test", ExitCode: 1, DurationMS: 900, Failures: failing[:1]},
		event.AttemptFinished{Attempt: 1, Outcome: "failing", Failing: 1},
		event.ContextSelected{Attempt: 2},
		event.ModelReply{Attempt: 2, Role: "fix-tests", InputTokens: 900, OutputTokens: 20},
		event.EditsApplied{Attempt: 2, Files: []event.File{{Path: "add.go", Op: "modify", Added: 1, Removed: 1}}},
		event.CheckFinished{Attempt: 2, Check: "test", Kind: "test", Passed: true, DurationMS: 20, Counts: event.Counts{Passed: number(12)}},
		event.AttemptFinished{Attempt: 2, Outcome: "rolled_back", Failing: 3},
		event.EvidenceFinished{Verdict: "proven", Tests: []string{"TestAdd"}},
		event.EvidenceFinished{Verdict: "none", Note: "the change adds no test"},
		event.ReviewFinished{Verdict: "APPROVED_WITH_SUGGESTIONS", Notes: "- fine"},
		event.BudgetWarning{Period: "day", Used: 81, Limit: 100},
		event.Notice{Level: "warning", Message: "flaky: TestSlow"},
		event.Notice{Level: "info", Message: "the checks changed go.sum"},
		event.PullRequestOpened{Number: 7, URL: "https://example.com/pull/7", Draft: true},
		event.RunFinished{Outcome: "green", Attempts: 2, Branch: "booty/issue-42", Commit: "0123456789abcdef", InputTokens: 3400, OutputTokens: 190, CostUSD: 0.5042, DurationMS: 93000},
		event.RunFinished{Outcome: "exhausted", ExitCode: 3, Attempts: 3, CostUSD: 1},
		event.RunFinished{Outcome: "nothing_to_do", ExitCode: 4, Message: "the checks pass already"},
	}
}

func show(t *testing.T, tty bool) string {
	t.Helper()
	var out bytes.Buffer
	s := Streams{Err: &out, ErrTTY: tty, Width: 100}
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c := NewScreen(s, NewStyles(&out, tty, false, func(string) string { return "" }), true, func() time.Time { return at })
	for _, e := range story() {
		c.Handle(e)
	}
	c.Close()
	c.Close()
	return out.String()
}

func TestTheScreenWithoutATerminalIsPlainLines(t *testing.T) {
	got := show(t, false)
	if strings.ContainsAny(got, "\x1b\r\x07") {
		t.Errorf("control characters in plain output: %q", got)
	}
	name := filepath.Join("testdata", "screen.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("the screen differs from %s (-want +got):\n%s", name, diff)
	}
}

func TestTheScreenOnATerminalLeavesNoLiveLine(t *testing.T) {
	got := show(t, true)
	if !strings.Contains(got, "\x1b[K") || !strings.Contains(got, "⠋") {
		t.Error("there is no live line")
	}
	if last := got[strings.LastIndex(got, "\n")+1:]; strings.Trim(last, "\r\x1b[JK") != "" {
		t.Errorf("something is left on the last line: %q", last)
	}
	if strings.Contains(got, "\x1b]0;") {
		t.Error("a title's escape sequence reached the terminal")
	}
}

func TestColourIsUsedOnlyWhereItIsWanted(t *testing.T) {
	cases := []struct {
		name    string
		tty     bool
		noColor bool
		env     map[string]string
		want    termenv.Profile
	}{
		{"a terminal has colour", true, false, nil, termenv.ANSI},
		{"a pipe has none", false, false, nil, termenv.Ascii},
		{"--no-color", true, true, nil, termenv.Ascii},
		{"NO_COLOR", true, false, map[string]string{"NO_COLOR": "1"}, termenv.Ascii},
		{"NO_COLOR wins over force", true, false, map[string]string{"NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, termenv.Ascii},
		{"CLICOLOR_FORCE colours a pipe", false, false, map[string]string{"CLICOLOR_FORCE": "1"}, termenv.ANSI},
		{"CLICOLOR_FORCE=0 does not", false, false, map[string]string{"CLICOLOR_FORCE": "0"}, termenv.Ascii},
		{"a dumb terminal", true, false, map[string]string{"TERM": "dumb"}, termenv.Ascii},
		{"CI", true, false, map[string]string{"CI": "true"}, termenv.Ascii},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := profile(c.tty, c.noColor, func(k string) string { return c.env[k] })
			if got != c.want {
				t.Errorf("got profile %v, want %v", got, c.want)
			}
		})
	}
}

func TestStepsOfAProofHaveNames(t *testing.T) {
	for _, step := range testkit.Constants(t, "../event/event.go", "Step") {
		if proofSteps()[step] == "" {
			t.Errorf("the step %s has no name", step)
		}
	}
}

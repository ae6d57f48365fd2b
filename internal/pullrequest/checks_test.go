package pullrequest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/booty-cli/booty/internal/github"
)

// stamped stamps the lines of a job's log, as GitHub does.
func stamped(lines ...string) []byte {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString("2026-01-02T03:04:06.1234567Z " + l + "\n")
	}
	return []byte(b.String())
}

func TestFailedStep(t *testing.T) {
	tests := []struct {
		name          string
		log           []byte
		part, command string
	}{
		{"the last step before the error",
			stamped("##[group]Run make lint", "##[endgroup]", "fine", "##[group]Run make test", "shell: bash",
				"##[endgroup]", "1 failed", "##[error]Process completed with exit code 2.", "##[group]Run echo",
				"##[endgroup]", "cleanup"),
			"1 failed", "make test"},
		{"without steps all of it up to the error",
			stamped("1 failed", "##[error]Process completed with exit code 1.", "cleanup"), "1 failed", ""},
		{"without stamps", []byte("##[group]Run make\n##[endgroup]\n1 failed\n"), "1 failed", "make"},
		{"empty", nil, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			part, command := failedStep(tt.log)
			if got := unstamped(part); got != tt.part || command != tt.command {
				t.Errorf("got %q of %q, want %q of %q", got, command, tt.part, tt.command)
			}
		})
	}
}

func TestStepOutput(t *testing.T) {
	log := stamped("##[group]Run make lint", "##[endgroup]", "lint", "##[group]Run make test", "shell: bash",
		"##[endgroup]", "a Z b", "##[group]Run make docs", "##[endgroup]", "docs")
	if got, want := string(stepOutput(log, "make test")), string(stamped("a Z b")); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := stepOutput(log, "make install"); got != nil {
		t.Errorf("a step that did not run printed %q", got)
	}
}

// actions are jobs of GitHub Actions.
type actions struct {
	logs    map[int64][]byte
	passed  int64
	reports [][]byte
}

func (a actions) Job(_ context.Context, id int64) (github.Job, error) {
	if id == 404 {
		return github.Job{}, errors.New("no such job")
	}
	return github.Job{Workflow: "CI", Name: "tests", Step: "Run make", Run: 8}, nil
}

func (a actions) JobLog(_ context.Context, id int64) ([]byte, error) {
	log, ok := a.logs[id]
	if !ok {
		return nil, errors.New("the log has expired")
	}
	return log, nil
}

func (a actions) PassedJob(context.Context, string, string) (int64, error) { return a.passed, nil }

func (a actions) TestReports(context.Context, int64) ([][]byte, error) { return a.reports, nil }

func TestReadCheck(t *testing.T) {
	step := func(lines ...string) []byte {
		lines = append([]string{"##[group]Run make", "##[endgroup]"}, lines...)
		return stamped(append(lines, "##[error]Process completed with exit code 1.")...)
	}
	goTest := step("--- FAIL: TestSum (0.00s)", "    sum_test.go:7: 1+1 is 3", "FAIL", "FAIL\tsums\t0.1s")
	junit := []byte(`<testsuite name="s" tests="1" failures="1"><testcase classname="s" name="test_mul">` +
		`<failure message="2*2 is 5">2*2 is 5</failure></testcase></testsuite>`)
	const told = "Workflow \"CI\", job \"tests\", step \"Run make\".\n"
	tests := []struct {
		name    string
		check   github.Check
		actions actions
		want    []string
		not     []string
		says    string
	}{
		{name: "another service's check has its summary",
			check: github.Check{Name: "coverage", Summary: "61 % is too little\r\n"},
			want:  []string{"## Failed check: coverage\n\n\n```text\n61 % is too little\n```"}, not: []string{"Workflow"}},
		{name: "a job that cannot be read has its summary",
			check: github.Check{Name: "tests", Job: 404, Summary: "1 failed"},
			want:  []string{"1 failed"}, not: []string{"Workflow"}, says: "no such job"},
		{name: "the log of the failed step is distilled",
			check: github.Check{Name: "tests", Job: 1}, actions: actions{logs: map[int64][]byte{1: goTest}},
			want: []string{told, "Command: make\n", "TestSum", "1+1 is 3"}, not: []string{"2026", "##["}},
		{name: "reports are read if the log has expired",
			check: github.Check{Name: "tests", Job: 1}, actions: actions{reports: [][]byte{junit}},
			want: []string{told, "test_mul", "2*2 is 5"}, not: []string{"Command"}, says: "the log has expired"},
		{name: "reports are read if the log names no test",
			check:   github.Check{Name: "tests", Job: 1},
			actions: actions{logs: map[int64][]byte{1: step("make: *** [test] Error 1")}, reports: [][]byte{junit}},
			want:    []string{"Command: make\n", "test_mul"}},
		{name: "the log comes before the reports",
			check:   github.Check{Name: "tests", Job: 1},
			actions: actions{logs: map[int64][]byte{1: goTest}, reports: [][]byte{junit}},
			want:    []string{"TestSum"}, not: []string{"test_mul"}},
		{name: "unknown output is compared with a good run",
			check: github.Check{Name: "tests", Job: 1},
			actions: actions{passed: 2, logs: map[int64][]byte{
				1: step("error budget of 12 ms", "pot 6 fine", "pot 7 DIFFERS"),
				2: stamped("##[group]Run make", "##[endgroup]", "error budget of 12 ms", "pot 6 fine")}},
			want: []string{"pot 7 DIFFERS"}, not: []string{"error budget"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var said strings.Builder
			r := checkReader{jobs: tt.actions, dir: t.TempDir(), base: "abc", log: slog.New(slog.DiscardHandler),
				say: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }}
			got := r.read(t.Context(), tt.check).words()
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("the text lacks %q:\n%s", want, got)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(got, not) {
					t.Errorf("the text has %q:\n%s", not, got)
				}
			}
			if !strings.Contains(said.String(), tt.says) || tt.says == "" && said.Len() > 0 {
				t.Errorf("it said %q, want %q", said.String(), tt.says)
			}
		})
	}
}

package check

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// A runner that writes a report of its own, when it has ended its work, says more
// than its output: code under test can print what it likes, and can end the process
// before the runner has counted.

// reporter is a kind of runners that write a report where they are told to.
type reporter struct {
	// starts are the words that their commands begin with.
	starts [][]string
	// flags make one write its report to a file, and print what it prints without.
	flags func(path string) []string
	// wrap gives the whole command instead, where flags do not do; n words of it name
	// the runner.
	wrap func(list []string, n int, path string) []string
	// unless are words by which a command wants something else of its runner.
	unless []string
	read   func(io.Reader) (*ownReport, error)
}

func reporters() []reporter {
	return []reporter{
		{starts: pytestCommands, flags: func(path string) []string { return []string{"--junitxml=" + path} },
			unless: []string{"--junitxml", "--junit-xml", "--collect-only", "--co", "--version", "-h", "--help"}, read: readJUnit},
		{starts: phpunitCommands, flags: func(path string) []string { return []string{"--log-junit=" + path} },
			unless: []string{"--log-junit", "--version", "--list-tests"}, read: readJUnit},
		{starts: jestCommands, flags: func(path string) []string { return []string{"--json", "--outputFile=" + path} },
			unless: []string{"--json", "--outputFile", "--watch", "--watchAll", "--listTests", "--showConfig", "--init",
				"--version", "--help", "-h"},
			read: readJest},
		{starts: vitestCommands, flags: func(path string) []string {
			return []string{"--reporter=default", "--reporter=junit", "--outputFile.junit=" + path}
		}, unless: []string{"--reporter", "--outputFile", "--outputFile.junit", "--watch", "-w", "--version", "-v", "--help",
			"-h"}, read: readJUnit},
		{starts: rspecCommands, flags: func(path string) []string { return []string{"--format", "progress", "--format", "json", "--out", path} },
			unless: []string{"--format", "-f", "--out", "-o", "--dry-run", "--init", "--bisect", "--version", "-v", "--help",
				"-h"}, read: readRSpec},
		{starts: nodeCommands, flags: func(path string) []string {
			return []string{"--test-reporter=spec", "--test-reporter-destination=stdout",
				"--test-reporter=junit", "--test-reporter-destination=" + path}
		}, unless: []string{"--test-reporter", "--test-reporter-destination", "--watch", "--version", "-v", "--help",
			"-h"}, read: readJUnit},
		{starts: unittestCommands, wrap: unittestReporting, unless: []string{"-h", "--help", "--locals"}, read: readJUnit},
	}
}

// reporting gives a command that makes its runner write a report to path, and what
// reads that; "" where it cannot or the command is not plain enough.
func reporting(dir, command, path string) (string, func(io.Reader) (*ownReport, error)) {
	var read func(io.Reader) (*ownReport, error)
	built, ok := rewritten(dir, command, func(list []string) (out []string, ok bool) {
		out, read = withReport(list, path)
		return out, read != nil
	})
	if !ok {
		return "", nil
	}
	return built, read
}

// withReport puts the flags right behind the words that name the runner.
func withReport(list []string, path string) ([]string, func(io.Reader) (*ownReport, error)) {
	for _, r := range reporters() {
		if n := begins(list, r.starts); n > 0 && !has(list, r.unless...) {
			if r.wrap != nil {
				return r.wrap(list, n, path), r.read
			}
			return slices.Concat(list[:n], r.flags(path), list[n:]), r.read
		}
	}
	return nil, nil
}

// reportPath is where the next report goes: a name that no code can know before.
func (r *Runner) reportPath() string {
	if r.c.Temp == "" {
		return ""
	}
	return filepath.Join(r.c.Temp, "r"+rand.Text())
}

// reported remembers which steps have written a report.
type reported struct {
	mu    sync.Mutex
	steps map[string]bool
	// cannot are those whose runner fails when it is asked for a report: one of an
	// old release does not know how.
	cannot map[string]bool
}

// withoutReport runs a step as it was written, where it failed on being asked for a
// report and has never written one. If it tells of tests then, it is not asked again.
func (v *verification) withoutReport(ctx context.Context, step Step, asked Result) (Step, Result, error) {
	if !asked.unreported || asked.Passed || asked.TimedOut || asked.FilledDisk || asked.Environment != "" ||
		v.r.hasReported(step.Name) {
		return step, asked, nil
	}
	plain := step
	plain.telling, plain.report, plain.readReport = "", "", nil
	res, err := v.step(ctx, plain, Test)
	if err != nil {
		return step, asked, err
	}
	if res.Summary.Passed == nil && res.Summary.Failed == nil && !res.Passed {
		return step, asked, nil
	}
	v.r.reported.mu.Lock()
	defer v.r.reported.mu.Unlock()
	if v.r.reported.cannot == nil {
		v.r.reported.cannot = map[string]bool{}
	}
	v.r.reported.cannot[step.Name] = true
	return plain, res, nil
}

func (r *Runner) hasReported(step string) bool {
	r.reported.mu.Lock()
	defer r.reported.mu.Unlock()
	return r.reported.steps[step]
}

func (r *Runner) cannotReport(step string) bool {
	r.reported.mu.Lock()
	defer r.reported.mu.Unlock()
	return r.reported.cannot[step]
}

// believe puts what the runner's own report says in the place of what was printed.
// A passing run without the report that earlier ones wrote ended before its runner
// did, and does not count.
func (r *Runner) believe(res *Result) {
	if res.report == "" {
		return
	}
	defer os.Remove(res.report)
	own, err := readReport(res.report, res.readReport)
	r.reported.mu.Lock()
	defer r.reported.mu.Unlock()
	if err != nil {
		res.unreported = true
		if res.ExitCode == 0 && r.reported.steps[res.baseName()] {
			res.Tampered = "The test command ended with exit code 0 before its runner had written its report, which it did before the change. " +
				"The run does not count: nothing may end the process of the tests but their runner."
		}
		return
	}
	if r.reported.steps == nil {
		r.reported.steps = map[string]bool{}
	}
	r.reported.steps[res.baseName()] = true
	res.Summary.Passed, res.Summary.Failed, res.Summary.Skipped = &own.passed, &own.failed, &own.skipped
	if len(own.names) <= maxRan && res.Kind == Test {
		res.ran = Ran{own.names, "its own report"}
	}
}

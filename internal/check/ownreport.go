package check

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/testreport"
)

// A runner's own report, written at its end, is better evidence than its output: code under test
// can print anything, and can end the process before the runner has counted.

// asking is how a step's runner is asked for its report. If read is nil, it is not asked.
type asking struct {
	// command is the step's command with the request, env the variables for it.
	command string
	env     []string
	// tap receives the lines of standard output and returns those to keep.
	tap  func(lines []byte) []byte
	read func(Result) (report, error)
}

// report is the content of a runner's own report.
type report struct {
	tests testreport.Run
	// ended are the test programs that reached their end, cut those that passed without reaching
	// it. Most runners are one program, "".
	ended, cut []string
}

// reporter is a kind of runner that writes a report to a given file.
type reporter struct {
	// starts are the words that its commands begin with, unless the words with which a command
	// wants something else of the runner.
	starts [][]string
	unless []string
	// can reports whether the project in a folder supports it; nil if all do.
	can func(ctx context.Context, dir string) bool
	// ask returns the words of a command that asks for a report at path. The first n of list name
	// the runner.
	ask func(r *Runner, list []string, n int, path string) ([]string, asking)
}

func reporters() []reporter {
	return []reporter{
		{starts: goCommands, unless: []string{"-json", "--json", "-list", "--list", "-c", "--c", "-n", "--n", "-x",
			"-C", "--C", "-h", "-help", "--help"}, ask: askGo},
		{starts: pytestCommands, unless: []string{"--junitxml", "--junit-xml", "--collect-only", "--co", "--version", "-h",
			"--help"}, ask: flags(testreport.JUnit, func(path string) []string { return []string{"--junitxml=" + path} })},
		{starts: phpunitCommands, unless: []string{"--log-junit", "--version", "--list-tests"},
			ask: flags(testreport.JUnit, func(path string) []string { return []string{"--log-junit=" + path} })},
		{starts: jestCommands, unless: []string{"--json", "--outputFile", "--watch", "--watchAll", "--listTests",
			"--showConfig", "--init", "--version", "--help", "-h"},
			ask: flags(testreport.Jest, func(path string) []string { return []string{"--json", "--outputFile=" + path} })},
		{starts: vitestCommands, unless: []string{"--reporter", "--outputFile", "--outputFile.junit", "--watch", "-w",
			"--version", "-v", "--help", "-h"}, ask: flags(testreport.JUnit, func(path string) []string {
			return []string{"--reporter=default", "--reporter=junit", "--outputFile.junit=" + path}
		})},
		{starts: rspecCommands, unless: []string{"--format", "-f", "--out", "-o", "--dry-run", "--init", "--bisect",
			"--version", "-v", "--help", "-h"}, ask: flags(testreport.RSpec, func(path string) []string {
			return []string{"--format", "progress", "--format", "json", "--out", path}
		})},
		{starts: nodeCommands, unless: []string{"--test-reporter", "--test-reporter-destination", "--watch", "--version",
			"-v", "--help", "-h"}, ask: askNode},
		{starts: unittestCommands, unless: []string{"-h", "--help", "--locals"}, ask: askUnittest},
		{starts: cargoCommands, unless: []string{"--no-run", "--doc", "--list", "--logfile", "--format", "-Z", "-h", "--help"},
			can: hasHarness, ask: askCargo},
		{starts: minitestCommands, unless: []string{"-h", "--help", "--version", "-v", "-e", "-c"}, ask: askMinitest},
	}
}

// flags puts what asks right behind the words that name the runner.
func flags(read func(io.Reader) (testreport.Run, error), flags func(path string) []string,
) func(*Runner, []string, int, string) ([]string, asking) {
	return func(_ *Runner, list []string, n int, path string) ([]string, asking) {
		return slices.Concat(list[:n], flags(path), list[n:]), asking{read: fromFile(path, read)}
	}
}

// maxReport bounds how much of a report is read.
const maxReport = 256 << 20

// fromFile reads a report that one program writes; one that is not whole is none.
func fromFile(path string, read func(io.Reader) (testreport.Run, error)) func(Result) (report, error) {
	return func(Result) (report, error) {
		defer os.Remove(path)
		f, err := regular.Open(path)
		if err != nil {
			return report{cut: []string{""}}, err
		}
		defer f.Close()
		tests, err := read(io.LimitReader(f, maxReport))
		if err != nil {
			return report{cut: []string{""}}, err
		}
		return report{tests: tests, ended: []string{""}}, nil
	}
}

// ask returns how to ask the runner of a full test command for its report; nothing if it cannot be
// asked, or the command is not plain enough.
func (r *Runner) ask(ctx context.Context, step Step) asking {
	if r.cannotReport(step.Name) {
		return asking{}
	}
	path := filepath.Join(cmp.Or(r.c.Temp, r.c.LogDir), "r"+rand.Text()) // a name that no code can know before
	var a asking
	built, ok := rewritten(r.c.Dir, step.Command, func(list []string) (out []string, ok bool) {
		for _, p := range reporters() {
			n := begins(list, p.starts)
			if n > 0 && !has(list, p.unless...) && (p.can == nil || p.can(ctx, r.c.Dir)) {
				out, a = p.ask(r, list, n, path)
				return out, a.read != nil
			}
		}
		return nil, false
	})
	if !ok {
		return asking{}
	}
	a.command = built
	return a
}

// reported remembers which programs of a step have reported.
type reported struct {
	mu    sync.Mutex
	steps map[string]map[string]bool
	// cannot are those whose runner fails when it is asked for a report: one of an
	// old release does not know how.
	cannot map[string]bool
	// left are the reports that steps have left in the tree, by their paths.
	left map[string]map[string]leftReport
}

// withoutReport runs a step as it was written if it failed when asked for a report and has never
// written one: the runner may not know the option, or code under test reads the runner's options as
// its own. If it reports tests then, it is not asked again.
func (v *verification) withoutReport(ctx context.Context, step Step, asked Result) (Step, Result, error) {
	if !asked.unreported || asked.Passed || asked.End.stopped() || asked.Environment != "" ||
		v.r.hasReported(step.Name) {
		return step, asked, nil
	}
	plain := step
	plain.asked = asking{}
	res, err := v.step(ctx, plain, Test)
	if err != nil {
		return step, asked, err
	}
	if res.Summary.Passed == nil && res.Summary.Failed == nil && !res.Passed {
		return step, asked, nil
	}
	v.r.reported.mu.Lock()
	defer v.r.reported.mu.Unlock()
	v.r.reported.cannot[step.Name] = true
	return plain, res, nil
}

func (r *Runner) hasReported(step string) bool {
	r.reported.mu.Lock()
	defer r.reported.mu.Unlock()
	return len(r.reported.steps[step]) > 0
}

func (r *Runner) cannotReport(step string) bool {
	r.reported.mu.Lock()
	defer r.reported.mu.Unlock()
	return r.reported.cannot[step]
}

// reportOf returns the tests of the runner's own report; nil if there is none. A program that
// passes without reaching the end, as earlier runs did, does not count.
func (r *Runner) reportOf(res *Result) testreport.Run {
	if res.asked.read == nil {
		return nil
	}
	own, err := res.asked.read(*res)
	res.unreported = err != nil
	if err != nil && !errors.Is(err, errNoReport) && !errors.Is(err, os.ErrNotExist) {
		res.Notes = append(res.Notes, "its runner's report cannot be read: "+err.Error())
	}
	r.reported.mu.Lock()
	defer r.reported.mu.Unlock()
	before := r.reported.steps[res.baseName()]
	if before == nil {
		before = map[string]bool{}
		r.reported.steps[res.baseName()] = before
	}
	for _, program := range own.cut {
		if before[program] && res.ExitCode == 0 {
			res.End = Cut
			text := fmt.Sprintf("The test command%s ended with exit code 0 before its runner had written its report, "+
				"which it did before the change. The run does not count: nothing may end the process of the tests but their runner.",
				map[bool]string{true: " of " + program}[program != ""])
			res.Summary = Summary{Runner: res.Summary.Runner, Text: text}
		}
	}
	for _, program := range own.ended {
		before[program] = true
	}
	return own.tests
}

var errNoReport = errors.New("no report")

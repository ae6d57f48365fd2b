// Package check runs a repository's own checks (setup, gates, tests) as
// subprocesses and reports how they ended. It decides nothing about attempts and
// knows nothing of models; what a test runner's output means is up to its
// [Distiller].
//
// Words. A step is one command. A result is how it ended; a command that fails
// is a result, not an error. A verdict is the common result of setup, gates and
// tests for one state of the work tree.
//
// Promises.
//
//   - A step runs in the shell, in the root of the work tree, with an empty
//     standard input, with CI=1, and without the variables in Config.Scrub and
//     those with which git would work on the repository of an outer hook.
//   - It ends at its timeout or with its context, together with everything that
//     it started; see package proc.
//   - Memory stays bounded whatever it prints. The log holds whole lines of both
//     streams in order of arrival; beyond Config.MaxLog the middle is left out,
//     and the log says so.
//   - Only exit code 0 passes, and only if tests ran where tests were to run.
//   - Only a full, passing test command is green.
package check

import (
	"context"
	"io"
	"os/exec"
	"time"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/pkg/distill"
)

// Kind is what a step is for.
type Kind string

// The kinds of steps, as events have them.
const (
	Setup Kind = "setup"
	GateK Kind = "gate"
	Fix   Kind = "fix"
	Rerun Kind = "rerun"
	Test  Kind = "test"
)

// Step is one command to run.
type Step struct {
	Name    string
	Kind    Kind
	Command string
	// asked is how its runner is asked for a report of its own.
	asked asking
	// amongOthers says that it is one of several test commands.
	amongOthers bool
	// known are failures that its text leaves out; may be nil.
	known func(failure.Failure) bool
	// Timeout ends the step; zero means none but the context's.
	Timeout time.Duration
	// OnPrograms gets the command lines of the programs that it has started, at first many times a
	// second, later less often. May be nil.
	OnPrograms func([]string)
}

// Summary is what a distiller found in a step's output.
type Summary struct {
	testreport.Counts
	Runner string
	// AlwaysCounts says that the runner counts its tests however it ends.
	AlwaysCounts bool
	Failures     []failure.Failure
	// Files are those that the failures point to, the likeliest first.
	Files []string
	// Text is the summary for whoever has to fix it. Fit makes it again within max bytes; may be
	// nil.
	Text string
	Fit  func(max int) string
	// Without returns the summary without some failures, by their indexes; may be nil.
	Without func(old []int) Summary
	// Recount returns the summary with other counts; may be nil.
	Recount func(testreport.Counts) Summary
	// distilled is how many of Failures the distiller found.
	distilled int
	// NoTests says that the runner found nothing to run.
	NoTests bool
	// Recognised says that the format of the output was understood.
	Recognised bool
	// Signature is the same for the same failure; "" if nothing was understood.
	Signature string
}

// Output is what a step printed, with what is known of the step.
type Output struct {
	io.Reader
	ExitCode int
	// Good is what the step printed when it last passed; may be nil.
	Good *distill.Good
}

// Distiller reads the output of a step.
type Distiller func(context.Context, Output) (Summary, error)

// Sandbox limits what a command may touch.
type Sandbox interface {
	// Wrap changes the command of a step, before it starts, so that it runs inside.
	Wrap(cmd *exec.Cmd, step Step) error
}

// Explainer is a Sandbox that recognizes its own denials: it returns a sentence about what it
// denied, if a text complains of that, else "".
type Explainer interface {
	Explain(text string) string
}

// Config is what a runner needs; Dir and LogDir are required.
type Config struct {
	// Dir is the root of the work tree.
	Dir string
	// View is the path at which commands see it; Dir if empty.
	View string
	// LogDir is where the logs go; it exists.
	LogDir string
	// Env is the base environment; nil is that of this process.
	Env []string
	// Scrub names variables to remove: booty's own keys and tokens.
	Scrub []string
	// Let names variables that begin with BOOTY_ and are passed on. Others are not, since code
	// could detect by them that booty runs its tests.
	Let []string
	// Temp is where commands may write and runners put their reports; LogDir if empty.
	Temp string
	// Beside are folders that commands see in Dir but that are elsewhere.
	Beside []string
	// Sandbox may be nil.
	Sandbox Sandbox
	// Distill may be nil: then a summary is the last lines of the output.
	Distill Distiller
	// LastGood returns what a step printed when it last passed, nil if that is not known. It is asked
	// when one has failed; may be nil.
	LastGood func(context.Context, Step) *distill.Good
	// MaxLog caps a step's log in bytes; defaultMaxLog if zero.
	MaxLog int64
	// Redact wraps a writer so that secrets are replaced. If the result is an io.Closer, it is
	// closed at the end of the output. May be nil.
	Redact func(io.Writer) io.Writer
	// Supervise makes the steps end even when this process is killed. It may be
	// set only if the program's main calls proc.Supervise first.
	Supervise bool
	// Grace is the time between TERM and KILL; proc.DefaultGrace if zero.
	Grace time.Duration
	// OnOutput receives the newest line of a running step, at most ten times a second, from another
	// goroutine. May be nil.
	OnOutput func(step Step, line string)
	now      func() time.Time
	free     func(dir string) (uint64, error)
}

// defaultMaxLog is the cap of a log.
const defaultMaxLog = 16 << 20

// Runner runs steps, one at a time or several at once.
type Runner struct {
	c        Config
	reported reported
}

// New returns a runner.
func New(c Config) *Runner {
	if c.MaxLog <= 0 {
		c.MaxLog = defaultMaxLog
	}
	if c.now == nil {
		c.now = time.Now
	}
	if c.free == nil {
		c.free = freeSpace
	}
	return &Runner{c: c, reported: reported{
		steps: map[string]map[string]bool{}, cannot: map[string]bool{}, left: map[string]map[string]leftReport{},
	}}
}

// End is how a step ended, if its exit code does not say everything.
type End string

// The ends, as signatures have them. Exited is all others.
const (
	Exited     End = ""
	TimedOut   End = "timed out"
	FilledDisk End = "filled the disk" // nearly, and was stopped for it
	NotStarted End = "not started"     // the shell could not start it (126, 127)
	NoTests    End = "no tests"        // a test step ran none
	Cut        End = "cut"             // it passed before its runner had reported
)

// stopped reports whether booty ended it: then its exit code means nothing.
func (e End) stopped() bool { return e == TimedOut || e == FilledDisk }

// Result is how a step ended.
type Result struct {
	Step
	// Passed means exit code 0, in time, and that tests ran if the step is to run tests.
	Passed   bool
	ExitCode int
	Signal   string
	// End is how it ended, if the exit code does not say everything.
	End End
	// Environment says, in a sentence, what in the environment broke the step (disk full, port in
	// use, missing tool); "" for a failure of the code.
	Environment string
	// Hint is how to fix that.
	Hint     string
	Duration time.Duration
	// Log is the path of the whole output, both streams, capped at MaxLog.
	Log string
	// Truncated means that the log lacks a middle part.
	Truncated bool
	Summary   Summary
	// Tail is the end of the output: valid UTF-8 without escape sequences, 64 KiB at most.
	Tail string
	// Notes are further remarks: processes left behind, files restored.
	Notes []string
	// tests are those that it ran, nil where neither a report nor the output names all;
	// as is the form of their names.
	tests testreport.Run
	as    string
	// began is when it was started.
	began time.Time
	// silent says that nothing was printed about tests, not even that there are none.
	silent bool
	// unreported says that its runner was asked for a report and wrote none.
	unreported bool
}

package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/check"
	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/testfile"
	"github.com/booty-cli/booty/internal/testreport"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/booty-cli/booty/pkg/edit"
)

// TrialOptions bound a trial.
type TrialOptions struct {
	// Timeout is what one command may take, Budget all of them together.
	Timeout, Budget time.Duration
	// Believe takes exit code 0 of a test command that counts nothing for what it says.
	Believe bool
	// Installed says what can be started here.
	Installed detect.Machine
}

// Trying hears of the commands that are tried, one by one.
type Trying struct {
	Begin func(kind detect.Kind, command string)
	End   func(kind detect.Kind, command string, o detect.Outcome)
}

// trial is a trial under way.
type trial struct {
	found    detect.Found
	o        TrialOptions
	end      time.Time
	checks   *checks
	repo     *workspace.Repo
	head     string
	close    func() error
	now      func() time.Time
	tell     Trying
	outcomes map[int]detect.Outcome
	steps    int
	left     []detect.Left // setups that were not taken
	later    []int         // test commands that failed on one file
	// programs are what the command under way has started.
	programs map[string]bool
	// broken says why setup failed, "" where it did not.
	broken string
}

// Trial runs the candidates in a work tree of booty's own, in the sandbox, and gives what
// is to be written. Nothing of it is left behind.
func Trial(ctx context.Context, s *Session, found detect.Found, o TrialOptions, show Show, tell Trying) (r detect.Result, err error) {
	t := &trial{found: found, o: o, end: s.Now().Add(o.Budget), now: s.Now, tell: tell, outcomes: map[int]detect.Outcome{}}
	if err := t.open(ctx, s, show); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	reopen := func() error { return t.reopen(ctx, s, show) }
	setup, outcome, err := t.setup(ctx, reopen)
	if err == nil && !outcome.Passed && outcome.Duration > 0 {
		err = reopen() // without what it left half done
	}
	for _, kind := range []detect.Kind{detect.Gate, detect.Test} {
		for _, i := range found.Of(kind) {
			if err == nil && t.worth(i) {
				err = t.try(ctx, i)
			}
		}
	}
	if err == nil {
		err = t.tryLater(ctx)
	}
	if err != nil && ctx.Err() == nil {
		return r, err
	}
	r = found.Choose(t.outcomes) // also of a trial that was interrupted: what is known stays known
	r.Setup, r.Timeout = outcome, longest(r, o.Timeout)
	switch {
	case outcome.Passed:
		r.SetupCommand = setup
	case setup != "" && slices.ContainsFunc(r.Tests, detect.Chosen.Ran):
		r.SetupCommand = "" // the tests ran without it
		t.leave(setup, "it fails, and the tests run without it: "+outcome.Why)
	}
	r.Left = append(t.left, r.Left...)
	if err == nil && len(r.Tests) == 1 && r.Tests[0].Outcome.State == detect.Counted && !t.onlyThere(r.Tests[0]) {
		r.Rerun, err = t.rerun(ctx, r.Tests[0])
	}
	return r, interrupted(ctx, err)
}

// longest is the time limit for commands that came near to the one that they were tried with, or
// met it: twice what the longest took, in whole minutes; 0 where the limit is enough.
func longest(r detect.Result, limit time.Duration) time.Duration {
	var took time.Duration
	for _, c := range slices.Concat(r.Tests, r.Gates) {
		took = max(took, c.Outcome.Duration)
	}
	if 2*took <= limit {
		return 0
	}
	return (2*took + time.Minute - 1).Truncate(time.Minute)
}

// TryCommands tries the commands of the settings in the same way, and gives them in the
// order in which they run.
func TryCommands(ctx context.Context, s *Session, o TrialOptions, show Show, tell Trying) (tried []detect.Chosen, err error) {
	var found detect.Found
	add := func(kind detect.Kind, name, command string) {
		found.Candidates = append(found.Candidates, detect.Candidate{Kind: kind, Name: name, Dir: ".", Command: command, From: ".booty.yml"})
	}
	c := s.Settings.Config
	for i, command := range c.TestCommand {
		add(detect.Test, StepName("test", i), command)
	}
	if c.SetupCommand != "" {
		add(detect.Setup, "setup", c.SetupCommand)
	}
	for _, g := range c.Gates {
		add(detect.Gate, g.Name, g.Command)
	}
	t := &trial{found: found, o: o, end: s.Now().Add(o.Budget), now: s.Now, tell: tell, outcomes: map[int]detect.Outcome{}}
	if err := t.open(ctx, s, show); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	for _, kind := range []detect.Kind{detect.Setup, detect.Gate, detect.Test} {
		for _, i := range found.Of(kind) {
			if err := t.whole(ctx, i); err != nil {
				return nil, interrupted(ctx, err)
			}
			c := detect.Chosen{Candidate: found.Candidates[i], Command: found.Candidates[i].Command, Outcome: t.outcomes[i]}
			if kind == detect.Setup && !c.Outcome.Passed {
				t.broken = "after a setup that failed"
			}
			tried = append(tried, c)
		}
	}
	return tried, nil
}

// onlyThere reports whether the same tests fail by another command: then they need what
// the chosen one sets up, and would fail in a rerun as well.
func (t *trial) onlyThere(c detect.Chosen) bool {
	for _, o := range t.outcomes {
		if o.State == detect.Counted && !o.Passed && o.Runner == c.Outcome.Runner && c.Outcome.Passed {
			return true
		}
	}
	return false
}

func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fault.New(fault.Interrupted, "", "interrupted")
	}
	return err
}

// open makes the work tree and the runner of commands in it.
func (t *trial) open(ctx context.Context, s *Session, show Show) error {
	branch, head, err := s.Repo.Head(ctx)
	if err != nil {
		return err
	}
	if head == "" {
		return fault.New(fault.Git, "git add -A && git commit -m start; or: booty init --no-run",
			"branch %s has no commit yet to try the commands on", branch)
	}
	if dirty, err := InTheWay(ctx, s); err != nil {
		return err
	} else if len(dirty) > 0 && t.steps == 0 {
		s.Say("booty: the commands are tried on the last commit, without uncommitted changes: %s", report.Some(dirty))
	}
	there, release, err := inOwnTree(ctx, s, head)
	if err != nil {
		return err
	}
	b := newWorktreeChecks(there, "init-"+journal.NewRunID(), show, Options{DryRun: true})
	b.closing(release)
	b.env = talkative(os.Environ())
	b.programs = func(_ check.Step, list []string) {
		for _, p := range list {
			t.programs[p] = true
		}
	}
	c, err := b.checksOf(ctx, there.Repo)
	if err != nil {
		return errors.Join(err, b.Close())
	}
	t.checks, t.repo, t.head, t.close = c, there.Repo, head, b.Close
	return nil
}

// reopen continues in a fresh work tree.
func (t *trial) reopen(ctx context.Context, s *Session, show Show) error {
	if err := t.close(); err != nil {
		return err
	}
	t.close = func() error { return nil }
	return t.open(ctx, s, show)
}

// talkative has runners name their tests that a script or a target starts: two commands
// can be told apart by the tests that they run.
func talkative(env []string) []string {
	more := map[string]string{"GOFLAGS": "-v", "PYTEST_ADDOPTS": "-v"}
	var out []string
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		if flag, ok := more[name]; ok {
			kv = name + "=" + strings.TrimSpace(value+" "+flag)
			delete(more, name)
		}
		out = append(out, kv)
	}
	for name, flag := range more {
		out = append(out, name+"="+flag)
	}
	return out
}

// setup runs what ranks highest, and what is usual for the tools where that fails or changes
// versioned files: CI installs its own tools or old versions that way, and a run would commit
// it.
func (t *trial) setup(ctx context.Context, reopen func() error) (command string, o detect.Outcome, err error) {
	first, usual := t.found.Setups()
	if first != "" {
		if o, err = t.prepare(ctx, first); err != nil || o.Passed && first == usual {
			return first, o, err
		}
	}
	unclean := false
	if o.Passed {
		changed, err := t.changed(ctx)
		if err != nil || len(changed) == 0 {
			return first, o, err
		}
		unclean = true
		t.leave(first, "it changes "+report.Some(changed))
		if err := reopen(); err != nil {
			return first, o, err
		}
	}
	switch {
	case usual == "" && unclean:
		return "", o, nil
	case usual == "" || usual == first:
		return first, o, nil
	}
	if o, err = t.prepare(ctx, usual); err != nil || o.Passed || !unclean {
		return usual, o, err
	}
	t.left = nil // nothing else works
	o, err = t.prepare(ctx, first)
	return first, o, err
}

// prepare tries a setup; where it fails, tests and gates that fail say nothing.
func (t *trial) prepare(ctx context.Context, command string) (o detect.Outcome, err error) {
	t.tell.Begin(detect.Setup, command)
	if o = t.blocked(command); o.State == detect.Untried {
		if o, err = t.run(ctx, detect.Setup, command); err != nil {
			return o, err
		}
	}
	t.tell.End(detect.Setup, command, o)
	if t.broken = ""; !o.Passed {
		t.broken = "after a setup that failed"
	}
	return o, nil
}

func (t *trial) leave(command, why string) {
	t.left = append(t.left, detect.Left{Kind: detect.Setup, Command: command, Why: why})
}

// changed lists the versioned files that differ from the commit.
func (t *trial) changed(ctx context.Context) ([]string, error) {
	entries, err := t.repo.Status(ctx)
	var paths []string
	for _, e := range entries {
		if !e.Untracked() {
			paths = append(paths, e.Path)
		}
	}
	return paths, err
}

// rest is what time there is still.
func (t *trial) rest() time.Duration { return max(t.end.Sub(t.now()), time.Second) }

// leastTime is what a command is given at least: with less it is not begun.
const leastTime = 10 * time.Second

// blocked says why a command cannot be tried.
func (t *trial) blocked(command string) detect.Outcome {
	if missing := detect.NotInstalled(t.o.Installed, command); len(missing) > 0 {
		return detect.Outcome{State: detect.Blocked, Why: detect.InstallHint(missing)}
	}
	if t.end.Sub(t.now()) < leastTime {
		return detect.Outcome{State: detect.Blocked, Why: fmt.Sprintf("no time was left to try it (--time %s)", t.o.Budget)}
	}
	return detect.Outcome{}
}

// maxTried is how many commands that test the same folder are tried.
const maxTried = 3

// worth reports whether to try a candidate: not where it needs CI's secrets, not where
// the same passes already, and not where enough others have run the tests of its folder.
func (t *trial) worth(i int) bool {
	c := t.found.Candidates[i]
	same, passed := 0, 0
	for j, o := range t.outcomes {
		if t.found.Twins(i, j) && (o.Passed || c.Again() && o.State == detect.Blocked) {
			return false
		}
		if d := t.found.Candidates[j]; d.Kind == c.Kind && o.State == detect.Counted {
			if passed++; d.Dir == c.Dir && d.Language == c.Language && c.Kind == detect.Test {
				same++
			}
		}
	}
	return !c.Secret() && same < maxTried && (c.Rank >= 40 || c.Kind == detect.Test && passed == 0)
}

// try runs one candidate: a test command on one file first.
func (t *trial) try(ctx context.Context, i int) error {
	if whole, err := t.narrow(ctx, i); err != nil || !whole {
		return err
	}
	return t.whole(ctx, i)
}

// whole runs one candidate, and once more after its build where it needs that.
func (t *trial) whole(ctx context.Context, i int) error {
	c := t.found.Candidates[i]
	t.tell.Begin(c.Kind, c.Command)
	o := t.blocked(c.Command)
	var err error
	if o.State == detect.Untried {
		o, err = t.run(ctx, c.Kind, c.Command)
	}
	if err == nil && c.Build != "" && o.State != detect.Blocked && !o.Passed {
		t.tell.Begin(c.Kind, c.Full())
		if built, e := t.run(ctx, c.Kind, c.Full()); e != nil || built.Passed || built.Passing > o.Passing {
			o, err = built, e
			o.Built = true
		}
	}
	if err != nil {
		return err
	}
	if t.broken != "" && (o.State == detect.Failed || c.Kind == detect.Gate && o.State == detect.Counted && !o.Passed) {
		o.State, o.Why = detect.Blocked, fmt.Sprintf("%s, %s", o.Why, t.broken)
	}
	t.outcomes[i] = o
	t.tell.End(c.Kind, c.Command, o)
	return nil
}

func (t *trial) run(ctx context.Context, kind detect.Kind, command string) (o detect.Outcome, err error) {
	t.steps++
	t.programs = map[string]bool{}
	defer func() {
		o.Programs = t.programs
		if t.broken != "" && kind != detect.Setup && o.Hint != "" { // the setup's cure is the only one
			o.Why, o.Hint = o.Why+", "+t.broken, ""
		}
	}()
	step := check.Step{Name: fmt.Sprintf("%s %d", kind, t.steps), Command: command, Timeout: min(t.o.Timeout, t.rest())}
	if kind != detect.Test {
		step.Kind = check.GateK
		if kind == detect.Setup {
			step.Kind, step.Timeout = check.Setup, t.rest()/2 // the tests are what it is all about
		}
		res, err := t.checks.runner.Run(ctx, step)
		return ended(res), err
	}
	o, err = testOutcome(ctx, t.checks.runner, step)
	if err == nil && o.State == detect.Uncounted {
		o, err = t.probe(ctx, step, o)
	}
	return o, err
}

// probe asks whether a command that counts no tests runs any.
func (t *trial) probe(ctx context.Context, step check.Step, o detect.Outcome) (detect.Outcome, error) {
	if t.o.Believe {
		o.Why = "test_count is off"
		return o, nil
	}
	c := *t.checks
	c.suite = check.Suite{Tests: []check.Step{step}}
	spoiled := func(ctx context.Context, texts bool) ([]edit.Change, int, error) {
		return spoiledAll(ctx, t.repo, testfile.Is, t.head, texts)
	}
	uncounted, why, err := proof.Uncounted(ctx, &secondTree{repo: t.repo, checks: &c}, []string{step.Command}, spoiled)
	switch {
	case ctx.Err() != nil:
		return o, err
	case err != nil:
		why = err.Error()
	case len(uncounted) == 0:
		o.Why = "it counts no tests, but fails where tests expect something wrong"
		return o, nil
	}
	o.State, o.Passed, o.Why = detect.NoTests, false, why
	return o, nil
}

// testOutcome runs a test command as a run would.
func testOutcome(ctx context.Context, runner *check.Runner, step check.Step) (detect.Outcome, error) {
	step.Kind = check.Test
	v, err := runner.Verify(ctx, check.Suite{Tests: []check.Step{step}}, check.VerifyOptions{Full: true})
	if err != nil || len(v.Results) == 0 {
		return detect.Outcome{}, err
	}
	res := v.Results[len(v.Results)-1]
	o := ended(res)
	o.Names, o.As, o.Runner, o.Files = v.Ran, v.RanAs, res.Summary.Runner, v.Files
	if names := res.Names(testreport.Passed); len(o.Names) > 0 && len(names) > 0 {
		o.One = names[len(names)/2]
	}
	if v.Counts.Passed != nil {
		o.Passing = *v.Counts.Passed
	}
	if o.Tests = o.Passing; v.Counts.Failed != nil {
		o.Tests += *v.Counts.Failed
	}
	switch {
	case o.State == detect.Blocked:
	case o.Tests == 0 && o.Passed && len(v.Silent) > 0:
		o.State = detect.Uncounted
	case o.Tests == 0 && res.ExitCode == 0:
		o.State, o.Passed, o.Why = detect.NoTests, false, ""
	case o.Tests == 0 && v.NoTests:
		o.State, o.Why = detect.NoTests, ""
	case o.Tests == 0:
		o.State = detect.Failed
	case !o.Passed && o.Passing == o.Tests:
		o.Why = fmt.Sprintf("it fails, though its %d tests pass: %s", o.Tests, o.Why)
	case !o.Passed:
		o.Why = fmt.Sprintf("%d of %d tests fail: %s", o.Tests-o.Passing, o.Tests, o.Why)
	}
	return o, nil
}

// ended reads how a command ended, whatever it is for.
func ended(res check.Result) detect.Outcome {
	o := detect.Outcome{State: detect.Counted, Passed: res.Passed, ExitCode: res.ExitCode, Duration: res.Duration}
	switch {
	case res.Passed:
	case res.End == check.TimedOut:
		o.State, o.TimedOut, o.Why = detect.Blocked, true, fmt.Sprintf("it did not end within %s", res.Timeout.Round(time.Second))
	case res.Environment != "":
		o.State, o.Why, o.Hint = detect.Blocked, res.Environment, res.Hint
	case res.End == check.NotStarted:
		o.State, o.Why = detect.Blocked, "it cannot be started: "+whyFailed(res)
	default:
		o.Why = whyFailed(res)
	}
	return o
}

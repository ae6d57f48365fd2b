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
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/snapshot"
	"github.com/booty-cli/booty/internal/workspace"
)

// TrialOptions bound a trial.
type TrialOptions struct {
	// Timeout limits one command, Budget all of them together.
	Timeout, Budget time.Duration
	// Believe accepts exit code 0 of a test command that counts no tests.
	Believe bool
	// Installed reports which programs are available here.
	Installed detect.Machine
}

// Trying is called for each command that is tried.
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
	// broken says why setup failed; "" if it did not.
	broken string
}

// Trial runs the candidates in a work tree of booty's own, in the sandbox, and returns what to
// write. It leaves nothing behind.
func Trial(ctx context.Context, s *Session, found detect.Found, o TrialOptions, show Show,
	tell Trying) (r detect.Result, err error) {
	t := &trial{found: found, o: o, end: s.Now().Add(o.Budget), now: s.Now, tell: tell,
		outcomes: map[int]detect.Outcome{}}
	if err := t.open(ctx, s, show); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	reopen := func() error { return t.reopen(ctx, s, show) }
	setup, outcome, err := t.setup(ctx, reopen)
	if err == nil && !outcome.Passed && outcome.Duration > 0 {
		err = reopen() // without what it left half done
	}
	var rerun string
	if err == nil {
		rerun, err = t.testsThenGates(ctx)
	}
	if err != nil && ctx.Err() == nil {
		return r, err
	}
	if err != nil { // what is known stays known
		t.leaveUntried()
	}
	r = found.Choose(t.outcomes)
	r.Setup, r.Rerun, r.Timeout = outcome, rerun, longest(r, o.Timeout)
	switch {
	case outcome.Passed:
		r.SetupCommand = setup
	case setup != "" && slices.ContainsFunc(r.Tests, detect.Chosen.Ran):
		r.SetupCommand = "" // the tests ran without it
		t.leave(setup, "it fails, and the tests run without it: "+outcome.Why)
	}
	r.Left = append(t.left, r.Left...)
	return r, interrupted(ctx, err)
}

// testsThenGates tries the tests, which all depends on, before the gates, which may take long. Gates
// find the tree as setup left it.
func (t *trial) testsThenGates(ctx context.Context) (rerun string, err error) {
	var clean snapshot.Checkpoint
	gates := len(t.found.Of(detect.Gate)) > 0
	if gates {
		if clean, err = t.repo.States.Look(ctx); err != nil {
			return "", err
		}
	}
	if err := t.all(ctx, detect.Test); err != nil {
		return "", err
	}
	if err := t.tryLater(ctx); err != nil {
		return "", err
	}
	tests := t.found.Choose(t.outcomes).Tests
	if len(tests) == 1 && tests[0].Outcome.State == detect.Counted && !t.onlyThere(tests[0]) {
		if rerun, err = t.rerun(ctx, tests[0]); err != nil {
			return "", err
		}
	}
	if !gates {
		return rerun, nil
	}
	if err := t.repo.States.Restore(ctx, clean); err != nil {
		return rerun, err
	}
	return rerun, t.all(ctx, detect.Gate)
}

// all tries the candidates of a kind.
func (t *trial) all(ctx context.Context, kind detect.Kind) error {
	for _, i := range t.found.Of(kind) {
		if !t.worth(i) {
			continue
		}
		if err := t.try(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// leaveUntried has gates that an interrupt left untried written as comments.
func (t *trial) leaveUntried() {
	for _, i := range t.found.Of(detect.Gate) {
		if _, tried := t.outcomes[i]; !tried && t.worth(i) {
			t.outcomes[i] = detect.Outcome{State: detect.Blocked, Why: "not tried, init was interrupted"}
		}
	}
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

// TryCommands tries the commands of the settings in the same way, and returns them in the order in
// which they run.
func TryCommands(ctx context.Context, s *Session, o TrialOptions, show Show,
	tell Trying) (tried []detect.Chosen, err error) {
	var found detect.Found
	add := func(kind detect.Kind, name, command string) {
		found.Candidates = append(found.Candidates,
			detect.Candidate{Kind: kind, Name: name, Dir: ".", Command: command, From: ".booty.yml"})
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
	t := &trial{found: found, o: o, end: s.Now().Add(o.Budget), now: s.Now, tell: tell,
		outcomes: map[int]detect.Outcome{}}
	if err := t.open(ctx, s, show); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.close()) }()
	for _, kind := range []detect.Kind{detect.Setup, detect.Gate, detect.Test} {
		for _, i := range found.Of(kind) {
			if err := t.whole(ctx, i); err != nil {
				return nil, interrupted(ctx, err)
			}
			c := detect.Chosen{Candidate: found.Candidates[i], Command: found.Candidates[i].Command,
				Outcome: t.outcomes[i]}
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
	dirty, err := InTheWay(ctx, s)
	if err != nil {
		return err
	}
	dirty = slices.DeleteFunc(dirty, isSettings) // they are read as they are in the checkout
	if len(dirty) > 0 && t.steps == 0 {
		s.Say("booty: the commands are tried on the last commit, without uncommitted changes: %s",
			report.Some(dirty))
	}
	there, release, err := inOwnTree(ctx, s, head)
	if err != nil {
		return err
	}
	b := newWorktreeChecks(there, "init-"+journal.NewRunID(), show, Options{DryRun: true})
	b.closing(release)
	b.env = talkative(os.Environ())
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

// talkative makes runners that a script or a target starts print the names of their tests, so that
// two commands can be compared by the tests that they run.
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
		return detect.Outcome{State: detect.Blocked,
			Why: fmt.Sprintf("no time was left to try it (--time %s)", t.o.Budget)}
	}
	return detect.Outcome{}
}

// maxTried is how many commands that test the same folder are tried.
const maxTried = 3

// worth reports whether to try a candidate: not if it needs CI's secrets, if the same already
// passes, or if enough others have run the tests of its folder.
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

// whole runs one candidate, and once more after its build if it needs that.
func (t *trial) whole(ctx context.Context, i int) error {
	c := t.found.Candidates[i]
	t.tell.Begin(c.Kind, c.Command)
	o := t.blocked(c.Command)
	var err error
	if o.State == detect.Untried {
		o, err = t.run(ctx, c.Kind, c.Command)
	}
	if err == nil && c.Build != "" && o.State != detect.Blocked && !o.Passed {
		t.tell.End(c.Kind, c.Command, o)
		t.tell.Begin(c.Kind, c.Full())
		if built, e := t.run(ctx, c.Kind, c.Full()); e != nil || built.Passed || built.Passing > o.Passing {
			o, err = built, e
			o.Built = true
		}
	}
	if err != nil {
		return err
	}
	if t.broken != "" && (o.State == detect.Failed ||
		c.Kind == detect.Gate && o.State == detect.Counted && !o.Passed) {
		o.State, o.Why = detect.Blocked, fmt.Sprintf("%s, %s", o.Why, t.broken)
	}
	t.outcomes[i] = o
	t.tell.End(c.Kind, c.Command, o)
	return nil
}

func (t *trial) run(ctx context.Context, kind detect.Kind, command string) (o detect.Outcome, err error) {
	t.steps++
	programs := map[string]bool{}
	defer func() {
		o.Programs = programs
		if t.broken != "" && kind != detect.Setup && o.Hint != "" { // the setup's cure is the only one
			o.Why, o.Hint = o.Why+", "+t.broken, ""
		}
	}()
	step := check.Step{Name: fmt.Sprintf("%s %d", kind, t.steps), Command: command,
		Timeout: min(t.o.Timeout, t.rest())}
	if kind != detect.Setup && len(t.found.Of(detect.Gate)) > 0 { // which a test command may start as well
		step.OnPrograms = func(list []string) {
			for _, p := range list {
				programs[p] = true
			}
		}
	}
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

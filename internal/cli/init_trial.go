package cli

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/runner"
)

// tryOut runs what was found, and gives what is to be written.
func (i *initializer) tryOut(ctx context.Context, found detect.Found) (result detect.Result, err error) {
	s, err := i.open(ctx, needs{})
	if err != nil {
		return result, err
	}
	defer closing(s, &err)
	show, tell, end := i.watchTrial(s.Session)
	defer end()
	options := runner.TrialOptions{Timeout: s.Settings.Timeout.Std(), Budget: i.o.budget, Installed: machine{ctx},
		Believe: s.Settings.TestCount == "off"}
	result, err = runner.Trial(ctx, s.Session, found, options, show, tell)
	if fault.KindOf(err) == fault.Git && !i.o.check {
		i.say("booty: nothing was tried: %s", err)
		return found.Choose(nil), nil
	}
	return result, err
}

// checkCommands tries the commands of the file that is there, as init does those that it
// finds, and says how each ended.
func (i *initializer) checkCommands(ctx context.Context) (err error) {
	s, err := i.open(ctx, needs{project: true})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	show, tell, end := i.watchTrial(s.Session)
	defer end()
	options := runner.TrialOptions{Timeout: s.Settings.Timeout.Std(), Budget: i.o.budget, Installed: machine{ctx},
		Believe: s.Settings.TestCount == "off"}
	tried, err := runner.TryCommands(ctx, s.Session, options, show, tell)
	if err != nil {
		return err
	}
	return judgeTried(tried)
}

// judgeTried says how a trial of the settings ended: what cannot run here goes before
// what fails.
func judgeTried(tried []detect.Chosen) error {
	failed := 0
	var environment error
	for _, c := range tried {
		switch {
		case c.Outcome.TimedOut:
			return fault.New(fault.Environment, "raise timeout in .booty.yml, or let the command run less",
				"%s %s", c.Command, timedOut(c.Outcome))
		case c.Outcome.State == detect.Blocked && environment == nil:
			hint := cmp.Or(c.Outcome.Hint, "see to that, then: booty init --check")
			environment = fault.New(fault.Environment, hint, "%s cannot run here: %s", c.Command,
				c.Outcome.Why)
		case c.Outcome.State == detect.NoTests:
			return fault.New(fault.Exhausted,
				"name a command that runs tests as test_command; booty init --force looks for one; test_count: off trusts its exit code",
				"%s passed, but counted no tests%s", c.Command, because(c.Outcome.Why))
		case !c.Outcome.Passed:
			failed++
		}
	}
	if environment != nil {
		return environment
	}
	if failed > 0 {
		return fault.New(fault.Exhausted,
			"booty refine makes failing checks pass; correct wrong commands in .booty.yml",
			"%d of the commands failed", failed)
	}
	return nil
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}

func timedOut(o detect.Outcome) string { return "timed out: " + o.Why }

// watchTrial shows a trial under way.
func (i *initializer) watchTrial(s *runner.Session) (runner.Show, runner.Trying, func()) {
	out := &output{}
	if !i.json || i.watching != nil {
		out = i.newOutput(s, "", true)
	}
	tell := runner.Trying{
		Begin: func(kind detect.Kind, command string) {
			i.say("booty: trying %s: %s", kind, i.clean(command))
			if out.screen != nil {
				out.screen.Begin(string(kind))
			}
		},
		End: func(kind detect.Kind, command string, o detect.Outcome) {
			if out.screen != nil {
				out.screen.Pause()
			}
			o.Why = i.clean(o.Why)
			i.say("  %s", i.outcome(kind, o))
			if o.Hint != "" {
				i.say("  hint: %s", i.clean(o.Hint))
			}
			i.report.ran(kind, command, o)
		},
	}
	return out.show(), tell, out.Close
}

// outcome says in a line how a trial ended.
func (i *initializer) outcome(kind detect.Kind, o detect.Outcome) string {
	st, took := i.styles(), ""
	if o.Duration > 0 {
		took = " in " + o.Duration.Round(100*time.Millisecond).String()
	}
	switch {
	case o.State == detect.Untried:
		return "not tried"
	case o.State == detect.Counted && o.Passed && kind == detect.Test:
		tests := "tests"
		if o.Passing == 1 {
			tests = "test"
		}
		return st.Good.Render(fmt.Sprintf("%d %s passed", o.Passing, tests)) + took
	case o.State == detect.Counted && o.Passed:
		return st.Good.Render("passed") + took
	case o.TimedOut:
		return st.Bad.Render("timed out") + ": " + o.Why
	case o.State == detect.Blocked:
		return st.Bad.Render("cannot run here") + ": " + o.Why
	case o.State == detect.Uncounted:
		return st.Good.Render("passed") + took + ", " + o.Why
	case o.State == detect.NoTests:
		return st.Bad.Render("no tests were counted") + took + because(o.Why)
	}
	return st.Bad.Render("failed") + took + ": " + o.Why
}

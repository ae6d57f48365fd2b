package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/spf13/pflag"
)

// challengeOptions say of prove whether a model writes tests against the change.
type challengeOptions struct {
	challenge, dryRun bool
	task              taskFlags
	record, replay    string
}

// onlyChallenge are the flags that say nothing without --challenge.
var onlyChallenge = []string{"task", "task-file", "model", "provider", "base-url", "budget", "dry-run", "record", "replay"}

func (o *challengeOptions) declare(f *pflag.FlagSet) {
	f.BoolVar(&o.challenge, "challenge", false, "have a model write tests against the change, and run them")
	f.StringVar(&o.task.text, "task", "", "with --challenge: `TEXT` that says what the change should do")
	f.StringVar(&o.task.file, "task-file", "", "with --challenge: read that from `FILE`")
	f.String("model", "", "with --challenge: `NAME` of the model to use")
	f.String("provider", "", "with --challenge: model `PROVIDER`: "+strings.Join(provider.Names(), ", "))
	f.String("base-url", "", "with --challenge: `URL` of an OpenAI-compatible endpoint")
	f.Float64("budget", 0, "with --challenge: spending limit in `USD`")
	f.BoolVar(&o.dryRun, "dry-run", false,
		"with --challenge: print the request and its price; no model is called")
	f.StringVar(&o.record, "record", "", "with --challenge: save the model's replies to `FILE`")
	f.StringVar(&o.replay, "replay", "",
		"with --challenge: use the replies saved in `FILE` instead of a model")
}

// check refuses flags that would do nothing.
func (o challengeOptions) check(given *pflag.FlagSet) error {
	for _, name := range onlyChallenge {
		if !o.challenge && given.Changed(name) {
			return fault.New(fault.Usage, "booty prove --challenge --"+name+" …", "--%s needs --challenge",
				name)
		}
	}
	if o.task.text != "" && o.task.file != "" {
		return fault.New(fault.Usage, "give one of them", "--task and --task-file cannot be combined")
	}
	return nil
}

// needs are what prove wants opened.
func (o challengeOptions) needs(given *pflag.FlagSet) needs {
	if !o.challenge {
		return needs{}
	}
	settings := pflag.NewFlagSet("settings", pflag.ContinueOnError)
	given.VisitAll(func(f *pflag.Flag) {
		if slices.Contains(onlyChallenge, f.Name) {
			settings.AddFlag(f)
		}
	})
	return needs{settings: settings, consent: true}
}

// asked is what is asked of the challenge; nil without one.
func (o challengeOptions) asked(f *factory, s *opened) (*runner.ChallengeOptions, error) {
	if !o.challenge {
		return nil, nil
	}
	c := &runner.ChallengeOptions{Model: runner.Options{DryRun: o.dryRun}}
	if o.task.text != "" || o.task.file != "" {
		t, err := o.task.read(f.s.In)
		if err != nil {
			return nil, err
		}
		c.Task = t.Text
	}
	return c, f.cassettes(s, loopOptions{record: o.record, replay: o.replay}, &c.Model)
}

// showDryChallenge tells of the request that would be made, and prints it.
func (f *factory) showDryChallenge(out *output) error {
	if f.json { // the event has it
		return nil
	}
	d := report.DryRun{Request: out.request, Calls: 1}
	if err := d.Write(f.s.Out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(f.s.Out, "\n%s\n", report.Clean(out.request.Prompt))
	return err
}

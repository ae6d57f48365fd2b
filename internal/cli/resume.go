package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newResume(f *factory) *cobra.Command {
	var accept bool
	cmd := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Continue an interrupted or failed run",
		Long: `Continue an interrupted or failed run (default: the latest of this checkout)
from the files as they are now. What you changed or committed since is kept,
reported and shown to the model; the current state is recorded first, so that
booty undo can restore it. If you changed nothing, stored replies are reused.
A run that used up its attempts gets max_retries more. The run's flags apply
unless given again. If only the commit is left because a hook refused it, the
model is not asked: --message sets the commit's message, --hint adds to it.`,
		Example: "  booty resume\n  booty resume 0f3k2m --model another-model --budget 2\n  booty resume --accept\n  booty resume --hint \"the clock is in internal/now\"",
		Args:    cobra.MaximumNArgs(1),

		ValidArgsFunction: f.completeRun,
		RunE: f.runE(func(cmd *cobra.Command, args []string) error {
			if accept {
				if err := cmd.Flags().Set("test-edits", "allow"); err != nil {
					return err
				}
			}
			return resumeRun(cmd.Context(), f, resumeOptions{run: strings.Join(args, ""), given: cmd.Flags()})
		}),
	}
	cmd.Flags().BoolVar(&accept, "accept", false,
		"take work that changes what existing tests expect, as it is")
	cmd.Flags().String("message", "",
		"commit the work with this `TEXT` as its message, instead of the model's")
	_, like := declared("run")
	for _, name := range []string{"model", "provider", "base-url", "max-retries", "budget", "timeout", "pr",
		"test-edits", "allow", "hint", "file", "record", "replay"} {
		cmd.Flags().AddFlag(like.Lookup(name))
	}
	cmd.Flags().Lookup("pr").Usage = prModeUsage // a run is continued by its id
	finishFlags(cmd)
	return cmd
}

// resumeOptions are what resume is asked for: a run ("" is the latest here), and
// the flags that replace those it was made with.
type resumeOptions struct {
	run   string
	given *pflag.FlagSet
}

// resumeRun goes on with a run.
func resumeRun(ctx context.Context, f *factory, o resumeOptions) (err error) {
	if word, _ := o.given.GetString("pr"); prWord(word) != nil {
		return fault.New(fault.Usage, "", "%w", prWord(word))
	}
	r, m, err := f.past(ctx, o.run)
	if err != nil {
		return err
	}
	again, err := flagsOf(r, o.given)
	if err != nil {
		return err
	}
	again.message, _ = o.given.GetString("message")
	s, j, err := f.prepare(ctx, again)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	if j, err = runner.Resume(ctx, s.Session, r, m, j.Options); err != nil {
		return err
	}
	if j.Task.Kind == "spec" && again.pr != "none" {
		return f.resumeSpec(ctx, s, again, j)
	}
	publish := pullrequest.Resume
	if j.Refine {
		publish = pullrequest.ForRefine
	}
	if err := publish(ctx, s.Session, f.github(again), &j); err != nil {
		return err
	}
	if err := s.apart(ctx, &j); err != nil {
		return err
	}
	return f.work(ctx, s.Session, j)
}

// resumeSpec goes on with a run of the queue, and does with its pull request what
// booty run --spec does.
func (f *factory) resumeSpec(ctx context.Context, s *opened, o loopOptions, j runner.Job) error {
	q, err := f.openQueue(ctx, s, runOptions{loopOptions: o, queue: queueFlags{spec: j.Task.Spec}}, j.Options)
	if err != nil {
		return err
	}
	if j.Again == nil { // it was killed before its first step
		return f.tellTurn(q.Turn(ctx))
	}
	return f.tellTurn(q.Resume(ctx, j))
}

// past finds the run to go on with, and what the engine knew last.
func (f *factory) past(ctx context.Context, name string) (r journal.Run, m *engine.Memory, err error) {
	s, err := f.open(ctx, needs{project: true})
	if err != nil {
		return r, nil, err
	}
	defer closing(s, &err)
	if r, err = runner.ToResume(ctx, s.Session, name); err != nil {
		return r, nil, err
	}
	if r.Outcome == event.Green {
		return r, nil, fault.New(fault.NothingToDo,
			"booty status lists the runs; booty resume RUN goes on with another",
			"run %s is green already%s", r.ID, whereGreen(r))
	}
	m, err = runner.MemoryOf(ctx, s.Session, r)
	return r, m, err
}

func whereGreen(r journal.Run) string {
	switch {
	case r.PullRequest != nil:
		return ": " + r.PullRequest.URL
	case r.Kind == "run" && r.Branch != "":
		return ": its work is on branch " + r.Branch
	}
	return ": its work is in the checkout"
}

// flagsOf are the flags of a run again, with those that replace them now.
func flagsOf(r journal.Run, now *pflag.FlagSet) (loopOptions, error) {
	given := map[string]string{}
	if len(r.Options) > 0 {
		if err := json.Unmarshal(r.Options, &given); err != nil {
			return loopOptions{}, fmt.Errorf("read the flags of run %s: %w", r.ID, err)
		}
	}
	now.Visit(func(fl *pflag.Flag) { given[fl.Name] = fl.Value.String() })
	if !now.Changed("replay") &&
		(now.Changed("model") || now.Changed("provider") || now.Changed("base-url") ||
			now.Changed("record")) {
		delete(given, "replay") // another model is to answer, not the cassette
	}
	o, fs := declared(r.Kind)
	for name, value := range given {
		if fs.Lookup(name) == nil {
			continue
		}
		if err := fs.Set(name, value); err != nil {
			return loopOptions{}, fmt.Errorf("set --%s of run %s again: %w", name, r.ID, err)
		}
	}
	if namesPull(o.pr) { // it is the task
		o.pr = ""
	}
	again := *o
	again.given, again.refine = fs, r.Kind == "refine"
	return again, nil
}

// declared are the options of the command that a run was made with, at their
// defaults, and the flags that set them.
func declared(kind string) (*loopOptions, *pflag.FlagSet) {
	fs := pflag.NewFlagSet(kind, pflag.ContinueOnError)
	if kind == "refine" {
		var o refineOptions
		o.declare(fs)
		return &o.loopOptions, fs
	}
	var o runOptions
	o.declare(fs)
	return &o.loopOptions, fs
}

package cli

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/pulls"
	"github.com/booty-cli/booty/internal/work"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) resumeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Go on with an interrupted or failed run",
		Long: `Go on with an interrupted or failed run (default: the latest of this checkout)
from the tree as it is now: what you changed or committed since stays, is told,
and is in view. Before anything is written the tree is recorded, and booty undo
goes back to it. Where nothing was changed, replies that were paid for are used
again. A run whose attempts were used up gets max_retries more. The flags of the
run hold; those given here replace them.`,
		Example: "  booty resume\n  booty resume 0f3k2m --model another-model --budget 2\n  booty resume --hint \"the clock is in internal/now\"",
		Args:    cobra.MaximumNArgs(1),

		ValidArgsFunction: a.completeRun,
		RunE: a.run(func(cmd *cobra.Command, args []string) error {
			name := ""
			if len(args) == 1 {
				name = args[0]
			}
			return a.resume(cmd.Context(), name, cmd.Flags())
		}),
	}
	like := a.runCommand().Flags()
	for _, name := range []string{"model", "provider", "base-url", "max-retries", "budget", "timeout", "pr", "test-edits", "allow", "hint", "file", "record", "replay"} {
		cmd.Flags().AddFlag(like.Lookup(name))
	}
	cmd.MarkFlagsMutuallyExclusive("record", "replay")
	completeWords(cmd)
	return cmd
}

func (a *app) resume(ctx context.Context, name string, flags *pflag.FlagSet) (err error) {
	if word, _ := flags.GetString("pr"); prWord(word) != nil {
		return fault.New(fault.Usage, "", "%w", prWord(word))
	}
	r, m, err := a.past(ctx, name)
	if err != nil {
		return err
	}
	cmd, o, err := a.commandOf(r, flags)
	if err != nil {
		return err
	}
	s, j, err := a.prepare(ctx, *o, cmd.Flags())
	if err != nil {
		return err
	}
	defer closing(s, &err)
	if j, err = work.Resume(ctx, s.Session, r, m, j.Options); err != nil {
		return err
	}
	publish := pulls.Again
	if j.InPlace {
		publish = pulls.InPlace
	}
	if err := publish(ctx, s.Session, a.github(*o), &j); err != nil {
		return err
	}
	if err := s.apart(ctx, j); err != nil {
		return err
	}
	return a.work(ctx, s.Session, j)
}

// past finds the run to go on with, and what the engine knew last.
func (a *app) past(ctx context.Context, name string) (r journal.Run, m *engine.Memory, err error) {
	s, err := a.open(ctx, needs{project: true})
	if err != nil {
		return r, nil, err
	}
	defer closing(s, &err)
	if r, err = work.ToResume(ctx, s.Session, name); err != nil {
		return r, nil, err
	}
	if r.Outcome == "green" {
		return r, nil, fault.New(fault.NothingToDo, "booty status lists the runs; booty resume RUN goes on with another",
			"run %s is green already%s", r.ID, whereGreen(r))
	}
	m, err = work.MemoryOf(ctx, s.Session, r)
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

// commandOf makes the command of a run again, with its flags and those that
// replace them now.
func (a *app) commandOf(r journal.Run, now *pflag.FlagSet) (*cobra.Command, *loopFlags, error) {
	o := &loopFlags{}
	cmd := a.runCommand()
	if r.Kind == "refine" {
		cmd = a.refineCommand()
	}
	given := map[string]string{}
	if len(r.Options) > 0 {
		if err := json.Unmarshal(r.Options, &given); err != nil {
			return nil, nil, fmt.Errorf("read the flags of run %s: %w", r.ID, err)
		}
	}
	now.Visit(func(fl *pflag.Flag) { given[fl.Name] = fl.Value.String() })
	if !now.Changed("replay") && (now.Changed("model") || now.Changed("provider") || now.Changed("base-url") || now.Changed("record")) {
		delete(given, "replay") // another model is to answer, not the cassette
	}
	f := cmd.Flags()
	for name, value := range given {
		if fl := f.Lookup(name); fl == nil {
			continue
		}
		if err := f.Set(name, value); err != nil {
			return nil, nil, fmt.Errorf("set --%s of run %s again: %w", name, r.ID, err)
		}
	}
	o.pr, _ = f.GetString("pr")
	o.replay, _ = f.GetString("replay")
	o.record, _ = f.GetString("record")
	o.worktree, _ = f.GetBool("worktree")
	o.commit, _ = f.GetBool("commit")
	o.verifyCommit, _ = f.GetBool("verify-commit")
	o.fork, _ = f.GetBool("fork")
	o.patient, _ = f.GetBool("patient")
	o.anyway, _ = f.GetBool("anyway")
	o.setup, _ = f.GetBool("setup")
	o.hint, _ = f.GetString("hint")
	for name, to := range map[string]*globList{"allow": &o.allow, "file": &o.files} {
		if list, ok := f.Lookup(name).Value.(*globList); ok {
			*to = *list
		}
	}
	return cmd, o, nil
}

package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) resumeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Go on with an interrupted or failed run",
		Long: `Go on with an interrupted or failed run (default: the last such one in this
checkout) from its last finished step. Replies that were paid for are used
again. A run whose attempts were used up gets max_retries more. The flags of the
run hold; those given here replace them.`,
		Example: "  booty resume\n  booty resume 0f3k2m --model another-model --budget 2",
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
	for _, name := range []string{"model", "provider", "base-url", "max-retries", "budget", "timeout", "pr", "test-edits", "allow", "record", "replay"} {
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
	h, err := a.open(ctx, nil, true)
	if err != nil {
		return err
	}
	defer closing(h, &err)
	if err := a.openRecords(ctx, h); err != nil {
		return err
	}
	r, err := a.runToResume(ctx, h, name)
	if err != nil {
		return err
	}
	if r.Outcome == "green" {
		return fault.New(fault.NothingToDo, "", "run %s is green already", r.ID)
	}
	m, err := a.memoryOf(ctx, h, r)
	if err != nil {
		return err
	}
	cmd, o, err := a.commandOf(r, flags)
	if err != nil {
		return err
	}
	if err := h.Close(); err != nil {
		return err
	}
	again, err := a.open(ctx, cmd.Flags(), true)
	if err != nil {
		return err
	}
	*h = *again
	if err := a.ready(ctx, h, *o); err != nil {
		return err
	}
	j := job{
		o: *o, refine: r.Kind == "refine", branch: r.Branch, base: r.Base, flags: r.Options, memory: m, old: &r,
		task: task{Task: r.Task, text: r.TaskText}, maxAttempts: h.cfg.MaxRetries,
	}
	if m == nil {
		if err := a.startOver(ctx, h, &j, r); err != nil {
			return err
		}
	} else if j.maxAttempts -= m.Earlier; len(m.Attempts) >= j.maxAttempts { // used up: as many more
		j.maxAttempts = len(m.Attempts) + h.cfg.MaxRetries
	}
	publicly := a.intakeAgain
	if j.refine {
		publicly = a.publiclyInPlace
	}
	if err := publicly(ctx, h, &j); err != nil {
		return err
	}
	if err := a.ownWorktree(ctx, h, j); err != nil {
		return err
	}
	if !j.refine && !o.worktree {
		if err := a.cleanForResume(ctx, h, r); err != nil {
			return err
		}
	}
	return a.work(ctx, h, j)
}

// runToResume is the named run; else the one that was killed in this checkout,
// else the last one there that has something left to do.
func (a *app) runToResume(ctx context.Context, h *house, name string) (journal.Run, error) {
	if name == "" {
		st, err := h.repo.Interrupted(ctx)
		if err != nil {
			return journal.Run{}, err
		}
		if st != nil && st.Command != "undo" {
			name = st.Run
		}
	}
	if name != "" {
		r, err := h.journal.Run(ctx, name, h.root)
		if errors.Is(err, journal.ErrNoRun) {
			err = fault.New(fault.Usage, "booty status lists the runs", "%w", err)
		}
		return r, err
	}
	runs, err := h.journal.Runs(ctx, journal.Filter{Repo: h.root})
	if err != nil {
		return journal.Run{}, err
	}
	for i, r := range runs {
		if r.Outcome == "green" || r.Outcome == "nothing_to_do" {
			continue
		}
		if i > 0 {
			a.say("booty: going on with run %s: %s", r.ID, r.Task.Title)
		}
		return r, nil
	}
	if len(runs) > 0 && runs[0].Outcome == "green" {
		return runs[0], nil // which is told
	}
	return journal.Run{}, fault.New(fault.NothingToDo, "booty run and booty refine begin one", "no run in this checkout has anything left to do")
}

// startOver makes a new run of one that was killed before its first step was
// done; what it left of a start is taken back.
func (a *app) startOver(ctx context.Context, h *house, j *job, r journal.Run) error {
	a.say("booty: run %s ended before its first step: its task is begun anew", r.ID)
	st, err := h.repo.Interrupted(ctx)
	if err != nil {
		return err
	}
	if st != nil && st.Run == r.ID {
		if err := h.repo.Undo(ctx, r.ID, 0); err != nil {
			return err
		}
	}
	j.old, j.maxAttempts = nil, 0
	if j.refine || j.branch == "" {
		return nil
	}
	j.branch = freeBranch(ctx, h.repo, j.branch)
	return nil
}

// cleanForResume lets the tree of the killed run itself pass: its states are
// all kept, and what differs from them is the user's.
func (a *app) cleanForResume(ctx context.Context, h *house, r journal.Run) error {
	branch, _, err := h.repo.Head(ctx)
	if err != nil || branch == r.Branch {
		return err
	}
	if clean, err := h.repo.Clean(ctx); err != nil || clean {
		return err
	}
	return a.cleanTree(ctx, h, loopFlags{})
}

// memoryOf gives the engine's memory of a run, nil where its first step was
// not done.
func (a *app) memoryOf(ctx context.Context, h *house, r journal.Run) (*engine.Memory, error) {
	steps, err := h.journal.Steps(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	for _, s := range steps {
		if s.Name != memoryStep {
			continue
		}
		var m engine.Memory
		if err := json.Unmarshal(s.Data, &m); err != nil {
			return nil, fmt.Errorf("read the state of run %s: %w", r.ID, err)
		}
		if m.Prepared {
			if m.Stalls, m.Mute = 0, false; r.Outcome == "stuck" || r.Outcome == "refused" {
				m.Replies = nil // a second chance begins with a clean slate
			}
			return &m, nil
		}
	}
	return nil, nil
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
	return cmd, o, nil
}

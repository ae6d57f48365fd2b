package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/workspace"
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
		return fault.New(fault.NothingToDo, "booty status lists the runs; booty resume RUN goes on with another", "run %s is green already%s", r.ID, whereGreen(r))
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
	if err := h.repo.EndOwnMerge(ctx); err != nil {
		return err
	}
	j := job{
		o: *o, refine: r.Kind == "refine", branch: r.Branch, base: r.Base, flags: r.Options, memory: m, old: &r,
		task: task{Task: r.Task, text: r.TaskText}, maxAttempts: h.cfg.MaxRetries, end: lastEnd{commit: r.Commit},
	}
	if m == nil {
		if err := a.startOver(ctx, h, &j, r); err != nil {
			return err
		}
	} else {
		if j.maxAttempts -= m.Earlier; len(m.Attempts) >= j.maxAttempts { // used up: as many more
			j.maxAttempts = len(m.Attempts) + h.cfg.MaxRetries
		}
		if err := a.meet(ctx, h, &j); err != nil {
			return err
		}
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
	return a.work(ctx, h, j)
}

// meet records the tree as it is, before anything is written, and sees whether
// the run can go on in it.
func (a *app) meet(ctx context.Context, h *house, j *job) error {
	if j.o.worktree {
		return nil
	}
	st, err := h.repo.Interrupted(ctx)
	if err != nil {
		return err
	}
	if st != nil && st.Run == j.old.ID {
		j.end.killed = st
	}
	met, err := h.repo.Meet(ctx, j.old.ID)
	if err != nil {
		return err
	}
	j.met = &met
	if !j.refine && met.Branch != j.branch {
		return a.cleanTree(ctx, h, loopFlags{})
	}
	return nil
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

// runToResume is the named run; else the one that was killed in this checkout,
// else the latest one there.
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
	runs, err := h.journal.Runs(ctx, journal.Filter{Repo: h.root, Limit: 1})
	if err != nil {
		return journal.Run{}, err
	}
	switch {
	case len(runs) == 0:
		return journal.Run{}, fault.New(fault.NothingToDo, "booty run and booty refine begin one", "no run in this checkout has anything left to do")
	case runs[0].Outcome == "nothing_to_do":
		return journal.Run{}, fault.New(fault.NothingToDo, "booty status lists the runs; booty resume RUN goes on with another",
			"the latest run, %s, had nothing to do: %s", runs[0].ID, runs[0].Message)
	}
	return runs[0], nil
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
		if err := a.backToStart(ctx, h, st, j.refine); err != nil {
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

// backToStart frees the checkout of a run that was killed before it had changed
// any file: in place there is nothing to take back.
func (a *app) backToStart(ctx context.Context, h *house, st *workspace.State, inPlace bool) error {
	if inPlace {
		return h.repo.ClearState(ctx)
	}
	dirty, err := a.inTheWay(ctx, h)
	if err != nil {
		return err
	}
	if len(dirty) > 0 {
		return fault.New(fault.Refused, "commit or stash them, then again", "the work tree has changes: %s", someOf(dirty))
	}
	start, err := h.repo.Checkpoint(ctx, st.Run, 0)
	if err != nil {
		return err
	}
	return h.repo.Undo(ctx, st.Run, start)
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
	o.hint, _ = f.GetString("hint")
	for name, to := range map[string]*globList{"allow": &o.allow, "file": &o.files} {
		if list, ok := f.Lookup(name).Value.(*globList); ok {
			*to = *list
		}
	}
	return cmd, o, nil
}

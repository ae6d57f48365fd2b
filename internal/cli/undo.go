package cli

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/spf13/cobra"
)

func (a *app) undoCommand() *cobra.Command {
	attempt := wholeRun
	cmd := &cobra.Command{
		Use:   "undo [RUN]",
		Short: "Put the work tree back as it was before a run",
		Long: `Put the work tree back exactly as it was before a run (default: the last one in
this checkout), untracked files included; after booty resume, as it was then.
Refuses, naming the files, if they were changed since. With --attempt, bring back
the state of that attempt; --attempt 0 is before the run, resumed or not.`,
		Example: "  booty undo\n  booty undo 0f3k2m --attempt 2",
		Args:    cobra.MaximumNArgs(1),

		ValidArgsFunction: a.completeRun,
		RunE: a.run(func(cmd *cobra.Command, args []string) (err error) {
			ctx := cmd.Context()
			if cmd.Flags().Changed("attempt") && attempt < 0 {
				return fault.New(fault.Usage, "", "--attempt: %d is not an attempt", attempt)
			}
			h, err := a.open(ctx, nil, false)
			if err != nil {
				return err
			}
			defer closing(h, &err)
			if err := a.openRecords(ctx, h); err != nil {
				return err
			}
			if err := a.lock(ctx, h, "undo"); err != nil {
				return err
			}
			r, err := runToUndo(ctx, h, args)
			if err != nil {
				return err
			}
			return a.undo(ctx, h, r, attempt)
		}),
	}
	cmd.Flags().IntVar(&attempt, "attempt", wholeRun, "bring back the state of attempt `N`; 0 is before the run")
	cmd.Flags().Lookup("attempt").DefValue = ""
	return cmd
}

// wholeRun undoes all that was done since the run began, or was last resumed.
const wholeRun = -1

// undo puts the tree back, and tells what that was: a run that left nothing in
// the checkout, or was taken back before, is not undone twice.
func (a *app) undo(ctx context.Context, h *house, r journal.Run, attempt int) error {
	target, err := undoTarget(ctx, h, r, attempt)
	if err != nil {
		return err
	}
	whole := attempt <= 0
	already := false
	if whole {
		if already, err = h.repo.AsBefore(ctx, target); err != nil {
			return err
		}
	}
	if !already {
		if err := h.repo.Undo(ctx, r.ID, target); err != nil {
			return err
		}
		if err := h.repo.ClearState(ctx); err != nil {
			return err
		}
	}
	if whole && r.State == record.Interrupted {
		if err := closeUndone(ctx, h, r); err != nil {
			return err
		}
	}
	resumed := target.Run != r.ID
	switch {
	case a.json:
		out := map[string]any{"run": r.ID, "attempt": max(attempt, 0), "unchanged": already}
		if resumed {
			out["resumed"] = true
		}
		return a.printJSON(out)
	case !whole:
		a.say("booty: the work tree is as attempt %d of run %s left it; booty undo %s --attempt 0 puts it back as before the run", attempt, r.ID, r.ID)
	case resumed && already:
		a.say("booty: the work tree is as it was when run %s was resumed: nothing was changed%s; booty undo %s --attempt 0 goes back to before the run",
			r.ID, whereWorkIs(ctx, h, r), r.ID)
	case resumed:
		a.say("booty: the work tree is as it was when run %s was resumed; booty undo %s --attempt 0 goes back to before the run", r.ID, r.ID)
	case already:
		a.say("booty: the work tree is as it was before run %s already: nothing was changed%s", r.ID, whereWorkIs(ctx, h, r))
	default:
		a.say("booty: the work tree is as it was before run %s", r.ID)
	}
	return nil
}

func undoTarget(ctx context.Context, h *house, r journal.Run, attempt int) (workspace.Checkpoint, error) {
	if attempt == wholeRun {
		return h.repo.UndoTarget(ctx, r.ID)
	}
	return h.repo.UndoAttempt(ctx, r.ID, attempt)
}

// whereWorkIs names the branch that a run's work lies on, while it is there.
func whereWorkIs(ctx context.Context, h *house, r journal.Run) string {
	if r.Kind != "run" || r.Branch == "" {
		return ""
	}
	if _, err := h.repo.Resolve(ctx, "refs/heads/"+r.Branch); err != nil {
		return ""
	}
	return "; its work is on branch " + r.Branch
}

// closeUndone closes a run that was cut short on record: nothing of it is left
// to be ended, though it can be resumed.
func closeUndone(ctx context.Context, h *house, r journal.Run) error {
	return h.journal.FinishRun(ctx, r.ID, event.RunFinished{
		Outcome: "interrupted", ExitCode: fault.ExitCode(fault.New(fault.Interrupted, "", "interrupted")), Branch: r.Branch,
		Attempts: r.Attempts, InputTokens: r.InputTokens, OutputTokens: r.OutputTokens, CostUSD: r.CostUSD,
		Message: "interrupted, and taken back with booty undo", Hint: "booty resume " + r.ID + " goes on with it",
	})
}

// ownTree says that a run worked in a tree of its own: there is nothing of it
// in the checkout.
func ownTree(r journal.Run) bool {
	given := map[string]string{}
	return len(r.Options) > 0 && json.Unmarshal(r.Options, &given) == nil && given["worktree"] == "true"
}

// leftSomething says whether a run changed the tree, if only in an attempt that
// was cut short.
func leftSomething(ctx context.Context, h *house, run string) bool {
	set, err := h.repo.Checkpoints(ctx, run)
	if err != nil { // none was made, or none is left
		return false
	}
	for _, cp := range set {
		if cp.Tree != set[0].Tree {
			return true
		}
	}
	return false
}

// runToUndo is the named run, or the last one in this checkout that changed
// anything.
func runToUndo(ctx context.Context, h *house, args []string) (journal.Run, error) {
	if len(args) == 1 {
		return namedToUndo(ctx, h, args[0])
	}
	if st, err := h.repo.Interrupted(ctx); err != nil {
		return journal.Run{}, err
	} else if st != nil { // whatever was killed here comes first
		return namedToUndo(ctx, h, st.Run)
	}
	runs, err := h.journal.Runs(ctx, journal.Filter{Repo: h.root, Limit: 100})
	if err != nil {
		return journal.Run{}, err
	}
	for _, r := range runs {
		switch {
		case ownTree(r) && r.Attempts > 0:
			return r, workedElsewhere(r)
		case !ownTree(r) && (r.Attempts > 0 || leftSomething(ctx, h, r.ID)):
			return r, nil
		}
	}
	return lastInGit(ctx, h)
}

func workedElsewhere(r journal.Run) error {
	hint := "booty undo RUN takes back another one; booty status lists them"
	if r.Branch != "" {
		hint = "its work is on branch " + r.Branch + "; " + hint
	}
	return fault.New(fault.NothingToDo, hint, "run %s worked in a work tree of its own: nothing of this checkout was changed", r.ID)
}

func namedToUndo(ctx context.Context, h *house, name string) (journal.Run, error) {
	r, err := h.journal.Run(ctx, name, h.root)
	switch {
	case err == nil && ownTree(r):
		return r, workedElsewhere(r)
	case !errors.Is(err, journal.ErrNoRun):
		return r, err
	}
	if _, e := h.repo.Checkpoints(ctx, name); e == nil {
		return journal.Run{ID: name}, nil // the records are gone, the states in git are not
	}
	return r, fault.New(fault.Usage, "booty status lists the runs", "%w", err)
}

// lastInGit finds the last run by its states in git, which move with the
// repository's folder where the records do not.
func lastInGit(ctx context.Context, h *house) (journal.Run, error) {
	recorded, err := h.repo.Runs(ctx)
	if err != nil {
		return journal.Run{}, err
	}
	for _, x := range recorded {
		if !x.Here || workspace.Beside(x.Run) || !leftSomething(ctx, h, x.Run) {
			continue
		}
		r, err := h.journal.Run(ctx, x.Run, "")
		if errors.Is(err, journal.ErrNoRun) {
			return journal.Run{ID: x.Run}, nil
		}
		if err != nil || !ownTree(r) {
			return r, err
		}
	}
	return journal.Run{}, fault.New(fault.NothingToDo, "booty status --all lists the runs of other checkouts", "no run has changed anything in this checkout")
}

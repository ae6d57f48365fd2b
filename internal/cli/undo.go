package cli

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/spf13/cobra"
)

func (a *app) undoCommand() *cobra.Command {
	attempt := 0
	cmd := &cobra.Command{
		Use:   "undo [RUN]",
		Short: "Put the work tree back as it was before a run",
		Long: `Put the work tree back exactly as it was before a run (default: the last one in
this checkout), untracked files included. Refuses, naming the files, if they
were changed since. With --attempt, bring back the state of that attempt.`,
		Example: "  booty undo\n  booty undo 0f3k2m --attempt 2",
		Args:    cobra.MaximumNArgs(1),
		RunE: a.run(func(cmd *cobra.Command, args []string) (err error) {
			ctx := cmd.Context()
			if attempt < 0 {
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
			if err := h.repo.Undo(ctx, r.ID, attempt); err != nil {
				return err
			}
			if err := h.repo.ClearState(ctx); err != nil {
				return err
			}
			if a.json {
				return a.printJSON(map[string]any{"run": r.ID, "attempt": attempt})
			}
			if attempt > 0 {
				a.say("booty: the work tree is as attempt %d of run %s left it; booty undo %s puts it back as before the run", attempt, r.ID, r.ID)
				return nil
			}
			a.say("booty: the work tree is as it was before run %s", r.ID)
			return nil
		}),
	}
	cmd.Flags().IntVar(&attempt, "attempt", 0, "bring back the state of attempt `N`; 0 is before the run")
	return cmd
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
	var name string
	if len(args) == 1 {
		name = args[0]
	} else if st, err := h.repo.Interrupted(ctx); err != nil {
		return journal.Run{}, err
	} else if st != nil { // whatever was killed here comes first
		name = st.Run
	} else {
		runs, err := h.journal.Runs(ctx, journal.Filter{Repo: h.root, Limit: 100})
		if err != nil {
			return journal.Run{}, err
		}
		for _, r := range runs {
			if !ownTree(r) && (r.Attempts > 0 || leftSomething(ctx, h, r.ID)) {
				return r, nil
			}
		}
		return journal.Run{}, fault.New(fault.NothingToDo, "booty status --all lists the runs of other checkouts", "no run has changed anything in this checkout")
	}
	r, err := h.journal.Run(ctx, name, h.root)
	if errors.Is(err, journal.ErrNoRun) {
		return r, fault.New(fault.Usage, "booty status lists the runs", "%w", err)
	}
	return r, err
}

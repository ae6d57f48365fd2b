package cli

import (
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/spf13/cobra"
)

func newUndo(f *factory) *cobra.Command {
	var o undoOptions
	cmd := &cobra.Command{
		Use:   "undo [RUN]",
		Short: "Restore the files that a run changed in this checkout",
		Long: `Restore the files that a refine (or run --in-place) changed in this checkout
to exactly what they were before (default: the last run that changed any).
Other files are not touched. If you changed one of these files since, undo
refuses and names it. With --attempt, restore the state after that attempt.`,
		Example: "  booty undo\n  booty undo 0f3k2m --attempt 2",
		Args:    cobra.MaximumNArgs(1),

		ValidArgsFunction: f.completeRun,
		RunE: f.runE(func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("attempt") && o.attempt < 0 {
				return fault.New(fault.Usage, "", "--attempt: invalid attempt %d", o.attempt)
			}
			o.run = strings.Join(args, "")
			return undoRun(cmd.Context(), f, o)
		}),
	}
	cmd.Flags().IntVar(&o.attempt, "attempt", runner.WholeRun, "attempt to restore; `N` = 0 is the state before the run")
	cmd.Flags().Lookup("attempt").DefValue = "0" // shows no default
	return cmd
}

// undoOptions are what undo is asked for: a run ("" is the last one here), and how
// far back.
type undoOptions struct {
	run     string
	attempt int
}

// undoRun puts the work tree back.
func undoRun(ctx context.Context, f *factory, o undoOptions) (err error) {
	s, err := f.open(ctx, needs{lock: "undo"})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	u, err := runner.Undo(ctx, s.Session, o.run, o.attempt)
	if err != nil {
		return err
	}
	return f.printUndone(ctx, s.Session, u, o.attempt)
}

// printUndone says what was restored.
func (f *factory) printUndone(ctx context.Context, s *runner.Session, u runner.Undone, attempt int) error {
	id := u.Run.ID
	switch {
	case f.json:
		return f.printJSON(map[string]any{"run": id, "attempt": max(attempt, 0), "unchanged": u.Already})
	case attempt > 0:
		f.say("booty: restored the files as attempt %d of run %s left them; booty undo %s restores them as before the run", attempt, id, id)
	case u.Already:
		f.say("booty: nothing to restore: the files are as before run %s%s", id,
			whereWorkIs(ctx, s, u.Run))
	default:
		f.say("booty: restored the files as they were before run %s", id)
	}
	return nil
}

// whereWorkIs names the branch that a run's work lies on, while it is there.
func whereWorkIs(ctx context.Context, s *runner.Session, r journal.Run) string {
	if r.Kind != "run" || r.Branch == "" {
		return ""
	}
	if _, err := s.Repo.Resolve(ctx, "refs/heads/"+r.Branch); err != nil {
		return ""
	}
	return "; its work is on branch " + r.Branch
}

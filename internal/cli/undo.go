package cli

import (
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/work"
	"github.com/spf13/cobra"
)

func (a *app) undoCommand() *cobra.Command {
	attempt := work.WholeRun
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
			s, err := a.open(ctx, needs{lock: "undo"})
			if err != nil {
				return err
			}
			defer closing(s, &err)
			u, err := work.Undo(ctx, s.Session, strings.Join(args, ""), attempt)
			if err != nil {
				return err
			}
			return a.tellUndone(ctx, s.Session, u, attempt)
		}),
	}
	cmd.Flags().IntVar(&attempt, "attempt", work.WholeRun, "bring back the state of attempt `N`; 0 is before the run")
	cmd.Flags().Lookup("attempt").DefValue = ""
	return cmd
}

// tellUndone tells what that was: a run that left nothing in the checkout, or was
// taken back before, is not undone twice.
func (a *app) tellUndone(ctx context.Context, s *work.Session, u work.Undone, attempt int) error {
	id := u.Run.ID
	switch {
	case a.json:
		out := map[string]any{"run": id, "attempt": max(attempt, 0), "unchanged": u.Already}
		if u.Resumed {
			out["resumed"] = true
		}
		return a.printJSON(out)
	case attempt > 0:
		a.say("booty: the work tree is as attempt %d of run %s left it; booty undo %s --attempt 0 puts it back as before the run", attempt, id, id)
	case u.Resumed && u.Already:
		a.say("booty: the work tree is as it was when run %s was resumed: nothing was changed%s; booty undo %s --attempt 0 goes back to before the run",
			id, whereWorkIs(ctx, s, u.Run), id)
	case u.Resumed:
		a.say("booty: the work tree is as it was when run %s was resumed; booty undo %s --attempt 0 goes back to before the run", id, id)
	case u.Already:
		a.say("booty: the work tree is as it was before run %s already: nothing was changed%s", id, whereWorkIs(ctx, s, u.Run))
	default:
		a.say("booty: the work tree is as it was before run %s", id)
	}
	return nil
}

// whereWorkIs names the branch that a run's work lies on, while it is there.
func whereWorkIs(ctx context.Context, s *work.Session, r journal.Run) string {
	if r.Kind != "run" || r.Branch == "" {
		return ""
	}
	if _, err := s.Repo.Resolve(ctx, "refs/heads/"+r.Branch); err != nil {
		return ""
	}
	return "; its work is on branch " + r.Branch
}

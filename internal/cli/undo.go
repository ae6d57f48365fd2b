package cli

import (
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/runner"
	"github.com/spf13/cobra"
)

func newUndo(f *factory) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "undo [RUN]",
		Short: "Restore the files that a refine changed",
		Long: `Restore the files that a refine changed in this checkout to exactly what they
were before (default: the last refine that changed any). Other files are not
touched. If you changed one of these files since, undo refuses and names it.`,
		Example: "  booty undo\n  booty undo 0f3k2m",
		Args:    cobra.MaximumNArgs(1),

		ValidArgsFunction: f.completeRun,
		RunE: f.runE(func(cmd *cobra.Command, args []string) error {
			return undoRun(cmd.Context(), f, strings.Join(args, ""))
		}),
	}
	return cmd
}

// undoRun takes back what a run ("" is the last one here) changed in the checkout.
func undoRun(ctx context.Context, f *factory, run string) (err error) {
	s, err := f.open(ctx, needs{})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	u, err := runner.Undo(ctx, s.Session, run)
	if err != nil {
		return err
	}
	return f.printUndone(u)
}

// printUndone says what was restored.
func (f *factory) printUndone(u runner.Undone) error {
	switch {
	case f.json:
		return f.printJSON(map[string]any{"run": u.Run.ID, "restored": u.Restored, "unchanged": u.Restored == 0})
	case u.Restored == 0:
		f.say("booty: nothing to restore: the files are as before run %s", u.Run.ID)
	case u.Restored == 1:
		f.say("booty: restored 1 file to what it was before run %s", u.Run.ID)
	default:
		f.say("booty: restored %d files to what they were before run %s", u.Restored, u.Run.ID)
	}
	return nil
}

package cli

import (
	"context"
	"fmt"
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
	if f.json {
		return f.printJSON(map[string]any{"run": u.Run.ID, "restored": u.Restored, "commits": u.Commits,
			"unchanged": u.Restored+u.Commits == 0})
	}
	var did []string
	switch u.Restored {
	case 0:
	case 1:
		did = append(did, "restored 1 file to what it was before run "+u.Run.ID)
	default:
		did = append(did, fmt.Sprintf("restored %d files to what they were before run %s", u.Restored,
			u.Run.ID))
	}
	if u.Commits > 0 {
		did = append(did, "took its commit off the branch")
	}
	if did == nil {
		did = []string{"nothing to restore: the files are as before run " + u.Run.ID}
	}
	f.say("booty: %s", strings.Join(did, ", and "))
	return nil
}

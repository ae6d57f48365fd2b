package cli

import (
	"context"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"
)

func newClean(f *factory) *cobra.Command {
	var o cleanOptions
	cmd := &cobra.Command{
		Use:   "clean",
		Short: "Remove booty's work trees, recorded states and logs",
		Long: `Remove what booty stores for this repository: work trees, the recorded states
that undo and resume need, and logs. By default everything of the last 30 days
is kept. What is in use and interrupted runs are always kept. Branches are not
touched.`,
		Example: "  booty clean\n  booty clean --older 7d\n  booty clean --all",
		Args:    cobra.NoArgs,
		RunE:    f.runE(func(cmd *cobra.Command, _ []string) error { return cleanRun(cmd.Context(), f, o) }),
	}
	cmd.Flags().StringVar(&o.older, "older", "30d", "remove what runs older than `AGE` left")
	cmd.Flags().BoolVar(&o.all, "all", false, "remove what every finished run left")
	cmd.MarkFlagsMutuallyExclusive("older", "all")
	return cmd
}

// cleanOptions say what is removed.
type cleanOptions struct {
	older string
	all   bool
}

// cleanRun removes it and says how much space that freed.
func cleanRun(ctx context.Context, f *factory, o cleanOptions) (err error) {
	age, err := config.ParseAge(o.older)
	if err != nil {
		return fault.New(fault.Usage, "booty clean --older 7d", "--older: %w", err)
	}
	if o.all {
		age = 0
	}
	s, err := f.open(ctx, needs{})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	freed, err := runner.Clean(ctx, s.Session, age, func(r record.Run) bool {
		return r.State != record.Finished || r.Outcome == event.Interrupted
	})
	if err != nil {
		return err
	}
	if f.json {
		return f.printJSON(map[string]any{"freed_bytes": freed.Bytes, "runs": len(freed.Runs),
			"trees": freed.Trees})
	}
	f.say("booty: freed %s (work trees: %d, runs: %d)", humanize.Bytes(uint64(max(freed.Bytes, 0))),
		freed.Trees, len(freed.Runs))
	return nil
}

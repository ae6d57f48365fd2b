package cli

import (
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/spf13/cobra"
)

func (a *app) refineCommand() *cobra.Command {
	var o loopFlags
	cmd := &cobra.Command{
		Use:   "refine",
		Short: "Make the failing checks of this checkout pass, in place",
		Long: `Make failing checks pass: someone's, or some agent's, half-done work. Works
on a dirty tree and leaves its changes uncommitted; booty undo takes them back.`,
		Example: `  booty refine
  booty refine --max-retries 5 --commit`,
		Args: cobra.MatchAll(cobra.NoArgs, func(*cobra.Command, []string) error { return prWord(o.pr) }),
		RunE: a.run(func(cmd *cobra.Command, _ []string) (err error) {
			ctx := cmd.Context()
			h, err := a.open(ctx, cmd.Flags(), true)
			if err != nil {
				return err
			}
			defer closing(h, &err)
			if err := a.ready(ctx, h, o); err != nil {
				return err
			}
			if o.pr != "none" && o.pr != "" {
				if _, err := a.openHub(ctx, h, false); err != nil {
					return err
				}
				return fault.New(fault.Git, "commit the result and open it with gh pr create, or let booty run --pr do the work",
					"refine works in place and opens no pull request")
			}
			if err := a.unblock(ctx, h); err != nil {
				return err
			}
			j := job{o: o, refine: true, flags: changedFlags(cmd.Flags())}
			j.task.Task = event.Task{Kind: "refine", Title: "make the failing checks pass"}
			return a.work(ctx, h, j)
		}),
	}
	o.add(cmd, "none")
	cmd.Flags().BoolVar(&o.commit, "commit", false, "commit the result once the checks pass")
	return cmd
}

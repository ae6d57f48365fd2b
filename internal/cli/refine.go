package cli

import (
	"github.com/booty-cli/booty/internal/pulls"
	"github.com/booty-cli/booty/internal/work"
	"github.com/spf13/cobra"
)

func (a *app) refineCommand() *cobra.Command {
	var o loopFlags
	cmd := &cobra.Command{
		Use:   "refine",
		Short: "Make the failing checks of this checkout pass, in place",
		Long: `Make failing checks pass: someone's, or some agent's, half-done work. Works
on a dirty tree and leaves its changes uncommitted; booty undo takes them back.
With --pr the result is committed on the branch that is checked out, that branch
is pushed, and a pull request opened from it where there is none.`,
		Example: `  booty refine
  booty refine --max-retries 5 --commit
  gh pr checkout 7 && booty refine --pr auto`,
		Args: cobra.MatchAll(cobra.NoArgs, func(*cobra.Command, []string) error { return prWord(o.pr) }),
		RunE: a.run(func(cmd *cobra.Command, _ []string) (err error) {
			ctx := cmd.Context()
			s, j, err := a.prepare(ctx, o, cmd.Flags())
			if err != nil {
				return err
			}
			defer closing(s, &err)
			if err := work.Unblock(ctx, s.Session); err != nil {
				return err
			}
			j.InPlace, j.Task = true, work.RefineTask()
			if err := pulls.InPlace(ctx, s.Session, a.github(o), &j); err != nil {
				return err
			}
			return a.work(ctx, s.Session, j)
		}),
	}
	o.add(cmd, "none")
	cmd.Flags().String("base", "", "with --pr: the `BRANCH` that the pull request goes into")
	cmd.Flags().BoolVar(&o.commit, "commit", false, "commit the result once the checks pass")
	return cmd
}

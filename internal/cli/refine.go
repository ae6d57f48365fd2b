package cli

import (
	"context"

	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func newRefine(f *factory) *cobra.Command {
	var o refineOptions
	cmd := &cobra.Command{
		Use:   "refine",
		Short: "Make the failing checks of this checkout pass",
		Long: `Make failing checks pass, for example in half-done work. booty copies this
checkout, uncommitted and untracked files included, works on the copy, and
writes the files it changed back at the end. Where you changed one of them
meanwhile, both changes are merged. booty undo takes it back. With --pr the
result is committed to the current branch and pushed, and a pull request is
opened if there is none.`,
		Example: `  booty refine
  booty refine --max-retries 5 --commit
  gh pr checkout 7 && booty refine --pr auto`,
		Args: cobra.MatchAll(cobra.NoArgs, func(*cobra.Command, []string) error { return prWord(o.pr) }),
		RunE: f.runE(func(cmd *cobra.Command, _ []string) error {
			o.given = cmd.Flags()
			return refineRun(cmd.Context(), f, o)
		}),
	}
	o.declare(cmd.Flags())
	finishFlags(cmd)
	return cmd
}

// refineOptions are what refine is asked for.
type refineOptions struct{ loopOptions }

// declare declares the flags of refine.
func (o *refineOptions) declare(fs *pflag.FlagSet) {
	o.refine = true
	o.loopOptions.declare(fs, "none")
	fs.String("base", "", "with --pr: `BRANCH` to merge into")
	fs.BoolVar(&o.commit, "commit", false, "commit the result once the checks pass")
}

// refineRun makes the failing checks pass.
func refineRun(ctx context.Context, f *factory, o refineOptions) (err error) {
	s, j, err := f.prepare(ctx, o.loopOptions)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	j.Refine, j.Task = true, runner.RefineTask()
	if err := pullrequest.ForRefine(ctx, s.Session, f.github(o.loopOptions), &j); err != nil {
		return err
	}
	if err := s.apart(ctx, &j); err != nil {
		return err
	}
	return f.work(ctx, s.Session, j)
}

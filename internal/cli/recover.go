package cli

import (
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/queue"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/spf13/cobra"
)

func newRecover(f *factory) *cobra.Command {
	var o loopOptions
	var words []string
	for _, a := range queue.Actions() {
		words = append(words, string(a))
	}
	cmd := &cobra.Command{
		Use:   "recover ACTION PR",
		Short: "Go on with a pending test that waits for a person",
		Long: `Go on with a pending test of the queue that waits for a person. PR is the number
or the address of its pull request. Each ACTION may be taken again:

  retry            go on at once, with the attempts that are left
  reset-attempts   count the attempts from the first again; the next turn goes on
  mark-for-review  close it, label it, and leave the spec to a person
  close-and-reset  close it, delete its branch, and let the spec be begun anew

Exit codes: as of run; 8 for a pull request that is not of booty's queue, and for
retry where no attempt is left.`,
		Example: `  booty recover retry 12
  booty recover close-and-reset 12 --dry-run`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fault.New(fault.Usage, "for example: booty recover retry 12",
					"recover wants an ACTION and a PR: the action is one of %s", strings.Join(words, ", "))
			}
			if _, err := github.ParseIssue(args[1]); err != nil {
				return fault.New(fault.Usage, "", "%q is neither the number nor the address of a pull request", args[1])
			}
			for _, w := range words {
				if w == args[0] {
					return nil
				}
			}
			return fault.New(fault.Usage, "", "there is no action %q: it is one of %s", args[0],
				strings.Join(words, ", "))
		},
		ValidArgs: words,
		RunE: f.ran(func(cmd *cobra.Command, args []string) error {
			o.given = cmd.Flags()
			ref, err := github.ParseIssue(args[1])
			if err != nil {
				return err
			}
			return recoverRun(cmd.Context(), f, o, queue.Action(args[0]), ref)
		}),
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "say what would be done, and do nothing")
	cmd.Flags().BoolVar(&o.patient, "patient", false,
		"wait for the model, GitHub, the network and a broken environment before giving up")
	return cmd
}

func recoverRun(
	ctx context.Context, f *factory, o loopOptions, a queue.Action, of github.IssueRef,
) (err error) {
	need := needs{project: true, consent: true, patient: o.patient}
	if a == queue.Retry && !o.dryRun {
		need.lock = "run"
	}
	s, err := f.open(ctx, need)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	q, err := f.openQueue(ctx, s, runOptions{loopOptions: o}, runner.Options{})
	if err != nil {
		return err
	}
	if of.Repo != nil && !of.Repo.Same(q.Repo()) {
		return fault.New(fault.Usage, "run booty in a checkout of "+of.Repo.String(),
			"the pull request belongs to %s, this checkout to %s", of.Repo, q.Repo())
	}
	turn, err := q.Recover(ctx, a, of.Number, o.dryRun)
	if err != nil || turn.Result != nil {
		return f.tellTurn(turn, err)
	}
	if f.json {
		return f.printJSON(map[string]any{"action": a, "pull_request": of.Number, "dry_run": o.dryRun})
	}
	return nil
}

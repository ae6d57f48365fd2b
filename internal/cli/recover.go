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
		Short: "Recover a stalled queue pull request",
		Long: `Recover a pull request of the queue that waits for a person. PR is its number
or URL. Every ACTION can be repeated:

  retry            continue now, with the attempts that are left
  reset-attempts   count attempts from 1 again; the next turn continues
  mark-for-review  close it, label it, and leave the spec to a person
  close-and-reset  close it, delete its branch, and start the spec over`,
		Example: `  booty recover retry 12
  booty recover close-and-reset 12 --dry-run`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fault.New(fault.Usage, "for example: booty recover retry 12",
					"recover needs an ACTION and a PR; valid actions: %s", strings.Join(words, ", "))
			}
			if _, err := github.ParseIssue(args[1]); err != nil {
				return fault.New(fault.Usage, "", "invalid pull request %q: want a number or URL", args[1])
			}
			for _, w := range words {
				if w == args[0] {
					return nil
				}
			}
			return fault.New(fault.Usage, "", "unknown action %q; valid actions: %s", args[0],
				strings.Join(words, ", "))
		},
		ValidArgs: words,
		RunE: f.runE(func(cmd *cobra.Command, args []string) error {
			o.given = cmd.Flags()
			ref, err := github.ParseIssue(args[1])
			if err != nil {
				return err
			}
			return recoverRun(cmd.Context(), f, o, queue.Action(args[0]), ref)
		}),
	}
	cmd.Flags().BoolVar(&o.dryRun, "dry-run", false, "show what would be done, and do nothing")
	cmd.Flags().BoolVar(&o.patient, "patient", false,
		"wait out failures of the model, GitHub, the network and the environment")
	return cmd
}

func recoverRun(
	ctx context.Context, f *factory, o loopOptions, a queue.Action, of github.IssueRef,
) (err error) {
	s, err := f.open(ctx, needs{project: true, consent: true, patient: o.patient})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	q, err := f.openQueue(ctx, s, runOptions{loopOptions: o}, runner.Options{})
	if err != nil {
		return err
	}
	if err := q.Belongs(ctx, of); err != nil {
		return err
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

package cli

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/work"
	"github.com/spf13/cobra"
)

func (a *app) checkCommand() *cobra.Command {
	staged := false
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Run setup, gates and tests as a run would, without a model",
		Long: `Run setup, gates and tests as a run would, and say briefly what fails. No model
is asked, nothing is recorded, and tracked files that the checks change are put
back. With --staged, what is staged is checked, in a work tree of its own.

Exit codes: 0 all pass, 2 configuration, 3 something fails, 9 the checks cannot
run here, 130 interrupted. For git bisect, where 125 means "skip this one":

  git bisect run sh -c 'booty check; c=$?; case $c in 0|3) exit $c;; *) exit 125;; esac'`,
		Example: "  booty check\n  booty check --staged    # in .git/hooks/pre-commit\n  booty check --json",
		Args:    cobra.NoArgs,
		RunE:    a.run(func(cmd *cobra.Command, _ []string) error { return a.check(cmd.Context(), staged) }),
	}
	cmd.Flags().BoolVar(&staged, "staged", false, "check what is staged")
	return cmd
}

// checkReport is what check writes with --json.
type checkReport struct {
	Passed   bool                  `json:"passed"`
	ExitCode int                   `json:"exit_code"`
	Checks   []event.CheckFinished `json:"checks"`
}

func (a *app) check(ctx context.Context, staged bool) (err error) {
	s, err := a.open(ctx, needs{project: true})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	out := &output{}
	if !a.json {
		out = a.newOutput(s.Session, "", true)
		defer out.Close()
	}
	report := checkReport{Checks: []event.CheckFinished{}}
	out.listeners = append(out.listeners, event.Func(func(e event.Event) {
		if c, ok := e.(event.CheckFinished); ok {
			report.Checks = append(report.Checks, c)
		}
	}))
	c, err := work.Check(ctx, s.Session, staged, out.show())
	out.Close()
	if fault.KindOf(err) == fault.Interrupted {
		return err
	}
	if c.Nothing {
		a.say("booty: nothing is staged")
	}
	report.Passed, report.ExitCode = err == nil, fault.ExitCode(err)
	if a.json {
		return a.reportCheck(report, err)
	}
	if !c.Verdict.Green && c.Verdict.Text != "" {
		fmt.Fprintln(a.s.Out, s.Redact.String(c.Verdict.Text))
	}
	return err
}

func (a *app) reportCheck(r checkReport, err error) error {
	if !a.json {
		return err
	}
	if e := a.printJSON(r); e != nil {
		return e
	}
	a.finished = true // the report has said it
	return err
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs, Example: "  booty version\n  booty version --json",
		RunE: a.run(func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(map[string]string{"version": a.build.Version, "commit": a.build.Commit, "date": a.build.Date})
			}
			_, err := fmt.Fprintln(a.s.Out, "booty version "+a.version())
			return err
		}),
	}
}

package cli

import (
	"context"
	"fmt"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/spf13/cobra"
)

func newCheck(f *factory) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check",
		Short: "Run setup, gates and tests as a run would, without a model",
		Long: `Run setup, gates and tests as a run would, and summarize what fails. No model
is asked and no run is recorded. The checks run in a copy of this checkout,
uncommitted and untracked files included. setup_command is skipped if its
inputs did not change since it last succeeded. With --staged, only what is
staged is checked.`,
		Example: `  booty check
  booty check --staged    # in .git/hooks/pre-commit
  booty check --json
  git bisect run sh -c '
    booty check; case $? in 0);; 3) exit 3;; *) exit 125; esac'`,
		Args: cobra.NoArgs,
		RunE: f.runE(func(cmd *cobra.Command, _ []string) error { return checkRun(cmd.Context(), f, o) }),
	}
	cmd.Flags().BoolVar(&o.staged, "staged", false, "check what is staged")
	cmd.Flags().BoolVar(&o.setup, "setup", false, "run setup_command even if its inputs did not change")
	return cmd
}

// checkOptions are what check is asked for.
type checkOptions struct{ staged, setup bool }

// checkReport is what check writes with --json.
type checkReport struct {
	Passed   bool                  `json:"passed"`
	ExitCode int                   `json:"exit_code"`
	Checks   []event.CheckFinished `json:"checks"`
}

// checkRun runs the checks once.
func checkRun(ctx context.Context, f *factory, o checkOptions) (err error) {
	s, err := f.open(ctx, needs{project: true})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	out := &output{}
	if !f.json || f.watching != nil {
		out = f.newOutput(s.Session, "", true)
		defer out.Close()
	}
	report := checkReport{Checks: []event.CheckFinished{}}
	out.listeners = append(out.listeners, event.Func(func(e event.Event) {
		if c, ok := e.(event.CheckFinished); ok {
			report.Checks = append(report.Checks, c)
		}
	}))
	c, err := runner.Check(ctx, s.Session, runner.CheckOptions{Staged: o.staged, Setup: o.setup}, out.show())
	out.Close()
	if fault.KindOf(err) == fault.Interrupted {
		return err
	}
	if c.Nothing {
		f.say("booty: nothing is staged")
	}
	report.Passed, report.ExitCode = err == nil, fault.ExitCode(err)
	if f.json {
		return f.reportCheck(report, err)
	}
	if !c.Verdict.Green && c.Verdict.Text != "" {
		fmt.Fprintln(f.s.Out, s.Redact.String(c.Verdict.Text))
	}
	return err
}

func (f *factory) reportCheck(r checkReport, err error) error {
	if !f.json {
		return err
	}
	if e := f.printJSON(r); e != nil {
		return e
	}
	return asReported(err) // the report has said it
}

func newVersion(f *factory) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Print the version", Args: cobra.NoArgs, Example: "  booty version\n  booty version --json",
		RunE: f.runE(func(*cobra.Command, []string) error {
			if f.json {
				return f.printJSON(map[string]string{"version": f.build.Version, "commit": f.build.Commit,
					"date": f.build.Date})
			}
			_, err := fmt.Fprintln(f.s.Out, "booty version "+f.version())
			return err
		}),
	}
}

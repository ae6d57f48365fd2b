package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/workspace"
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
	h, err := a.open(ctx, nil, true)
	if err != nil {
		return err
	}
	defer closing(h, &err)
	if err := a.openRecords(ctx, h); err != nil {
		return err
	}
	h.run, h.dry = "check-"+journal.NewRunID(), true
	h.closers = append(h.closers, func() error { return os.RemoveAll(filepath.Join(h.journal.Dir(), "runs", h.run)) })
	tree, put, err := a.checkedTree(ctx, h, staged)
	if err != nil {
		return err
	}
	if tree == nil {
		a.say("booty: nothing is staged")
		return a.reportCheck(checkReport{Passed: true, Checks: []event.CheckFinished{}}, nil)
	}
	defer func() { err = errors.Join(err, put(context.WithoutCancel(ctx))) }()
	out := &output{}
	if !a.json {
		out = a.newOutput(h)
		defer out.Close()
	}
	report := checkReport{Checks: []event.CheckFinished{}}
	v, err := a.runChecks(ctx, h, tree, out, func(e event.CheckFinished) {
		report.Checks = append(report.Checks, e)
		out.Handle(e)
	})
	out.Close()
	if ctx.Err() != nil {
		return fault.New(fault.Interrupted, "", "interrupted")
	}
	if err == nil {
		err = judged(v)
	}
	report.Passed, report.ExitCode = err == nil, fault.ExitCode(err)
	if a.json {
		return a.reportCheck(report, err)
	}
	if !v.Green && v.Text != "" {
		fmt.Fprintln(a.s.Out, h.redact.String(v.Text))
	}
	return err
}

// checkedTree gives what is to be checked, nil for nothing, and what puts the
// tree in order afterwards.
func (a *app) checkedTree(ctx context.Context, h *house, staged bool) (*workspace.Repo, func(context.Context) error, error) {
	if staged {
		w, cleanup, any, err := h.repo.AddStaged(ctx)
		if err != nil || !any {
			return nil, nil, err
		}
		linkDependencies(h.root, w.Root())
		return w, cleanup, nil
	}
	kept, err := h.repo.KeepTracked(ctx)
	if err != nil {
		return nil, nil, err
	}
	return h.repo, func(ctx context.Context) error {
		names, err := kept.PutBack(ctx)
		if len(names) > 0 {
			a.say("booty: the checks changed %s: put back", someOf(names))
		}
		return err
	}, nil
}

// runChecks runs setup, gates and tests; nothing is mended.
func (a *app) runChecks(ctx context.Context, h *house, tree *workspace.Repo, out *output, report func(event.CheckFinished)) (engine.Verdict, error) {
	c, err := a.newChecks(ctx, h, tree, out)
	if err != nil {
		return engine.Verdict{}, err
	}
	c.strict = true
	c.cage.meddling.watch = nil // there is no change to blame for what the commands write
	for i := range c.suite.Gates {
		c.suite.Gates[i].FixCommand = ""
	}
	v, err := c.Setup(ctx, report)
	if err != nil || !v.Green {
		return v, err
	}
	return c.Verify(ctx, engine.VerifyInput{Report: report, Full: true})
}

// judged turns a verdict into what check ends with.
func judged(v engine.Verdict) error {
	switch {
	case v.Green:
		return nil
	case v.ConfigError != "":
		return fault.New(fault.Usage, "mend the command in .booty.yml; booty init --check tries it", "%s", v.ConfigError)
	case v.Environment != "":
		return fault.New(fault.Environment, v.Cure, "the checks cannot run here: %s", v.Environment)
	}
	return fault.New(fault.Exhausted, "booty refine works on it", "the checks fail")
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

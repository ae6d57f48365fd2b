package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/work"
	"github.com/spf13/cobra"
)

// proveOptions are what prove is asked for.
type proveOptions struct {
	base, format string
	mutants      int
	time         string
	setup        bool
}

func newProve(f *factory) *cobra.Command {
	var o proveOptions
	cmd := &cobra.Command{
		Use:   "prove [REF]",
		Short: "Show what a change proves, whoever made it, without a model",
		Long: `Run what tells whether a change is tested: the tests before it and after it, the
tests as they stood on the new code, the new tests on the old code, the test that
shows it with an expectation made wrong, and small changes to the changed lines,
each of which should make a test fail. All of it happens in work trees of booty's
own; the checkout is not touched, and no model is asked.

REF is a branch, a commit or a range A..B. Without it, the change is what this
checkout holds beyond the default branch, uncommitted changes included.

Exit codes: 0 proven, 3 not proven or only in part, 4 no code was changed, 9 the
tests cannot run here. docs/prove.md explains the claims and their limits.`,
		Example: "  booty prove\n  booty prove my-branch\n  booty prove v1.2..HEAD --mutants 30 --time 20m\n  booty prove --format md",
		Args:    cobra.MaximumNArgs(1),
		RunE: f.ran(func(cmd *cobra.Command, args []string) error {
			ref := ""
			if len(args) == 1 {
				ref = args[0]
			}
			return proveRun(cmd.Context(), f, ref, o)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&o.base, "base", "", "compare with this `BRANCH` instead of the default branch")
	flags.IntVar(&o.mutants, "mutants", 10, "try this `NUMBER` of small changes to the changed lines; 0 tries none")
	flags.StringVar(&o.time, "time", "10m", "begin no further small change after this `DURATION`")
	flags.StringVar(&o.format, "format", "text", "print text or md (Markdown)")
	flags.BoolVar(&o.setup, "setup", false, "run setup_command though nothing that it depends on has changed")
	return cmd
}

var proofFormats = []string{"text", "md"}

// work turns the flags into what is asked of the proof.
func (o proveOptions) work(asJSON bool) (out work.ProveOptions, err error) {
	switch {
	case !slices.Contains(proofFormats, o.format):
		return out, fault.New(fault.Usage, "", "--format: want text or md, got %q", o.format)
	case o.format != "text" && asJSON:
		return out, fault.New(fault.Usage, "leave one of them out", "--format %s and --json exclude each other", o.format)
	case o.mutants < 0 || o.mutants > 1000:
		return out, fault.New(fault.Usage, "booty prove --mutants 20", "--mutants: want a number from 0 to 1000, got %d", o.mutants)
	}
	d, err := config.ParseAge(o.time)
	if err != nil || d <= 0 {
		return out, fault.New(fault.Usage, "booty prove --time 10m", "--time: invalid duration %q", o.time)
	}
	return work.ProveOptions{Mutants: o.mutants, Time: d, Setup: o.setup}, nil
}

// proveRun proves a change and tells what was found.
func proveRun(ctx context.Context, f *factory, ref string, o proveOptions) (err error) {
	w, err := o.work(f.json)
	if err != nil {
		return err
	}
	s, err := f.open(ctx, needs{project: true})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	if w.Range, err = work.RangeOf(ctx, s.Session, ref, o.base); err != nil {
		return err
	}
	defer func() {
		if e := w.Range.Forget(ctx, s.Session); err == nil {
			err = asShown(e)
		}
	}()
	out := f.newOutput(s.Session, "", true)
	defer out.Close()
	p, err := work.Prove(ctx, s.Session, w, out.show())
	out.Close()
	if err != nil {
		return err
	}
	if err := f.printProof(s.Session, report.Proven{ProofFinished: p}, o.format); err != nil {
		return err
	}
	return proofExit(p)
}

// printProof writes the proof to standard output.
func (f *factory) printProof(s *work.Session, p report.Proven, format string) error {
	if f.json {
		line, err := event.Line(p.ProofFinished, f.now(), "")
		if err == nil {
			_, err = f.s.Out.Write(s.Redact.Bytes(line))
		}
		return err
	}
	if format == "md" {
		_, err := fmt.Fprint(f.s.Out, s.Redact.String(p.Markdown()))
		return err
	}
	if f.s.OutTTY {
		return p.Write(f.s.Out, f.outStyles().Renderer, f.s.Width)
	}
	return p.Write(f.s.Out, nil, 0)
}

// proofExit is what prove ends with: the report has said the rest.
func proofExit(p event.ProofFinished) error {
	kinds := map[string]fault.Kind{event.VerdictNothing: fault.NothingToDo, event.VerdictUntried: fault.Environment}
	kind, is := kinds[p.Verdict]
	switch {
	case p.Verdict == event.VerdictProven:
		return nil
	case !is:
		kind = fault.Exhausted
	}
	return exitStatus(fault.ExitCode(fault.New(kind, "", "%s", p.Reason)))
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/booty-cli/booty/internal/ciformat"
	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/detect"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/proof"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/regular"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/pkg/distill"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// proveOptions are what prove is asked for.
type proveOptions struct {
	base, format, time string
	// pull is a number or address, test the command to use.
	pull, test     string
	mutants        int
	setup, comment bool
	challengeOptions
	// given are the flags as they were given: some stand for settings.
	given *pflag.FlagSet
}

func newProve(f *factory) *cobra.Command {
	var o proveOptions
	cmd := &cobra.Command{
		Use:   "prove [REF]",
		Short: "Show whether a change is tested; a model is asked only with --challenge",
		Long: `Show whether a change is tested. booty runs the tests before and after it, the
old tests on the new code, the new tests on the old code, a proving test with
a wrong expectation, and small changes to the changed lines, each of which
should make a test fail. It works in separate work trees; the checkout is not
touched. No model is asked, except with --challenge: then one writes tests
against the change without seeing it, and they run on both sides.

REF is a branch, a commit or a range A..B; the default is everything in this
checkout beyond the default branch, uncommitted changes included. With --pr it
is a pull request, also from a fork; it is never checked out here.

The tests are run with --test-command, else as .booty.yml says, else with the
test command that booty init would try first.

docs/prove.md explains the claims and their limits, docs/challenge.md what a
challenge is, and what it costs.`,
		Example: "  booty prove\n  booty prove my-branch\n  booty prove v1.2..HEAD --mutants 30 --time 20m\n" +
			"  booty prove --pr 42 --comment\n  booty prove --challenge --task \"what it should do\"\n  booty prove --format sarif > proof.sarif",
		Args: cobra.MaximumNArgs(1),
		RunE: f.runE(func(cmd *cobra.Command, args []string) error {
			ref := ""
			if len(args) == 1 {
				ref = args[0]
			}
			o.given = cmd.Flags()
			return proveRun(cmd.Context(), f, ref, o)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&o.base, "base", "", "compare with `BRANCH` instead of the default branch")
	flags.IntVar(&o.mutants, "mutants", 10, "`NUMBER` of small changes to try; 0 tries none")
	flags.StringVar(&o.time, "time", "10m", "report what is known after this `DURATION`")
	flags.StringVar(&o.format, "format", "text",
		"output `FORMAT`: text, md (Markdown), sarif or github (workflow commands)")
	flags.StringVar(&o.pull, "pr", "", "prove pull request `N` (number or URL)")
	flags.BoolVar(&o.comment, "comment", false, "keep one comment on the pull request up to date")
	flags.StringVar(&o.test, "test-command", "", "`COMMAND` that runs the tests")
	o.declare(flags)
	flags.BoolVar(&o.setup, "setup", false, "run setup_command even if its inputs did not change")
	completeWords(cmd)
	return cmd
}

var proofFormats = []string{"text", "md", "sarif", "github"}

// work turns the flags into what is asked of the proof.
func (o proveOptions) work(ref string, asJSON bool) (out runner.ProveOptions, err error) {
	switch {
	case o.pull != "" && (ref != "" || o.base != ""):
		return out, fault.New(fault.Usage, "booty prove --pr "+o.pull,
			"--pr cannot be combined with REF or --base")
	case o.comment && o.pull == "":
		return out, fault.New(fault.Usage, "booty prove --pr N --comment", "--comment needs --pr")
	case !slices.Contains(proofFormats, o.format):
		return out, fault.New(fault.Usage, "", "--format: want text, md, sarif or github, got %q", o.format)
	case o.format != "text" && asJSON:
		return out, fault.New(fault.Usage, "leave one of them out",
			"--format %s and --json cannot be combined", o.format)
	case o.mutants < 0 || o.mutants > 1000:
		return out, fault.New(fault.Usage, "booty prove --mutants 20",
			"--mutants: want a number from 0 to 1000, got %d", o.mutants)
	}
	return runner.ProveOptions{Mutants: o.mutants, Setup: o.setup}, o.check(o.given)
}

// within bounds a context by --time.
func (o proveOptions) within(ctx context.Context) (context.Context, context.CancelFunc, error) {
	d, err := config.ParseAge(o.time)
	if err != nil || d <= 0 {
		return nil, nil, fault.New(fault.Usage, "booty prove --time 10m", "--time: invalid duration %q",
			o.time)
	}
	ctx, stop := context.WithTimeoutCause(ctx, d, proof.ErrTimeUp)
	return ctx, stop, nil
}

// lastWords is how long a comment may take once booty was asked to end.
const lastWords = 1500 * time.Millisecond

// proveRun proves a change and tells what was found.
func proveRun(ctx context.Context, f *factory, ref string, o proveOptions) (err error) {
	w, err := o.work(ref, f.json)
	if err != nil {
		return err
	}
	bounded, stop, err := o.within(ctx)
	if err != nil {
		return err
	}
	defer stop()
	s, err := f.open(ctx, o.needs(o.given))
	if err != nil {
		return err
	}
	defer closing(s, &err)
	if w.Challenge, err = o.asked(f, s); err != nil {
		return err
	}
	if w.MustCount, err = f.testsOf(s.Session, o.test); err != nil {
		return err
	}
	var pull pullrequest.ToProve
	if o.pull != "" {
		pull, err = pullrequest.Proving(bounded, s.Session,
			pullrequest.Options{UserAgent: "booty/" + f.build.Version}, o.pull)
		w.Range, w.Dismissed = pull.Range, pull.Dismissed
		if err == nil && w.Challenge != nil && w.Challenge.Task == "" {
			w.Challenge.Task, err = pull.Task(bounded)
		}
	} else {
		w.Range, err = runner.RangeOf(bounded, s.Session, ref, o.base)
	}
	if err != nil && ctx.Err() == nil && bounded.Err() != nil {
		return fault.New(fault.Environment, "give it more: booty prove --time 20m",
			"%w before the change was known", proof.ErrTimeUp)
	}
	if err != nil {
		return err
	}
	out := f.newOutput(s.Session, "", true)
	defer out.Close()
	if out.screen != nil {
		out.screen.Begin("proof")
	}
	p, err := runner.Prove(bounded, s.Session, w, out.show())
	out.Close()
	if errors.Is(err, runner.ErrDryRun) {
		return f.showDryChallenge(out)
	}
	var failed *runner.ChallengeFailed
	if err != nil && ctx.Err() == nil && !errors.As(err, &failed) {
		return err
	}
	if failed != nil {
		err = nil
	}
	proven := pull.Report(p)
	if stopped := err; stopped != nil { // what is known is said, and no more
		err := f.printProof(s.Session, proven, o.format)
		if o.comment {
			soon, done := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
			defer done()
			err = errors.Join(err, pull.Comment(soon, proven))
		}
		return errors.Join(stopped, err)
	}
	var commented error
	if o.comment { // first: a reader who goes away ends the context
		commented = pull.Comment(ctx, proven)
	}
	err = f.printProof(s.Session, proven, o.format)
	if err != nil && !errors.Is(err, syscall.EPIPE) { // who reads no further needs the exit code
		return err
	}
	if commented != nil {
		return commented
	}
	if failed != nil {
		return failed.Err
	}
	return proofExit(p, s.Settings.Evidence.FailOn)
}

// testsOf sees to it that there is a test command: the one that was given, that of the
// settings, or the best that can be found. unsure says that it must be seen to run tests.
func (f *factory) testsOf(s *runner.Session, given string) (unsure bool, err error) {
	c := &s.Settings.Config
	if given != "" {
		c.TestCommand, c.RerunCommand = config.Commands{given}, ""
		return false, nil
	}
	if len(c.TestCommand) > 0 {
		return false, nil
	}
	found := detect.Look(regular.DirFS(s.Repo.Root())).Choose(nil)
	if err := found.Err(); err != nil {
		return false, fault.New(fault.Usage, "name the test command: booty prove --test-command 'make check'",
			"%w", err)
	}
	best := found.Tests[0]
	c.TestCommand, c.SetupCommand = config.Commands{best.Command}, found.SetupCommand
	f.say("booty: no .booty.yml; running the tests with: %s", best.Command)
	return !best.Certain(), nil
}

// printProof writes the proof to standard output.
func (f *factory) printProof(s *runner.Session, p report.Proven, format string) error {
	if f.json {
		line, err := event.Line(p.ProofFinished, f.now(), "")
		if err == nil {
			_, err = f.s.Out.Write(s.Redact.Bytes(line))
		}
		return err
	}
	switch format {
	case "md":
		_, err := fmt.Fprint(f.s.Out, s.Redact.String(p.Markdown()))
		return err
	case "sarif", "github":
		var b strings.Builder
		if err := ciformat.Write(&b, format, "booty prove",
			findings(p, s.Settings.Evidence.FailOn)); err != nil {
			return err
		}
		_, err := fmt.Fprint(f.s.Out, s.Redact.String(b.String()))
		return err
	}
	p.All = f.verbose
	return p.Write(f.s.Out, f.renderer(), f.outWidth())
}

// proofExit is what prove ends with: the report has said the rest.
func proofExit(p event.ProofFinished, failOn []string) error {
	kinds := map[string]fault.Kind{event.VerdictNothing: fault.NothingToDo,
		event.VerdictUntried: fault.Environment}
	kind, is := kinds[p.Verdict]
	switch {
	case !is && !slices.Contains(failOn, p.Verdict):
		return nil
	case !is:
		kind = fault.Exhausted
	}
	return exitStatus(fault.ExitCode(fault.New(kind, "", "%s", p.Reason)))
}

// verdictKind is how a verdict is shown beside the code: what fails the check as an error, what a
// person should look at as a warning, a survivor as a question.
func verdictKind(p event.ProofFinished, failOn []string) string {
	switch {
	case p.Verdict == event.VerdictPartly && !slices.Contains(failOn, p.Verdict):
		return ciformat.Survivor
	case p.Verdict == event.VerdictUntried || proofExit(p, failOn) != nil:
		return p.Verdict
	}
	return ciformat.Attention
}

// findings are the proof as what editors and build services show beside the code.
func findings(p report.Proven, failOn []string) *distill.Report {
	var r distill.Report
	quiet := []string{event.VerdictProven, event.VerdictKept, event.VerdictNothing}
	if !slices.Contains(quiet, p.ProofFinished.Verdict) {
		r.Failures = append(r.Failures,
			distill.Failure{Kind: verdictKind(p.ProofFinished, failOn), Message: p.Verdict(), File: p.At.File,
				Line: p.At.Line})
	}
	for _, t := range report.Caught(p.Challenge) {
		at := p.At
		if t.File != "" {
			at = event.Place{File: t.File, Line: t.Line}
		}
		r.Failures = append(r.Failures, distill.Failure{Kind: event.VerdictCaught, Test: t.Name, File: at.File, Line: at.Line,
			Message: report.ChallengeWords(t) + ": " + t.Message})
	}
	for _, s := range p.Survivors {
		now := s.Now
		if now == "" || now == ";" {
			now = "nothing"
		}
		r.Failures = append(r.Failures, distill.Failure{Kind: ciformat.Survivor, File: s.File, Line: s.Line,
			Message: "no test notices " + s.What + ": " + s.Was + " changed to " + now})
	}
	return &r
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

func newRun(f *factory) *cobra.Command {
	var o runOptions
	cmd := &cobra.Command{
		Use:   "run [flags] [-]",
		Short: "Implement a task and open a pull request",
		Long: `Implement a task: ask the model for edits, apply them, run the checks, and
repeat until they pass or the attempts are used up. booty works in a separate
work tree and leaves your checkout alone; the result is a branch, and a pull
request if the task is an issue. Give exactly one task:

  --issue N                         a GitHub issue
  --pr N                            what is open on a pull request: failed
                                    checks, review comments, conflicts
  --task TEXT, --task-file FILE, -  a task in words; - reads standard input
  --spec ID, --next                 a pending test, or the next of the queue`,
		Example: `  booty run --task "Add a --json flag to the list command"
  booty run --task-file task.md --max-retries 5
  echo "Fix the typo in the help text" | booty run -
  booty run --issue 42
  booty run --issue https://github.com/owner/name/issues/42 --draft
  booty run --pr 57
  booty run --next --all
  booty run --next --label booty`,
		Args: func(cmd *cobra.Command, args []string) error { return o.check(cmd.Flags(), args) },
		RunE: f.runE(func(cmd *cobra.Command, _ []string) error {
			o.given = cmd.Flags()
			o.patient = o.patient || o.queue.all // an outage ends no night
			switch {
			case o.queue.label != "":
				return runLabelled(cmd.Context(), f, o)
			case o.queue.given():
				return runQueue(cmd.Context(), f, o)
			}
			return runRun(cmd.Context(), f, o)
		}),
	}
	o.declare(cmd.Flags())
	finishFlags(cmd)
	return cmd
}

// runOptions are what run is asked for.
type runOptions struct {
	loopOptions
	task         taskFlags
	queue        queueFlags
	base, branch string
}

// check refuses what is not one task, and takes the words that are no flags.
func (o *runOptions) check(flags *pflag.FlagSet, args []string) error {
	switch words := strings.Join(args, " "); {
	case len(args) > 0 && o.task.text != "":
		return fault.New(fault.Usage, "put the whole task in quotes",
			"what is %q? A task is one argument: --task %q",
			words, o.task.text+" "+words)
	case len(args) > 0 && words != "-":
		return fault.New(fault.Usage, fmt.Sprintf("for example: booty run --task %q", words),
			"unknown argument %q", words)
	}
	o.task.stdin = len(args) == 1
	if namesPull(o.pr) {
		o.task.pull, o.pr = o.pr, ""
	}
	n := 0
	for _, given := range []bool{o.task.issue != "", o.task.pull != "", o.task.text != "", o.task.file != "",
		o.task.stdin,
		o.queue.spec != "", o.queue.next} {
		if given {
			n++
		}
	}
	if n != 1 {
		return fault.New(fault.Usage, `for example: booty run --task "describe the task"`,
			"give exactly one task: --issue N, --pr N, --task TEXT, --task-file FILE, --spec ID, --next or - (standard input)")
	}
	return cmp.Or(o.queue.check(flags), prWord(o.pr))
}

// declare declares the flags of run.
func (o *runOptions) declare(fs *pflag.FlagSet) {
	o.loopOptions.declare(fs, "")
	fs.StringVar(&o.task.issue, "issue", "", "implement GitHub issue `N` (number or URL)")
	fs.StringVar(&o.task.text, "task", "", "`TEXT` of the task")
	fs.StringVar(&o.task.file, "task-file", "", "read the task from `FILE`")
	fs.StringVar(&o.queue.spec, "spec", "",
		"pending test to work on, by its `ID` (booty status --queue lists them)")
	fs.BoolVar(&o.queue.next, "next", false, "work on the next pending test")
	fs.BoolVar(&o.queue.all, "all", false, "with --next: continue until nothing is left, waiting for merges")
	fs.StringVar(&o.queue.label, "label", "",
		"with --next: take the oldest open issue with label `NAME` and no pull request")
	fs.StringVar(&o.base, "base", "", "`BRANCH` to start from and merge into")
	fs.StringVar(&o.branch, "branch", "", "`NAME` of the branch to create")
	fs.BoolVar(&o.restart, "restart", false, "start over, ignoring earlier work on the task")
}

func prWord(s string) error {
	switch s {
	case "", "auto", "draft", "none":
		return nil
	}
	return fmt.Errorf("--pr: unknown mode %q, want auto, draft or none", s)
}

// namesPull reports whether the value of --pr is a pull request to work on.
func namesPull(s string) bool {
	return strings.Contains(s, "://") || s != "" && strings.Trim(s, "#0123456789") == ""
}

// runRun works one task off.
func runRun(ctx context.Context, f *factory, o runOptions) (err error) {
	s, j, err := f.prepare(ctx, o.loopOptions)
	if err != nil {
		return err
	}
	defer closing(s, &err)
	if err := runner.MayTakeBranch(ctx, s.Session, o.branch, o.base, o.task.issue != ""); err != nil {
		return err
	}
	if err := f.take(ctx, s.Session, o, &j); err != nil {
		return err
	}
	return f.workOff(ctx, s, o, j)
}

// workOff works on a job whose task is known.
func (f *factory) workOff(ctx context.Context, s *opened, o runOptions, j runner.Job) error {
	if err := runner.NameBranch(ctx, s.Session, o.branch, o.base, &j); err != nil {
		return err
	}
	if !o.restart {
		if err := runner.CountOn(ctx, s.Session, &j); err != nil {
			return err
		}
	}
	if err := s.apart(ctx, &j); err != nil {
		return err
	}
	err := f.work(ctx, s.Session, j)
	if o.pr == "none" && !f.json && !o.dryRun && j.Shared != nil {
		f.printPullRequest(ctx, s.Session, j.ID)
	}
	return err
}

// printPullRequest prints what the pull request would say that was not wanted.
func (f *factory) printPullRequest(ctx context.Context, s *runner.Session, run string) {
	d, err := s.Journal.Detail(ctx, run, "")
	if err != nil || d.Run.Commit == "" {
		return
	}
	text, err := pastRun{f, s.Journal, d}.pullRequest(ctx)
	if err == nil {
		fmt.Fprintf(f.s.Out, "\n%s\n", s.Redact.String(report.Clean(text)))
	}
}

// take reads the task, and sees what there is of it on GitHub.
func (f *factory) take(ctx context.Context, s *runner.Session, o runOptions, j *runner.Job) (err error) {
	t, gh := o.task, f.github(o.loopOptions)
	gh.Branch = strings.TrimPrefix(o.branch, "refs/heads/")
	if t.issue != "" {
		return pullrequest.ForIssue(ctx, s, gh, t.issue, j)
	}
	if t.pull != "" {
		return pullrequest.ForPull(ctx, s, gh, t.pull, j)
	}
	if t.stdin {
		f.awaitInput("the task")
	}
	if j.Task, err = t.read(f.s.In); err != nil {
		return err
	}
	// It names the branch and stands in commits.
	j.Task.Title = runner.Title(s.Redact.String(j.Task.Text))
	return pullrequest.ForTask(ctx, s, gh, j)
}

// prepare opens what a run needs before its task is known, and begins its job.
func (f *factory) prepare(ctx context.Context, o loopOptions) (*opened, runner.Job, error) {
	s, err := f.open(ctx, needs{settings: o.given, project: true, consent: true, patient: o.patient})
	if err != nil {
		return nil, runner.Job{}, err
	}
	j := runner.Job{ID: journal.NewRunID(), Options: o.options()}
	if o.given != nil {
		j.Options.Flags = changedFlags(o.given)
	}
	if err := f.cassettes(s, o, &j.Options); err != nil {
		return nil, j, errors.Join(err, s.Close())
	}
	return s, j, nil
}

// github is what is asked of the work on GitHub.
func (f *factory) github(o loopOptions) pullrequest.Options {
	return pullrequest.Options{PR: o.pr, Restart: o.restart, DryRun: o.dryRun,
		UserAgent: "booty/" + f.build.Version}
}

// apart goes to a work tree of booty's own for a job.
func (o *opened) apart(ctx context.Context, j *runner.Job) error {
	there, done, err := runner.Apart(ctx, o.Session, j)
	if err != nil {
		return err
	}
	o.Session = there
	o.closing(done)
	return nil
}

package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/pulls"
	"github.com/booty-cli/booty/internal/work"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func (a *app) runCommand() *cobra.Command {
	var t taskFlags
	var o loopFlags
	cmd := &cobra.Command{
		Use:   "run [flags] [-]",
		Short: "Work off one task, from its text to a pull request",
		Long: `Work off one task: ask the model, apply, run the checks, and again, until
they pass or the attempts are used up. The work is done on a branch of its own;
the checkout ends where it began. The task is exactly one of --issue, --task,
--task-file and - (standard input).

Exit codes: 0 checks pass, 1 a bug in booty, 2 usage or configuration, 3 attempts
used up, 4 nothing to do, 5 budget, 6 the model, 7 git or GitHub, 8 refused for
safety, 9 the checks cannot run here, 130 interrupted (booty resume goes on).`,
		Example: `  booty run --task "Add a --json flag to the list command"
  booty run --task-file task.md --max-retries 5
  echo "Fix the typo in the help text" | booty run -
  booty run --issue 42
  booty run --issue https://github.com/owner/name/issues/42 --pr draft`,
		Args: cobra.MatchAll(cobra.MaximumNArgs(1), func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] != "-" {
				return fmt.Errorf("unknown argument %q: a task in words goes with --task", args[0])
			}
			t.stdin = len(args) == 1
			n := 0
			for _, given := range []bool{t.issue != "", t.text != "", t.file != "", t.stdin} {
				if given {
					n++
				}
			}
			if n != 1 {
				return fault.New(fault.Usage, `for example: booty run --task "what is to be done"`,
					"give exactly one task: --issue, --task, --task-file or - for standard input")
			}
			return prWord(o.pr)
		}),
		RunE: a.run(func(cmd *cobra.Command, _ []string) error { return a.runTask(cmd, t, o) }),
	}
	f := cmd.Flags()
	f.StringVar(&t.issue, "issue", "", "work on the GitHub issue `N` (number or URL)")
	f.StringVar(&t.text, "task", "", "work on this `TEXT`")
	f.StringVar(&t.file, "task-file", "", "work on the text in `FILE`")
	o.add(cmd, "")
	f.String("base", "", "begin at, and merge into, this `BRANCH`")
	f.String("branch", "", "work on a branch of this `NAME`")
	f.BoolVar(&o.restart, "restart", false, "begin anew though there is a branch or a pull request for the task")
	f.BoolVar(&o.fork, "fork", false, "push to your own fork (the default where you have no write access)")
	f.BoolVar(&o.worktree, "worktree", false, "work in a work tree of its own; this one may be dirty")
	return cmd
}

func prWord(s string) error {
	switch s {
	case "", "auto", "draft", "none":
		return nil
	}
	return fmt.Errorf("--pr: unknown word %q, want auto, draft or none", s)
}

// runTask opens the house and works the task off.
func (a *app) runTask(cmd *cobra.Command, t taskFlags, o loopFlags) (err error) {
	ctx := cmd.Context()
	s, j, err := a.prepare(ctx, o, cmd.Flags())
	if err != nil {
		return err
	}
	defer closing(s, &err)
	if err := ownBranch(ctx, s.Session, cmd); err != nil {
		return err
	}
	if err := a.take(ctx, s.Session, t, a.github(o), &j); err != nil {
		return err
	}
	if !o.worktree && !o.dryRun {
		if err := work.CleanTree(ctx, s.Session); err != nil {
			return err
		}
	}
	if j.Branch, err = branchFor(ctx, s.Session, flagText(cmd, "branch"), j); err != nil {
		return err
	}
	if j.Base == "" {
		if j.Base = flagText(cmd, "base"); j.Base != "" {
			if _, err := s.Repo.Resolve(ctx, j.Base); err != nil {
				return fault.New(fault.Usage, "git branch --all lists them", "--base: there is no branch or commit %s", j.Base)
			}
		}
	}
	j.Unnamed = j.Shared == nil && flagText(cmd, "branch") == ""
	if !o.restart {
		if err := work.CountOn(ctx, s.Session, &j); err != nil {
			return err
		}
	}
	if err := s.apart(ctx, j); err != nil {
		return err
	}
	return a.work(ctx, s.Session, j)
}

// take reads the task, and sees what there is of it on GitHub.
func (a *app) take(ctx context.Context, s *work.Session, t taskFlags, o pulls.Options, j *work.Job) (err error) {
	if t.issue != "" {
		return pulls.ForIssue(ctx, s, o, t.issue, j)
	}
	if t.stdin {
		a.awaitInput("the task")
	}
	if j.Task, err = t.read(a.s.In); err != nil {
		return err
	}
	// It names the branch and stands in commits.
	j.Task.Title = work.Title(s.Redact.String(j.Task.Text))
	return pulls.ForTask(ctx, s, o, j)
}

// prepare opens what a run needs before its task is known, and begins its job.
func (a *app) prepare(ctx context.Context, o loopFlags, settings *pflag.FlagSet) (*opened, work.Job, error) {
	n := needs{settings: settings, project: true, consent: true, patient: o.patient}
	if !o.worktree {
		n.lock = "run"
	}
	s, err := a.open(ctx, n)
	if err != nil {
		return nil, work.Job{}, err
	}
	j := work.Job{ID: journal.NewRunID(), Options: o.options()}
	if settings != nil {
		j.Options.Flags = changedFlags(settings)
	}
	if err := a.cassettes(s, o, &j.Options); err != nil {
		return nil, j, errors.Join(err, s.Close())
	}
	return s, j, nil
}

// github is what is asked of the work on GitHub.
func (a *app) github(o loopFlags) pulls.Options {
	return pulls.Options{PR: o.pr, Fork: o.fork, Restart: o.restart, DryRun: o.dryRun, UserAgent: "booty/" + a.build.Version}
}

// apart goes to a work tree of its own where the job asks for one.
func (o *opened) apart(ctx context.Context, j work.Job) error {
	if !j.Options.Worktree || j.Options.DryRun {
		return nil
	}
	there, done, err := work.Apart(ctx, o.Session, j.Base)
	if err != nil {
		return err
	}
	o.Session = there
	o.closing(done)
	return nil
}

func flagText(cmd *cobra.Command, name string) string {
	v, _ := cmd.Flags().GetString(name)
	return v
}

// ownBranch refuses a --branch that is not for booty to work on: the one that
// is checked out, and those that work is merged into.
func ownBranch(ctx context.Context, s *work.Session, cmd *cobra.Command) error {
	name := strings.TrimPrefix(flagText(cmd, "branch"), "refs/heads/")
	if name == "" {
		return nil
	}
	current, _, err := s.Repo.Head(ctx)
	if err != nil {
		return err
	}
	why := ""
	switch name {
	case current:
		why = "is checked out"
	case flagText(cmd, "base"), s.Settings.GitHub.Base:
		why = "is the base"
	default:
		if main, err := s.Repo.DefaultBranch(ctx, "origin"); err == nil && main == name {
			why = "is the remote's default branch"
		}
	}
	if _, err := s.Repo.Resolve(ctx, "refs/heads/"+name); err == nil && why == "" && flagText(cmd, "issue") == "" {
		why = "exists already"
	}
	if why == "" {
		return nil
	}
	return fault.New(fault.Usage, "give the work a name of its own, or leave --branch out",
		"--branch: %s %s: a run works on a branch of its own, and never pushes there", name, why)
}

// branchFor names the run's branch: the wanted one, or the next free name.
func branchFor(ctx context.Context, s *work.Session, wanted string, j work.Job) (string, error) {
	if j.Branch != "" { // chosen with a view to what is on GitHub
		return j.Branch, nil
	}
	if wanted != "" {
		return strings.TrimPrefix(wanted, "refs/heads/"), nil
	}
	name := "booty/" + work.Slug(j.Task.Title)
	if j.Task.Number > 0 {
		var err error
		name, err = config.BranchName(s.Settings.GitHub.Branch, config.BranchData{Number: j.Task.Number, Slug: work.Slug(j.Task.Title)})
		if err != nil {
			return "", fault.New(fault.Usage, "mend github.branch in .booty.yml", "name the branch: %w", err)
		}
	}
	return work.FreeBranch(ctx, s.Repo, name), nil
}

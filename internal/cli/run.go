package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/spf13/cobra"
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
	h, err := a.open(ctx, cmd.Flags(), true)
	if err != nil {
		return err
	}
	defer closing(h, &err)
	if err := a.ready(ctx, h, o); err != nil {
		return err
	}
	if err := ownBranch(ctx, h, cmd); err != nil {
		return err
	}
	j := job{o: o, flags: changedFlags(cmd.Flags())}
	if t.issue != "" {
		if err := a.intake(ctx, h, t.issue, &j); err != nil {
			return err
		}
	} else {
		if t.stdin {
			a.awaitInput("the task")
		}
		if j.task, err = t.read(ctx, a.s.In); err != nil {
			return err
		}
		// It names the branch and stands in commits.
		j.task.Title = titleOf(h.redact.String(j.task.text))
	}
	if err := a.publicly(ctx, h, &j); err != nil {
		return err
	}
	if err := a.cleanTree(ctx, h, o); err != nil {
		return err
	}
	if j.branch, err = a.branchFor(ctx, h, cmd, j); err != nil {
		return err
	}
	if j.base == "" {
		if j.base = flagText(cmd, "base"); j.base != "" {
			if _, err := h.repo.Resolve(ctx, j.base); err != nil {
				return fault.New(fault.Usage, "git branch --all lists them", "--base: there is no branch or commit %s", j.base)
			}
		}
	}
	j.unnamed = j.hub == nil && flagText(cmd, "branch") == ""
	if err := a.ownWorktree(ctx, h, j); err != nil {
		return err
	}
	return a.work(ctx, h, j)
}

// ownWorktree makes a work tree for the run where --worktree asks for one.
func (a *app) ownWorktree(ctx context.Context, h *house, j job) error {
	if !j.o.worktree || j.o.dryRun {
		return nil
	}
	at := j.base
	if at == "" {
		at = "HEAD"
	}
	commit, err := h.repo.Resolve(ctx, at)
	if err != nil {
		return err
	}
	w, cleanup, err := h.repo.AddWorktree(ctx, commit)
	if err != nil {
		return err
	}
	h.repo, h.root = w, w.Root()
	h.closers = append(h.closers, func() error { return cleanup(context.WithoutCancel(ctx)) })
	return a.lock(ctx, h, "run")
}

func flagText(cmd *cobra.Command, name string) string {
	v, _ := cmd.Flags().GetString(name)
	return v
}

// ready does what every loop needs before its task is known.
func (a *app) ready(ctx context.Context, h *house, o loopFlags) error {
	var err error
	h.setup = o.setup
	if h.wait.steps, err = a.patience(o); err != nil {
		return err
	}
	if err := a.consent(h); err != nil {
		return err
	}
	if err := a.cassettes(h, o.record, o.replay); err != nil {
		return err
	}
	if err := a.openRecords(ctx, h); err != nil {
		return err
	}
	if o.worktree {
		return nil
	}
	return a.lock(ctx, h, "run")
}

// cleanTree refuses to work where the user's own changes would be in the way.
func (a *app) cleanTree(ctx context.Context, h *house, o loopFlags) error {
	if o.worktree || o.dryRun {
		return nil
	}
	if err := a.unblock(ctx, h); err != nil {
		return err
	}
	dirty, err := a.inTheWay(ctx, h)
	if err != nil || len(dirty) == 0 {
		return err
	}
	return fault.New(fault.Refused, "commit or stash them, or use --worktree; booty refine works on a dirty tree",
		"the work tree has changes: %s", someOf(dirty))
}

// inTheWay lists what differs from the commit, but for settings that booty
// init has just written.
func (a *app) inTheWay(ctx context.Context, h *house) ([]string, error) {
	entries, err := h.repo.Status(ctx)
	if err != nil {
		return nil, err
	}
	var dirty []string
	for _, e := range entries {
		if e.Untracked() && isSettings(e.Path) {
			continue
		}
		dirty = append(dirty, e.Path)
	}
	return dirty, nil
}

func someOf(names []string) string {
	if len(names) > 5 {
		return fmt.Sprintf("%s and %d more", join(names[:5]), len(names)-5)
	}
	return join(names)
}

// unblock looks for a run that was killed here. One whose checkout has been
// put right by hand is forgotten; else the way out is told.
func (a *app) unblock(ctx context.Context, h *house) error {
	st, err := h.repo.Interrupted(ctx)
	if err != nil || st == nil {
		return err
	}
	branch, _, err := h.repo.Head(ctx)
	if err != nil {
		return err
	}
	if st.Origin.RunBranch == "" || branch != st.Origin.RunBranch {
		a.say("booty: run %s was interrupted here; booty resume %s goes on, booty undo %s takes it back", st.Run, st.Run, st.Run)
		return h.repo.ClearState(ctx)
	}
	return fault.New(fault.Refused, fmt.Sprintf("booty resume %s, or booty undo %s, or git switch %s", st.Run, st.Run, originName(st.Origin)),
		"run %s was interrupted and left the checkout on its branch %s", st.Run, branch)
}

func originName(o workspace.Origin) string {
	if o.Branch != "" {
		return o.Branch
	}
	return "--detach " + o.Commit
}

// ownBranch refuses a --branch that is not for booty to work on: the one that
// is checked out, and those that work is merged into.
func ownBranch(ctx context.Context, h *house, cmd *cobra.Command) error {
	name := strings.TrimPrefix(flagText(cmd, "branch"), "refs/heads/")
	if name == "" {
		return nil
	}
	current, _, err := h.repo.Head(ctx)
	if err != nil {
		return err
	}
	why := ""
	switch name {
	case current:
		why = "is checked out"
	case flagText(cmd, "base"), h.cfg.GitHub.Base:
		why = "is the base"
	default:
		if main, err := h.repo.DefaultBranch(ctx, "origin"); err == nil && main == name {
			why = "is the remote's default branch"
		}
	}
	if _, err := h.repo.Resolve(ctx, "refs/heads/"+name); err == nil && why == "" && flagText(cmd, "issue") == "" {
		why = "exists already"
	}
	if why == "" {
		return nil
	}
	return fault.New(fault.Usage, "give the work a name of its own, or leave --branch out",
		"--branch: %s %s: a run works on a branch of its own, and never pushes there", name, why)
}

// branchFor names the run's branch: the wanted one, or the next free name.
func (a *app) branchFor(ctx context.Context, h *house, cmd *cobra.Command, j job) (string, error) {
	if j.branch != "" { // chosen with a view to what is on GitHub
		return j.branch, nil
	}
	if name := flagText(cmd, "branch"); name != "" {
		return strings.TrimPrefix(name, "refs/heads/"), nil
	}
	name := "booty/" + slug(j.task.Title)
	if j.task.Number > 0 {
		var err error
		name, err = config.BranchName(h.cfg.GitHub.Branch, config.BranchData{Number: j.task.Number, Slug: slug(j.task.Title)})
		if err != nil {
			return "", fault.New(fault.Usage, "mend github.branch in .booty.yml", "name the branch: %w", err)
		}
	}
	return freeBranch(ctx, h.repo, name), nil
}

// freeBranch is the first name that no branch has.
func freeBranch(ctx context.Context, repo *workspace.Repo, name string) string {
	for i := 1; ; i++ {
		candidate := numbered(name, i)
		if _, err := repo.Resolve(ctx, "refs/heads/"+candidate); err != nil {
			return candidate
		}
	}
}

func closing(h *house, err *error) {
	if e := h.Close(); e != nil && *err == nil {
		*err = e
	}
}

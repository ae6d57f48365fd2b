package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/workspace"
	"github.com/spf13/cobra"
)

func (a *app) refineCommand() *cobra.Command {
	var o loopFlags
	cmd := &cobra.Command{
		Use:   "refine",
		Short: "Make the failing checks of this checkout pass, in place",
		Long: `Make failing checks pass: someone's, or some agent's, half-done work. Works
on a dirty tree and leaves its changes uncommitted; booty undo takes them back.
With --pr the result is committed on the branch that is checked out, that branch
is pushed, and a pull request opened from it where there is none.`,
		Example: `  booty refine
  booty refine --max-retries 5 --commit
  gh pr checkout 7 && booty refine --pr auto`,
		Args: cobra.MatchAll(cobra.NoArgs, func(*cobra.Command, []string) error { return prWord(o.pr) }),
		RunE: a.run(func(cmd *cobra.Command, _ []string) (err error) {
			ctx := cmd.Context()
			h, err := a.open(ctx, cmd.Flags(), true)
			if err != nil {
				return err
			}
			defer closing(h, &err)
			if err := a.ready(ctx, h, o); err != nil {
				return err
			}
			if err := a.unblock(ctx, h); err != nil {
				return err
			}
			j := job{o: o, refine: true, flags: changedFlags(cmd.Flags())}
			j.task.Task = event.Task{Kind: "refine", Title: "make the failing checks pass"}
			if err := a.publiclyInPlace(ctx, h, &j); err != nil {
				return err
			}
			return a.work(ctx, h, j)
		}),
	}
	o.add(cmd, "none")
	cmd.Flags().String("base", "", "with --pr: the `BRANCH` that the pull request goes into")
	cmd.Flags().BoolVar(&o.commit, "commit", false, "commit the result once the checks pass")
	return cmd
}

// publiclyInPlace makes ready for the pull request of a refine: it comes from
// the branch that is checked out, and holds what is committed there.
func (a *app) publiclyInPlace(ctx context.Context, h *house, j *job) error {
	if j.o.dryRun || j.o.pr == "" || j.o.pr == "none" {
		return nil
	}
	g, err := a.openHub(ctx, h, j.o.fork)
	if err != nil {
		return err
	}
	branch, head, err := h.repo.Head(ctx)
	if err != nil {
		return err
	}
	if err := mayHoldWork(ctx, g, branch); err != nil {
		return err
	}
	if up := h.repo.Upstream(ctx, branch); up != "" && up != "." && up != g.remote && !g.fork {
		return fault.New(fault.Usage, "leave --pr out, and push yourself",
			"refine --pr: %s follows %s, and pull requests of %s come from %s", branch, up, g.repo.Repo, g.remote)
	}
	dirty, err := a.inTheWay(ctx, h)
	if err != nil {
		return err
	}
	if len(dirty) > 0 && j.old == nil {
		return fault.New(fault.Refused, "commit or stash them, or leave --pr out",
			"refine --pr: the pull request would lack what is not committed: %s", someOf(dirty))
	}
	g.head, g.inPlace, j.o.commit = branch, true, true
	if g.pull, err = g.pullFrom(ctx, branch); err != nil {
		return err
	}
	if g.pull != nil {
		g.theirs = !strings.Contains(g.pull.Body, hidden)
		g.base = g.pull.Base
	}
	if !g.fork {
		if err := a.upToDate(ctx, h, g, head); err != nil {
			return err
		}
	}
	j.hub = g
	return nil
}

// mayHoldWork refuses a branch that work is not done on, or not pushed to.
func mayHoldWork(ctx context.Context, g *hub, branch string) error {
	const hint = "git switch -c NAME, then again"
	switch branch {
	case "":
		return fault.New(fault.Usage, hint, "refine --pr: no branch is checked out")
	case g.base, g.repo.DefaultBranch:
		return fault.New(fault.Usage, hint, "refine --pr: %s is what pull requests go into: booty never pushes there", branch)
	}
	b, err := g.client.Branch(ctx, branch)
	if err != nil {
		return err
	}
	if b != nil && b.Protected {
		return fault.New(fault.Refused, hint, "refine --pr: %s is protected: booty never pushes there", branch)
	}
	return nil
}

// upToDate sees, before anything is paid for, that the branch can be pushed.
func (a *app) upToDate(ctx context.Context, h *house, g *hub, head string) error {
	tip, err := a.remoteBranch(ctx, h, g)
	if err != nil || tip == "" {
		return err
	}
	if ok, err := h.repo.Contains(ctx, head, tip); err != nil || ok {
		return err
	}
	return fault.New(fault.Git, fmt.Sprintf("git pull %s %s", g.remote, g.head),
		"refine --pr: %s on GitHub holds commits that are not here: %w", g.head, workspace.ErrNonFastForward)
}

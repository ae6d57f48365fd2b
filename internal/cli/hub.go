package cli

import (
	"context"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/forge"
	"github.com/booty-cli/booty/internal/redact"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/workspace"
)

// hub is GitHub as one run sees it: where its work begins and where it goes.
type hub struct {
	client *forge.Client
	repo   forge.Repository
	// remote of the checkout that leads to the repository.
	remote string
	// issue is what is worked on; nil for a task in words.
	issue *forge.Issue
	// pull is the run's pull request, once there is one.
	pull *forge.PullRequest
	// base is the branch that the pull request goes into, baseCommit its newest commit.
	base, baseCommit string
	// head is the branch on GitHub that is pushed to.
	head string
	// from is what the run begins at, unless it goes on with a local branch (exists).
	from   string
	exists bool
	// continued says that earlier work is gone on with, earlier how many
	// attempts were made for it.
	continued bool
	earlier   int
	// past is what is known of the runs that this one goes on from, wrote the
	// title that booty gave the pull request: another one is a person's.
	past  report.Past
	wrote string
	// closed are the branches whose pull requests were closed: a new one comes
	// from another branch, so that they stay as they are.
	closed map[string]bool
	// conflicts are the paths in which earlier work conflicts with the base.
	conflicts []string
	// settled are those that were settled in this run.
	settled []string
	fork    bool
	// owner is whose fork is pushed to, "" for the repository itself.
	owner string
	// inPlace says that the work is committed on the branch that is checked out
	// (refine), theirs that the branch's pull request was not opened by booty:
	// then its text and state are not booty's to change.
	inPlace, theirs bool
	// undrafted says that the repository has no draft pull requests.
	undrafted bool
}

// trailerRun is the line in a commit's message by which booty knows its own.
const trailerRun = "Booty-Run"

// hidden is how every text that booty posts begins somewhere.
const hidden = "<!-- booty:"

// openHub finds the repository on GitHub and the login for it.
func (a *app) openHub(ctx context.Context, h *house, fork bool) (*hub, error) {
	remotes, err := h.repo.Remotes(ctx)
	if err != nil {
		return nil, err
	}
	var list []forge.Remote
	for _, r := range remotes {
		list = append(list, forge.Remote{Name: r.Name, URLs: r.URLs})
	}
	choice, err := forge.Choose(h.cfg.GitHub.Repo, list, a.getenv)
	if err != nil {
		return nil, err
	}
	login, err := forge.FindLogin(choice.Repo.Host, a.getenv)
	if err != nil {
		return nil, err
	}
	// The token may come from gh's files: then the environment does not tell it.
	h.redact = redact.New(redact.Options{Environ: os.Environ(), Extra: []string{login.Token}})
	client, err := forge.New(forge.Options{
		Repo: choice.Repo, Login: login, Root: a.getenv("GITHUB_API_URL"), GraphQL: a.getenv("GITHUB_GRAPHQL_URL"),
		UserAgent: "booty/" + a.build.Version, Redact: h.redact.String, Notice: func(s string) { a.say("booty: %s", s) },
		Patience: h.wait.steps, OnWait: func(reason string, wait time.Duration) { h.wait.tell("GitHub", reason, wait) },
	})
	if err != nil {
		return nil, err
	}
	g := &hub{client: client, remote: choice.Remote}
	if g.repo, err = client.Repository(ctx); err != nil {
		return nil, err
	}
	if g.repo.Archived {
		return nil, fault.New(fault.Git, "", "%s is archived: it takes no changes", g.repo.Repo)
	}
	g.fork = fork || !g.repo.CanPush
	g.base = h.cfg.GitHub.Base
	if g.base == "" {
		g.base = g.repo.DefaultBranch
	}
	return g, nil
}

// freshBase fetches the base branch.
func (a *app) freshBase(ctx context.Context, h *house, g *hub) error {
	tracking := "refs/remotes/" + g.remote + "/" + g.base
	err := h.wait.network(ctx, func() error {
		return h.repo.FetchWith(ctx, workspace.FetchOptions{
			Remote: g.remote, Refspecs: []string{"+refs/heads/" + g.base + ":" + tracking}, Token: g.client.Token(),
		})
	})
	if err != nil {
		return err
	}
	g.baseCommit, err = h.repo.Resolve(ctx, tracking)
	return err
}

// chooseBranch says where the run works: on with the draft, on with a branch
// that has no pull request yet, or on a new branch. A branch that holds others'
// commits, or is protected, is passed over.
func (a *app) chooseBranch(ctx context.Context, h *house, g *hub, j *job, want string) error {
	j.base = g.remote + "/" + g.base
	if g.pull != nil {
		if ok, err := a.onWithPull(ctx, h, g, j); err != nil || ok {
			return err
		}
	}
	for i := 1; ; i++ {
		g.head = numbered(want, i)
		if g.closed[g.head] {
			continue
		}
		if g.head == g.repo.DefaultBranch || g.head == g.base {
			return fault.New(fault.Usage, "choose another with --branch or github.branch", "%s is what pull requests go into: booty never pushes there", g.head)
		}
		remote, err := a.remoteBranch(ctx, h, g)
		if err != nil {
			return err
		}
		local, _ := h.repo.Resolve(ctx, "refs/heads/"+g.head)
		if remote == "" && local == "" {
			j.branch, g.from = g.head, g.baseCommit
			return nil
		}
		own, err := a.ownBranch(ctx, h, g, remote, local)
		if err != nil {
			return err
		}
		if own && (j.task.Kind == "issue" || j.o.restart) {
			return a.onWithBranch(ctx, h, g, j, remote, local)
		}
	}
}

func numbered(name string, i int) string {
	if i == 1 {
		return name
	}
	return name + "-" + strconv.Itoa(i)
}

// ownBranch says whether all that a branch holds beyond the base is booty's.
func (a *app) ownBranch(ctx context.Context, h *house, g *hub, remote, local string) (bool, error) {
	tip := local
	if remote != "" {
		if err := a.bring(ctx, h, g, "refs/heads/"+g.head); err != nil {
			return false, err
		}
		tip = remote
		b, err := g.client.Branch(ctx, g.head)
		if err != nil || b != nil && b.Protected {
			return false, err
		}
	}
	others, err := h.repo.OthersOn(ctx, g.baseCommit, tip, trailerRun)
	return err == nil && len(others) == 0, err
}

// bring fetches one reference of the remote, so that its commits are here.
func (a *app) bring(ctx context.Context, h *house, g *hub, ref string) error {
	return h.wait.network(ctx, func() error {
		return h.repo.FetchWith(ctx, workspace.FetchOptions{Remote: g.remote, Refspecs: []string{ref}, Token: g.client.Token()})
	})
}

// remoteBranch gives the commit of the run's branch on GitHub, "" where there is none.
func (a *app) remoteBranch(ctx context.Context, h *house, g *hub) (tip string, err error) {
	err = h.wait.network(ctx, func() error {
		tip, err = h.repo.RemoteBranch(ctx, g.remote, g.head, g.client.Token())
		return err
	})
	return tip, err
}

// enter goes on from a commit of earlier work, or, with --restart, begins anew
// under the same name on GitHub. A local branch that differs is left alone.
func (a *app) enter(ctx context.Context, h *house, g *hub, j *job, tip string) error {
	g.from, g.continued = tip, true
	merged, err := h.repo.Contains(ctx, g.baseCommit, tip)
	if err != nil {
		return err
	}
	if j.o.restart || merged {
		g.from, g.continued, g.earlier, g.past = g.baseCommit, false, 0, report.Past{}
	}
	for i := 1; ; i++ {
		j.branch = numbered(g.head, i)
		local, err := h.repo.Resolve(ctx, "refs/heads/"+j.branch)
		if err != nil {
			break // the name is free
		}
		if local == g.from {
			g.exists = true
			break
		}
	}
	if g.continued {
		a.say("booty: going on with %s", g.head)
		if g.pull == nil {
			return a.recall(ctx, h, g, j.task, tip)
		}
	}
	return nil
}

// tellLimits says what booty does not look after.
func (a *app) tellLimits(ctx context.Context, h *house) {
	if has, err := h.repo.HasSubmodules(ctx); err == nil && has {
		a.say("booty: the submodules stay at their commits: booty neither changes nor updates them")
	}
	if has, err := h.repo.HasLFS(ctx); err == nil && has {
		a.say("booty: files in Git LFS are committed and pushed by git's own filters: git-lfs must be installed")
	}
}

// publicly makes ready for the pull request of a task in words.
func (a *app) publicly(ctx context.Context, h *house, j *job) error {
	if j.hub != nil || j.o.dryRun || j.o.pr == "" || j.o.pr == "none" {
		return nil
	}
	g, err := a.openHub(ctx, h, j.o.fork)
	if err != nil {
		return err
	}
	if err := a.findWork(ctx, h, g, j.task, j.o.restart); err != nil {
		return err
	}
	if err := a.freshBase(ctx, h, g); err != nil {
		return err
	}
	want := "booty/" + slug(j.task.Title)
	if j.branch != "" {
		want = j.branch
	}
	if err := a.chooseBranch(ctx, h, g, j, want); err != nil {
		return err
	}
	j.hub = g
	return nil
}

// pullFrom gives the open pull request from a branch; nil where there is none.
func (g *hub) pullFrom(ctx context.Context, branch string) (*forge.PullRequest, error) {
	owner, err := g.headOwner(ctx)
	if err != nil {
		return nil, err
	}
	return g.client.OpenFrom(ctx, owner, branch)
}

// headOwner is whose branches pull requests come from.
func (g *hub) headOwner(ctx context.Context) (string, error) {
	if g.fork {
		return g.client.Me(ctx)
	}
	return g.repo.Repo.Owner, nil
}

// intakeAgain makes ready for publishing a run that is taken up again.
func (a *app) intakeAgain(ctx context.Context, h *house, j *job) error {
	if j.o.pr == "none" || j.o.pr == "" && j.task.Kind != "issue" {
		return nil
	}
	g, err := a.openHub(ctx, h, j.o.fork)
	if err != nil {
		return err
	}
	g.head = j.branch
	if j.task.Kind == "issue" {
		i, err := g.client.Issue(ctx, j.task.Number)
		if err != nil {
			return err
		}
		g.issue = &i
	}
	mark := j.task.marker()
	pulls, err := g.client.Mine(ctx, func(p forge.PullRequest) bool {
		return p.Head == j.branch || strings.Contains(p.Body, mark)
	})
	if err != nil {
		return err
	}
	if len(pulls) > 0 {
		g.remember(&pulls[0])
		g.head = g.pull.Head
		g.fork = g.fork || g.pull.HeadRepo != g.repo.Repo.String()
	}
	if err := a.freshBase(ctx, h, g); err != nil {
		return err
	}
	j.hub = g
	return nil
}

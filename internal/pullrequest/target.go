// Package pullrequest does the work on GitHub. It reads an issue as a task, looks for
// earlier work on it (pull requests, branches, attempts of earlier runs), and prepares the
// branch and the publisher of a run. A session and a job of package runner come in; the job
// goes out with its Shared part filled in.
//
// It never pushes over commits of others and never changes their texts.
package pullrequest

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/workspace"
)

// Options are the command line's options for the work on GitHub.
type Options struct {
	// PR is auto, draft, none or "".
	PR string
	// Restart starts over, DryRun changes nothing.
	Restart, DryRun bool
	// Alone skips an issue with an open pull request by others, or with an earlier final
	// result.
	Alone bool
	// Branch is the wanted branch name, "" for the default.
	Branch string
	// UserAgent identifies booty to GitHub.
	UserAgent string
}

// Target is GitHub as one run sees it: where its work starts and where it goes.
type Target struct {
	s      *runner.Session
	o      Options
	client *github.Client
	repo   github.Repository
	// remote is the remote of the checkout that belongs to the repository.
	remote string
	// issue is the issue to work on; nil for any other task.
	issue *github.Issue
	// pull is the run's pull request, once there is one.
	pull *github.PullRequest
	// base is the branch that the pull request goes into, baseCommit its newest commit.
	base, baseCommit string
	// head is the branch on GitHub to push to.
	head string
	// from is where the run starts, unless it continues on a local branch (exists).
	from   string
	exists bool
	// continued reports whether earlier work is continued; earlier counts its attempts.
	continued bool
	earlier   int
	// past is what is known about earlier runs. wrote is the digest of booty's last title:
	// any other title is a person's.
	past  report.Past
	wrote string
	// summary is the one-line summary of earlier green work.
	summary string
	// closed are branches of closed pull requests. A new pull request uses another branch,
	// so that they stay as they are.
	closed map[string]bool
	fork   bool
	// owner is the owner of the fork to push to, "" for the repository itself.
	owner string
	// refine is set if the work is committed on the current branch (refine). theirs is set
	// if the branch's pull request was not opened by booty: then its text and state are
	// left alone.
	refine, theirs bool
	// todo is what is open on the pull request to work on, memory the state in booty's
	// comment on it; nil for other tasks.
	todo   *todo
	memory pullMemory
	// locks are the lock files of a bot's update.
	locks []string
	// rules are the rules of the base branch.
	rules github.Rules
	// noDrafts is set if the repository has no draft pull requests.
	noDrafts bool
	// fixed, if set, returns the title, which people do not edit.
	fixed func() string
	// ahead, if set, returns the commit that this run has already pushed. The next push
	// goes on top of it.
	ahead func() string
}

// hidden is the beginning of the marker in every text that booty posts.
const hidden = "<!-- booty:"

// Open finds the repository on GitHub and the login for it.
func Open(ctx context.Context, s *runner.Session, o Options) (*Target, error) {
	remotes, err := s.Repo.Remotes(ctx)
	if err != nil {
		return nil, err
	}
	var list []github.Remote
	for _, r := range remotes {
		list = append(list, github.Remote{Name: r.Name, URLs: r.URLs})
	}
	choice, err := github.Choose(s.Settings.GitHub.Repo, list, s.Getenv)
	if err != nil {
		return nil, err
	}
	login, err := github.FindLogin(choice.Repo.Host, s.Getenv)
	if err != nil {
		return nil, err
	}
	// The token may come from gh's files, so the environment does not reveal it.
	s.Redact.Learn(login.Token)
	client, err := github.New(github.Options{
		Repo: choice.Repo, Login: login, Bots: github.Logins(s.Settings.GitHub.TrustedBots), Root: s.Getenv("GITHUB_API_URL"),
		GraphQL:   s.Getenv("GITHUB_GRAPHQL_URL"),
		UserAgent: o.UserAgent, Redact: s.Redact.String,
		Notice:   func(line string) { s.Say("booty: %s", line) },
		Patience: s.Wait.Steps,
		OnWait:   func(reason string, wait time.Duration) { s.Wait.Tell("GitHub", reason, wait) },
	})
	if err != nil {
		return nil, err
	}
	g := &Target{s: s, o: o, client: client, remote: choice.Remote}
	if g.repo, err = client.Repository(ctx); err != nil {
		return nil, err
	}
	if g.repo.Archived {
		return nil, fault.New(fault.Git, "", "%s is archived: it takes no changes", g.repo.Repo)
	}
	g.fork = !g.repo.CanPush
	g.base = cmp.Or(s.Settings.GitHub.Base, g.repo.DefaultBranch)
	return g, nil
}

// Belongs refuses what the user names where it is of another repository.
func (g *Target) Belongs(ctx context.Context, what string, ref github.IssueRef) error {
	if ref.Repo == nil {
		return nil
	}
	same, err := g.client.Is(ctx, *ref.Repo)
	if err != nil || same {
		return err
	}
	theirs, ours := ref.Repo.String(), g.repo.Repo.String()
	if !strings.EqualFold(ref.Repo.Host, g.repo.Repo.Host) {
		theirs, ours = ref.Repo.Host+"/"+theirs, g.repo.Repo.Host+"/"+ours
	}
	return fault.New(fault.Usage, "run booty in a checkout of "+theirs+", or set GH_REPO",
		"the %s belongs to %s, this checkout to %s", what, theirs, ours)
}

// freshBase fetches the base branch.
func (g *Target) freshBase(ctx context.Context) error {
	tracking := "refs/remotes/" + g.remote + "/" + g.base
	err := g.s.Wait.Network(ctx, func() error {
		return g.s.Repo.Fetch(ctx, workspace.FetchOptions{
			Remote: g.remote, Refspecs: []string{"+refs/heads/" + g.base + ":" + tracking},
			Token: g.client.Token(),
		})
	})
	if err != nil {
		return err
	}
	g.baseCommit, err = g.s.Repo.Resolve(ctx, tracking)
	return err
}

// chooseBranch decides where the run works: on the pull request's branch, on a branch
// without a pull request, or on a new branch. It skips a branch that is protected or has
// commits of others.
func (g *Target) chooseBranch(ctx context.Context, j *runner.Job, want string) error {
	j.Base = g.remote + "/" + g.base
	if g.pull != nil {
		if ok, err := g.continuePull(ctx, j); err != nil || ok {
			return err
		}
	}
	for i := 1; ; i++ {
		g.head = runner.Numbered(want, i)
		if g.closed[g.head] {
			continue
		}
		if g.head == g.repo.DefaultBranch || g.head == g.base {
			return fault.New(fault.Usage, "choose another with --branch or github.branch",
				"%s is what pull requests go into: booty never pushes there", g.head)
		}
		remote, err := g.remoteBranch(ctx)
		if err != nil {
			return err
		}
		local, _ := g.s.Repo.Resolve(ctx, "refs/heads/"+g.head)
		if remote == "" && local == "" {
			j.Branch, g.from = g.head, g.baseCommit
			return nil
		}
		own, err := g.ownBranch(ctx, remote, local)
		if err != nil {
			return err
		}
		if own && (j.Task.Kind == "issue" || g.o.Restart) {
			return g.continueBranch(ctx, j, remote, local)
		}
	}
}

// ownBranch reports whether all commits of a branch after the base are booty's.
func (g *Target) ownBranch(ctx context.Context, remote, local string) (bool, error) {
	tip := local
	if remote != "" {
		if err := g.fetchRef(ctx, "refs/heads/"+g.head); err != nil {
			return false, err
		}
		tip = remote
		b, err := g.client.Branch(ctx, g.head)
		if err != nil || b != nil && b.Protected {
			return false, err
		}
	}
	others, err := g.s.Repo.OthersOn(ctx, g.baseCommit, tip, runner.TrailerRun)
	return err == nil && len(others) == 0, err
}

// fetchRef fetches one reference of the remote.
func (g *Target) fetchRef(ctx context.Context, ref string) error {
	return g.s.Wait.Network(ctx, func() error {
		return g.s.Repo.Fetch(ctx, workspace.FetchOptions{Remote: g.remote, Refspecs: []string{ref},
			Token: g.client.Token()})
	})
}

// remoteBranch returns the commit of the run's branch on GitHub, "" if it does not exist.
func (g *Target) remoteBranch(ctx context.Context) (tip string, err error) {
	err = g.s.Wait.Network(ctx, func() error {
		tip, err = g.s.Repo.RemoteBranch(ctx, g.remote, g.head, g.client.Token())
		return err
	})
	return tip, err
}

// continueFrom continues from a commit of earlier work, or, with --restart, starts over under the
// same name on GitHub. A local branch that differs is left alone.
func (g *Target) continueFrom(ctx context.Context, j *runner.Job, tip string) error {
	g.from, g.continued, g.exists = tip, true, false // a target can serve several jobs
	merged, err := g.s.Repo.Contains(ctx, g.baseCommit, tip)
	if err != nil {
		return err
	}
	if g.o.Restart || merged {
		g.from, g.continued, g.earlier, g.past = g.baseCommit, false, 0, report.Past{}
	}
	for i := 1; ; i++ {
		j.Branch = runner.Numbered(g.head, i)
		local, err := g.s.Repo.Resolve(ctx, "refs/heads/"+j.Branch)
		if err != nil {
			break // the name is unused
		}
		if local == g.from {
			g.exists = true
			break
		}
	}
	if g.continued {
		g.s.Say("booty: going on with %s", g.head)
		if g.pull == nil {
			return g.recall(ctx, j.Task, tip)
		}
	}
	return nil
}

// ForTask prepares the pull request of a task given as text.
func ForTask(ctx context.Context, s *runner.Session, o Options, j *runner.Job) error {
	if o.DryRun || o.PR == "" || o.PR == "none" {
		return nil
	}
	g, err := Open(ctx, s, o)
	if err != nil {
		return err
	}
	if err := g.findWork(ctx, j.Task); err != nil {
		return err
	}
	if err := g.freshBase(ctx); err != nil {
		return err
	}
	if err := g.reportRules(ctx); err != nil {
		return err
	}
	want := cmp.Or(o.Branch, j.Branch, "booty/"+runner.Slug(j.Task.Title))
	if err := g.chooseBranch(ctx, j, want); err != nil {
		return err
	}
	j.Shared = g.shared(j.Task)
	return nil
}

// pullFrom returns the open pull request from a branch, or nil.
func (g *Target) pullFrom(ctx context.Context, branch string) (*github.PullRequest, error) {
	owner, err := g.headOwner(ctx)
	if err != nil {
		return nil, err
	}
	return g.client.OpenFrom(ctx, owner, branch)
}

// headOwner returns the owner of the branches that pull requests come from.
func (g *Target) headOwner(ctx context.Context) (string, error) {
	if g.fork {
		return g.client.Me(ctx)
	}
	return g.repo.Repo.Owner, nil
}

// Resume prepares the publishing of a resumed run.
func Resume(ctx context.Context, s *runner.Session, o Options, j *runner.Job) error {
	if o.PR == "none" || o.PR == "" && j.Task.Kind != "issue" && j.Task.Kind != kindPull {
		return nil
	}
	g, err := Open(ctx, s, o)
	if err != nil {
		return err
	}
	if j.Task.Kind == kindPull {
		return g.resumePull(ctx, j)
	}
	g.head = j.Branch
	if j.Task.Kind == "issue" {
		i, err := g.client.Issue(ctx, j.Task.Number)
		if err != nil {
			return err
		}
		g.issue = &i
	}
	mark := j.Task.Marker()
	pulls, err := g.client.Mine(ctx, func(p github.PullRequest) bool {
		return p.Head == j.Branch || strings.Contains(report.Own(p.Body), mark)
	})
	if err != nil {
		return err
	}
	if len(pulls) > 0 {
		g.remember(&pulls[0])
		g.head = g.pull.Head
		g.fork = g.fork || g.pull.HeadRepo != g.repo.Repo.String()
	}
	if err := g.freshBase(ctx); err != nil {
		return err
	}
	// the run started from work that the base lacks
	if j.Again != nil && j.Again.Memory.Start.BaseCommit != "" {
		based, err := s.Repo.Contains(ctx, g.baseCommit, j.Again.Memory.Start.BaseCommit)
		if err != nil {
			return err
		}
		g.continued = !based
	}
	j.Shared = g.shared(j.Task)
	return nil
}

// Repository returns the target's repository.
func (g *Target) Repository() github.Repository { return g.repo }

package pullrequest

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/remote"
	"github.com/booty-cli/booty/internal/runner"
)

// Upstream is the repository on GitHub that pull requests go into, as a checkout and a login see
// it. It is opened once and never changed.
type Upstream struct {
	s      *runner.Session
	client *github.Client
	repo   github.Repository
	// remote is the remote of the checkout that belongs to the repository.
	remote string
}

// Open finds the repository on GitHub and the login for it.
func Open(ctx context.Context, s *runner.Session, o Options) (*Upstream, error) {
	remotes, err := s.Repo.Remote.List(ctx)
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
		Repo: choice.Repo, Login: login, Bots: github.Logins(s.Settings.GitHub.TrustedBots),
		Root: s.Getenv("GITHUB_API_URL"), GraphQL: s.Getenv("GITHUB_GRAPHQL_URL"),
		UserAgent: o.UserAgent, Redact: s.Redact.String,
		Notice:   func(line string) { s.Say("booty: %s", line) },
		Patience: s.Wait.Steps,
		OnWait:   func(reason string, wait time.Duration) { s.Wait.Tell("GitHub", reason, wait) },
	})
	if err != nil {
		return nil, err
	}
	repo, err := client.Repository(ctx)
	if err != nil {
		return nil, err
	}
	if repo.Archived {
		return nil, fault.New(fault.Git, "", "%s is archived: it takes no changes", repo.Repo)
	}
	return &Upstream{s: s, client: client, repo: repo, remote: choice.Remote}, nil
}

// openFor opens the repository that a named issue or pull request belongs to, and returns its
// number.
func openFor(ctx context.Context, s *runner.Session, o Options, what, name string) (*Upstream, int, error) {
	ref, err := github.ParseIssue(name)
	if err != nil {
		return nil, 0, err
	}
	up, err := Open(ctx, s, o)
	if err != nil {
		return nil, 0, err
	}
	return up, ref.Number, up.Belongs(ctx, what, ref)
}

// Belongs refuses what the user names where it is of another repository.
func (u *Upstream) Belongs(ctx context.Context, what string, ref github.IssueRef) error {
	if ref.Repo == nil {
		return nil
	}
	same, err := u.client.Is(ctx, *ref.Repo)
	if err != nil || same {
		return err
	}
	theirs, ours := ref.Repo.String(), u.name()
	if !strings.EqualFold(ref.Repo.Host, u.repo.Repo.Host) {
		theirs, ours = ref.Repo.Host+"/"+theirs, u.repo.Repo.Host+"/"+ours
	}
	return fault.New(fault.Usage, "run booty in a checkout of "+theirs+", or set GH_REPO",
		"the %s belongs to %s, this checkout to %s", what, theirs, ours)
}

// Repository returns what GitHub says about the repository.
func (u *Upstream) Repository() github.Repository { return u.repo }

// Client returns the client for its API.
func (u *Upstream) Client() *github.Client { return u.client }

func (u *Upstream) name() string { return u.repo.Repo.String() }

// base is the branch that a pull request goes into, with its newest commit.
type base struct{ name, commit string }

// baseName is the branch that pull requests go into, unless they say otherwise.
func (u *Upstream) baseName() string {
	return cmp.Or(u.s.Settings.GitHub.Base, u.repo.DefaultBranch)
}

// Base fetches the base branch and returns its name and newest commit.
func (u *Upstream) Base(ctx context.Context) (name, commit string, err error) {
	b, err := u.fetchBase(ctx, u.baseName())
	return b.name, b.commit, err
}

func (u *Upstream) fetchBase(ctx context.Context, name string) (base, error) {
	tracking := "refs/remotes/" + u.remote + "/" + name
	if err := u.Fetch(ctx, "+refs/heads/"+name+":"+tracking); err != nil {
		return base{name: name}, err
	}
	commit, err := u.s.Repo.History.Resolve(ctx, tracking)
	return base{name, commit}, err
}

// Fetch fetches a reference of the repository.
func (u *Upstream) Fetch(ctx context.Context, ref string) error {
	return u.s.Wait.Network(ctx, func() error {
		return u.s.Repo.Remote.Fetch(ctx, remote.FetchOptions{Remote: u.remote, Refspecs: []string{ref},
			Token: u.client.Token()})
	})
}

// fetchPull fetches the commits of a pull request, also of one from a fork.
func (u *Upstream) fetchPull(ctx context.Context, n int) error {
	return u.Fetch(ctx, "refs/pull/"+strconv.Itoa(n)+"/head")
}

// tip returns the commit of a branch on GitHub, "" if it does not exist.
func (u *Upstream) tip(ctx context.Context, branch string) (tip string, err error) {
	err = u.s.Wait.Network(ctx, func() error {
		tip, err = u.s.Repo.Remote.Branch(ctx, u.remote, branch, u.client.Token())
		return err
	})
	return tip, err
}

// Tip returns the commit of a branch on GitHub, "" if it does not exist. own reports whether all
// its commits after a commit of the base are booty's.
func (u *Upstream) Tip(ctx context.Context, base, branch string) (tip string, own bool, err error) {
	if branch == u.repo.DefaultBranch || branch == u.baseName() {
		return "", false, fault.New(fault.Usage, "choose another in specs.branch",
			"%s is what pull requests go into: booty never pushes there", branch)
	}
	if tip, err = u.tip(ctx, branch); err != nil || tip == "" {
		return "", true, err
	}
	own, err = u.owns(ctx, base, branch, tip, "")
	return tip, own, err
}

// owns reports whether all commits of a branch after the base are booty's. remote is its tip on
// GitHub, local the one here, "" where it does not exist.
func (u *Upstream) owns(ctx context.Context, base, branch, remote, local string) (bool, error) {
	tip := local
	if remote != "" {
		if err := u.Fetch(ctx, "refs/heads/"+branch); err != nil {
			return false, err
		}
		tip = remote
		b, err := u.client.Branch(ctx, branch)
		if err != nil || b != nil && b.Protected {
			return false, err
		}
	}
	others, err := u.s.Repo.History.OthersOn(ctx, base, tip, runner.TrailerRun)
	return err == nil && len(others) == 0, err
}

// Conflicts returns the paths in which a pull request conflicts with the newest base.
func (u *Upstream) Conflicts(ctx context.Context, p github.PullRequest) ([]string, error) {
	b, err := u.fetchBase(ctx, u.baseName())
	if err != nil {
		return nil, err
	}
	return u.conflicts(ctx, b, p)
}

func (u *Upstream) conflicts(ctx context.Context, b base, p github.PullRequest) ([]string, error) {
	if err := u.fetchPull(ctx, p.Number); err != nil {
		return nil, nil //nolint:nilerr // if unknown, assume no conflict
	}
	return u.s.Repo.Commits.WouldConflict(ctx, p.Commit, b.commit)
}

// PushBranch sets a branch on GitHub to a commit if it is still at old ("" means that it
// does not exist). Otherwise another machine has changed it, and the error wraps
// git.ErrNonFastForward.
func (u *Upstream) PushBranch(ctx context.Context, branch, commit, old string) error {
	return u.s.Wait.Network(ctx, func() error {
		return u.s.Repo.Remote.Push(ctx, remote.PushOptions{Remote: u.remote, Local: commit, Branch: branch,
			Expect: old, Token: u.client.Token()})
	})
}

// fork reports whether branches are pushed to a fork of the user's.
func (u *Upstream) fork() bool { return !u.repo.CanPush }

// headOwner returns the owner of the branches that pull requests come from.
func (u *Upstream) headOwner(ctx context.Context) (string, error) {
	if u.fork() {
		return u.client.Me(ctx)
	}
	return u.repo.Repo.Owner, nil
}

// pullFrom returns the open pull request from a branch, or nil.
func (u *Upstream) pullFrom(ctx context.Context, branch string) (*github.PullRequest, error) {
	owner, err := u.headOwner(ctx)
	if err != nil {
		return nil, err
	}
	return u.client.OpenFrom(ctx, owner, branch)
}

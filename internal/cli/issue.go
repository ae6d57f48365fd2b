package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/event"
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
	// conflicts are the paths in which earlier work conflicts with the base.
	conflicts []string
	fork      bool
	// owner is whose fork is pushed to, "" for the repository itself.
	owner string
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

// intake reads an issue, sees what there is of it already, and fills in the
// job's task, branch and base.
func (a *app) intake(ctx context.Context, h *house, name string, j *job) error {
	ref, err := forge.ParseIssue(name)
	if err != nil {
		return err
	}
	g, err := a.openHub(ctx, h, j.o.fork)
	if err != nil {
		return err
	}
	if ref.Repo != nil && !ref.Repo.Same(g.repo.Repo) {
		return fault.New(fault.Usage, "run booty in a checkout of "+ref.Repo.String()+", or set GH_REPO",
			"the issue belongs to %s, this checkout to %s", ref.Repo, g.repo.Repo)
	}
	if err := a.readIssue(ctx, h, g, ref.Number, j); err != nil {
		return err
	}
	if j.o.dryRun {
		return nil
	}
	if err := a.findWork(ctx, g, j.o.restart); err != nil {
		return err
	}
	want, err := config.BranchName(h.cfg.GitHub.Branch, config.BranchData{Number: g.issue.Number, Slug: slug(g.issue.Title)})
	if err != nil {
		return fault.New(fault.Usage, "mend github.branch in .booty.yml", "name the branch: %w", err)
	}
	if err := a.freshBase(ctx, h, g); err != nil {
		return err
	}
	if err := a.chooseBranch(ctx, h, g, j, want); err != nil {
		return err
	}
	a.tellLimits(ctx, h)
	return nil
}

// readIssue fills in the task, and refuses what is none.
func (a *app) readIssue(ctx context.Context, h *house, g *hub, n int, j *job) error {
	i, err := g.client.Issue(ctx, n)
	if errors.Is(err, forge.ErrNotFound) {
		return fault.New(fault.Git, "gh issue list shows those that are open", "there is no issue #%d in %s, or this login may not see it", n, g.repo.Repo)
	}
	if err != nil {
		return err
	}
	switch {
	case i.PullRequest:
		return fault.New(fault.Usage, fmt.Sprintf("to mend its checks: gh pr checkout %d && booty refine", n), "#%d is a pull request, not an issue", n)
	case i.State == "closed" && i.Reason == "not_planned":
		return fault.New(fault.NothingToDo, "gh issue reopen "+strconv.Itoa(n), "issue #%d is closed as not planned", n)
	case i.State == "closed":
		return fault.New(fault.NothingToDo, "gh issue reopen "+strconv.Itoa(n), "issue #%d is closed", n)
	}
	g.issue = &i
	var comments []forge.Comment
	left := 0
	if h.cfg.GitHub.Comments != "none" {
		if comments, left, err = g.client.Comments(ctx, i, hidden); err != nil {
			return err
		}
	}
	if left > 0 {
		a.say("booty: %d of the comments on #%d left out: their authors have no write access", left, n)
	}
	j.task = task{Task: event.Task{Kind: "issue", Number: n, Title: titleOf(i.Title)}, text: issueText(i, comments)}
	j.hub = g
	return nil
}

// findWork looks for a pull request of booty's own for the issue.
func (a *app) findWork(ctx context.Context, g *hub, restart bool) error {
	mark := report.Marker("issue", strconv.Itoa(g.issue.Number))
	pulls, err := g.client.Mine(ctx, func(p forge.PullRequest) bool { return strings.Contains(p.Body, mark) })
	if err != nil {
		return err
	}
	for i := range pulls {
		p := &pulls[i]
		if !p.Draft && !restart {
			return fault.New(fault.NothingToDo, "booty run --restart begins anew", "pull request %s for issue #%d is open and ready", p.URL, g.issue.Number)
		}
		if g.pull == nil || g.pull.Draft && !p.Draft {
			g.pull = p
		}
	}
	if g.pull != nil {
		g.earlier = attemptsOf(g.pull.Body)
		return nil
	}
	solvers, err := g.client.Solvers(ctx, g.issue.Number)
	if err != nil {
		return err
	}
	for _, s := range solvers {
		switch {
		case s.State == "MERGED" && !restart:
			return fault.New(fault.NothingToDo, "close the issue, or work on it all the same with --restart",
				"issue #%d is solved already: %s is merged", g.issue.Number, s.URL)
		case s.State == "OPEN":
			a.say("booty: %s by %s is open and would close issue #%d too", s.URL, s.Author, g.issue.Number)
		}
	}
	return nil
}

var attemptsMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<!-- booty:attempts (\d{1,4}) -->`) })

// attemptsOf reads how many attempts a pull request's text tells of.
func attemptsOf(body string) int {
	m := attemptsMark().FindStringSubmatch(body)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// freshBase fetches the base branch.
func (a *app) freshBase(ctx context.Context, h *house, g *hub) error {
	tracking := "refs/remotes/" + g.remote + "/" + g.base
	err := h.repo.FetchWith(ctx, workspace.FetchOptions{
		Remote: g.remote, Refspecs: []string{"+refs/heads/" + g.base + ":" + tracking}, Token: g.client.Token(),
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
		g.head = g.pull.Head
		ref := "refs/heads/" + g.head
		if g.pull.HeadRepo != g.repo.Repo.String() {
			ref, g.fork = "refs/pull/"+strconv.Itoa(g.pull.Number)+"/head", true
		}
		if err := a.bring(ctx, h, g, ref); err != nil {
			return err
		}
		return a.enter(ctx, h, g, j, g.pull.Commit)
	}
	for i := 1; ; i++ {
		g.head = numbered(want, i)
		if g.head == g.repo.DefaultBranch || g.head == g.base {
			return fault.New(fault.Usage, "choose another with --branch or github.branch", "%s is what pull requests go into: booty never pushes there", g.head)
		}
		remote, err := h.repo.RemoteBranch(ctx, g.remote, g.head, g.client.Token())
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
			if remote == "" {
				return a.enter(ctx, h, g, j, local)
			}
			return a.enter(ctx, h, g, j, remote)
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
	return h.repo.FetchWith(ctx, workspace.FetchOptions{Remote: g.remote, Refspecs: []string{ref}, Token: g.client.Token()})
}

// enter goes on from a commit of earlier work, or, with --restart, begins anew
// under the same name on GitHub. A local branch that differs is left alone.
func (a *app) enter(ctx context.Context, h *house, g *hub, j *job, tip string) error {
	g.from, g.continued = tip, true
	if j.o.restart {
		g.from, g.continued, g.earlier = g.baseCommit, false, 0
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
	}
	if g.earlier > 0 {
		if left := h.cfg.MaxRetries - g.earlier; left > 0 {
			j.maxAttempts = left
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

// intakeAgain makes ready for publishing a run that is taken up again.
func (a *app) intakeAgain(ctx context.Context, h *house, j *job) error {
	issue := j.task.Kind == "issue"
	if j.o.pr == "none" || j.o.pr == "" && !issue {
		return nil
	}
	g, err := a.openHub(ctx, h, j.o.fork)
	if err != nil {
		return err
	}
	g.head = j.branch
	ok := func(p forge.PullRequest) bool { return p.Head == j.branch }
	if issue {
		i, err := g.client.Issue(ctx, j.task.Number)
		if err != nil {
			return err
		}
		g.issue = &i
		mark := report.Marker("issue", strconv.Itoa(i.Number))
		ok = func(p forge.PullRequest) bool { return p.Head == j.branch || strings.Contains(p.Body, mark) }
	}
	pulls, err := g.client.Mine(ctx, ok)
	if err != nil {
		return err
	}
	if len(pulls) > 0 {
		g.pull, g.head = &pulls[0], pulls[0].Head
		g.fork = g.fork || g.pull.HeadRepo != g.repo.Repo.String()
	}
	if err := a.freshBase(ctx, h, g); err != nil {
		return err
	}
	j.hub = g
	return nil
}

// maxIssue bounds the text of an issue with its comments, in bytes; the body
// alone gets at most two thirds of it.
const maxIssue = 36000

// issueText is an issue in words, cut from the middle where it is long: the
// beginning says what is wanted, the end what was settled.
func issueText(i forge.Issue, comments []forge.Comment) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", strings.TrimSpace(i.Title))
	if len(i.Labels) > 0 {
		fmt.Fprintf(&b, "\nLabels: %s\n", join(i.Labels))
	}
	body := cutMiddle(tidyText(i.Body), maxIssue*2/3)
	if body != "" {
		b.WriteString("\n" + body + "\n")
	}
	var texts []string
	for _, c := range comments {
		texts = append(texts, fmt.Sprintf("\n## Comment by %s, %s\n\n%s\n", c.Author, c.At.UTC().Format("2006-01-02"),
			cutMiddle(tidyText(c.Body), maxIssue/6)))
	}
	for _, t := range middleOut(texts, maxIssue-b.Len()) {
		b.WriteString(t)
	}
	return strings.TrimSpace(b.String())
}

func tidyText(s string) string {
	return strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD"))
}

// middleOut keeps texts from both ends, the later ones first, as far as they fit.
func middleOut(texts []string, room int) []string {
	first, last := 0, len(texts)
	for first < last {
		n := len(texts[last-1])
		fromEnd := (len(texts)-last)*2 >= first*3 && first < last-1 // three from the end for two from the beginning
		if fromEnd {
			n = len(texts[first])
		}
		if n > room {
			break
		}
		room -= n
		if fromEnd {
			first++
		} else {
			last--
		}
	}
	if first >= last {
		return texts
	}
	out := append([]string{}, texts[:first]...)
	out = append(out, fmt.Sprintf("\n[%d comments left out here]\n", last-first))
	return append(out, texts[last:]...)
}

// cutMiddle keeps the beginning and the end of a long text, by whole lines
// where they are short, and leaves no code block open.
func cutMiddle(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	head := strings.ToValidUTF8(s[:limit*2/3], "")
	tail := strings.ToValidUTF8(s[len(s)-limit/3:], "")
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail = tail[i+1:]
	}
	if strings.Count("\n"+head, "\n```")%2 == 1 {
		head += "\n```"
	}
	if strings.Count("\n"+tail, "\n```")%2 == 1 {
		tail = "```\n" + tail
	}
	return head + fmt.Sprintf("\n\n[%d bytes left out here]\n\n", len(s)-len(head)-len(tail)) + tail
}

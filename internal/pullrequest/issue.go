package pullrequest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// ForIssue reads an issue, looks for earlier work on it, and fills in the job's task,
// branch and base.
func ForIssue(ctx context.Context, s *runner.Session, o Options, name string, j *runner.Job) error {
	ref, err := github.ParseIssue(name)
	if err != nil {
		return err
	}
	g, err := Open(ctx, s, o)
	if err != nil {
		return err
	}
	if err := g.Belongs(ctx, "issue", ref); err != nil {
		return err
	}
	if err := g.readIssue(ctx, ref.Number, j); err != nil {
		return err
	}
	j.Shared = g.shared(j.Task)
	if g.o.DryRun {
		return nil
	}
	want, err := config.BranchName(g.s.Settings.GitHub.Branch,
		config.BranchData{Number: g.issue.Number, Slug: runner.Slug(g.issue.Title)})
	if err != nil {
		return fault.New(fault.Usage, "fix github.branch in .booty.yml", "name the branch: %w", err)
	}
	want = cmp.Or(o.Branch, want)
	if err := g.findWork(ctx, j.Task); err != nil {
		return err
	}
	if err := g.findClosed(ctx, j.Task, want); err != nil {
		return err
	}
	if err := g.freshBase(ctx); err != nil {
		return err
	}
	if err := g.attemptsOnIssue(ctx, j); err != nil {
		return err
	}
	if err := g.chooseBranch(ctx, j, want); err != nil {
		return err
	}
	if err := g.reportRules(ctx); err != nil {
		return err
	}
	j.Shared = g.shared(j.Task)
	return nil
}

// readIssue fills in the task, and refuses an issue that is not one.
func (g *Target) readIssue(ctx context.Context, n int, j *runner.Job) error {
	i, err := g.client.Issue(ctx, n)
	if errors.Is(err, github.ErrNotFound) {
		if place, ok := g.client.BecameDiscussion(ctx, n); ok {
			return fault.New(fault.Git, "use booty run --task for what it asks for",
				"issue #%d is a discussion now: %s", n, place)
		}
		return fault.New(fault.Git, "gh issue list shows those that are open",
			"there is no issue #%d in %s, or this login may not see it", n, g.repo.Repo)
	}
	if err != nil {
		return err
	}
	switch {
	case i.Moved != "":
		return fault.New(fault.Git, "run booty there: booty run --issue "+i.URL,
			"issue #%d was transferred to %s", n, i.URL)
	case i.Locked:
		return fault.New(fault.Git, fmt.Sprintf("gh issue unlock %d", n), "issue #%d is locked", n)
	case i.PullRequest:
		return fault.New(fault.Usage, fmt.Sprintf("booty run --pr %d works on what is open on it", n),
			"#%d is a pull request, not an issue", n)
	case i.State == "closed" && i.Reason == "not_planned":
		return fault.New(fault.NothingToDo, "gh issue reopen "+strconv.Itoa(n),
			"issue #%d is closed as not planned", n)
	case i.State == "closed":
		return fault.New(fault.NothingToDo, "gh issue reopen "+strconv.Itoa(n), "issue #%d is closed", n)
	}
	if err := checkTriggered(i, g.s.Getenv); err != nil {
		return err
	}
	g.issue = &i
	var thread github.Conversation
	if g.s.Settings.GitHub.Comments != "none" {
		if thread, err = g.client.Comments(ctx, i, hidden, fillsTask); err != nil {
			return err
		}
	}
	if thread.Others > 0 {
		g.s.Say("booty: %d of the comments on #%d left out: their authors have no write access",
			thread.Others, n)
	}
	if thread.Unread > 0 {
		g.s.Say("booty: %d comments in the middle of #%d not read: the others fill the task's text",
			thread.Unread, n)
	}
	j.Task = issueTask(i, thread, linkedIssues(ctx, g.client, g.repo.Repo.String(), i, thread.Comments))
	return nil
}

// findWork looks for booty's pull request for the task.
func (g *Target) findWork(ctx context.Context, t runner.Task) error {
	mark := t.Marker()
	pulls, err := g.client.Mine(ctx,
		func(p github.PullRequest) bool { return strings.Contains(report.Own(p.Body), mark) })
	if err != nil {
		return err
	}
	if pulls, err = g.begunHere(ctx, pulls); err != nil {
		return err
	}
	for i := range pulls {
		p := &pulls[i]
		if !p.Draft && !g.o.Restart {
			if clash, err := g.conflicts(ctx, p); err != nil || len(clash) == 0 {
				return cmp.Or(err, openAndReady(p, t))
			}
			g.s.Say("booty: pull request #%d is ready, but in conflict with %s: going on with it", p.Number,
				g.base)
		}
		if g.pull == nil || g.pull.Draft && !p.Draft {
			g.pull = p
		}
	}
	if g.pull != nil {
		g.remember(g.pull)
		return nil
	}
	if g.issue == nil {
		return nil
	}
	return g.findSolvers(ctx)
}

// begunHere keeps pull requests that booty started: the first commit after the base is
// booty's. People may have continued them; what they started is theirs.
func (g *Target) begunHere(ctx context.Context, pulls []github.PullRequest) ([]github.PullRequest, error) {
	var own []github.PullRequest
	for _, p := range pulls {
		if err := g.freshBase(ctx); err != nil {
			return nil, err
		}
		if err := g.fetchRef(ctx, "refs/pull/"+strconv.Itoa(p.Number)+"/head"); err != nil {
			return nil, err
		}
		first, err := g.s.Repo.FirstBeyond(ctx, g.baseCommit, p.Commit)
		if err != nil {
			return nil, err
		}
		if first != "" {
			if run, err := g.s.Repo.Trailer(ctx, first, runner.TrailerRun); err != nil {
				return nil, err
			} else if run == "" {
				g.s.Say("booty: pull request #%d names this task, but was not begun by booty: it is left "+
					"alone", p.Number)
				continue
			}
		}
		own = append(own, p)
	}
	return own, nil
}

// conflicts returns the paths in which a pull request conflicts with the newest base.
func (g *Target) conflicts(ctx context.Context, p *github.PullRequest) ([]string, error) {
	if err := g.freshBase(ctx); err != nil {
		return nil, err
	}
	if err := g.fetchRef(ctx, "refs/pull/"+strconv.Itoa(p.Number)+"/head"); err != nil {
		return nil, nil //nolint:nilerr // if unknown, assume no conflict
	}
	return g.s.Repo.WouldConflict(ctx, p.Commit, g.baseCommit)
}

func openAndReady(p *github.PullRequest, t runner.Task) error {
	return fault.New(fault.NothingToDo, "booty run --restart starts over",
		"pull request %s for %s is open and ready", p.URL, t.Name())
}

// findClosed looks for booty's closed pull requests for the task. A merged one solves it.
// If a person closed the last one, the work is not wanted.
func (g *Target) findClosed(ctx context.Context, t runner.Task, want string) error {
	if g.pull != nil {
		return nil
	}
	owner, err := g.headOwner(ctx)
	if err != nil {
		return err
	}
	g.closed = map[string]bool{}
	var last *github.PullRequest
	for i := 1; ; i++ {
		name := runner.Numbered(want, i)
		pulls, err := g.client.ClosedFrom(ctx, owner, name)
		if err != nil {
			return err
		}
		for _, p := range pulls {
			if !strings.Contains(report.Own(p.Body), t.Marker()) {
				continue
			}
			g.closed[name] = true
			if err := g.noteClosed(ctx, p); err != nil {
				return err
			}
			if last == nil || p.Number > last.Number {
				last = &p
			}
		}
		if !g.closed[name] {
			break
		}
	}
	switch {
	case last == nil || g.o.Restart:
		return nil
	case last.Merged:
		return fault.New(fault.NothingToDo, "close the issue, or start over with --restart",
			"%s is solved already: pull request %s is merged", t.Name(), last.URL)
	}
	return fault.New(fault.NothingToDo,
		"booty run --restart starts over with another pull request; or reopen that one",
		"pull request %s for %s was closed without being merged", last.URL, t.Name())
}

// findSolvers looks for pull requests by others that close the issue.
func (g *Target) findSolvers(ctx context.Context) error {
	solvers, err := g.client.Solvers(ctx, g.issue.Number)
	if err != nil {
		return err
	}
	for _, s := range solvers {
		switch {
		case s.State == "MERGED" && !g.o.Restart:
			return fault.New(fault.NothingToDo, "close the issue, or start over with --restart",
				"issue #%d is solved already: %s is merged", g.issue.Number, s.URL)
		case s.State == "OPEN" && g.o.Alone:
			return fault.New(fault.NothingToDo, "", "%s by %s is open and would close issue #%d", s.URL,
				s.Author,
				g.issue.Number)
		case s.State == "OPEN":
			g.s.Say("booty: %s by %s is open and would close issue #%d too", s.URL, s.Author, g.issue.Number)
		}
	}
	return nil
}

// noteClosed updates the local records of a pull request, since booty status asks no
// server.
func (g *Target) noteClosed(ctx context.Context, p github.PullRequest) error {
	runs, err := g.s.Journal.Runs(ctx, journal.Filter{Repo: g.s.Home})
	if err != nil {
		return err
	}
	for _, r := range runs {
		if r.PullRequest == nil || r.PullRequest.URL != p.URL || r.PullRequest.State != "" {
			continue
		}
		now := *r.PullRequest
		if now.State = "closed"; p.Merged {
			now.State = "merged"
		}
		if err := g.s.Journal.SetPullRequest(ctx, r.ID, now); err != nil {
			return err
		}
	}
	return nil
}

var attemptsMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<!-- booty:attempts (\d{1,4}) -->`) })

// attemptsOf reads the number of attempts in a pull request's text.
func attemptsOf(body string) int {
	m := attemptsMark().FindStringSubmatch(body)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

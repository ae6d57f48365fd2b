package pullrequest

import (
	"cmp"
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// search looks for earlier work on a task.
type search struct {
	up   *Upstream
	o    Options
	task runner.Task
	// issue is what the task is made from; nil for any other.
	issue *github.Issue
	base  base
	// want is the name that the branch of new work gets.
	want string
}

// start finds booty's earlier work on the task, and decides where the run starts. It is an error if
// there is nothing left to do.
func (s search) start(ctx context.Context) (start, error) {
	e, err := s.findPull(ctx)
	if err != nil {
		return start{}, err
	}
	if e.pull != nil || s.issue == nil {
		return s.place(ctx, start{earlier: e}, nil)
	}
	if err := s.solvers(ctx); err != nil {
		return start{}, err
	}
	closed, err := s.closed(ctx)
	if err != nil {
		return start{}, err
	}
	count, err := s.attemptsOnIssue(ctx)
	if err != nil {
		return start{}, err
	}
	return s.place(ctx, start{earlier: earlier{attempts: count.used}, attempts: count}, closed)
}

// findPull finds booty's open pull request for the task. One that is ready needs no more work.
func (s search) findPull(ctx context.Context) (earlier, error) {
	mark := s.task.Marker()
	pulls, err := s.up.client.Mine(ctx,
		func(p github.PullRequest) bool { return strings.Contains(report.Own(p.Body), mark) })
	if err != nil {
		return earlier{}, err
	}
	if pulls, err = s.begunHere(ctx, pulls); err != nil {
		return earlier{}, err
	}
	var found *github.PullRequest
	for i := range pulls {
		p := &pulls[i]
		if !p.Draft && !s.o.Restart {
			if clash, err := s.up.conflicts(ctx, s.base, *p); err != nil || len(clash) == 0 {
				return earlier{}, cmp.Or(err, openAndReady(p, s.task))
			}
			s.up.s.Say("booty: pull request #%d is ready, but in conflict with %s: going on with it", p.Number,
				s.base.name)
		}
		if found == nil || found.Draft && !p.Draft {
			found = p
		}
	}
	return earlierOn(found), nil
}

// begunHere keeps pull requests that booty started: the first commit after the base is
// booty's. People may have continued them; what they started is theirs.
func (s search) begunHere(ctx context.Context, pulls []github.PullRequest) ([]github.PullRequest, error) {
	var own []github.PullRequest
	for _, p := range pulls {
		if err := s.up.fetchPull(ctx, p.Number); err != nil {
			return nil, err
		}
		first, err := s.up.s.Repo.History.FirstBeyond(ctx, s.base.commit, p.Commit)
		if err != nil {
			return nil, err
		}
		if first != "" {
			if run, err := s.up.s.Repo.History.Trailer(ctx, first, runner.TrailerRun); err != nil {
				return nil, err
			} else if run == "" {
				s.up.s.Say("booty: pull request #%d names this task, but was not begun by booty: it is left "+
					"alone", p.Number)
				continue
			}
		}
		own = append(own, p)
	}
	return own, nil
}

func openAndReady(p *github.PullRequest, t runner.Task) error {
	return fault.New(fault.NothingToDo, "booty run --restart starts over",
		"pull request %s for %s is open and ready", p.URL, t.Name())
}

// closed looks for booty's closed pull requests for the task, and returns their branches: a new pull
// request uses another branch, so that they stay as they are. A merged one solves the task. If a
// person closed the last one, the work is not wanted.
func (s search) closed(ctx context.Context) (map[string]bool, error) {
	owner, err := s.up.headOwner(ctx)
	if err != nil {
		return nil, err
	}
	branches := map[string]bool{}
	var last *github.PullRequest
	for i := 1; ; i++ {
		name := runner.Numbered(s.want, i)
		pulls, err := s.up.client.ClosedFrom(ctx, owner, name)
		if err != nil {
			return nil, err
		}
		for _, p := range pulls {
			if !strings.Contains(report.Own(p.Body), s.task.Marker()) {
				continue
			}
			branches[name] = true
			if err := noteClosed(ctx, s.up.s, p); err != nil {
				return nil, err
			}
			if last == nil || p.Number > last.Number {
				last = &p
			}
		}
		if !branches[name] {
			break
		}
	}
	if last == nil || s.o.Restart {
		return branches, nil
	}
	return nil, notWanted(*last, s.task)
}

// notWanted is the error for a task whose last pull request is closed.
func notWanted(last github.PullRequest, t runner.Task) error {
	if last.Merged {
		return fault.New(fault.NothingToDo, "close the issue, or start over with --restart",
			"%s is solved already: pull request %s is merged", t.Name(), last.URL)
	}
	return fault.New(fault.NothingToDo,
		"booty run --restart starts over with another pull request; or reopen that one",
		"pull request %s for %s was closed without being merged", last.URL, t.Name())
}

// solvers looks for pull requests by others that close the issue.
func (s search) solvers(ctx context.Context) error {
	solvers, err := s.up.client.Solvers(ctx, s.issue.Number)
	if err != nil {
		return err
	}
	for _, p := range solvers {
		switch {
		case p.State == "MERGED" && !s.o.Restart:
			return fault.New(fault.NothingToDo, "close the issue, or start over with --restart",
				"issue #%d is solved already: %s is merged", s.issue.Number, p.URL)
		case p.State == "OPEN" && s.o.Alone:
			return fault.New(fault.NothingToDo, "", "%s by %s is open and would close issue #%d", p.URL, p.Author,
				s.issue.Number)
		case p.State == "OPEN":
			s.up.s.Say("booty: %s by %s is open and would close issue #%d too", p.URL, p.Author, s.issue.Number)
		}
	}
	return nil
}

// noteClosed updates the local records of a pull request, since booty status asks no
// server.
func noteClosed(ctx context.Context, s *runner.Session, p github.PullRequest) error {
	runs, err := s.Journal.Runs(ctx, journal.Filter{Repo: s.Home})
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
		if err := s.Journal.SetPullRequest(ctx, r.ID, now); err != nil {
			return err
		}
	}
	return nil
}

package pullrequest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// place decides where the run works: on the pull request's branch, on a branch without a pull
// request, or on a new branch. It skips a branch that is protected or has commits of others, and
// those of closed pull requests.
func (s search) place(ctx context.Context, known start, closed map[string]bool) (start, error) {
	if known.earlier.pull != nil {
		found, ok, err := s.onPull(ctx, known.earlier)
		if err != nil || ok {
			return found, err
		}
		known = start{}
	}
	for i := 1; ; i++ {
		head := runner.Numbered(s.want, i)
		if closed[head] {
			continue
		}
		if head == s.up.repo.DefaultBranch || head == s.base.name {
			return start{}, fault.New(fault.Usage, "choose another with --branch or github.branch",
				"%s is what pull requests go into: booty never pushes there", head)
		}
		remote, err := s.up.tip(ctx, head)
		if err != nil {
			return start{}, err
		}
		local, _ := s.up.s.Repo.History.Resolve(ctx, "refs/heads/"+head)
		if remote == "" && local == "" {
			known.branch = branch{name: head, head: head, fork: s.up.fork(), from: s.base.commit}
			return known, nil
		}
		own, err := s.up.owns(ctx, s.base.commit, head, remote, local)
		if err != nil {
			return start{}, err
		}
		if own && (s.issue != nil || s.o.Restart) {
			found, err := s.onBranch(ctx, known.earlier, head, remote, local)
			found.attempts = known.attempts
			return found, err
		}
	}
}

// onPull continues on the pull request's branch. It returns false if that would discard commits
// of others.
func (s search) onPull(ctx context.Context, e earlier) (found start, ok bool, err error) {
	p, fork := e.pull, s.up.fork()
	if p.HeadRepo == s.up.name() {
		err = s.up.Fetch(ctx, "refs/heads/"+p.Head)
	} else {
		err, fork = s.up.fetchPull(ctx, p.Number), true
	}
	if err != nil {
		return start{}, false, err
	}
	var count attempts
	if s.o.Restart {
		others, err := s.up.s.Repo.History.OthersOn(ctx, s.base.commit, p.Commit, runner.TrailerRun)
		if err != nil {
			return start{}, false, err
		}
		if len(others) > 0 {
			s.up.s.Say("booty: pull request #%d holds commits of %s: it is left as it is, and another one begun",
				p.Number, report.Some(others))
			return start{}, false, nil
		}
	} else if count, err = s.attemptsOnPull(ctx, e); err != nil {
		return start{}, false, err
	}
	found, err = s.continueFrom(ctx, e, p.Head, fork, p.Commit)
	found.attempts = count
	return found, true, err
}

// onBranch continues on one of booty's branches. A pull request whose text was edited so that it no
// longer says that it is booty's is found by its branch.
func (s search) onBranch(ctx context.Context, e earlier, head, remote, local string) (start, error) {
	if remote == "" {
		return s.continueFrom(ctx, e, head, s.up.fork(), local)
	}
	pull, err := s.up.pullFrom(ctx, head)
	if err != nil {
		return start{}, err
	}
	if pull != nil {
		if !pull.Draft && !s.o.Restart {
			if clash, err := s.up.conflicts(ctx, s.base, *pull); err != nil || len(clash) == 0 {
				return start{}, cmp.Or(err, openAndReady(pull, s.task))
			}
		}
		own, err := s.up.client.IsMe(ctx, pull.Author)
		if err != nil {
			return start{}, err
		}
		if own {
			e = earlierOn(pull)
		} else {
			e.pull, e.theirs = pull, true
		}
	}
	return s.continueFrom(ctx, e, head, s.up.fork(), remote)
}

// continueFrom continues from a commit of earlier work, or, with --restart or where it is merged,
// starts over under the same name on GitHub. A local branch that differs is left alone.
func (s search) continueFrom(
	ctx context.Context, e earlier, head string, fork bool, tip string,
) (start, error) {
	found := start{earlier: e, branch: branch{head: head, fork: fork, from: tip, continued: true}}
	merged, err := s.up.s.Repo.History.Contains(ctx, s.base.commit, tip)
	if err != nil {
		return found, err
	}
	if s.o.Restart || merged {
		found.branch.from, found.branch.continued = s.base.commit, false
		found.earlier = e.startedOver()
	}
	b := &found.branch
	for i := 1; ; i++ {
		b.name = runner.Numbered(head, i)
		local, err := s.up.s.Repo.History.Resolve(ctx, "refs/heads/"+b.name)
		if err != nil {
			break // the name is unused
		}
		if local == b.from {
			b.exists = true
			break
		}
	}
	if !b.continued {
		return found, nil
	}
	s.up.s.Say("booty: going on with %s", head)
	if e.pull == nil {
		found.earlier, err = s.recall(ctx, found.earlier, tip)
	}
	return found, err
}

// recall adds what the local records say about a branch without a pull request.
func (s search) recall(ctx context.Context, e earlier, tip string) (earlier, error) {
	in := s.up.s
	runs, err := in.Journal.Runs(ctx, journal.Filter{Repo: in.Home})
	if err != nil {
		return e, err
	}
	e.past.Commit = tip
	for _, r := range slices.Backward(runs) { // oldest first
		if r.Commit == "" || r.Task.Kind != s.task.Kind || r.Task.Number != s.task.Number {
			continue
		}
		if ok, err := in.Repo.History.Contains(ctx, tip, r.Commit); err != nil || !ok {
			continue // work on another branch
		}
		d, err := in.Journal.Detail(ctx, r.ID, in.Home)
		if err != nil {
			return e, err
		}
		e = e.with(r, d.Attempts)
	}
	return e, nil
}

// attemptsOnPull counts earlier attempts for the pull request. They no longer count once the checks
// passed or others have worked on it.
func (s search) attemptsOnPull(ctx context.Context, e earlier) (attempts, error) {
	p := e.pull
	if e.past.Judge && e.past.Commit == p.Commit {
		if s.up.s.Settings.TestEdits == "allow" { // the last commit decides
			return attempts{}, nil
		}
		return attempts{}, aboutPull(fault.New(fault.Exhausted,
			"merge it as it is, make it ready with --test-edits allow, or start over with --restart",
			"pull request #%d waits for a person to judge the lines of old tests in its last commit",
			p.Number), *p)
	}
	if e.attempts == 0 || e.past.Green {
		return attempts{}, nil
	}
	left, usedUp := engine.AttemptsLeft(s.up.s.Settings.MaxRetries, e.attempts,
		fmt.Sprintf("pull request #%d", p.Number))
	if usedUp == nil {
		return attempts{used: e.attempts, left: left}, nil
	}
	if e.past.Commit != "" && e.past.Commit != p.Commit {
		others, err := s.up.s.Repo.History.OthersOn(ctx, e.past.Commit, p.Commit, runner.TrailerRun)
		if err != nil || len(others) > 0 {
			s.up.s.Say("booty: others have worked on pull request #%d since: its attempts are counted from one again",
				p.Number)
			return attempts{}, nil //nolint:nilerr // the commit was replaced by others
		}
	}
	return attempts{}, aboutPull(usedUp, *p)
}

// attemptsOnIssue counts the attempts noted in the failure comment on the issue.
func (s search) attemptsOnIssue(ctx context.Context) (attempts, error) {
	if s.o.Restart {
		return attempts{}, nil
	}
	n := s.issue.Number
	old, err := s.up.client.FindComment(ctx, n, report.FailureMarker(n))
	if err != nil || old == nil {
		return attempts{}, err
	}
	if s.o.Alone && strings.Contains(old.Body, readMark(s.task)) {
		return attempts{}, fault.New(fault.NothingToDo,
			fmt.Sprintf("booty run --issue %d works on it all the same", n),
			"booty has ended with issue #%d, and nobody has said anything since", n)
	}
	used := attemptsIn(old.Body)
	left, err := engine.AttemptsLeft(s.up.s.Settings.MaxRetries, used, "issue #"+strconv.Itoa(n))
	return attempts{used: used, left: left}, err
}

// Error is an error about a pull request.
type Error struct {
	error
	Pull event.PullRequest
}

// Unwrap returns the wrapped error.
func (e *Error) Unwrap() error { return e.error }

// About attaches a pull request to an error.
func About(err error, p event.PullRequest) error { return &Error{error: err, Pull: p} }

func aboutPull(err error, p github.PullRequest) error {
	return About(err, event.PullRequest{Number: p.Number, URL: p.URL, Draft: p.Draft})
}

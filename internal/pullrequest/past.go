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

// continuePull continues on the pull request's branch. It returns false if that would
// discard commits of others.
func (g *Target) continuePull(ctx context.Context, j *runner.Job) (bool, error) {
	ref, fork := "refs/heads/"+g.pull.Head, g.fork
	if g.pull.HeadRepo != g.repo.Repo.String() {
		ref, fork = "refs/pull/"+strconv.Itoa(g.pull.Number)+"/head", true
	}
	if err := g.fetchRef(ctx, ref); err != nil {
		return false, err
	}
	if g.o.Restart {
		others, err := g.s.Repo.OthersOn(ctx, g.baseCommit, g.pull.Commit, runner.TrailerRun)
		if err != nil {
			return false, err
		}
		if len(others) > 0 {
			g.s.Say("booty: pull request #%d holds commits of %s: it is left as it is, and another one begun",
				g.pull.Number, report.Some(others))
			g.forget()
			return false, nil
		}
	} else if err := g.attemptsLeft(ctx, j); err != nil {
		return false, err
	}
	g.head, g.fork = g.pull.Head, fork
	return true, g.continueFrom(ctx, j, g.pull.Commit)
}

// attemptsLeft counts earlier attempts for the pull request. They no longer count once the
// checks passed or others have worked on it.
func (g *Target) attemptsLeft(ctx context.Context, j *runner.Job) error {
	if g.past.Judge && g.past.Commit == g.pull.Commit {
		if g.s.Settings.TestEdits == "allow" { // the last commit decides
			return nil
		}
		return g.about(fault.New(fault.Exhausted,
			"merge it as it is, make it ready with --test-edits allow, or start over with --restart",
			"pull request #%d waits for a person to judge the lines of old tests in its last commit",
			g.pull.Number))
	}
	if g.earlier == 0 || g.past.Green {
		return nil
	}
	left, usedUp := engine.AttemptsLeft(g.s.Settings.MaxRetries, g.earlier,
		fmt.Sprintf("pull request #%d", g.pull.Number))
	if usedUp == nil {
		j.MaxAttempts, j.Earlier = left, g.earlier
		return nil
	}
	if g.past.Commit != "" && g.past.Commit != g.pull.Commit {
		if others, err := g.s.Repo.OthersOn(ctx, g.past.Commit, g.pull.Commit,
			runner.TrailerRun); err != nil ||
			len(others) > 0 {
			g.s.Say("booty: others have worked on pull request #%d since: its attempts are counted from "+
				"one again",
				g.pull.Number)
			return nil //nolint:nilerr // the commit was replaced by others
		}
	}
	return g.about(usedUp)
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

func (g *Target) about(err error) error {
	return About(err, event.PullRequest{Number: g.pull.Number, URL: g.pull.URL, Draft: g.pull.Draft})
}

// attemptsOnIssue counts the attempts noted in the failure comment on the issue, if no pull
// request has them.
func (g *Target) attemptsOnIssue(ctx context.Context, j *runner.Job) error {
	if g.pull != nil || g.issue == nil || g.o.Restart {
		return nil
	}
	old, err := g.client.FindComment(ctx, g.issue.Number, report.FailureMarker(g.issue.Number))
	if err != nil || old == nil {
		return err
	}
	if g.o.Alone && strings.Contains(old.Body, readMark(j.Task)) {
		return fault.New(fault.NothingToDo,
			fmt.Sprintf("booty run --issue %d works on it all the same", g.issue.Number),
			"booty has ended with issue #%d, and nobody has said anything since", g.issue.Number)
	}
	n := attemptsOf(old.Body)
	left, err := engine.AttemptsLeft(g.s.Settings.MaxRetries, n, "issue #"+strconv.Itoa(g.issue.Number))
	if err != nil {
		return err
	}
	g.earlier, j.Earlier, j.MaxAttempts = n, n, left
	return nil
}

// continueBranch continues on one of booty's branches. A pull request whose text was edited
// so that it no longer says that it is booty's is found by its branch.
func (g *Target) continueBranch(ctx context.Context, j *runner.Job, remote, local string) error {
	if remote == "" {
		return g.continueFrom(ctx, j, local)
	}
	pull, err := g.pullFrom(ctx, g.head)
	if err != nil {
		return err
	}
	if pull != nil {
		if !pull.Draft && !g.o.Restart {
			if clash, err := g.conflicts(ctx, pull); err != nil || len(clash) == 0 {
				return cmp.Or(err, openAndReady(pull, j.Task))
			}
		}
		own, err := g.client.IsMe(ctx, pull.Author)
		if err != nil {
			return err
		}
		if g.theirs = !own; own {
			g.remember(pull)
		} else {
			g.pull = pull
		}
	}
	return g.continueFrom(ctx, j, remote)
}

// remember makes a pull request the run's own, with its history.
func (g *Target) remember(pull *github.PullRequest) {
	g.pull, g.earlier, g.past, g.wrote = pull, attemptsOf(pull.Body), report.Past{}, ""
	if past := report.PastOf(pull.Body); past != nil {
		g.earlier, g.past, g.wrote = past.Attempts(), *past, past.Title
	}
}

// forget makes the run one without a pull request.
func (g *Target) forget() {
	g.pull, g.earlier, g.past, g.wrote = nil, 0, report.Past{}, ""
}

// recall reads the local records about a branch without a pull request.
func (g *Target) recall(ctx context.Context, t runner.Task, tip string) error {
	runs, err := g.s.Journal.Runs(ctx, journal.Filter{Repo: g.s.Home})
	if err != nil {
		return err
	}
	g.past.Commit = tip
	for _, r := range slices.Backward(runs) { // oldest first
		if r.Commit == "" || r.Task.Kind != t.Kind || r.Task.Number != t.Number {
			continue
		}
		if ok, err := g.s.Repo.Contains(ctx, tip, r.Commit); err != nil || !ok {
			continue // work on another branch
		}
		d, err := g.s.Journal.Detail(ctx, r.ID, g.s.Home)
		if err != nil {
			return err
		}
		g.past.Runs = append(g.past.Runs, report.RunOf(r, d.Attempts))
		if g.past.Green = r.Outcome == event.Green; g.past.Green {
			if kept := mainOf(d.Attempts); kept != nil {
				g.past.Prose, g.summary = report.Prose(kept.Prose), kept.Summary
			}
		}
	}
	return nil
}

// mainOf finds the attempt whose summary describes the work: the green one, else the last
// that was not rolled back; nil if none changed anything.
func mainOf(attempts []journal.Attempt) *journal.Attempt {
	var main *journal.Attempt
	for i := range attempts {
		a := &attempts[i]
		if a.Summary == "" || len(a.Files) == 0 || a.Outcome == event.RolledBack {
			continue
		}
		if main == nil || main.Outcome != event.Green || a.Outcome == event.Green {
			main = a
		}
	}
	return main
}

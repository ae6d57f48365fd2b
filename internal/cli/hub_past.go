package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/forge"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
)

// onWithPull goes on with the pull request's branch, or says false: what is to
// begin anew must not take others' commits away.
func (a *app) onWithPull(ctx context.Context, h *house, g *hub, j *job) (bool, error) {
	ref, fork := "refs/heads/"+g.pull.Head, g.fork
	if g.pull.HeadRepo != g.repo.Repo.String() {
		ref, fork = "refs/pull/"+strconv.Itoa(g.pull.Number)+"/head", true
	}
	if err := a.bring(ctx, h, g, ref); err != nil {
		return false, err
	}
	if j.o.restart {
		others, err := h.repo.OthersOn(ctx, g.baseCommit, g.pull.Commit, trailerRun)
		if err != nil {
			return false, err
		}
		if len(others) > 0 {
			a.say("booty: pull request #%d holds commits of %s: it is left as it is, and another one begun", g.pull.Number, someOf(others))
			g.forget()
			return false, nil
		}
	} else if err := a.attemptsLeft(ctx, h, g, j); err != nil {
		return false, err
	}
	g.head, g.fork = g.pull.Head, fork
	return true, a.enter(ctx, h, g, j, g.pull.Commit)
}

// attemptsLeft counts those that were made for the pull request already. Once
// the checks passed, or others have worked on it, they say nothing any more.
func (a *app) attemptsLeft(ctx context.Context, h *house, g *hub, j *job) error {
	if g.past.Judge && g.past.Commit == g.pull.Commit {
		if h.cfg.TestEdits == "allow" { // its last commit is judged by that
			return nil
		}
		a.pull = &event.PullRequest{Number: g.pull.Number, URL: g.pull.URL, Draft: g.pull.Draft}
		return fault.New(fault.Exhausted, "merge it as it is, or booty run --test-edits allow makes it ready, or --restart begins anew",
			"pull request #%d waits for a person to judge the lines of old tests in its last commit", g.pull.Number)
	}
	if g.earlier == 0 || g.past.Green {
		return nil
	}
	if left := h.cfg.MaxRetries - g.earlier; left > 0 {
		j.maxAttempts, j.earlier = left, g.earlier
		return nil
	}
	if g.past.Commit != "" && g.past.Commit != g.pull.Commit {
		if others, err := h.repo.OthersOn(ctx, g.past.Commit, g.pull.Commit, trailerRun); err != nil || len(others) > 0 {
			a.say("booty: others have worked on pull request #%d since: its attempts are counted anew", g.pull.Number)
			return nil //nolint:nilerr // a commit that is gone was replaced by others
		}
	}
	a.pull = &event.PullRequest{Number: g.pull.Number, URL: g.pull.URL, Draft: g.pull.Draft}
	return usedUp(g.earlier, fmt.Sprintf("pull request #%d", g.pull.Number))
}

func usedUp(n int, of string) error {
	hint := "--restart begins anew"
	if n < maxRetries {
		hint += fmt.Sprintf(", --max-retries %d allows one more", n+1)
	}
	if n == 1 {
		return fault.New(fault.Exhausted, hint, "the only attempt of %s is used up", of)
	}
	return fault.New(fault.Exhausted, hint, "all %d attempts of %s are used up", n, of)
}

// attemptsTold counts the attempts that the failure comment on the issue tells
// of, where no pull request does.
func (a *app) attemptsTold(ctx context.Context, h *house, g *hub, j *job) error {
	if g.pull != nil || g.issue == nil || j.o.restart {
		return nil
	}
	old, err := g.client.FindComment(ctx, g.issue.Number, report.FailureMarker(g.issue.Number))
	if err != nil || old == nil {
		return err
	}
	n := attemptsOf(old.Body)
	if left := h.cfg.MaxRetries - n; left > 0 {
		g.earlier, j.earlier, j.maxAttempts = n, n, left
		return nil
	}
	return usedUp(n, "issue #"+strconv.Itoa(g.issue.Number))
}

// maxRetries is the highest that max_retries may be.
const maxRetries = 10

// onWithBranch goes on with a branch of booty's own. A pull request from it
// whose text no longer says that it is booty's is found by the branch alone.
func (a *app) onWithBranch(ctx context.Context, h *house, g *hub, j *job, remote, local string) error {
	if remote == "" {
		return a.enter(ctx, h, g, j, local)
	}
	pull, err := g.pullFrom(ctx, g.head)
	if err != nil {
		return err
	}
	if pull != nil {
		if !pull.Draft && !j.o.restart {
			if clash, err := a.clashes(ctx, h, g, pull); err != nil || len(clash) == 0 {
				return cmp.Or(err, openAndReady(pull, j.task))
			}
		}
		g.remember(pull)
	}
	return a.enter(ctx, h, g, j, remote)
}

// remember takes a pull request for the run's own, with what it tells of its past.
func (g *hub) remember(pull *forge.PullRequest) {
	g.pull, g.earlier, g.past, g.wrote = pull, attemptsOf(pull.Body), report.Past{}, ""
	if past := report.PastOf(pull.Body); past != nil {
		g.earlier, g.past, g.wrote = past.Attempts(), *past, past.Title
	}
}

// forget makes the run one without a pull request.
func (g *hub) forget() {
	g.pull, g.earlier, g.past, g.wrote = nil, 0, report.Past{}, ""
}

// recall tells from the records here what led to a branch that has no pull
// request yet.
func (a *app) recall(ctx context.Context, h *house, g *hub, t task, tip string) error {
	runs, err := h.journal.Runs(ctx, journal.Filter{Repo: h.home})
	if err != nil {
		return err
	}
	g.past.Commit = tip
	for _, r := range slices.Backward(runs) { // the oldest first
		if r.Commit == "" || r.Task.Kind != t.Kind || r.Task.Number != t.Number {
			continue
		}
		if ok, err := h.repo.Contains(ctx, tip, r.Commit); err != nil || !ok {
			continue // the work of another branch
		}
		d, err := h.journal.Detail(ctx, r.ID, h.home)
		if err != nil {
			return err
		}
		g.past.Runs = append(g.past.Runs, report.RunOf(r, d.Attempts))
		g.past.Green = r.Outcome == "green"
		if main := mainOf(d.Attempts); main != nil && g.past.Summary == "" {
			g.past.Summary, g.past.Prose = main.Summary, proseOf(ctx, h, *main)
		}
		if m, err := a.memoryOf(ctx, h, r); err == nil && m != nil && m.Evidence != nil {
			g.past.Evidence = m.Evidence
		}
	}
	return nil
}

// mainOf finds the attempt whose words tell what the work is about; nil where
// none changed anything.
func mainOf(attempts []journal.Attempt) *journal.Attempt {
	i := engine.LargestChange(len(attempts), func(i int) []event.File {
		if a := attempts[i]; a.Outcome != "rolled_back" && a.Summary != "" {
			return a.Files
		}
		return nil
	})
	if i < 0 {
		return nil
	}
	return &attempts[i]
}

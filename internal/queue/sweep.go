package queue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
)

// sweepWindow is how far back a turn looks for leftovers of this machine.
const sweepWindow = 30 * 24 * time.Hour

// sweep updates the local records with the state of their pull requests, since booty status
// asks no server, and deletes local branches whose work is merged. It leaves the labels of
// such a pull request to Tidy.
func (q *Queue) sweep(ctx context.Context, situation *Situation) error {
	runs, err := q.s.Journal.Runs(ctx, journal.Filter{Repo: q.s.Home, Since: q.s.Now().Add(-sweepWindow)})
	if err != nil {
		return err
	}
	for _, r := range runs {
		if r.Task.Kind != "spec" || r.PullRequest == nil || r.PullRequest.State != "" {
			continue
		}
		n := r.PullRequest.Number
		p, known := q.pulls[n]
		if !known {
			p, err = q.client.PullRequest(ctx, n)
			if err != nil && !errors.Is(err, github.ErrNotFound) {
				return err
			}
			q.pulls[n] = p
			if pull := q.pullOf(p); p.Merged && pull.has(q.labels.States()...) {
				situation.Merged = append(situation.Merged, pull)
			}
		}
		if p.URL != r.PullRequest.URL { // another repository: the remote has changed
			continue
		}
		if err := q.noteState(ctx, r, p); err != nil {
			return err
		}
		if p.Merged {
			if err := q.dropBranch(ctx, r, p); err != nil {
				return err
			}
		}
	}
	return nil
}

// noteState records the current state of a run's pull request.
func (q *Queue) noteState(ctx context.Context, r record.Run, p github.PullRequest) error {
	now := *r.PullRequest
	now.Draft = p.Draft
	switch {
	case p.Merged:
		now.State = "merged"
	case p.State == "closed":
		now.State = "closed"
	}
	if now == *r.PullRequest {
		return nil
	}
	return q.s.Journal.SetPullRequest(ctx, r.ID, now)
}

// dropBranch deletes the local branch of a run whose pull request is merged, unless it has
// commits that are neither the run's nor part of the pull request.
func (q *Queue) dropBranch(ctx context.Context, r record.Run, p github.PullRequest) error {
	branch := r.MadeBranch()
	if branch == "" {
		return nil
	}
	tip, err := q.s.Repo.History.Resolve(ctx, "refs/heads/"+branch)
	if err != nil || tip == "" {
		return nil //nolint:nilerr // no such branch
	}
	merged := tip == r.Commit
	if !merged {
		if err := q.up.Fetch(ctx, fmt.Sprintf("refs/pull/%d/head", p.Number)); err != nil {
			return err
		}
		if merged, err = q.s.Repo.History.Contains(ctx, p.Commit, tip); err != nil {
			return err
		}
	}
	if !merged {
		q.s.Say("booty: branch %s holds commits that were not merged with pull request #%d: it stays here",
			branch, p.Number)
		return nil
	}
	return q.s.Repo.Branches.Drop(ctx, branch, tip)
}

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

// sweptFor is how far back a turn looks for what this machine has left.
const sweptFor = 30 * 24 * time.Hour

// sweep notes in the records what became of the pull requests of runs here, which booty
// status asks no server for, and deletes the branches in this repository whose work is
// merged. Labels of such a pull request are left to be tidied.
func (q *Queue) sweep(ctx context.Context, sit *Situation) error {
	runs, err := q.s.Journal.Runs(ctx, journal.Filter{Repo: q.s.Home, Since: q.s.Now().Add(-sweptFor)})
	if err != nil {
		return err
	}
	for _, r := range runs {
		if r.Task.Kind != "spec" || r.PullRequest == nil || r.PullRequest.State != "" {
			continue
		}
		n := r.PullRequest.Number
		p, known := q.known[n]
		if !known {
			p, err = q.client.PullRequest(ctx, n)
			if err != nil && !errors.Is(err, github.ErrNotFound) {
				return err
			}
			q.known[n] = p
			if pull := q.pullOf(p); p.Merged && pull.has(q.labels.States()...) {
				sit.Merged = append(sit.Merged, pull)
			}
		}
		if p.URL != r.PullRequest.URL { // of another repository: the remote has changed
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

// noteState notes on a run how its pull request is now.
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
	return q.s.Journal.UpdateRun(ctx, journal.Run{ID: r.ID, PullRequest: &now})
}

// dropBranch deletes the local branch of a run whose pull request is merged, unless it
// holds commits that are neither the run's own nor part of the pull request.
func (q *Queue) dropBranch(ctx context.Context, r record.Run, p github.PullRequest) error {
	branch := r.MadeBranch()
	if branch == "" {
		return nil
	}
	tip, err := q.s.Repo.Resolve(ctx, "refs/heads/"+branch)
	if err != nil || tip == "" {
		return nil //nolint:nilerr // there is none
	}
	merged := tip == r.Commit
	if !merged {
		if err := q.target.Fetch(ctx, fmt.Sprintf("refs/pull/%d/head", p.Number)); err != nil {
			return err
		}
		if merged, err = q.s.Repo.Contains(ctx, p.Commit, tip); err != nil {
			return err
		}
	}
	if !merged {
		q.s.Say("booty: branch %s holds commits that were not merged with pull request #%d: it stays here", branch, p.Number)
		return nil
	}
	return q.s.Repo.DropBranch(ctx, branch, tip)
}

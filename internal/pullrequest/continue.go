package pullrequest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/runner"
)

// ForPull turns what is open on a pull request into a task, and fills in the job.
func ForPull(ctx context.Context, s *runner.Session, o Options, name string, j *runner.Job) error {
	ref, err := github.ParseIssue(name)
	if err != nil {
		return err
	}
	g, err := Open(ctx, s, o)
	if err != nil {
		return err
	}
	if err := g.Belongs(ctx, "pull request", ref); err != nil {
		return err
	}
	if err := g.readPull(ctx, ref.Number); err != nil {
		return err
	}
	if err := g.loadPull(ctx); err != nil {
		return err
	}
	g.todo.asked = j.Options.Hint
	switch n := g.todo.left; {
	case n == 1:
		s.Say("booty: 1 review comment on #%d left out: its author has no write access", ref.Number)
	case n > 1:
		s.Say("booty: %d review comments on #%d left out: their authors have no write access", n, ref.Number)
	}
	if bots := g.todo.bots; len(bots) > 0 {
		s.Say("booty: review comments by bots on #%d left out: %s; github.trusted_bots lets them in",
			ref.Number, strings.Join(bots, ", "))
	}
	if g.todo.none() {
		return fault.New(fault.NothingToDo,
			"booty run --pr N --hint \"what to change\" asks for something else",
			"nothing is open on pull request #%d: no failed check, no unresolved review comment, no "+
				"conflict with %s",
			ref.Number, g.base)
	}
	if err := g.reportRules(ctx); err != nil {
		return err
	}
	s.Say("booty: open on #%d: %s", ref.Number, g.todo.summary())
	if err := g.pullAttempts(g.memory, j); err != nil {
		return err
	}
	j.Options.Hint = "" // the hint is a part of the task
	j.Task = pullTask(*g.pull, *g.todo)
	if err := g.startPull(ctx, j); err != nil {
		return err
	}
	j.Shared = g.shared(j.Task)
	return nil
}

// loadPull fetches the two sides of the pull request, and what is open on it.
func (g *Target) loadPull(ctx context.Context) error {
	if err := g.freshBase(ctx); err != nil {
		return err
	}
	if err := g.fetchRef(ctx, "refs/pull/"+strconv.Itoa(g.pull.Number)+"/head"); err != nil {
		return err
	}
	var err error
	if g.memory, err = g.recallPull(ctx); err != nil {
		return err
	}
	found, err := g.findOpen(ctx, g.memory.Done)
	if err != nil {
		return err
	}
	g.todo = &found
	g.todo.updater = updaterOf(g.pull)
	g.locks, err = g.locksOf(ctx)
	return err
}

// resumePull prepares a resumed run on a pull request.
func (g *Target) resumePull(ctx context.Context, j *runner.Job) error {
	if err := g.readPull(ctx, j.Task.Number); err != nil {
		return err
	}
	if err := g.loadPull(ctx); err != nil {
		return err
	}
	g.todo.items = knownIn(j.Task.Text, g.todo.items)
	g.todo.asked = j.Options.Hint
	branch := j.Branch
	if err := g.startPull(ctx, j); err != nil {
		return err
	}
	j.Branch, j.Shared = branch, g.shared(j.Task)
	return nil
}

// readPull reads the pull request and refuses one that booty cannot push to.
func (g *Target) readPull(ctx context.Context, n int) error {
	p, err := g.client.PullRequest(ctx, n)
	if errors.Is(err, github.ErrNotFound) {
		hint := "gh pr list shows those that are open"
		if _, err := g.client.Issue(ctx, n); err == nil {
			hint = fmt.Sprintf("#%d is an issue: booty run --issue %d", n, n)
		}
		return fault.New(fault.Usage, hint, "there is no pull request #%d in %s", n, g.repo.Repo)
	}
	if err != nil {
		return err
	}
	g.pull, g.base, g.head = &p, p.Base, p.Head
	same := strings.EqualFold(p.HeadRepo, g.repo.Repo.String())
	switch {
	case p.Merged:
		return fault.New(fault.NothingToDo, "", "pull request #%d is merged", n)
	case p.State == "closed":
		return fault.New(fault.NothingToDo, fmt.Sprintf("gh pr reopen %d", n), "pull request #%d is closed",
			n)
	case p.HeadRepo == "":
		return fault.New(fault.Git, "", "the repository that pull request #%d comes from is gone", n)
	case same && !g.repo.CanPush:
		return fault.New(fault.Git, "ask for write access, or work on a pull request of your own",
			"this login may not push to %s, the branch of pull request #%d", p.Head, n)
	case same:
		b, err := g.client.Branch(ctx, p.Head)
		if err != nil {
			return err
		}
		if p.Head == g.repo.DefaultBranch || b != nil && b.Protected {
			return fault.New(fault.Git, "",
				"pull request #%d comes from %s, which is protected: booty never pushes there", n, p.Head)
		}
		return nil
	}
	me, err := g.client.Me(ctx)
	if err != nil {
		return err
	}
	if !strings.EqualFold(p.HeadOwner, me) && (!p.Editable || !g.repo.CanPush) {
		return fault.New(fault.Git, `its author can tick "Allow edits by maintainers" on the pull request`,
			"pull request #%d comes from %s, where this login may not push", n, p.HeadRepo)
	}
	g.owner = p.HeadOwner
	return nil
}

func queued(p *github.PullRequest) error {
	return fault.New(fault.NothingToDo, "take it out of the queue to change it",
		"pull request #%d waits in the merge queue", p.Number)
}

// startPull decides where the work starts: at the tip of the branch, with the base merged
// in if the two conflict.
func (g *Target) startPull(ctx context.Context, j *runner.Job) error {
	g.from, g.continued = g.pull.Commit, true
	if len(g.todo.conflicts) == 0 {
		common, err := g.s.Repo.MergeBase(ctx, g.pull.Commit, g.baseCommit)
		if err != nil {
			return err
		}
		g.baseCommit = common
	}
	j.Base = g.remote + "/" + g.base
	for i := 1; ; i++ {
		j.Branch = runner.Numbered(fmt.Sprintf("booty/pr-%d", g.pull.Number), i)
		if _, err := g.s.Repo.Resolve(ctx, "refs/heads/"+j.Branch); err != nil {
			return nil //nolint:nilerr // the name is unused
		}
	}
}

// recallPull reads booty's comment on the pull request.
func (g *Target) recallPull(ctx context.Context) (pullMemory, error) {
	old, err := g.client.FindComment(ctx, g.pull.Number, pullMarker(g.pull.Number))
	if err != nil || old == nil {
		return pullMemory{}, err
	}
	return memoryIn(old.Body), nil
}

// pullAttempts counts the attempts since a person last pushed, commented, or asked. So work
// on a check that stays red ends by itself.
func (g *Target) pullAttempts(m pullMemory, j *runner.Job) error {
	news := g.todo.asked != "" || m.Commit != g.pull.Commit ||
		slices.ContainsFunc(g.todo.items, func(i item) bool {
			return !slices.Contains(m.Done, i.id())
		})
	if news || g.o.Restart {
		return nil
	}
	left, err := engine.AttemptsLeft(g.s.Settings.MaxRetries, m.Attempts,
		fmt.Sprintf("pull request #%d", g.pull.Number))
	if err != nil {
		return g.about(err)
	}
	j.Earlier, j.MaxAttempts = m.Attempts, left
	return nil
}

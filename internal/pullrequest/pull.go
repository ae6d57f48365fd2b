package pullrequest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/runner"
)

// openPull is a pull request to work on.
type openPull struct {
	pull github.PullRequest
	// base is the newest commit of its base, common the newest commit that both sides have.
	base   base
	common string
	todo   todo
	// memory is the state in booty's comment on it.
	memory pullMemory
	// locks are the lock files of a bot's update, which are not up to the model.
	locks []string
}

// loadPull reads a pull request, fetches its two sides, and finds what is open on it. asked is an
// additional request.
func loadPull(ctx context.Context, up *Upstream, n int, asked string) (openPull, error) {
	p, err := readPull(ctx, up, n)
	if err != nil {
		return openPull{}, err
	}
	o := openPull{pull: p}
	if o.base, err = up.fetchBase(ctx, p.Base); err != nil {
		return o, err
	}
	if err := up.fetchPull(ctx, n); err != nil {
		return o, err
	}
	if o.common, err = up.s.Repo.History.MergeBase(ctx, p.Commit, o.base.commit); err != nil {
		return o, err
	}
	old, err := up.client.FindComment(ctx, n, pullMarker(n))
	if err != nil {
		return o, err
	}
	if old != nil {
		o.memory = memoryIn(old.Body)
	}
	if o.todo, err = findOpen(ctx, up, p, o.base, o.memory.Done); err != nil {
		return o, err
	}
	o.todo.asked, o.todo.updater = asked, updaterOf(p)
	if o.todo.updater != nil {
		o.locks, err = changedLocks(ctx, up.s.Repo.Compare, o.common, p.Commit)
	}
	return o, err
}

// readPull reads the pull request and refuses one that booty cannot push to.
func readPull(ctx context.Context, up *Upstream, n int) (github.PullRequest, error) {
	p, err := up.client.PullRequest(ctx, n)
	if errors.Is(err, github.ErrNotFound) {
		hint := "gh pr list shows those that are open"
		if _, err := up.client.Issue(ctx, n); err == nil {
			hint = fmt.Sprintf("#%d is an issue: booty run --issue %d", n, n)
		}
		return p, fault.New(fault.Usage, hint, "there is no pull request #%d in %s", n, up.repo.Repo)
	}
	if err != nil {
		return p, err
	}
	if err := checkOpen(p); err != nil {
		return p, err
	}
	if strings.EqualFold(p.HeadRepo, up.name()) {
		return p, mayPushTo(ctx, up, p)
	}
	me, err := up.client.Me(ctx)
	if err != nil {
		return p, err
	}
	if !strings.EqualFold(p.HeadOwner, me) && (!p.Editable || !up.repo.CanPush) {
		return p, fault.New(fault.Git, `its author can tick "Allow edits by maintainers" on the pull request`,
			"pull request #%d comes from %s, where this login may not push", n, p.HeadRepo)
	}
	return p, nil
}

// checkOpen refuses a pull request that nothing can be pushed to.
func checkOpen(p github.PullRequest) error {
	switch {
	case p.Merged:
		return fault.New(fault.NothingToDo, "", "pull request #%d is merged", p.Number)
	case p.State == "closed":
		return fault.New(fault.NothingToDo, fmt.Sprintf("gh pr reopen %d", p.Number),
			"pull request #%d is closed", p.Number)
	case p.HeadRepo == "":
		return fault.New(fault.Git, "", "the repository that pull request #%d comes from is gone", p.Number)
	}
	return nil
}

// mayPushTo refuses a branch of the repository itself that this login may not push to.
func mayPushTo(ctx context.Context, up *Upstream, p github.PullRequest) error {
	if !up.repo.CanPush {
		return fault.New(fault.Git, "ask for write access, or work on a pull request of your own",
			"this login may not push to %s, the branch of pull request #%d", p.Head, p.Number)
	}
	b, err := up.client.Branch(ctx, p.Head)
	if err != nil {
		return err
	}
	if p.Head == up.repo.DefaultBranch || b != nil && b.Protected {
		return fault.New(fault.Git, "",
			"pull request #%d comes from %s, which is protected: booty never pushes there", p.Number, p.Head)
	}
	return nil
}

// nothingToDo is the error where nothing is open.
func (o openPull) nothingToDo() error {
	return fault.New(fault.NothingToDo,
		"booty run --pr N --hint \"what to change\" asks for something else",
		"nothing is open on pull request #%d: no failed check, no unresolved review comment, no "+
			"conflict with %s", o.pull.Number, o.base.name)
}

// from is the base that the work starts from: the newest one is merged in only where the two conflict.
func (o openPull) from() base {
	if len(o.todo.conflicts) > 0 {
		return o.base
	}
	return base{o.base.name, o.common}
}

// branch starts at the tip of the pull request, under a name of its own here.
func (o openPull) branch(name string) branch {
	return branch{name: name, head: o.pull.Head, from: o.pull.Commit, continued: true}
}

// freeBranch returns an unused name for the branch here of work on a pull request.
func freeBranch(ctx context.Context, up *Upstream, n int) string {
	for i := 1; ; i++ {
		name := runner.Numbered(fmt.Sprintf("booty/pr-%d", n), i)
		if _, err := up.s.Repo.History.Resolve(ctx, "refs/heads/"+name); err != nil {
			return name
		}
	}
}

// attempts counts those since a person last pushed, commented, or asked. So work on a check that
// stays red ends by itself.
func (o openPull) attempts(most int, restart bool) (attempts, error) {
	m := o.memory
	news := o.todo.asked != "" || m.Commit != o.pull.Commit ||
		slices.ContainsFunc(o.todo.items, func(i item) bool {
			return !slices.Contains(m.Done, i.id())
		})
	if news || restart {
		return attempts{}, nil
	}
	left, err := engine.AttemptsLeft(most, m.Attempts, fmt.Sprintf("pull request #%d", o.pull.Number))
	if err != nil {
		return attempts{}, aboutPull(err, o.pull)
	}
	return attempts{used: m.Attempts, left: left}, nil
}

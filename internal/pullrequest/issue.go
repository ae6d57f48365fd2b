package pullrequest

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/runner"
)

// readIssue reads an issue as a task, and refuses one that is not.
func readIssue(ctx context.Context, up *Upstream, n int) (github.Issue, runner.Task, error) {
	i, err := up.client.Issue(ctx, n)
	if errors.Is(err, github.ErrNotFound) {
		if place, ok := up.client.BecameDiscussion(ctx, n); ok {
			return i, runner.Task{}, fault.New(fault.Git, "use booty run --task for what it asks for",
				"issue #%d is a discussion now: %s", n, place)
		}
		return i, runner.Task{}, fault.New(fault.Git, "gh issue list shows those that are open",
			"there is no issue #%d in %s, or this login may not see it", n, up.repo.Repo)
	}
	if err != nil {
		return i, runner.Task{}, err
	}
	if err := checkIssue(i); err != nil {
		return i, runner.Task{}, err
	}
	if err := checkTriggered(i, up.s.Getenv); err != nil {
		return i, runner.Task{}, err
	}
	var thread github.Conversation
	if up.s.Settings.GitHub.Comments != "none" {
		if thread, err = up.client.Comments(ctx, i, hidden, fillsTask); err != nil {
			return i, runner.Task{}, err
		}
	}
	if thread.Others > 0 {
		up.s.Say("booty: %d of the comments on #%d left out: their authors have no write access",
			thread.Others, n)
	}
	if thread.Unread > 0 {
		up.s.Say("booty: %d comments in the middle of #%d not read: the others fill the task's text",
			thread.Unread, n)
	}
	return i, issueTask(i, thread, linkedIssues(ctx, up.client, up.name(), i, thread.Comments)), nil
}

// checkIssue refuses an issue that is none, or that nobody waits for.
func checkIssue(i github.Issue) error {
	n := i.Number
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
	return nil
}

// issueBranch returns the name of the branch for an issue by the setting.
func issueBranch(pattern string, i github.Issue) (string, error) {
	name, err := config.BranchName(pattern, config.BranchData{Number: i.Number, Slug: runner.Slug(i.Title)})
	if err != nil {
		return "", fault.New(fault.Usage, "fix github.branch in .booty.yml", "name the branch: %w", err)
	}
	return name, nil
}

package pullrequest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// todo is what keeps a pull request from being merged, as far as booty can fix it.
type todo struct {
	checks []failedCheck
	// items are what reviewers wait for.
	items []item
	// conflicts are the paths in conflict with the base.
	conflicts []string
	// asked is an additional request by someone with write access.
	asked string
	// left counts comments of people without write access, bots names the bots that
	// are not trusted.
	left int
	bots []string
	// updater is the bot whose update of dependencies the pull request is; nil for any other.
	updater *dependencyBot
}

// item is a review thread, or a review that requests changes.
type item struct {
	// n is its number in requests, from 1.
	n      int
	thread *github.Thread
	review *github.Review
}

// id identifies an item; for a thread it includes the last comment.
func (i item) id() string {
	if i.review != nil {
		return fmt.Sprintf("r%d", i.review.ID)
	}
	return fmt.Sprintf("t%d", i.thread.Comments[len(i.thread.Comments)-1].ID)
}

func (o todo) none() bool {
	return len(o.checks)+len(o.items)+len(o.conflicts) == 0 && o.asked == ""
}

// summary sums up what is open.
func (o todo) summary() string {
	var parts []string
	add := func(n int, one, more string) {
		switch {
		case n == 1:
			parts = append(parts, "1 "+one)
		case n > 1:
			parts = append(parts, fmt.Sprintf("%d %s", n, more))
		}
	}
	add(len(o.checks), "failed check", "failed checks")
	add(len(o.items), "review comment", "review comments")
	add(len(o.conflicts), "file in conflict", "files in conflict")
	if o.asked != "" {
		parts = append(parts, "a request")
	}
	return strings.Join(parts, ", ")
}

// noteLeftOut tells whose review comments on a pull request are not among the items.
func (o todo) noteLeftOut(s *runner.Session, pull int) {
	switch {
	case o.left == 1:
		s.Say("booty: 1 review comment on #%d left out: its author has no write access", pull)
	case o.left > 1:
		s.Say("booty: %d review comments on #%d left out: their authors have no write access", o.left, pull)
	}
	if len(o.bots) > 0 {
		s.Say("booty: review comments by bots on #%d left out: %s; github.trusted_bots lets them in",
			pull, strings.Join(o.bots, ", "))
	}
}

// findOpen asks GitHub what is open on a pull request. done are items that an earlier run has
// dealt with.
func findOpen(ctx context.Context, up *Upstream, p github.PullRequest, b base, done []string) (todo, error) {
	var o todo
	failed, running, err := up.client.FailedChecks(ctx, p.Commit)
	if err != nil {
		return o, err
	}
	if running > 0 {
		some := fmt.Sprintf("%d checks", running)
		if running == 1 {
			some = "1 check"
		}
		up.s.Say("booty: still running on #%d: %s; only those that failed already are looked at", p.Number, some)
	}
	checks := up.checks(b.commit)
	for _, c := range failed {
		o.checks = append(o.checks, checks.read(ctx, c))
	}
	r, err := up.client.Reviews(ctx, p.Number)
	if err != nil {
		return o, err
	}
	if r.Queued {
		return o, fault.New(fault.NothingToDo, "take it out of the queue to change it",
			"pull request #%d waits in the merge queue", p.Number)
	}
	o.items, o.left, o.bots = itemsOf(r, done), r.Left, r.Bots
	o.conflicts, err = up.s.Repo.Commits.WouldConflict(ctx, p.Commit, b.commit)
	return o, err
}

// itemsOf numbers what reviewers have left open. A review that an earlier run has dealt with
// (done) is none; a thread is one until it is resolved.
func itemsOf(r github.Reviews, done []string) []item {
	var items []item
	for i := range r.Changes {
		items = append(items, item{review: &r.Changes[i]})
	}
	for i := range r.Threads {
		items = append(items, item{thread: &r.Threads[i]})
	}
	items = slices.DeleteFunc(items, func(i item) bool {
		return i.review != nil && slices.Contains(done, i.id())
	})
	for i := range items {
		items[i].n = i + 1
	}
	return items
}

// knownIn returns the items that an earlier text of the task has, with their numbers there. Later
// comments stay open, since the model has not seen them.
func knownIn(text string, items []item) []item {
	var kept []item
	taken := map[int]bool{}
	for _, it := range items {
		for it.n = 1; strings.Contains(text, fmt.Sprintf("\n## Review comment %d: ", it.n)); it.n++ {
			if !taken[it.n] && strings.Contains(text, "\n"+it.words()) {
				taken[it.n], kept = true, append(kept, it)
				break
			}
		}
	}
	return kept
}

// maxThread bounds one comment of a review, in bytes.
const maxThread = 4000

// maxNotes bounds the description of an update of dependencies, which holds the release notes.
const maxNotes = 12000

// kindPull is the kind of a task that works on a pull request.
const kindPull = "pull_request"

// pullTask returns what is open on a pull request as a task.
func pullTask(p github.PullRequest, o todo) runner.Task {
	return runner.Task{
		Task: event.Task{Kind: kindPull, Number: p.Number, Title: runner.Title(visible(p.Title))},
		Text: o.taskText(p),
	}
}

// taskText describes what is open.
func (o todo) taskText(p github.PullRequest) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Pull request #%d: %s\n", p.Number, strings.TrimSpace(visible(p.Title)))
	body, room := visible(p.Body), maxThread
	if o.updater != nil {
		body, room = o.updater.description(body), maxNotes
	}
	if body = cutMiddle(body, room); body != "" {
		b.WriteString("\nIts description:\n\n" + body + "\n")
	}
	b.WriteString("\nIts branch is what you see. Change what the following asks for, and nothing else.\n")
	if o.updater != nil {
		fmt.Fprintf(&b, "%s opened it to update dependencies. Keep the new versions and their lock files: "+
			"change the code that uses them.\n", o.updater.name)
	}
	if o.asked != "" {
		b.WriteString("\n## What is asked\n\n" + visible(o.asked) + "\n")
	}
	for _, c := range o.checks {
		b.WriteString("\n" + c.words())
	}
	for _, it := range o.items {
		b.WriteString("\n" + it.words())
	}
	if len(o.items) > 0 {
		b.WriteString("\nFor each review comment that you deal with, add one line outside of the edits, " +
			"with its number:\nANSWER 1: what you changed, or the answer to its question, in one sentence\n" +
			"Where a comment only asks a question and nothing needs to change, the ANSWER line is all " +
			"that is needed. Where only its author can decide, ask with ASK.\n")
	}
	return strings.TrimSpace(b.String())
}

func (i item) words() string {
	var b strings.Builder
	if i.review != nil {
		fmt.Fprintf(&b, "## Review comment %d: %s requests changes\n\n%s\n", i.n, i.review.Author,
			cutMiddle(visible(i.review.Body), maxThread))
		return b.String()
	}
	at := i.thread.Path
	if i.thread.Line > 0 {
		at += fmt.Sprintf(":%d", i.thread.Line)
	}
	fmt.Fprintf(&b, "## Review comment %d: %s\n\n", i.n, at)
	if i.thread.Hunk != "" {
		b.WriteString(report.Fence("diff", cutMiddle(i.thread.Hunk, 2000)) + "\n")
	}
	for _, c := range i.thread.Comments {
		fmt.Fprintf(&b, "%s: %s\n", c.Author, cutMiddle(visible(c.Body), maxThread))
	}
	return b.String()
}

// Package pullrequest does the work on GitHub. It turns an issue, a pull request, words or a
// pending test into a task, looks for earlier work on it (pull requests, branches, attempts of
// earlier runs), and prepares the branch and the publisher of a run. A session and a job of package
// runner come in; the job goes out with its task and its Shared part filled in.
//
// It never pushes over commits of others and never changes their texts.
package pullrequest

import (
	"cmp"
	"context"

	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/runner"
)

// ForIssue makes an issue with its comments the job's task. Its work has a branch of its own.
func ForIssue(ctx context.Context, s *runner.Session, o Options, name string, j *runner.Job) error {
	up, n, err := openFor(ctx, s, o, "issue", name)
	if err != nil {
		return err
	}
	issue, task, err := readIssue(ctx, up, n)
	if err != nil {
		return err
	}
	t := target{up: up, issue: &issue, mode: o.PR}
	if !o.DryRun {
		want, err := issueBranch(s.Settings.GitHub.Branch, issue)
		if err != nil {
			return err
		}
		if t, err = onOwnBranch(ctx, up, o, task, &issue, cmp.Or(o.Branch, want)); err != nil {
			return err
		}
	}
	j.Task = task
	t.fill(j)
	return nil
}

// ForTask is for a task that the job has already, from a sentence. Its work has a branch of its own,
// too.
func ForTask(ctx context.Context, s *runner.Session, o Options, j *runner.Job) error {
	if !o.publishes() {
		return nil
	}
	up, err := Open(ctx, s, o)
	if err != nil {
		return err
	}
	want := cmp.Or(o.Branch, j.Branch, "booty/"+runner.Slug(j.Task.Title))
	t, err := onOwnBranch(ctx, up, o, j.Task, nil, want)
	if err != nil {
		return err
	}
	t.fill(j)
	return nil
}

// ForPull makes what is open on a pull request the job's task. Its work goes to that branch.
func ForPull(ctx context.Context, s *runner.Session, o Options, name string, j *runner.Job) error {
	up, n, err := openFor(ctx, s, o, "pull request", name)
	if err != nil {
		return err
	}
	open, err := loadPull(ctx, up, n, j.Options.Hint)
	if err != nil {
		return err
	}
	open.todo.noteLeftOut(s, n)
	if open.todo.none() {
		return open.nothingToDo()
	}
	rules, err := up.reportRules(ctx, open.base.name)
	if err != nil {
		return err
	}
	s.Say("booty: open on #%d: %s", n, open.todo.summary())
	left, err := open.attempts(s.Settings.MaxRetries, o.Restart)
	if err != nil {
		return err
	}
	at := start{branch: open.branch(freeBranch(ctx, up, n)), attempts: left}
	j.Task, j.Options.Hint = pullTask(open.pull, open.todo), "" // the hint is a part of the task
	target{up: up, open: &open, mode: o.PR, base: open.from(), start: at, rules: rules}.fill(j)
	return nil
}

// ForSpec makes a pending test with a pull request the job's task. The pull request stays a draft;
// the queue decides when it is ready.
func ForSpec(ctx context.Context, up *Upstream, o Options, sp Spec, j *runner.Job) error {
	if err := up.Fetch(ctx, "refs/heads/"+sp.Pull.Head); err != nil {
		return err
	}
	s := search{up: up, o: o, task: sp.Task, base: base{up.baseName(), sp.Base}}
	found, err := s.continueFrom(ctx, sp.earlier(sp.Used), sp.Pull.Head, up.fork(), sp.Pull.Commit)
	if err != nil {
		return err
	}
	found.attempts = attempts{used: sp.Used, left: sp.Of - sp.Used}
	j.Task = sp.task()
	target{up: up, spec: &sp, mode: "draft", base: s.base, start: found}.fill(j)
	return nil
}

// onOwnBranch is the target of a task whose work has a branch of its own: a new one with a wanted
// name, or what earlier runs have left.
func onOwnBranch(
	ctx context.Context, up *Upstream, o Options, task runner.Task, issue *github.Issue, want string,
) (target, error) {
	b, err := up.fetchBase(ctx, up.baseName())
	if err != nil {
		return target{}, err
	}
	found, err := search{up: up, o: o, task: task, issue: issue, base: b, want: want}.start(ctx)
	if err != nil {
		return target{}, err
	}
	rules, err := up.reportRules(ctx, b.name)
	return target{up: up, issue: issue, mode: o.PR, base: b, start: found, rules: rules}, err
}

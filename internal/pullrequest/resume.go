package pullrequest

import (
	"context"
	"strings"

	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// Resume prepares the publishing of a resumed run. Its task and its branch are on record.
func Resume(ctx context.Context, s *runner.Session, o Options, j *runner.Job) error {
	if o.PR == "none" || o.PR == "" && j.Task.Kind != "issue" && j.Task.Kind != kindPull {
		return nil
	}
	up, err := Open(ctx, s, o)
	if err != nil {
		return err
	}
	if j.Task.Kind == kindPull {
		return resumePull(ctx, up, o, j)
	}
	var issue *github.Issue
	if j.Task.Kind == "issue" {
		i, err := up.client.Issue(ctx, j.Task.Number)
		if err != nil {
			return err
		}
		issue = &i
	}
	b, err := up.fetchBase(ctx, up.baseName())
	if err != nil {
		return err
	}
	found, err := resumed(ctx, up, b, *j)
	if err != nil {
		return err
	}
	target{up: up, issue: issue, mode: o.PR, base: b, start: found}.fill(j)
	return nil
}

// resumed finds the pull request of a resumed run, and where its branch is on GitHub.
func resumed(ctx context.Context, up *Upstream, b base, j runner.Job) (start, error) {
	found := start{branch: branch{head: j.Branch, fork: up.fork()}}
	mark := j.Task.Marker()
	pulls, err := up.client.Mine(ctx, func(p github.PullRequest) bool {
		return p.Head == j.Branch || strings.Contains(report.Own(p.Body), mark)
	})
	if err != nil {
		return found, err
	}
	if len(pulls) > 0 {
		p := &pulls[0]
		found.earlier, found.branch.head = earlierOn(p), p.Head
		found.branch.fork = up.fork() || p.HeadRepo != up.name()
	}
	if j.Again != nil && j.Again.Memory.Start.BaseCommit != "" { // else it starts at the base
		based, err := up.s.Repo.History.Contains(ctx, b.commit, j.Again.Memory.Start.BaseCommit)
		if err != nil {
			return found, err
		}
		found.branch.continued = !based
	}
	return found, nil
}

// resumePull prepares a resumed run on a pull request. Of its comments the run knows those that are
// in its task.
func resumePull(ctx context.Context, up *Upstream, o Options, j *runner.Job) error {
	open, err := loadPull(ctx, up, j.Task.Number, j.Options.Hint)
	if err != nil {
		return err
	}
	open.todo.items = knownIn(j.Task.Text, open.todo.items)
	j.Base = up.remote + "/" + open.base.name
	target{up: up, open: &open, mode: o.PR, base: open.from(),
		start: start{branch: open.branch("")}}.fill(j)
	return nil
}

// ResumeSpec prepares the publishing of a resumed run on a spec.
func ResumeSpec(up *Upstream, sp Spec, j *runner.Job) {
	sp.Asked = "" // it is a part of the task on record
	at := start{earlier: sp.earlier(j.Again.Memory.Earlier),
		branch: branch{head: sp.Pull.Head, fork: up.fork(), continued: true}}
	target{up: up, spec: &sp, mode: "draft", base: base{up.baseName(), sp.Base}, start: at}.fill(j)
}

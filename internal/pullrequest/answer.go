package pullrequest

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/remote"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// answerer is the engine's Publisher for work on an open pull request: it pushes to its branch,
// answers the review comments, and updates booty's one comment.
type answerer struct {
	runner.Publishing
	to     target
	client *github.Client
	// pull is the pull request as it is now.
	pull github.PullRequest
}

func (a *answerer) notice(format string, args ...any) { warn(a.Events, format, args...) }

// Begin implements engine.Publisher. The pull request is a person's: it stays as it is.
func (a *answerer) Begin(context.Context) error { return nil }

// Publish implements engine.Publisher.
func (a *answerer) Publish(ctx context.Context, pub engine.Publication) (*event.PullRequest, bool, error) {
	d, err := a.Session.Journal.Detail(ctx, a.Run, a.Session.Repo.Root())
	if err != nil {
		return nil, false, err
	}
	done := answered{pub: pub, baseline: d.Baseline}
	_, done.settled = a.Conflicts()
	if pub.Changed && pub.Green && pub.Commit != a.pull.Commit {
		if done.pushed, err = a.pushToPull(ctx, pub); err != nil {
			return nil, false, err
		}
		if u := a.to.open.todo.updater; u != nil {
			a.notice("%s", u.rule())
		}
	}
	if done.pushed == "" && pub.Outcome != event.NothingToDo {
		a.notice("nothing was pushed to #%d", a.pull.Number)
	}
	items := a.reply(ctx, d, done)
	a.makeReady(ctx, done)
	done.memory = a.to.open.memory.after(d.Run.CostUSD, report.CountOf(d.Attempts), a.pull.Commit,
		done.pushed, items)
	text := pullMarker(a.pull.Number) + "\n" + done.comment(a.to.open.todo, a.to.base.name)
	if err := a.client.PutComment(ctx, a.pull.Number, pullMarker(a.pull.Number), text); err != nil {
		a.notice("the comment on #%d could not be written: %v", a.pull.Number, err)
	}
	return &event.PullRequest{Number: a.pull.Number, URL: a.pull.URL, Draft: a.pull.Draft}, false, nil
}

// makeReady makes a draft of this login ready once its work is pushed.
func (a *answerer) makeReady(ctx context.Context, done answered) {
	if done.pushed == "" || !a.pull.Draft || a.to.mode == "draft" {
		return
	}
	if mine, err := a.client.IsMe(ctx, a.pull.Author); err != nil || !mine {
		return
	}
	if err := a.client.MarkReady(ctx, a.pull); err != nil {
		a.notice("%v", err)
		return
	}
	a.pull.Draft = false
}

// reply answers the items that the kept replies of the model address, and returns them.
func (a *answerer) reply(ctx context.Context, d journal.Detail, done answered) []item {
	if done.pushed == "" && done.pub.Outcome != event.NothingToDo {
		return nil // a requested change is missing
	}
	said := a.answers(ctx, d, done.pub.Best)
	var items []item
	for _, it := range a.to.open.todo.items {
		text := report.Prose(said[it.n])
		if text == "" {
			continue
		}
		if done.pushed != "" {
			text = strings.TrimRight(text, "\n") + "\n\nIn " + done.pushed + "."
		}
		if it.thread != nil {
			if err := a.client.Reply(ctx, a.pull.Number, it.thread.Comments[0].ID, text); err != nil {
				a.notice("%v", err)
				continue
			}
		}
		items = append(items, it)
	}
	return items
}

// answers reads the answers in the replies up to the attempt that is kept; nil keeps all.
func (a *answerer) answers(ctx context.Context, d journal.Detail, best *engine.Attempt) map[int]string {
	said := map[int]string{}
	for _, at := range d.Attempts {
		if best != nil && at.N > best.N {
			break
		}
		for _, c := range at.Calls {
			if data, err := a.Session.Journal.Blobs.Read(ctx, c.Reply); err == nil {
				maps.Copy(said, answersIn(string(data)))
			}
		}
	}
	return said
}

// pushToPull pushes a commit to the branch of the pull request. Commits that others pushed in
// the meantime are merged, never overwritten; on a conflict the work stays local.
func (a *answerer) pushToPull(ctx context.Context, pub engine.Publication) (string, error) {
	target := a.pullRemote(ctx)
	commit, token, repo := pub.Commit, a.client.Token(), a.Session.Repo
	for try := 1; ; try++ {
		tip, err := repo.Remote.Branch(ctx, target, a.to.branch.head, token)
		if err != nil {
			return "", err
		}
		if in, err := repo.History.Contains(ctx, commit, tip); err != nil {
			return "", err
		} else if !in {
			if commit, err = a.mergeRemote(ctx, target, commit, tip, pub); err != nil {
				return "", err
			}
		}
		err = a.Session.Wait.Network(ctx, func() error {
			return repo.Remote.Push(ctx, remote.PushOptions{Remote: target, Local: commit, Branch: a.to.branch.head,
				Expect: tip, Token: token})
		})
		if err == nil || try == 3 || fault.KindOf(err) != fault.Git {
			return commit, err
		}
	}
}

// mergeRemote merges what others have pushed with the run's commit.
func (a *answerer) mergeRemote(
	ctx context.Context, target, commit, tip string, pub engine.Publication,
) (string, error) {
	err := a.Session.Repo.Remote.Fetch(ctx,
		remote.FetchOptions{Remote: target, Refspecs: []string{"refs/heads/" + a.to.branch.head},
			Token: a.client.Token()})
	if err != nil {
		return "", err
	}
	clash, err := a.Session.Repo.Commits.WouldConflict(ctx, tip, commit)
	if err != nil {
		return "", err
	}
	if len(clash) > 0 {
		return "", fault.New(fault.Git,
			fmt.Sprintf("booty run --pr %d starts from the current branch; this run's work is commit %s on %s",
				a.pull.Number, short(commit), pub.Start.Branch),
			"others pushed to %s meanwhile, and changed %s too: their work is left as it is", a.to.branch.head,
			report.Some(clash))
	}
	a.notice("others pushed to %s meanwhile: merged; the checks have not seen both together", a.to.branch.head)
	return a.Session.Repo.Commits.Merge(ctx, tip, commit,
		strings.Join(append([]string{fmt.Sprintf("Merge booty's work into %s\n\n%s: %s", a.to.branch.head,
			runner.TrailerRun, a.Run)}, runner.SignOff(ctx, a.Session)...), "\n")+"\n")
}

// pullRemote returns the URL of the pull request's branch: the repository, or the fork it
// comes from, in the same form as the repository's remote.
func (a *answerer) pullRemote(ctx context.Context) string {
	if strings.EqualFold(a.pull.HeadRepo, a.to.up.repo.Repo.String()) {
		return a.to.up.remote
	}
	remotes, err := a.Session.Repo.Remote.List(ctx)
	for _, r := range remotes {
		if err == nil && r.Name == a.to.up.remote && len(r.URLs) > 0 && overSSH(r.URLs[0]) {
			return a.pull.HeadSSH
		}
	}
	return a.pull.HeadURL
}

func overSSH(url string) bool {
	return strings.HasPrefix(url, "ssh:") || strings.HasPrefix(url, "git@")
}

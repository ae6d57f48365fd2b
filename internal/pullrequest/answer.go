package pullrequest

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/workspace"
)

// publishOpen pushes the work on an open pull request, answers its threads, and updates
// booty's one comment on it.
func (p *publisher) publishOpen(
	ctx context.Context, d journal.Detail, pub engine.Publication,
) (*event.PullRequest, error) {
	pushed := false
	if pub.Changed && pub.Green && pub.Commit != p.pull.Commit {
		commit, err := p.pushToPull(ctx, pub)
		if err != nil {
			return nil, err
		}
		pub.Commit, pushed = commit, true
		if p.todo.updater != nil {
			p.notice("%s", p.todo.updater.rule())
		}
	}
	if !pushed && pub.Outcome != event.NothingToDo {
		p.notice("nothing was pushed to #%d", p.pull.Number)
	}
	answered := p.answer(ctx, d, pub, pushed)
	if pushed && p.pull.Draft && p.openedByUs(ctx) && !p.draft {
		if err := p.client.MarkReady(ctx, *p.pull); err != nil {
			p.notice("%v", err)
		} else {
			p.pull.Draft = false
		}
	}
	m := p.memory
	m.Runs, m.CostUSD = m.Runs+1, m.CostUSD+d.Run.CostUSD
	m.Attempts = p.memory.Attempts
	if m.Commit != p.pull.Commit {
		m.Attempts = 0
	}
	m.Attempts += report.CountOf(d.Attempts)
	m.Commit = p.pull.Commit
	if pushed {
		m.Commit = pub.Commit
	}
	for _, it := range answered {
		if id := it.id(); !slices.Contains(m.Done, id) {
			m.Done = append(m.Done, id)
		}
	}
	if err := p.client.PutComment(ctx, p.pull.Number, p.pullMarker(),
		p.pullComment(d, pub, m, pushed)); err != nil {
		p.notice("the comment on #%d could not be written: %v", p.pull.Number, err)
	}
	return &event.PullRequest{Number: p.pull.Number, URL: p.pull.URL, Draft: p.pull.Draft}, nil
}

// openedByUs reports whether this login opened the pull request.
func (p *publisher) openedByUs(ctx context.Context) bool {
	mine, err := p.client.IsMe(ctx, p.pull.Author)
	return err == nil && mine
}

// answer answers the items that the kept replies address, and returns them.
func (p *publisher) answer(
	ctx context.Context, d journal.Detail, pub engine.Publication, pushed bool,
) []item {
	if !pushed && pub.Outcome != event.NothingToDo {
		return nil // a requested change is missing
	}
	said := map[int]string{}
	for _, a := range d.Attempts {
		if pub.Best != nil && a.N > pub.Best.N {
			break
		}
		for _, c := range a.Calls {
			if data, err := p.s.Journal.Blobs.Read(ctx, c.Reply); err == nil {
				for n, text := range answersIn(string(data)) {
					said[n] = text
				}
			}
		}
	}
	var done []item
	for _, it := range p.todo.items {
		text := report.Prose(said[it.n])
		if text == "" {
			continue
		}
		if pushed {
			text = strings.TrimRight(text, "\n") + "\n\nIn " + pub.Commit + "."
		}
		if it.thread != nil {
			if err := p.client.Reply(ctx, p.pull.Number, it.thread.Comments[0].ID, text); err != nil {
				p.notice("%v", err)
				continue
			}
		}
		done = append(done, it)
	}
	return done
}

// pullComment returns booty's one comment on the pull request.
func (p *publisher) pullComment(d journal.Detail, pub engine.Publication, m pullMemory, pushed bool) string {
	var b strings.Builder
	b.WriteString(p.pullMarker() + "\n" + m.marker() + "\n")
	switch {
	case pushed:
		fmt.Fprintf(&b, "**booty** pushed %s", pub.Commit)
		if pub.Main != nil {
			b.WriteString(": " + strings.TrimSuffix(report.Prose(report.FirstLine(pub.Main.Summary)), "\n"))
		}
		b.WriteString("\n\nThe checks pass where booty ran; GitHub's own run on the new commit.\n")
		if p.todo.updater != nil {
			b.WriteString("\n" + p.todo.updater.rule() + ".\n")
		}
		if pub.Main == nil || len(p.settled) > 0 {
			fmt.Fprintf(&b, "\nConflicts with %s were settled in %s.\n", p.base, report.Some(p.settled))
		}
		if p.failsOnlyOnGitHub(d) {
			b.WriteString("\nThe failed checks could not be reproduced there: the change is made from " +
				"their logs.\n")
		}
	case pub.Outcome == event.NothingToDo:
		b.WriteString("**booty** has answered; nothing had to be changed.\n")
	default:
		fmt.Fprintf(&b, "**booty** could not finish this (%s) and pushed nothing.%s\n",
			report.Inline(strings.ReplaceAll(pub.Outcome, "_", " ")), report.Sentence(pub.Message))
	}
	fmt.Fprintf(&b, "\n<sub>%s since a person last did something, $%.2f in all. Asked for: %s.</sub>\n",
		counted(m.Attempts), m.CostUSD, p.todo.summary())
	return b.String()
}

// failsOnlyOnGitHub reports whether checks failed on GitHub but not here.
func (p *publisher) failsOnlyOnGitHub(d journal.Detail) bool {
	if len(p.todo.checks) == 0 {
		return false
	}
	for _, c := range d.Baseline {
		if !c.Passed {
			return false
		}
	}
	return true
}

// pushToPull pushes a commit to the branch of the pull request. Commits that others pushed in
// the meantime are merged, never overwritten; on a conflict the work stays local.
func (p *publisher) pushToPull(ctx context.Context, pub engine.Publication) (string, error) {
	target := p.pullRemote(ctx)
	commit, token, repo := pub.Commit, p.client.Token(), p.s.Repo
	for try := 1; ; try++ {
		tip, err := repo.RemoteBranch(ctx, target, p.head, token)
		if err != nil {
			return "", err
		}
		if in, err := repo.Contains(ctx, commit, tip); err != nil {
			return "", err
		} else if !in {
			if commit, err = p.mergeRemote(ctx, target, commit, tip, pub); err != nil {
				return "", err
			}
		}
		err = p.s.Wait.Network(ctx, func() error {
			return repo.Push(ctx, workspace.PushOptions{Remote: target, Local: commit, Branch: p.head,
				Expect: tip, Token: token})
		})
		if err == nil || try == 3 || fault.KindOf(err) != fault.Git {
			return commit, err
		}
	}
}

// mergeRemote merges what others have pushed with the run's commit.
func (p *publisher) mergeRemote(
	ctx context.Context, target, commit, tip string, pub engine.Publication,
) (string, error) {
	err := p.s.Repo.Fetch(ctx,
		workspace.FetchOptions{Remote: target, Refspecs: []string{"refs/heads/" + p.head},
			Token: p.client.Token()})
	if err != nil {
		return "", err
	}
	clash, err := p.s.Repo.WouldConflict(ctx, tip, commit)
	if err != nil {
		return "", err
	}
	if len(clash) > 0 {
		return "", fault.New(fault.Git,
			fmt.Sprintf("booty run --pr %d starts from the current branch; this run's work is commit %s on %s",
				p.pull.Number, short(commit), pub.Start.Branch),
			"others pushed to %s meanwhile, and changed %s too: their work is left as it is", p.head,
			report.Some(clash))
	}
	p.notice("others pushed to %s meanwhile: merged; the checks have not seen both together", p.head)
	return p.s.Repo.MergeCommits(ctx, tip, commit,
		strings.Join(append([]string{fmt.Sprintf("Merge booty's work into %s\n\n%s: %s", p.head,
			runner.TrailerRun, p.run)}, runner.SignOff(ctx, p.s)...), "\n")+"\n")
}

// pullRemote returns the URL of the pull request's branch: the repository, or the fork it
// comes from, in the same form as the repository's remote.
func (p *publisher) pullRemote(ctx context.Context) string {
	if strings.EqualFold(p.pull.HeadRepo, p.repo.Repo.String()) {
		return p.remote
	}
	remotes, err := p.s.Repo.Remotes(ctx)
	for _, r := range remotes {
		if err == nil && r.Name == p.remote && len(r.URLs) > 0 && overSSH(r.URLs[0]) {
			return p.pull.HeadSSH
		}
	}
	return p.pull.HeadURL
}

func overSSH(url string) bool {
	return strings.HasPrefix(url, "ssh:") || strings.HasPrefix(url, "git@")
}

func counted(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/forge"
	"github.com/booty-cli/booty/internal/journal"
)

// intake reads an issue, sees what there is of it already, and fills in the
// job's task, branch and base.
func (a *app) intake(ctx context.Context, h *house, name string, j *job) error {
	ref, err := forge.ParseIssue(name)
	if err != nil {
		return err
	}
	g, err := a.openHub(ctx, h, j.o.fork)
	if err != nil {
		return err
	}
	if ref.Repo != nil && !ref.Repo.Same(g.repo.Repo) {
		return fault.New(fault.Usage, "run booty in a checkout of "+ref.Repo.String()+", or set GH_REPO",
			"the issue belongs to %s, this checkout to %s", ref.Repo, g.repo.Repo)
	}
	if err := a.readIssue(ctx, h, g, ref.Number, j); err != nil {
		return err
	}
	if j.o.dryRun {
		return nil
	}
	want, err := config.BranchName(h.cfg.GitHub.Branch, config.BranchData{Number: g.issue.Number, Slug: slug(g.issue.Title)})
	if err != nil {
		return fault.New(fault.Usage, "mend github.branch in .booty.yml", "name the branch: %w", err)
	}
	if err := a.findWork(ctx, h, g, j.task, j.o.restart); err != nil {
		return err
	}
	if err := a.findClosed(ctx, h, g, j.task, want, j.o.restart); err != nil {
		return err
	}
	if err := a.freshBase(ctx, h, g); err != nil {
		return err
	}
	if err := a.attemptsTold(ctx, h, g, j); err != nil {
		return err
	}
	if err := a.chooseBranch(ctx, h, g, j, want); err != nil {
		return err
	}
	a.tellLimits(ctx, h)
	return nil
}

// readIssue fills in the task, and refuses what is none.
func (a *app) readIssue(ctx context.Context, h *house, g *hub, n int, j *job) error {
	i, err := g.client.Issue(ctx, n)
	if errors.Is(err, forge.ErrNotFound) {
		return fault.New(fault.Git, "gh issue list shows those that are open", "there is no issue #%d in %s, or this login may not see it", n, g.repo.Repo)
	}
	if err != nil {
		return err
	}
	switch {
	case i.PullRequest:
		return fault.New(fault.Usage, fmt.Sprintf("to mend its checks: gh pr checkout %d && booty refine", n), "#%d is a pull request, not an issue", n)
	case i.State == "closed" && i.Reason == "not_planned":
		return fault.New(fault.NothingToDo, "gh issue reopen "+strconv.Itoa(n), "issue #%d is closed as not planned", n)
	case i.State == "closed":
		return fault.New(fault.NothingToDo, "gh issue reopen "+strconv.Itoa(n), "issue #%d is closed", n)
	}
	g.issue = &i
	var comments []forge.Comment
	left := 0
	if h.cfg.GitHub.Comments != "none" {
		if comments, left, err = g.client.Comments(ctx, i, hidden); err != nil {
			return err
		}
	}
	if left > 0 {
		a.say("booty: %d of the comments on #%d left out: their authors have no write access", left, n)
	}
	j.task = task{Task: event.Task{Kind: "issue", Number: n, Title: titleOf(i.Title)}, text: issueText(i, comments, g.linked(ctx, i, comments))}
	j.hub = g
	return nil
}

// maxLinked is how many of the issues that an issue refers to are looked at.
const maxLinked = 5

var issueLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s(\[,;:])(?:#|GH-)(\d{1,9})\b|https?://[^\s/]+/([^\s/]+/[^\s/]+)/(?:issues|pull)/(\d{1,9})\b`)
})

// linked gives the issues and pull requests of the repository that an issue
// and its comments refer to, the first few: a number says little to a reader
// who cannot look it up.
func (g *hub) linked(ctx context.Context, i forge.Issue, comments []forge.Comment) []forge.Issue {
	text := i.Body
	for _, c := range comments {
		text += "\n" + c.Body
	}
	seen := map[string]bool{strconv.Itoa(i.Number): true}
	var out []forge.Issue
	for _, m := range issueLink().FindAllStringSubmatch(text, -1) {
		number := m[1] + m[3]
		if len(seen) > maxLinked || seen[number] || m[2] != "" && !strings.EqualFold(m[2], g.repo.Repo.String()) {
			continue
		}
		seen[number] = true
		n, _ := strconv.Atoi(number)
		other, err := g.client.Issue(ctx, n)
		if err != nil {
			continue // no such issue, or not for this login: the text stands for itself
		}
		out = append(out, other)
	}
	return out
}

// findWork looks for a pull request of booty's own for the task.
func (a *app) findWork(ctx context.Context, h *house, g *hub, t task, restart bool) error {
	mark := t.marker()
	pulls, err := g.client.Mine(ctx, func(p forge.PullRequest) bool { return strings.Contains(p.Body, mark) })
	if err != nil {
		return err
	}
	for i := range pulls {
		p := &pulls[i]
		if !p.Draft && !restart {
			if clash, err := a.clashes(ctx, h, g, p); err != nil || len(clash) == 0 {
				return cmp.Or(err, openAndReady(p, t))
			}
			a.say("booty: pull request #%d is ready, but in conflict with %s: going on with it", p.Number, g.base)
		}
		if g.pull == nil || g.pull.Draft && !p.Draft {
			g.pull = p
		}
	}
	if g.pull != nil {
		g.remember(g.pull)
		return nil
	}
	if g.issue == nil {
		return nil
	}
	return a.findSolvers(ctx, g, restart)
}

// clashes gives the paths in which a pull request is in conflict with the newest base.
func (a *app) clashes(ctx context.Context, h *house, g *hub, p *forge.PullRequest) ([]string, error) {
	if err := a.freshBase(ctx, h, g); err != nil {
		return nil, err
	}
	if err := a.bring(ctx, h, g, "refs/pull/"+strconv.Itoa(p.Number)+"/head"); err != nil {
		return nil, nil //nolint:nilerr // what cannot be asked is no conflict
	}
	return h.repo.WouldConflict(ctx, p.Commit, g.baseCommit)
}

func openAndReady(p *forge.PullRequest, t task) error {
	return fault.New(fault.NothingToDo, "booty run --restart begins anew", "pull request %s for %s is open and ready", p.URL, t.name())
}

// findClosed looks for pull requests of booty's own for the task that are
// closed: merged they solve it, and where a person has closed the last one, its
// work is not wanted.
func (a *app) findClosed(ctx context.Context, h *house, g *hub, t task, want string, restart bool) error {
	if g.pull != nil {
		return nil
	}
	owner, err := g.headOwner(ctx)
	if err != nil {
		return err
	}
	g.closed = map[string]bool{}
	var last *forge.PullRequest
	for i := 1; ; i++ {
		name := numbered(want, i)
		pulls, err := g.client.ClosedFrom(ctx, owner, name)
		if err != nil {
			return err
		}
		for _, p := range pulls {
			if !strings.Contains(p.Body, t.marker()) {
				continue
			}
			g.closed[name] = true
			if err := noteClosed(ctx, h, p); err != nil {
				return err
			}
			if last == nil || p.Number > last.Number {
				last = &p
			}
		}
		if !g.closed[name] {
			break
		}
	}
	switch {
	case last == nil || restart:
		return nil
	case last.Merged:
		return fault.New(fault.NothingToDo, "close the issue, or begin anew with --restart", "%s is solved already: pull request %s is merged", t.name(), last.URL)
	}
	return fault.New(fault.NothingToDo, "booty run --restart begins anew, with another pull request; or reopen that one",
		"pull request %s for %s was closed without being merged", last.URL, t.name())
}

// findSolvers looks for pull requests of others that close the issue.
func (a *app) findSolvers(ctx context.Context, g *hub, restart bool) error {
	solvers, err := g.client.Solvers(ctx, g.issue.Number)
	if err != nil {
		return err
	}
	for _, s := range solvers {
		switch {
		case s.State == "MERGED" && !restart:
			return fault.New(fault.NothingToDo, "close the issue, or work on it all the same with --restart",
				"issue #%d is solved already: %s is merged", g.issue.Number, s.URL)
		case s.State == "OPEN":
			a.say("booty: %s by %s is open and would close issue #%d too", s.URL, s.Author, g.issue.Number)
		}
	}
	return nil
}

// noteClosed corrects the records of those who made a pull request: booty status
// asks no server.
func noteClosed(ctx context.Context, h *house, p forge.PullRequest) error {
	runs, err := h.journal.Runs(ctx, journal.Filter{Repo: h.home})
	if err != nil {
		return err
	}
	for _, r := range runs {
		if r.PullRequest == nil || r.PullRequest.URL != p.URL || r.PullRequest.State != "" {
			continue
		}
		now := *r.PullRequest
		if now.State = "closed"; p.Merged {
			now.State = "merged"
		}
		if err := h.journal.UpdateRun(ctx, journal.Run{ID: r.ID, PullRequest: &now}); err != nil {
			return err
		}
	}
	return nil
}

var attemptsMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<!-- booty:attempts (\d{1,4}) -->`) })

// attemptsOf reads how many attempts a pull request's text tells of.
func attemptsOf(body string) int {
	m := attemptsMark().FindStringSubmatch(body)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// maxIssue bounds the text of an issue with its comments, in bytes; the body
// alone gets at most two thirds of it.
const maxIssue = 36000

// issueText is an issue in words, cut from the middle where it is long: the
// beginning says what is wanted, the end what was settled.
func issueText(i forge.Issue, comments []forge.Comment, linked []forge.Issue) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", strings.TrimSpace(i.Title))
	if len(i.Labels) > 0 {
		fmt.Fprintf(&b, "\nLabels: %s\n", join(i.Labels))
	}
	body := cutMiddle(tidyText(i.Body), maxIssue*2/3)
	if body != "" {
		b.WriteString("\n" + body + "\n")
	}
	for j, l := range linked {
		if j == 0 {
			b.WriteString("\nReferred to:\n")
		}
		kind := "issue"
		if l.PullRequest {
			kind = "pull request"
		}
		fmt.Fprintf(&b, "- #%d (%s, %s): %s\n", l.Number, kind, l.State, titleOf(l.Title))
	}
	var texts []string
	for _, c := range comments {
		texts = append(texts, fmt.Sprintf("\n## Comment by %s, %s\n\n%s\n", c.Author, c.At.UTC().Format("2006-01-02"),
			cutMiddle(tidyText(c.Body), maxIssue/6)))
	}
	for _, t := range middleOut(texts, maxIssue-b.Len()) {
		b.WriteString(t)
	}
	return strings.TrimSpace(b.String())
}

func tidyText(s string) string {
	return strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD"))
}

// middleOut keeps texts from both ends, the later ones first, as far as they fit.
func middleOut(texts []string, room int) []string {
	first, last := 0, len(texts)
	for first < last {
		n := len(texts[last-1])
		fromEnd := (len(texts)-last)*2 >= first*3 && first < last-1 // three from the end for two from the beginning
		if fromEnd {
			n = len(texts[first])
		}
		if n > room {
			break
		}
		room -= n
		if fromEnd {
			first++
		} else {
			last--
		}
	}
	if first >= last {
		return texts
	}
	out := append([]string{}, texts[:first]...)
	out = append(out, fmt.Sprintf("\n[%d comments left out here]\n", last-first))
	return append(out, texts[last:]...)
}

// cutMiddle keeps the beginning and the end of a long text, by whole lines
// where they are short, and leaves no code block open.
func cutMiddle(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	head := strings.ToValidUTF8(s[:limit*2/3], "")
	tail := strings.ToValidUTF8(s[len(s)-limit/3:], "")
	if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
		head = head[:i]
	}
	if i := strings.IndexByte(tail, '\n'); i >= 0 && i < len(tail)/2 {
		tail = tail[i+1:]
	}
	if strings.Count("\n"+head, "\n```")%2 == 1 {
		head += "\n```"
	}
	if strings.Count("\n"+tail, "\n```")%2 == 1 {
		tail = "```\n" + tail
	}
	return head + fmt.Sprintf("\n\n[%d bytes left out here]\n\n", len(s)-len(head)-len(tail)) + tail
}

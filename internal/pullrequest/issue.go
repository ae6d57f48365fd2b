package pullrequest

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
	"github.com/booty-cli/booty/internal/github"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// ForIssue reads an issue, looks for earlier work on it, and fills in the job's task,
// branch and base.
func ForIssue(ctx context.Context, s *runner.Session, o Options, name string, j *runner.Job) error {
	ref, err := github.ParseIssue(name)
	if err != nil {
		return err
	}
	g, err := Open(ctx, s, o)
	if err != nil {
		return err
	}
	if err := g.Belongs(ctx, "issue", ref); err != nil {
		return err
	}
	if err := g.readIssue(ctx, ref.Number, j); err != nil {
		return err
	}
	j.Shared = g.shared(j.Task)
	if g.o.DryRun {
		return nil
	}
	want, err := config.BranchName(g.s.Settings.GitHub.Branch,
		config.BranchData{Number: g.issue.Number, Slug: runner.Slug(g.issue.Title)})
	if err != nil {
		return fault.New(fault.Usage, "fix github.branch in .booty.yml", "name the branch: %w", err)
	}
	want = cmp.Or(o.Branch, want)
	if err := g.findWork(ctx, j.Task); err != nil {
		return err
	}
	if err := g.findClosed(ctx, j.Task, want); err != nil {
		return err
	}
	if err := g.freshBase(ctx); err != nil {
		return err
	}
	if err := g.attemptsOnIssue(ctx, j); err != nil {
		return err
	}
	if err := g.chooseBranch(ctx, j, want); err != nil {
		return err
	}
	if err := g.reportRules(ctx); err != nil {
		return err
	}
	j.Shared = g.shared(j.Task)
	return nil
}

// readIssue fills in the task, and refuses an issue that is not one.
func (g *Target) readIssue(ctx context.Context, n int, j *runner.Job) error {
	i, err := g.client.Issue(ctx, n)
	if errors.Is(err, github.ErrNotFound) {
		if place, ok := g.client.BecameDiscussion(ctx, n); ok {
			return fault.New(fault.Git, "use booty run --task for what it asks for",
				"issue #%d is a discussion now: %s", n, place)
		}
		return fault.New(fault.Git, "gh issue list shows those that are open",
			"there is no issue #%d in %s, or this login may not see it", n, g.repo.Repo)
	}
	if err != nil {
		return err
	}
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
	if err := checkTriggered(i, g.s.Getenv); err != nil {
		return err
	}
	g.issue = &i
	var thread github.Conversation
	if g.s.Settings.GitHub.Comments != "none" {
		if thread, err = g.client.Comments(ctx, i, hidden, fillsTask); err != nil {
			return err
		}
	}
	if thread.Others > 0 {
		g.s.Say("booty: %d of the comments on #%d left out: their authors have no write access",
			thread.Others, n)
	}
	if thread.Unread > 0 {
		g.s.Say("booty: %d comments in the middle of #%d not read: the others fill the task's text",
			thread.Unread, n)
	}
	j.Task = runner.Task{Task: event.Task{Kind: "issue", Number: n, Title: runner.Title(visible(i.Title))},
		Text: issueText(i, thread, g.linkedIssues(ctx, i, thread.Comments))}
	return nil
}

// maxLinked bounds how many linked issues are read.
const maxLinked = 5

var issueLink = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[\s(\[,;:])(?:#|GH-)(\d{1,9})\b|https?://[^\s/]+/([^\s/]+/[^\s/]+)/(?:issues|pull)/(\d{1,9})\b`)
})

// linkedIssues returns the first few issues and pull requests that an issue and its comments
// refer to: the model cannot look up a number.
func (g *Target) linkedIssues(ctx context.Context, i github.Issue, comments []github.Comment) []github.Issue {
	text := i.Body
	for _, c := range comments {
		text += "\n" + c.Body
	}
	seen := map[string]bool{strconv.Itoa(i.Number): true}
	var out []github.Issue
	for _, m := range issueLink().FindAllStringSubmatch(text, -1) {
		number := m[1] + m[3]
		if len(seen) > maxLinked || seen[number] ||
			m[2] != "" && !strings.EqualFold(m[2], g.repo.Repo.String()) {
			continue
		}
		seen[number] = true
		n, _ := strconv.Atoi(number)
		other, err := g.client.Issue(ctx, n)
		if err != nil {
			continue // not found or not visible: the text has to do
		}
		out = append(out, other)
	}
	return out
}

// findWork looks for booty's pull request for the task.
func (g *Target) findWork(ctx context.Context, t runner.Task) error {
	mark := t.Marker()
	pulls, err := g.client.Mine(ctx,
		func(p github.PullRequest) bool { return strings.Contains(report.Own(p.Body), mark) })
	if err != nil {
		return err
	}
	if pulls, err = g.begunHere(ctx, pulls); err != nil {
		return err
	}
	for i := range pulls {
		p := &pulls[i]
		if !p.Draft && !g.o.Restart {
			if clash, err := g.conflicts(ctx, p); err != nil || len(clash) == 0 {
				return cmp.Or(err, openAndReady(p, t))
			}
			g.s.Say("booty: pull request #%d is ready, but in conflict with %s: going on with it", p.Number,
				g.base)
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
	return g.findSolvers(ctx)
}

// begunHere keeps pull requests that booty started: the first commit after the base is
// booty's. People may have continued them; what they started is theirs.
func (g *Target) begunHere(ctx context.Context, pulls []github.PullRequest) ([]github.PullRequest, error) {
	var own []github.PullRequest
	for _, p := range pulls {
		if err := g.freshBase(ctx); err != nil {
			return nil, err
		}
		if err := g.fetchRef(ctx, "refs/pull/"+strconv.Itoa(p.Number)+"/head"); err != nil {
			return nil, err
		}
		first, err := g.s.Repo.FirstBeyond(ctx, g.baseCommit, p.Commit)
		if err != nil {
			return nil, err
		}
		if first != "" {
			if run, err := g.s.Repo.Trailer(ctx, first, runner.TrailerRun); err != nil {
				return nil, err
			} else if run == "" {
				g.s.Say("booty: pull request #%d names this task, but was not begun by booty: it is left "+
					"alone", p.Number)
				continue
			}
		}
		own = append(own, p)
	}
	return own, nil
}

// conflicts returns the paths in which a pull request conflicts with the newest base.
func (g *Target) conflicts(ctx context.Context, p *github.PullRequest) ([]string, error) {
	if err := g.freshBase(ctx); err != nil {
		return nil, err
	}
	if err := g.fetchRef(ctx, "refs/pull/"+strconv.Itoa(p.Number)+"/head"); err != nil {
		return nil, nil //nolint:nilerr // if unknown, assume no conflict
	}
	return g.s.Repo.WouldConflict(ctx, p.Commit, g.baseCommit)
}

func openAndReady(p *github.PullRequest, t runner.Task) error {
	return fault.New(fault.NothingToDo, "booty run --restart starts over",
		"pull request %s for %s is open and ready", p.URL, t.Name())
}

// findClosed looks for booty's closed pull requests for the task. A merged one solves it.
// If a person closed the last one, the work is not wanted.
func (g *Target) findClosed(ctx context.Context, t runner.Task, want string) error {
	if g.pull != nil {
		return nil
	}
	owner, err := g.headOwner(ctx)
	if err != nil {
		return err
	}
	g.closed = map[string]bool{}
	var last *github.PullRequest
	for i := 1; ; i++ {
		name := runner.Numbered(want, i)
		pulls, err := g.client.ClosedFrom(ctx, owner, name)
		if err != nil {
			return err
		}
		for _, p := range pulls {
			if !strings.Contains(report.Own(p.Body), t.Marker()) {
				continue
			}
			g.closed[name] = true
			if err := g.noteClosed(ctx, p); err != nil {
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
	case last == nil || g.o.Restart:
		return nil
	case last.Merged:
		return fault.New(fault.NothingToDo, "close the issue, or start over with --restart",
			"%s is solved already: pull request %s is merged", t.Name(), last.URL)
	}
	return fault.New(fault.NothingToDo,
		"booty run --restart starts over with another pull request; or reopen that one",
		"pull request %s for %s was closed without being merged", last.URL, t.Name())
}

// findSolvers looks for pull requests by others that close the issue.
func (g *Target) findSolvers(ctx context.Context) error {
	solvers, err := g.client.Solvers(ctx, g.issue.Number)
	if err != nil {
		return err
	}
	for _, s := range solvers {
		switch {
		case s.State == "MERGED" && !g.o.Restart:
			return fault.New(fault.NothingToDo, "close the issue, or start over with --restart",
				"issue #%d is solved already: %s is merged", g.issue.Number, s.URL)
		case s.State == "OPEN" && g.o.Alone:
			return fault.New(fault.NothingToDo, "", "%s by %s is open and would close issue #%d", s.URL,
				s.Author,
				g.issue.Number)
		case s.State == "OPEN":
			g.s.Say("booty: %s by %s is open and would close issue #%d too", s.URL, s.Author, g.issue.Number)
		}
	}
	return nil
}

// noteClosed updates the local records of a pull request, since booty status asks no
// server.
func (g *Target) noteClosed(ctx context.Context, p github.PullRequest) error {
	runs, err := g.s.Journal.Runs(ctx, journal.Filter{Repo: g.s.Home})
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
		if err := g.s.Journal.SetPullRequest(ctx, r.ID, now); err != nil {
			return err
		}
	}
	return nil
}

var attemptsMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<!-- booty:attempts (\d{1,4}) -->`) })

// attemptsOf reads the number of attempts in a pull request's text.
func attemptsOf(body string) int {
	m := attemptsMark().FindStringSubmatch(body)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// maxIssue bounds the text of an issue with its comments, in bytes. The body alone gets at
// most two thirds of it.
const maxIssue = 36000

// issueText returns an issue as text. A long one is cut in the middle: the beginning says
// what is wanted, the end what was decided.
func issueText(i github.Issue, thread github.Conversation, linked []github.Issue) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", visible(i.Title))
	if len(i.Labels) > 0 {
		fmt.Fprintf(&b, "\nLabels: %s\n", strings.Join(i.Labels, ", "))
	}
	body := cutMiddle(visible(i.Body), maxIssue*2/3)
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
		fmt.Fprintf(&b, "- #%d (%s, %s): %s\n", l.Number, kind, l.State, runner.Title(visible(l.Title)))
	}
	var texts []string
	for _, c := range thread.Comments {
		texts = append(texts, commentText(c))
	}
	for _, t := range keepEnds(texts, thread.Unread, maxIssue-b.Len()) {
		b.WriteString(t)
	}
	return strings.TrimSpace(b.String())
}

func commentText(c github.Comment) string {
	return fmt.Sprintf("\n## Comment by %s, %s\n\n%s\n", c.Author, c.At.UTC().Format("2006-01-02"),
		cutMiddle(visible(c.Body), maxIssue/6))
}

// fillsTask reports whether comments alone fill the text of a task.
func fillsTask(comments []github.Comment) bool {
	n := 0
	for _, c := range comments {
		n += len(commentText(c))
	}
	return n >= maxIssue
}

func tidyText(s string) string {
	return strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD"))
}

// keepEnds keeps texts from both ends, preferring later ones, as long as they fit. Unread is how
// many more there are in the middle.
func keepEnds(texts []string, unread, room int) []string {
	first, last := 0, len(texts)
	for first < last {
		n := len(texts[last-1])
		// three from the end for every two from the beginning
		fromEnd := (len(texts)-last)*2 >= first*3 && first < last-1
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
	out = append(out, fmt.Sprintf("\n[%d comments left out here]\n", last-first+unread))
	return append(out, texts[last:]...)
}

// cutMiddle keeps the beginning and the end of a long text, by whole lines if these are
// short, and closes code blocks.
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

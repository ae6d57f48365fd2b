package pullrequest

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
)

// progress keeps the one comment on an issue up to date during a run (github.progress:
// comment). The publisher writes the final failure into the same comment.
type progress struct {
	g   *Target
	ctx context.Context //nolint:containedctx // //nolint:containedctx // events carry no context
	say func(format string, args ...any)

	// done counts finished attempts, most is the maximum. failing is how many tests fail
	// now; trouble says so in words.
	done, most int
	failing    int
	trouble    string
	cost       float64
}

// progressFor returns the listener for a run on an issue, or nil if not configured.
func (g *Target) progressFor(ctx context.Context, s *runner.Session) event.Listener {
	if g.issue == nil || s.Settings.GitHub.Progress != "comment" || g.o.PR == "none" {
		return nil
	}
	return &progress{g: g, ctx: ctx, say: s.Say, done: g.earlier}
}

// Handle implements event.Listener.
func (p *progress) Handle(e event.Event) {
	switch v := e.(type) {
	case event.RunStarted:
		p.most = v.MaxRetries
		p.put("")
	case event.BaselineFinished:
		p.failing, p.trouble = v.Failing, v.Trouble
	case event.ModelReply:
		p.cost += v.CostUSD
	case event.AttemptFinished:
		p.failing, p.trouble = v.Failing, v.Trouble
		if record.Checked(v.Outcome) {
			p.done++
		}
		if v.Outcome != event.Green {
			p.put("")
		}
	case event.RunFinished:
		if end := p.ending(v); end != "" {
			p.put(end)
		}
	}
}

// ending describes the end of the run, or "" if the publisher does so.
func (p *progress) ending(e event.RunFinished) string {
	if e.Outcome == event.Green && e.PullRequest != nil {
		return fmt.Sprintf("**Solved** after %s: pull request #%d passes the checks. %s", counted(p.done),
			e.PullRequest.Number, usd(p.cost))
	}
	if reportsOnIssue(e.Outcome, e.Attempts) {
		return ""
	}
	return fmt.Sprintf("**Stopped** (%s) after %s: %s %s",
		report.Inline(strings.ReplaceAll(e.Outcome, "_", " ")), counted(p.done),
		report.Inline(e.Message), usd(p.cost))
}

// put writes the comment: the end of the run, or its progress.
func (p *progress) put(end string) {
	n := p.g.issue.Number
	switch {
	case end == "" && p.most == 0:
		return
	case end == "":
		end = fmt.Sprintf("**booty is at work on this**: attempt %d of %d. %s%s", min(p.done+1, p.most),
			p.most,
			p.fails(), usd(p.cost))
	}
	marker := report.FailureMarker(n)
	text := marker + "\n" + report.Marker("attempts", strconv.Itoa(p.done)) + "\n" + end + "\n"
	ctx := context.WithoutCancel(p.ctx) // also for an interrupted run
	if err := p.g.client.PutComment(ctx, n, marker, text); err != nil {
		p.say("booty: the comment on #%d could not be written: %v", n, err)
	}
}

func (p *progress) fails() string {
	switch {
	case p.trouble != "":
		return report.Inline(p.trouble) + ". "
	case p.failing == 1:
		return "1 test fails now. "
	case p.failing > 1:
		return fmt.Sprintf("%d tests fail now. ", p.failing)
	}
	return ""
}

func counted(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

func usd(v float64) string { return fmt.Sprintf("$%.2f so far.", v) }

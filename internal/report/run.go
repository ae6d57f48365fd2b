package report

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// WriteRun writes one run in detail: every attempt, what was tried, what failed,
// and what it cost. For a terminal with r, plainly without. Words are wrapped at
// width; 0 wraps nothing.
func WriteRun(w io.Writer, d record.Detail, r *lipgloss.Renderer, now time.Time, width int) error {
	p := &paint{w: w, r: r, width: width}
	s := storyOf(d)
	writeHead(p, s, now)
	if len(s.Before) > 0 {
		p.line("")
		p.line(p.bold("Before the first attempt"))
		writeChecks(p, s.Before)
	}
	for _, a := range d.Attempts {
		p.line("")
		writeAttempt(p, s, a)
		if again := s.Again[a.N]; len(again) > 0 {
			p.line("")
			p.line(p.bold(againTitle(a.N)))
			writeChecks(p, again)
		}
	}
	if len(d.Attempts) == 0 {
		p.line("")
		p.line("No attempt was made.")
	}
	writeNotes(p, s)
	if len(d.Attempts) > 0 && d.Run.State != record.Running {
		p.line("")
		p.line(p.dim("booty status " + d.Run.ID + " --show output   # or diff, prompt, reply, context, pr"))
		p.line(p.dim("booty status " + d.Run.ID + " --html run.html"))
	}
	return p.err
}

func writeHead(p *paint, s story, now time.Time) {
	r := s.Run
	p.line(p.bold("Run "+r.ID) + "  " +
		p.color(meaning(outcomeName(r)), event.Ended(outcomeName(r), r.AttemptsTotal)) +
		p.dim(stepNow(s.Detail, now)))
	field := func(name, value string) {
		if value != "" {
			p.wrapped(fmt.Sprintf("  %-9s ", name), value)
		}
	}
	field("task", oneLine(taskName(r.Task), 200))
	field("in", oneLine(strings.TrimSpace(r.RepoName+" "+r.Repo), 200))
	branch := oneLine(r.MadeBranch(), 100)
	if into := s.Into(); branch != "" && into != "" {
		branch += " into " + oneLine(into, 100)
	}
	field("branch", branch)
	if r.PullRequest != nil && r.PullRequest.Number > 0 {
		kind := "ready"
		if r.PullRequest.Draft {
			kind = "draft"
		}
		field("pull", fmt.Sprintf("#%d %s %s", r.PullRequest.Number, kind, oneLine(r.PullRequest.URL, 200)))
	}
	when := r.Started.Format("2006-01-02 15:04:05 MST") + ", " + age(now, r.Started)
	if took := s.Took(); took != "" {
		when += ", took " + took
	}
	field("started", when)
	field("attempts", outOf(r.AttemptsTotal, r.MaxRetries))
	field("model", oneLine(s.Models(), 200))
	field("cost", fmt.Sprintf("%s, %s tokens in, %s out", money(r.CostUSD, r.Estimated),
		tokens(r.InputTokens),
		tokens(r.OutputTokens)))
	field("cache", cacheText(s.Calls()))
	if r.State == record.Finished && r.AttemptsTotal > 0 {
		if s.CountAfter != "" {
			field("tests", s.Tests())
		}
		field("proves", s.Claim)
	}
	field("message", oneLine(r.Message, 500))
	field("hint", oneLine(s.Hint(), 300))
}

func writeAttempt(p *paint, run story, a record.Attempt) {
	s := sumOf(a)
	p.wrapped(p.bold("Attempt "+outOf(a.N, run.Run.MaxRetries))+"  ", p.word(run.Result(a)))
	facts := nonEmpty(oneLine(a.Role, 40), oneLine(strings.Join(modelsOf(a.Calls), ", "), 60))
	if s.DurationMS > 0 {
		facts = append(facts, span(msec(s.DurationMS)))
	}
	facts = append(facts, fmt.Sprintf("%s, %s out", tokensIn(s.InputTokens, s.CachedTokens),
		tokens(s.OutputTokens)), money(s.CostUSD, s.Estimated))
	if a.Summary != "" {
		p.wrapped("  ", oneLine(a.Summary, 200))
	}
	if a.Prose != "" {
		p.wrapped("    ", oneLine(a.Prose, 600))
	}
	p.line("  " + p.dim(strings.Join(facts, ", ")))
	for _, f := range a.Files {
		from := ""
		if f.From != "" {
			from = " (was " + oneLine(f.From, 200) + ")"
		}
		p.line(fmt.Sprintf("  %-6s %s%s  %s %s", oneLine(f.Op, 10), oneLine(f.Path, 200), from,
			p.color(green, fmt.Sprintf("+%d", f.Added)), p.color(red, fmt.Sprintf("-%d", f.Removed))))
	}
	for _, x := range a.Refused {
		p.wrapped("  "+p.color(yellow, "refused")+" ", oneLine(x.Path, 200)+": "+oneLine(x.Reason, 300))
	}
	writeChecks(p, a.Checks)
}

// writeChecks shows each check in a line, and the first failures of those that
// failed, where no check before has told them.
func writeChecks(p *paint, checks []record.Check) {
	const most = 5
	for i, failures := range fresh(checks) {
		c := checks[i]
		text := fmt.Sprintf("%s  %s  %s", p.word(verdict(c)), oneLine(c.Name, 60), span(msec(c.DurationMS)))
		p.wrapped("  ", strings.Join(nonEmpty(text, c.Counts.Words(), oneLine(c.Note, 200)), "  "))
		if !c.Passed && len(c.Failures) == 0 {
			writeExcerpt(p, c.Distilled, most)
		}
		if len(c.Failures) > 0 && len(failures) == 0 {
			p.line(p.dim("    the same as above"))
		}
		for i, f := range failures {
			if i == most {
				p.line(fmt.Sprintf("    and %d more", len(failures)-most))
				break
			}
			place := oneLine(f.File, 200)
			if place != "" && f.Line > 0 {
				place = fmt.Sprintf("%s:%d", place, f.Line)
			}
			p.wrapped("    ", strings.Join(nonEmpty(oneLine(f.Test, 200), place, oneLine(f.Says(), 300)),
				"  "))
		}
	}
}

// writeExcerpt shows the first lines of an output that nothing was recognised in.
func writeExcerpt(p *paint, text string, most int) {
	text = strings.TrimSpace(clean(text))
	if text == "" {
		return
	}
	all := strings.Split(text, "\n")
	for i, l := range all {
		if i == most {
			p.line(fmt.Sprintf("    and %s", count(len(all)-most, "more line")))
			return
		}
		p.line("    " + cutRunes(l, 200))
	}
}

func nonEmpty(parts ...string) []string {
	var out []string
	for _, s := range parts {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// writeNotes shows what was noted beside the attempts; evidence is part of the claim.
func writeNotes(p *paint, s story) {
	head := "Notes"
	for _, n := range s.Notes {
		if n.Kind == "evidence" {
			continue
		}
		if head != "" {
			p.line("")
			p.line(p.bold(head))
			head = ""
		}
		before := "  " + oneLine(n.Kind, 20) + ": "
		for l := range strings.SplitSeq(strings.TrimSpace(clean(n.Text)), "\n") {
			p.wrapped(before, cutRunes(l, 300))
			before = strings.Repeat(" ", len(n.Kind)+4)
		}
	}
}

// stepNow says what a run at work does, and for how long.
func stepNow(d record.Detail, now time.Time) string {
	if d.Run.State != record.Running || d.Last == nil {
		return ""
	}
	step := map[string]string{
		"run.started": "baseline", "setup.finished": "baseline", "baseline.finished": "choosing what to show",
		"context.selected": "asking the model", "context.requested": "asking the model",
		"model.request": "waiting for the model",
		"model.retry":   "waiting for the model", "model.reply": "edits", "edits.refused": "asking the model",
		"edits.applied": "checks", "check.finished": "checks", "attempt.finished": "choosing what to show", "wait": "waiting",
		"evidence.finished": "finishing", "review.finished": "finishing",
	}[d.Last.Event]
	if step == "" {
		step = "at work"
	}
	return fmt.Sprintf("  %s for %s, %s total", step, span(now.Sub(d.Last.At)), span(now.Sub(d.Run.Started)))
}

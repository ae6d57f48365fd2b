package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/booty-cli/booty/internal/journal/record"
)

// WriteRun writes one run in detail: every attempt, what was tried, what failed,
// and what it cost. For a terminal with r, plainly without.
func WriteRun(w io.Writer, d record.Detail, r *lipgloss.Renderer, now time.Time) error {
	p := &paint{w: w, r: r}
	writeHead(p, d, now)
	if len(d.Baseline) > 0 {
		p.line("")
		p.line(p.bold("Before the first attempt"))
		writeChecks(p, d.Baseline)
	}
	for _, a := range d.Attempts {
		p.line("")
		writeAttempt(p, a, d.Run)
	}
	if len(d.Attempts) == 0 {
		p.line("")
		p.line("No attempt was made.")
	}
	if len(d.Notes) > 0 {
		p.line("")
		p.line(p.bold("Notes"))
		for _, n := range d.Notes {
			writeNote(p, n)
		}
	}
	if len(d.Attempts) > 0 {
		p.line("")
		p.line(p.dim(fmt.Sprintf("booty status %s --attempt N --show diff|output|prompt|reply|context shows more.", d.Run.ID)))
	}
	return p.err
}

// calls are all that a run made.
func calls(d record.Detail) []record.Call {
	all := slices.Clone(d.Extra)
	for _, a := range d.Attempts {
		all = append(all, a.Calls...)
	}
	return all
}

func writeHead(p *paint, d record.Detail, now time.Time) {
	r := d.Run
	p.line(p.bold("Run "+r.ID) + "  " + p.word(outcomeName(r)))
	field := func(name, value string) {
		if value != "" {
			p.line(fmt.Sprintf("  %-9s %s", name, value))
		}
	}
	field("task", oneLine(taskName(r.Task), 200))
	field("in", oneLine(strings.TrimSpace(r.RepoName+" "+r.Repo), 200))
	branch := oneLine(r.Branch, 100)
	if branch != "" && r.Base != "" {
		branch += " into " + oneLine(r.Base, 100)
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
	if !r.Finished.IsZero() {
		when += ", took " + span(r.Finished.Sub(r.Started))
	}
	field("started", when)
	field("attempts", outOf(r.AttemptsTotal, r.MaxRetries))
	field("cost", fmt.Sprintf("%s, %s tokens in, %s out", money(r.CostUSD, r.Estimated), tokens(r.InputTokens), tokens(r.OutputTokens)))
	field("tokens", guessText(calls(d)))
	field("message", oneLine(r.Message, 500))
	if r.State == record.Interrupted {
		field("hint", fmt.Sprintf("booty resume %s goes on, booty undo %s goes back", r.ID, r.ID))
	} else {
		field("hint", oneLine(r.Hint, 300))
	}
}

func writeAttempt(p *paint, a record.Attempt, r record.Run) {
	s := sumOf(a)
	head := p.bold(fmt.Sprintf("Attempt %s", outOf(a.N, r.MaxRetries))) + "  " + p.word(attemptResult(a))
	facts := []string{oneLine(a.Role, 40)}
	if s.DurationMS > 0 {
		facts = append(facts, span(msec(s.DurationMS)))
	}
	facts = append(facts, fmt.Sprintf("%s, %s out", tokensIn(s.InputTokens, s.CachedTokens), tokens(s.OutputTokens)), money(s.CostUSD, s.Estimated))
	p.line(head + "  " + p.dim(strings.Join(facts, ", ")))
	if a.Summary != "" {
		p.line("  " + oneLine(a.Summary, 200))
	}
	for _, f := range a.Files {
		from := ""
		if f.From != "" {
			from = " (was " + oneLine(f.From, 200) + ")"
		}
		p.line(fmt.Sprintf("  %-6s %s%s  %s %s", oneLine(f.Op, 10), oneLine(f.Path, 200), from,
			p.color(green, fmt.Sprintf("+%d", f.Added)), p.color(red, fmt.Sprintf("-%d", f.Removed))))
	}
	for _, x := range a.Refused {
		p.line("  " + p.color(yellow, "refused") + " " + oneLine(x.Path, 200) + ": " + oneLine(x.Reason, 300))
	}
	for _, s := range a.SetAside {
		p.line("  " + p.color(yellow, "set aside") + " " + oneLine(s.Path, 200) + ": " + oneLine(s.Reason, 300))
	}
	writeChecks(p, a.Checks)
}

// writeChecks shows each check in a line and the first failures of those that failed.
func writeChecks(p *paint, checks []record.Check) {
	for _, c := range checks {
		text := fmt.Sprintf("  %s  %s  %s", p.word(verdict(c)), oneLine(c.Name, 60), span(msec(c.DurationMS)))
		if n := countsText(c.Counts); n != "" {
			text += "  " + n
		}
		if c.Note != "" {
			text += "  " + oneLine(c.Note, 200)
		}
		p.line(text)
		const most = 5
		if !c.Passed && len(c.Failures) == 0 {
			writeExcerpt(p, c.Distilled, most)
		}
		for i, f := range c.Failures {
			if i == most {
				p.line(fmt.Sprintf("    and %d more", len(c.Failures)-most))
				break
			}
			place := oneLine(f.File, 200)
			if place != "" && f.Line > 0 {
				place = fmt.Sprintf("%s:%d", place, f.Line)
			}
			p.line("    " + strings.Join(nonEmpty(oneLine(f.Test, 200), place, oneLine(f.Message, 300)), "  "))
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

func writeNote(p *paint, n record.Note) {
	for i, l := range strings.Split(strings.TrimSpace(clean(n.Text)), "\n") {
		head := strings.Repeat(" ", len(n.Kind)+2)
		if i == 0 {
			head = oneLine(n.Kind, 20) + ": "
		}
		p.line("  " + head + cutRunes(l, 300))
	}
}

package queue

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/specs"
)

// text returns the comment.
func (ps *pullState) text() string {
	var b strings.Builder
	b.WriteString(creditMark + "\n" + ps.note.Hidden() + "\n")
	if ps.statusText != "" {
		b.WriteString(ps.statusText + "\n")
	} else {
		fmt.Fprintf(&b, "**Attempt %d of %d is under way.**\n", ps.title().Attempt, ps.note.Of)
	}
	if len(ps.periods) > 0 {
		b.WriteString("\nSpent on all work of booty's here:\n\n" + report.Credit(ps.periods, ps.q.s.Now()))
	}
	return b.String()
}

// explain records the result of a turn in the note and returns the status text, with what a
// person can do.
func (ps *pullState) explain(e Ending) string {
	var b strings.Builder
	ps.note.Why = e.Why
	n := ps.note
	switch e.State {
	case Ready:
		if n.Used == 0 {
			b.WriteString("**The checks pass** as soon as the test is active: no model was asked.")
			break
		}
		fmt.Fprintf(&b, "**The checks pass** after %s.", attempts(n.Used))
	case Conflicted:
		fmt.Fprintf(&b, "**The checks pass** after %s, and a person should merge it.", attempts(n.Used))
	case ForPerson:
		fmt.Fprintf(&b, "**A person is needed** after %s.", attempts(n.Used))
	case ForReview:
		fmt.Fprintf(&b, "**The spec needs a look** after %s.", attempts(n.Used))
	case OverBudget:
		fmt.Fprintf(&b, "**Stopped by a spending limit** after %s.", attempts(n.Used))
	default:
		fmt.Fprintf(&b, "**Not finished yet**: %d of %d attempts used.", n.Used, n.Of)
	}
	if e.Why != "" {
		b.WriteString(" " + report.Inline(e.Why))
	}
	b.WriteString("\n")
	switch e.State {
	case OverBudget:
		b.WriteString("\nThe queue skips this spec. Raise the limit in `.booty.yml`, or wait until it is free " +
			"again; then:\n\n" + ps.nextSteps())
	case ForPerson, ForReview:
		b.WriteString("\nThe queue continues with other specs. What you can do:\n\n" + ps.nextSteps())
	}
	return b.String()
}

// nextSteps lists what a person can do.
func (ps *pullState) nextSteps() string {
	n := ps.pull.Number
	if ps.pull.Merged || ps.pull.State == "closed" {
		return fmt.Sprintf("- `booty recover close-and-reset %d`, or taking the label away, starts the spec over\n", n)
	}
	retry := ""
	if ps.note.Used < ps.note.Of {
		retry = fmt.Sprintf("- `booty recover retry %d` continues with the remaining attempts\n", n)
	}
	return retry + fmt.Sprintf("- `booty recover reset-attempts %[1]d` continues, counting attempts from one again\n"+
		"- `booty recover mark-for-review %[1]d` closes this and leaves the spec to a person\n"+
		"- `booty recover close-and-reset %[1]d` closes this, so that the spec starts over\n\n"+
		"Or finish it by hand on its branch: `gh pr checkout %[1]d`.\n", n)
}

func attempts(n int) string {
	switch n {
	case 0:
		return "no attempt"
	case 1:
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

func issueTitle(id string) string { return "TDD spec " + id + " needs human review" }

// issueText is the text of the issue that asks a person for help.
func (ps *pullState) issueText(e Ending) string {
	do := "Look at the pull request and merge it.\n"
	if e.State != Conflicted {
		do = "What you can do:\n\n" + ps.nextSteps()
	}
	return fmt.Sprintf("%s\nPull request #%d for the pending test %s waits for a person, after %s and "+
		"$%.2f.\n\n%s\n\n%s",
		report.Marker("spec-issue", ps.note.Spec), ps.pull.Number, report.Code(ps.note.Spec),
		attempts(ps.note.Used),
		ps.note.cost(), report.Inline(e.Why), do)
}

// startText is the body of a new pull request.
func startText(s specs.Spec, branch, mark string, n Note) string {
	p := report.PullRequest{
		Prose: fmt.Sprintf("The pending test %q (%s:%d) is activated here; booty works on the code that it "+
			"asks for.", s.Title, s.File, s.Line),
		Branch: branch, Markers: []string{mark, n.Hidden()},
	}
	return p.Body()
}

// taskText is the task for the model.
func taskText(s specs.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Make a test pass that was pending until now: %s\n\n", s.Title)
	if s.Bodyless {
		fmt.Fprintf(&b, "It is in %s, at line %d, a title without a body. Write that test there, as new "+
			"lines, and the code that it asks for.\n", s.File, s.Line)
		return b.String()
	}
	fmt.Fprintf(&b, "It is in %s, about line %d", s.File, s.Line)
	if s.Test != "" && s.Test != s.Title {
		fmt.Fprintf(&b, ", in %s", s.Test)
	}
	b.WriteString(", and is active now. Write the code that it asks for; the test itself stays as it is.\n")
	return b.String()
}

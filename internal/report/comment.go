package report

import (
	"fmt"
	"strconv"
	"strings"
)

// FailureMarker is the hidden line by which booty finds its own comment on an
// issue again, to update it instead of writing a second.
func FailureMarker(issue int) string { return Marker("failure", strconv.Itoa(issue)) }

// FailureComment gives the one comment that booty leaves on an issue whose run
// failed for good.
func FailureComment(p PullRequest) string {
	d := document{head: append([]string{FailureMarker(p.Task.Number)}, p.Markers...), run: p.Run}
	var b strings.Builder
	fmt.Fprintf(&b, "**booty could not finish this** after %s", count(p.Past.Attempts()+CountOf(p.Attempts), "attempt"))
	if p.Outcome != "" {
		b.WriteString(" (" + Inline(strings.ReplaceAll(p.Outcome, "_", " ")) + ")")
	}
	b.WriteString("." + Sentence(p.Message) + "\n")
	if p.Number > 0 {
		fmt.Fprintf(&b, "\nThe best attempt is in the draft pull request #%d.\n", p.Number)
	} else if len(p.best().Files) == 0 {
		b.WriteString("\nNothing was changed, so there is no pull request.\n")
	}
	d.add("", "", b.String(), "")
	if p.Failure != "" {
		d.add("", "Test failures", "What failed in the best attempt:\n", p.Failure)
	}
	d.add("", "Attempts", p.attemptsTable(), "")
	d.add("", "Notes", bullets(p.Notes), "")
	d.add("", "Cost", p.cost(), "")
	d.add("", "Go on locally", p.local(), "")
	return d.render()
}

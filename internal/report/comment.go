package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/event"
)

// FailureMarker is the hidden line by which booty finds its own comment on an
// issue again, to update it instead of writing a second.
func FailureMarker(issue int) string { return Marker("failure", strconv.Itoa(issue)) }

// FailureComment gives the one comment that booty leaves on an issue whose run
// failed for good: a few lines that lead to the draft, where there is one.
func FailureComment(p PullRequest) string {
	var b strings.Builder
	b.WriteString(strings.Join(append([]string{FailureMarker(p.Task.Number)}, p.Markers...), "\n") + "\n")
	if p.Outcome == event.NothingToDo {
		b.WriteString("**booty found nothing to change.**" + Sentence(p.Message) +
			" Say in a comment what is missing, or close the issue.\n")
		return b.String()
	}
	b.WriteString("**booty could not finish this**")
	if n := p.Past.Attempts() + CountOf(p.Attempts); n > 0 {
		b.WriteString(" after " + count(n, "attempt"))
	}
	b.WriteString("." + Sentence(p.Message))
	switch {
	case p.Number > 0:
		fmt.Fprintf(&b, " The best attempt is in draft #%d.\n", p.Number)
	case p.Behind:
		b.WriteString(" No attempt was better than what is there, so no pull request was opened.\n")
	default:
		b.WriteString(" Nothing was changed, so there is no pull request.\n")
	}
	if p.Run != "" && shellWord(p.Run) {
		fmt.Fprintf(&b, "\nTo continue, on the machine that ran it: `booty resume %s`\n", p.Run)
	}
	return b.String()
}

package pullrequest

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/report"
)

var answerLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^[ \t>*-]*\**ANSWER (\d{1,3})\**:\**[ \t]*(\S.*)$`)
})

// answersIn returns the lines of a reply that answer items, by item number.
func answersIn(reply string) map[int]string {
	out := map[int]string{}
	for _, m := range answerLine().FindAllStringSubmatch(reply, -1) {
		n, _ := strconv.Atoi(m[1])
		out[n] = strings.TrimSpace(m[2])
	}
	return out
}

// answersAll reports whether a reply without edits answers every open item.
func (o todo) answersAll(reply string) bool {
	if len(o.checks)+len(o.conflicts) > 0 || len(o.items) == 0 {
		return false
	}
	got := answersIn(reply)
	for _, it := range o.items {
		if got[it.n] == "" {
			return false
		}
	}
	return true
}

// answered is what a run has done for an open pull request.
type answered struct {
	pub engine.Publication
	// baseline are the checks before any change.
	baseline []journal.Check
	// pushed is the commit that was pushed, "" if none was.
	pushed string
	// settled are the paths whose conflicts the run has resolved.
	settled []string
	memory  pullMemory
}

// comment returns booty's one comment on the pull request, below its marker. o is what was open.
func (a answered) comment(o todo, base string) string {
	var b strings.Builder
	b.WriteString(a.memory.marker() + "\n")
	switch {
	case a.pushed != "":
		fmt.Fprintf(&b, "**booty** pushed %s", a.pushed)
		if a.pub.Main != nil {
			b.WriteString(": " + strings.TrimSuffix(report.Prose(report.FirstLine(a.pub.Main.Summary)), "\n"))
		}
		b.WriteString("\n\nThe checks pass where booty ran; GitHub's own run on the new commit.\n")
		if o.updater != nil {
			b.WriteString("\n" + o.updater.rule() + ".\n")
		}
		if a.pub.Main == nil || len(a.settled) > 0 {
			fmt.Fprintf(&b, "\nConflicts with %s were settled in %s.\n", base, report.Some(a.settled))
		}
		if len(o.checks) > 0 && !slices.ContainsFunc(a.baseline, func(c journal.Check) bool { return !c.Passed }) {
			b.WriteString("\nThe failed checks could not be reproduced there: the change is made from " +
				"their logs.\n")
		}
	case a.pub.Outcome == event.NothingToDo:
		b.WriteString("**booty** has answered; nothing had to be changed.\n")
	default:
		fmt.Fprintf(&b, "**booty** could not finish this (%s) and pushed nothing.%s\n",
			report.Inline(strings.ReplaceAll(a.pub.Outcome, "_", " ")), report.Sentence(a.pub.Message))
	}
	fmt.Fprintf(&b, "\n<sub>%s since a person last did something, $%.2f in all. Asked for: %s.</sub>\n",
		counted(a.memory.Attempts), a.memory.CostUSD, o.summary())
	return b.String()
}

func counted(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

func (p PullRequest) attemptsTable() string {
	var rows []PastAttempt
	for _, r := range p.Past.Runs {
		rows = append(rows, r.Attempts...)
	}
	for _, a := range p.Attempts {
		rows = append(rows, pastOf(a))
	}
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| # | what was tried | change | result | time | tokens in / out | cost |\n|---|---|---|---|---|---|---|\n")
	n := 0
	for _, a := range rows {
		number := "–" // no attempt: nothing of it was checked
		if record.Checked(a.Outcome) {
			n++
			number = strconv.Itoa(n)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s / %s | %s |\n", number, cell(a.Summary), a.change(), a.result(),
			span(msec(a.DurationMS)), tokens(a.InputTokens), tokens(a.OutputTokens), money(a.CostUSD, a.Estimated))
	}
	if p.MaxRetries > 0 {
		fmt.Fprintf(&b, "\n%d of %s used.\n", n, count(max(p.MaxRetries, n), "attempt"))
	}
	return b.String()
}

// change sums up the files as "3 files +10 -2".
func (a PastAttempt) change() string {
	if a.Files == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s +%d -%d", count(a.Files, "file"), a.Added, a.Removed)
}

// result says what became of an attempt, and names the first tests that fail.
func (a PastAttempt) result() string {
	const most = 2
	var names []string
	for i, t := range a.Tests {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, codeCell(t))
	}
	word := cell(attemptResult(record.Attempt{Outcome: a.Outcome, Failing: a.Failing, Known: a.Known, Trouble: a.Trouble}))
	if a.Failing == 0 || len(names) == 0 {
		return word
	}
	return word + ": " + strings.Join(names, ", ")
}

// attemptResult says in a word or two what became of an attempt.
func attemptResult(a record.Attempt) string {
	word := strings.ReplaceAll(a.Outcome, "_", " ")
	if word == "" {
		word = "not finished"
	}
	switch {
	case a.Trouble != "" && a.Outcome == event.Failing:
		word = a.Trouble
	case a.Trouble != "":
		word += ", " + a.Trouble
	case a.Failing > 0 && a.Outcome == event.Failing:
		word = fmt.Sprintf("%d failing", a.Failing)
	case a.Failing > 0:
		word += fmt.Sprintf(", %d failing", a.Failing)
	}
	if a.Known > 0 && a.Trouble == "" {
		word += fmt.Sprintf(", %d known", a.Known)
	}
	return word
}

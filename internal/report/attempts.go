package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

func (p PullRequest) attemptsTable() string {
	if len(p.Attempts) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| # | what was tried | change | result | cost |\n|---|---|---|---|---|\n")
	n := p.Past.Attempts()
	for _, a := range p.Attempts {
		number := "–" // no attempt: nothing of it was checked
		if record.Checked(a.Outcome) {
			n++
			number = strconv.Itoa(n)
		}
		t := sumOf(a)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", number, cell(a.Summary), changeOf(a), resultOf(a),
			money(t.CostUSD, t.Estimated))
	}
	if p.MaxRetries > 0 {
		fmt.Fprintf(&b, "\n%d of %s used.\n", n, count(max(p.MaxRetries, n), "attempt"))
	}
	return b.String()
}

// changeOf sums up the files as "3 files +10 -2".
func changeOf(a record.Attempt) string {
	if len(a.Files) == 0 {
		return "nothing"
	}
	added, removed := lines(a.Files)
	return fmt.Sprintf("%s +%d -%d", count(len(a.Files), "file"), added, removed)
}

// failingTests names the first tests that an attempt's checks saw fail.
func failingTests(checks []record.Check) []string {
	const most = 3 // one more than is shown
	var names []string
	for _, c := range checks {
		for _, f := range c.Failures {
			if f.Test != "" && !slices.Contains(names, f.Test) && len(names) < most {
				names = append(names, oneLine(f.Test, 100))
			}
		}
	}
	return names
}

// resultOf says what became of an attempt, and names the first tests that fail.
func resultOf(a record.Attempt) string {
	const most = 2
	var names []string
	for i, t := range failingTests(a.Checks) {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, codeCell(t))
	}
	word := cell(attemptResult(a))
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

package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/booty-cli/booty/internal/journal/record"
)

// Credit gives the money block of a comment: for each period used, limit, left,
// percent, runs, when its oldest spending leaves it, and the state in words.
func Credit(periods []record.Period, now time.Time) string {
	var b strings.Builder
	b.WriteString("| period | used | limit | left | used % | runs | resets in | state |\n|---|---|---|---|---|---|---|---|\n")
	for _, p := range periods {
		limit, left, percent, resets := "none", "", "", ""
		if p.LimitUSD > 0 {
			limit, left, percent = cents(p.LimitUSD), cents(p.LeftUSD), fmt.Sprintf("%.0f %%", p.Percent)
		}
		if !p.Resets.IsZero() {
			resets = span(p.Resets.Sub(now))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %d | %s | %s |\n", p.Period, cents(p.UsedUSD), limit,
			left,
			percent, p.Runs, resets, stateWords(p.State))
	}
	return b.String()
}

func cents(v float64) string { return fmt.Sprintf("$%.2f", v) }

func stateWords(state string) string {
	switch state {
	case record.Reached:
		return "limit reached"
	case record.Warned:
		return "warning: close to the limit"
	}
	return "available"
}

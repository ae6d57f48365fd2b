package report

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"github.com/booty-cli/booty/internal/journal/record"
)

// Status is what `booty status` shows.
type Status struct {
	Now          time.Time
	Runs         []record.Run
	PullRequests []OpenPullRequest
	Money        []record.Period
}

// OpenPullRequest is one of booty's that waits on the server.
type OpenPullRequest struct {
	Number      int    `json:"number"`
	Title       string `json:"title"`
	URL         string `json:"url"`
	Branch      string `json:"branch"`
	Draft       bool   `json:"draft"`
	State       string `json:"state"` // what its labels say: active, ready, conflict, manual, review, budget
	Attempt     int    `json:"attempt"`
	MaxAttempts int    `json:"max_attempts"`
}

// Write writes the status as text: for a terminal with r, plainly without.
// width bounds the titles; 0 means no bound.
func (s Status) Write(w io.Writer, r *lipgloss.Renderer, width int) error {
	p := &paint{w: w, r: r}
	if len(s.Runs) == 0 {
		p.line("No runs yet. Start one with: booty run --task \"what to do\"")
	} else {
		s.writeRuns(p, width)
	}
	if len(s.PullRequests) > 0 {
		p.line("")
		s.writePullRequests(p, width)
	}
	if len(s.Money) > 0 {
		p.line("")
		writeMoney(p, s.Money, s.Now)
	}
	return p.err
}

func (s Status) writeRuns(p *paint, width int) {
	headers := []string{"RUN", "STARTED", "OUTCOME", "ATTEMPTS", "COST", "WHERE", "TASK"}
	var rows [][]string
	for _, r := range s.Runs {
		where := oneLine(r.Branch, 40)
		if r.PullRequest != nil && r.PullRequest.Number > 0 {
			where = fmt.Sprintf("#%d", r.PullRequest.Number)
			if r.PullRequest.Draft {
				where += " draft"
			}
		}
		rows = append(rows, []string{
			r.ID, age(s.Now, r.Started), outcomeName(r), outOf(r.Attempts, r.MaxRetries), money(r.CostUSD, r.Estimated), where,
			oneLine(taskName(r.Task), 200),
		})
	}
	fitLast(rows, width)
	p.rows(headers, rows, 2)
	for _, r := range s.Runs {
		if r.State == record.Interrupted {
			p.line("")
			p.line(fmt.Sprintf("Run %s was interrupted: booty resume %s goes on, booty undo %s goes back.", r.ID, r.ID, r.ID))
			return // the newest; the others stand in the list
		}
	}
}

func (s Status) writePullRequests(p *paint, width int) {
	headers := []string{"PULL REQUEST", "STATE", "ATTEMPT", "BRANCH", "TITLE"}
	var rows [][]string
	for _, pr := range s.PullRequests {
		state := pr.State
		if state == "" {
			state = "ready"
			if pr.Draft {
				state = "draft"
			}
		}
		rows = append(rows, []string{fmt.Sprintf("#%d", pr.Number), state, outOf(pr.Attempt, pr.MaxAttempts), oneLine(pr.Branch, 40), oneLine(pr.Title, 200)})
	}
	fitLast(rows, width)
	p.rows(headers, rows, 1)
}

// fitLast cuts the last column so that the rows fit into width.
func fitLast(rows [][]string, width int) {
	if width <= 0 || len(rows) == 0 {
		return
	}
	const least = 20
	last := len(rows[0]) - 1
	used := 0
	for col := range last {
		widest := 8 // a header has about that
		for _, row := range rows {
			widest = max(widest, lipgloss.Width(row[col]))
		}
		used += widest + 2
	}
	for _, row := range rows {
		row[last] = ansi.Truncate(row[last], max(width-used, least), "…") // by columns: some signs take two
	}
}

func outOf(n, most int) string {
	if most <= 0 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d/%d", n, most)
}

func writeMoney(p *paint, periods []record.Period, now time.Time) {
	headers := []string{"MONEY", "USED", "LIMIT", "LEFT", "RESETS IN", "STATE"}
	var rows [][]string
	unsettled := 0.0
	for _, m := range periods {
		limit, left, resets := "none", "", ""
		if m.LimitUSD > 0 {
			limit, left = money(m.LimitUSD, false), money(m.LeftUSD, false)
		}
		if !m.Resets.IsZero() {
			resets = span(m.Resets.Sub(now))
		}
		used := money(m.UsedUSD, false)
		if m.LimitUSD > 0 {
			used += fmt.Sprintf(" (%.0f%%)", m.Percent)
		}
		unsettled = max(unsettled, m.UnsettledUSD)
		rows = append(rows, []string{m.Period, used, limit, left, resets, m.State})
	}
	p.rows(headers, rows, 5)
	if unsettled > 0 {
		p.line(fmt.Sprintf("%s of it is unsettled: a run ended during a call, which counts at its worst case.", money(unsettled, false)))
	}
}

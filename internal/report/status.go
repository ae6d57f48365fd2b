package report

import (
	"fmt"
	"io"
	"slices"
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
	State       string `json:"state"` // draft, active (a run is at it), ready; or what its labels say: conflict, manual, review, budget
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
	several := slices.ContainsFunc(s.Runs, func(r record.Run) bool { return r.RepoName != "" && r.Repo != s.Runs[0].Repo })
	if several {
		headers = slices.Insert(headers, 1, "REPOSITORY")
	}
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
			r.ID, age(s.Now, r.Started), outcomeName(r), outOf(r.AttemptsTotal, r.MaxRetries), money(r.CostUSD, r.Estimated), where,
			oneLine(taskName(r.Task), 200),
		})
		if several {
			last := len(rows) - 1
			rows[last] = slices.Insert(rows[last], 1, oneLine(r.RepoName, 30))
		}
	}
	headers, rows = fit(headers, rows, width)
	p.rows(headers, rows, slices.Index(headers, "OUTCOME"))
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
	headers, rows = fit(headers, rows, width)
	p.rows(headers, rows, 1)
}

// fit makes the rows as narrow as width asks for: the last column is cut, then
// the one before it, and where that does not do, that one is left out. Both
// hold what is told elsewhere in full.
func fit(headers []string, rows [][]string, width int) ([]string, [][]string) {
	const least = 20
	if width <= 0 || len(rows) == 0 || cut(headers, rows, len(headers)-1, least, width) ||
		cut(headers, rows, len(headers)-2, 12, width) {
		return headers, rows
	}
	where := len(headers) - 2
	headers = slices.Delete(headers, where, where+1)
	for i := range rows {
		rows[i] = slices.Delete(rows[i], where, where+1)
	}
	cut(headers, rows, len(headers)-1, least/2, width)
	return headers, rows
}

// cut shortens a column, not below least, and says whether the rows fit now.
func cut(headers []string, rows [][]string, col, least, width int) bool {
	widths, total := measure(headers, rows)
	if total > width {
		room := max(widths[col]-(total-width), least)
		for _, row := range rows {
			row[col] = ansi.Truncate(row[col], room, "…")
		}
		_, total = measure(headers, rows)
	}
	return total <= width
}

// measure gives the widths of the columns, and of a whole line, in cells of
// the terminal: some signs take two.
func measure(headers []string, rows [][]string) (widths []int, total int) {
	for c, name := range headers {
		widest := lipgloss.Width(name)
		for _, row := range rows {
			widest = max(widest, lipgloss.Width(row[c]))
		}
		widths = append(widths, widest)
		total += widest + 2
	}
	return widths, total - 2
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

package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// Status is what `booty status` shows.
type Status struct {
	Now          time.Time
	Runs         []record.Run
	PullRequests []OpenPullRequest
	Money        []record.Period
	// Days are the spending of the last days, the oldest first.
	Days []record.Day
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
	p := &paint{w: w, r: r, width: width}
	if len(s.Runs) == 0 {
		p.line("No runs yet. Start one with: booty run --task \"describe the task\"")
	} else {
		s.writeRuns(p)
	}
	if len(s.PullRequests) > 0 {
		p.line("")
		s.writePullRequests(p)
	}
	if len(s.Money) > 0 {
		p.line("")
		writeMoney(p, s.Money, s.Now)
	}
	return p.err
}

func (s Status) writeRuns(p *paint) {
	heads := []string{"RUN", "REPOSITORY", "STARTED", "OUTCOME", "ATTEMPTS", "COST", "MODEL", "WHERE", "TASK"}
	var rows [][]string
	for _, r := range s.Runs {
		where := oneLine(r.MadeBranch(), 40)
		if pr := r.PullRequest; pr != nil && pr.Number > 0 {
			if where = fmt.Sprintf("#%d", pr.Number); pr.Draft {
				where += " draft"
			}
		}
		rows = append(rows, []string{r.ID, oneLine(r.RepoName, 30), age(s.Now, r.Started),
			event.Ended(outcomeName(r), r.AttemptsTotal),
			outOf(r.AttemptsTotal, r.MaxRetries), money(r.CostUSD, r.Estimated),
			oneLine(modelName(r.Model), 24), where,
			oneLine(taskName(r.Task), 200)})
	}
	cols := columnsOf(heads, rows)
	cols[1].goes, cols[2].goes, cols[6].goes, cols[7].goes = true, true, true, true
	if !slices.ContainsFunc(s.Runs,
		func(r record.Run) bool { return r.RepoName != "" && r.Repo != s.Runs[0].Repo }) {
		cols = slices.Delete(cols, 1, 2)
	}
	p.table(cols, "OUTCOME")
	for _, r := range s.Runs {
		if r.State == record.Interrupted {
			p.line("")
			p.wrapped("", fmt.Sprintf("Run %s was interrupted: booty resume %s continues it.", r.ID, r.ID))
			return // the newest; the others stand in the list
		}
	}
}

func (s Status) writePullRequests(p *paint) {
	var rows [][]string
	for _, pr := range s.PullRequests {
		state := pr.State
		if state == "" {
			state = "ready"
			if pr.Draft {
				state = "draft"
			}
		}
		rows = append(rows, []string{fmt.Sprintf("#%d", pr.Number), state, outOf(pr.Attempt, pr.MaxAttempts),
			oneLine(pr.Branch, 40), oneLine(pr.Title, 200)})
	}
	cols := columnsOf([]string{"PULL REQUEST", "STATE", "ATTEMPT", "BRANCH", "TITLE"}, rows)
	cols[3].goes = true
	p.table(cols, "STATE")
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
	p.table(columnsOf(headers, rows), "STATE")
	if unsettled > 0 {
		p.wrapped("", fmt.Sprintf("%s of it is unsettled: a run ended during a call, which counts at its worst case.",
			money(unsettled, false)))
	}
}

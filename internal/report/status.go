package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
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
		writeDays(p, s.Days)
	}
	return p.err
}

func (s Status) writeRuns(p *paint, width int) {
	run, repo, started := column{head: "RUN"}, column{head: "REPOSITORY", goes: true}, column{head: "STARTED",
		brief: &column{head: "AGE", goes: true}}
	outcome, attempts, cost := column{head: "OUTCOME"}, column{head: "ATTEMPTS",
		brief: &column{head: "TRIES"}}, column{head: "COST"}
	model, where, task := column{head: "MODEL", goes: true}, column{head: "WHERE",
		brief: &column{head: "PULL"}}, column{head: "TASK"}
	for _, r := range s.Runs {
		run.cells = append(run.cells, r.ID)
		repo.cells = append(repo.cells, oneLine(r.RepoName, 30))
		began := age(s.Now, r.Started)
		started.cells = append(started.cells, began)
		started.brief.cells = append(started.brief.cells, strings.TrimSuffix(began, " ago"))
		outcome.cells = append(outcome.cells, event.Words(outcomeName(r)))
		attempts.cells = append(attempts.cells, outOf(r.AttemptsTotal, r.MaxRetries))
		cost.cells = append(cost.cells, money(r.CostUSD, r.Estimated))
		model.cells = append(model.cells, oneLine(modelName(r.Model), 24))
		pull := ""
		if r.PullRequest != nil && r.PullRequest.Number > 0 {
			pull = fmt.Sprintf("#%d", r.PullRequest.Number)
			if r.PullRequest.Draft {
				pull += " draft"
			}
		}
		where.brief.cells = append(where.brief.cells, pull)
		if pull == "" {
			pull = oneLine(r.MadeBranch(), 40)
		}
		where.cells = append(where.cells, pull)
		task.cells = append(task.cells, oneLine(taskName(r.Task), 200))
	}
	attempts.brief.cells = attempts.cells
	cols := []column{run, started, outcome, attempts, cost, model, where, task}
	if slices.ContainsFunc(s.Runs, func(r record.Run) bool { return r.RepoName != "" && r.Repo != s.Runs[0].Repo }) {
		cols = slices.Insert(cols, 1, repo)
	}
	p.table(fit(cols, width), "OUTCOME")
	for _, r := range s.Runs {
		if r.State == record.Interrupted {
			p.line("")
			p.wrapped("", fmt.Sprintf("Run %s was interrupted: booty resume %s continues it.", r.ID, r.ID))
			return // the newest; the others stand in the list
		}
	}
}

func (s Status) writePullRequests(p *paint, width int) {
	number, states, attempt := column{head: "PULL REQUEST"}, column{head: "STATE"}, column{head: "ATTEMPT"}
	branch, title := column{head: "BRANCH", goes: true}, column{head: "TITLE"}
	for _, pr := range s.PullRequests {
		state := pr.State
		if state == "" {
			state = "ready"
			if pr.Draft {
				state = "draft"
			}
		}
		number.cells = append(number.cells, fmt.Sprintf("#%d", pr.Number))
		states.cells = append(states.cells, state)
		attempt.cells = append(attempt.cells, outOf(pr.Attempt, pr.MaxAttempts))
		branch.cells = append(branch.cells, oneLine(pr.Branch, 40))
		title.cells = append(title.cells, oneLine(pr.Title, 200))
	}
	p.table(fit([]column{number, states, attempt, branch, title}, width), "STATE")
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
		p.wrapped("", fmt.Sprintf("%s of it is unsettled: a run ended during a call, which counts at its worst case.",
			money(unsettled, false)))
	}
}

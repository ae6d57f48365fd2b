package report

import (
	"fmt"
	"io"
	"strconv"

	"github.com/charmbracelet/lipgloss"

	"github.com/booty-cli/booty/internal/event"
)

// Queue is what `booty status --queue` shows: the pending specs in their order.
type Queue struct {
	Specs []QueuedSpec `json:"specs"`
}

// QueuedSpec is a pending test and how far the work on it came.
type QueuedSpec struct {
	ID          string             `json:"id"`
	Title       string             `json:"title"`
	File        string             `json:"file"`
	Line        int                `json:"line"`
	Marker      string             `json:"marker"`
	Priority    int                `json:"priority"`
	Attempts    int                `json:"attempts"`
	MaxAttempts int                `json:"max_attempts"`
	State       string             `json:"state"` // pending, active, ready, conflict, manual, review, budget
	PullRequest *event.PullRequest `json:"pull_request"`
}

// JSON writes the queue as one object in one line.
func (q Queue) JSON(w io.Writer) error { return line(w, Queue{orEmpty(q.Specs)}) }

// Write writes the queue as text: for a terminal with r, plainly without.
func (q Queue) Write(w io.Writer, r *lipgloss.Renderer, width int) error {
	p := &paint{w: w, r: r}
	if len(q.Specs) == 0 {
		p.line("The queue is empty: no pending spec was found.")
		return p.err
	}
	var rows [][]string
	for _, s := range q.Specs {
		pr := ""
		if s.PullRequest != nil && s.PullRequest.Number > 0 {
			pr = "#" + strconv.Itoa(s.PullRequest.Number)
		}
		rows = append(rows, []string{
			oneLine(s.ID, 60), s.State, outOf(s.Attempts, s.MaxAttempts), pr,
			fmt.Sprintf("%s:%d", oneLine(s.File, 80), s.Line), oneLine(s.Title, 200),
		})
	}
	cols := columnsOf([]string{"SPEC", "STATE", "ATTEMPTS", "PULL", "FILE", "TITLE"}, rows)
	cols[4].goes = true
	p.table(fit(cols, width), "STATE")
	return p.err
}

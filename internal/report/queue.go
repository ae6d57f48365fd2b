package report

import (
	"fmt"
	"html/template"
	"io"
	"strconv"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/booty-cli/booty/internal/event"
)

// Queue is what `booty status --queue` shows: the pending specs in their order, what a
// turn would do now, and what was merged since.
type Queue struct {
	Specs []QueuedSpec `json:"specs"`
	Done  []DoneSpec   `json:"done"`
	Next  string       `json:"next"`
	Since time.Time    `json:"since"`
	Now   time.Time    `json:"-"`
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
	// Began is when work on it began, USD what it has cost, Why why it is as it is.
	Began time.Time `json:"began,omitzero"`
	USD   float64   `json:"cost_usd"`
	Why   string    `json:"why,omitempty"`
}

// DoneSpec is a spec whose work was merged.
type DoneSpec struct {
	ID          string             `json:"id"`
	At          time.Time          `json:"at"`
	Attempts    int                `json:"attempts"`
	USD         float64            `json:"cost_usd"`
	PullRequest *event.PullRequest `json:"pull_request"`
}

// Plan is what a turn of the queue would do.
type Plan struct {
	// Action is that of the step which ends the turn: begin, go on, wait or idle.
	Action      string             `json:"action"`
	Spec        string             `json:"spec,omitempty"`
	PullRequest *event.PullRequest `json:"pull_request"`
	Steps       []string           `json:"steps"`
}

// JSON writes the plan as one object in one line.
func (p Plan) JSON(w io.Writer) error { return line(w, p) }

// JSON writes the queue as one object in one line.
func (q Queue) JSON(w io.Writer) error {
	q.Specs, q.Done = orEmpty(q.Specs), orEmpty(q.Done)
	return line(w, q)
}

func pullOf(p *event.PullRequest) string {
	if p == nil || p.Number == 0 {
		return ""
	}
	return "#" + strconv.Itoa(p.Number)
}

// rows are the pending specs, held what those wait for that nobody works on.
func (q Queue) rows() (rows, held, done [][]string) {
	for _, s := range q.Specs {
		cost := ""
		if s.USD > 0 {
			cost = cents(s.USD)
		}
		rows = append(rows, []string{
			oneLine(s.ID, 60), s.State, outOf(s.Attempts, s.MaxAttempts), pullOf(s.PullRequest),
			age(q.Now, s.Began), cost,
			fmt.Sprintf("%s:%d", oneLine(s.File, 80), s.Line), oneLine(s.Title, 200),
		})
		if s.Why != "" {
			held = append(held, []string{oneLine(s.ID, 60), pullOf(s.PullRequest), oneLine(s.Why, 300)})
		}
	}
	for _, d := range q.Done {
		done = append(done, []string{oneLine(d.ID, 60), pullOf(d.PullRequest), age(q.Now, d.At),
			count(d.Attempts, "attempt"),
			cents(d.USD)})
	}
	return rows, held, done
}

var (
	queueHeads = []string{"SPEC", "STATE", "ATTEMPTS", "PULL", "BEGAN", "COST", "FILE", "TITLE"}
	heldHeads  = []string{"WAITS", "PULL", "WHY"}
	doneHeads  = []string{"MERGED", "PULL", "WHEN", "ATTEMPTS", "COST"}
)

// Write writes the queue as text: for a terminal with r, plainly without.
func (q Queue) Write(w io.Writer, r *lipgloss.Renderer, width int) error {
	p := &paint{w: w, r: r, width: width}
	rows, held, done := q.rows()
	if len(rows) == 0 {
		p.line("The queue is empty: no pending spec was found.")
	} else {
		cols := columnsOf(queueHeads, rows)
		cols[6].goes = true
		p.table(cols, "STATE")
		p.line("")
		p.line("next: " + oneLine(q.Next, 400))
	}
	if len(held) > 0 {
		p.line("")
		p.table(columnsOf(heldHeads, held), "")
	}
	if len(done) > 0 {
		p.line("")
		p.table(columnsOf(doneHeads, done), "")
	}
	return p.err
}

// HTML writes the queue as one page that needs nothing else.
func (q Queue) HTML(w io.Writer) error {
	style, err := pageFiles.ReadFile("page.css")
	if err != nil {
		return err
	}
	rows, held, done := q.rows()
	type part struct {
		Title string
		Heads []string
		Rows  [][]string
	}
	return template.Must(template.New("").Parse(queuePage)).Execute(w, map[string]any{
		"Style": template.CSS(style), //nolint:gosec // our own
		"Now":   q.Now.Format("2006-01-02 15:04 MST"), "Next": q.Next,
		"Parts": []part{
			{"Pending", queueHeads, rows}, {"Waiting", heldHeads, held},
			{"Merged since " + q.Since.Format("2006-01-02 15:04 MST"), doneHeads, done},
		},
	})
}

const queuePage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>booty: the queue</title><style>{{.Style}}</style></head><body>
<header><h1>The queue</h1><p>As of {{.Now}}. Next: {{.Next}}</p></header><main>
{{range .Parts}}<section><h2>{{.Title}}: {{len .Rows}}</h2>{{if .Rows}}<div class="scroll" tabindex="0"><table>
<thead><tr>{{range .Heads}}<th scope="col">{{.}}</th>{{end}}</tr></thead>
<tbody>{{range .Rows}}<tr>{{range .}}<td>{{.}}</td>{{end}}</tr>
{{end}}</tbody></table></div>{{end}}</section>
{{end}}</main></body></html>
`

package queue

import (
	"encoding/json"
	"strings"
	"time"
)

// Note is what booty hides in its one comment on a spec's pull request, so that
// another machine can go on, and add up what was spent.
type Note struct {
	Spec string `json:"spec"`
	// Used is how many attempts are over, of Of.
	Used int `json:"used"`
	Of   int `json:"of"`
	// Tip is the commit of the branch that Used was told for: one that was pushed
	// later tells its own number.
	Tip string `json:"tip,omitempty"`
	// Machine is who was at work last, Alive when it last said so; a machine that is
	// done takes it back.
	Machine string    `json:"machine,omitempty"`
	Alive   time.Time `json:"alive,omitzero"`
	// Held says that the spec was left to a person; Faults counts what nobody knows.
	Held   bool `json:"held,omitempty"`
	Faults int  `json:"faults,omitempty"`
	// Issue asks for a person, 0 where there is none.
	Issue int `json:"issue,omitempty"`
	// Why says in words why it is as it is, where nobody is at work.
	Why string `json:"why,omitempty"`
	// Spent is what the runs of this spec cost, and when.
	Spent []Spending `json:"spent,omitempty"`
}

// Spending is what one run came to: it cost USD by At.
type Spending struct {
	Run      string    `json:"run"`
	Began    time.Time `json:"began,omitzero"`
	At       time.Time `json:"at"`
	USD      float64   `json:"usd"`
	Attempts int       `json:"attempts,omitempty"`
	Outcome  string    `json:"outcome,omitempty"`
}

const (
	noteOpen  = "<!-- booty:queue "
	noteClose = " -->"
)

// Hidden is the note as it stands in a text.
func (n Note) Hidden() string {
	data, err := json.Marshal(n)
	if err != nil {
		return ""
	}
	// JSON writes < and > as escapes: the comment cannot be closed from within.
	return noteOpen + string(data) + noteClose
}

// readNote finds the note in a text.
func readNote(text string) (Note, bool) {
	_, rest, ok := strings.Cut(text, noteOpen)
	if !ok {
		return Note{}, false
	}
	data, _, ok := strings.Cut(rest, noteClose)
	var n Note
	if !ok || json.Unmarshal([]byte(data), &n) != nil {
		return Note{}, false
	}
	return n, true
}

// Busy says whether another machine was at work on the spec just now.
func (n Note) Busy(machine string, now time.Time) bool {
	return n.Machine != "" && n.Machine != machine && now.Sub(n.Alive) < freshness
}

// Spend notes what a run came to; the same run is noted once, as it is now, at the
// highest figures.
func (n *Note) Spend(s Spending) {
	for i := range n.Spent {
		if n.Spent[i].Run == s.Run {
			s.USD, s.Attempts = max(s.USD, n.Spent[i].USD), max(s.Attempts, n.Spent[i].Attempts)
			n.Spent[i] = s
			return
		}
	}
	n.Spent = append(n.Spent, s)
}

// began is when work on the spec began.
func (n Note) began() time.Time {
	for _, s := range n.Spent {
		if !s.Began.IsZero() {
			return s.Began
		}
	}
	return n.Alive
}

// cost is what all runs of the spec cost.
func (n Note) cost() float64 {
	usd := 0.0
	for _, s := range n.Spent {
		usd += s.USD
	}
	return usd
}

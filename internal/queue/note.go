package queue

import (
	"encoding/json"
	"strings"
	"time"
)

// Note is hidden in booty's comment on a spec's pull request, so that another machine can
// continue and add up the cost.
type Note struct {
	Spec string `json:"spec"`
	// Used counts finished attempts, out of Of.
	Used int `json:"used"`
	Of   int `json:"of"`
	// Tip is the branch's commit when Used was written. A later commit carries its own
	// attempt number.
	Tip string `json:"tip,omitempty"`
	// Machine last worked on the spec; LastSeen is its last heartbeat. Machine is cleared
	// when the work ends.
	Machine  string    `json:"machine,omitempty"`
	LastSeen time.Time `json:"alive,omitzero"`
	// Held reports whether the spec was left to a person. Faults counts unexplained errors.
	Held   bool `json:"held,omitempty"`
	Faults int  `json:"faults,omitempty"`
	// Issue is the issue that asks a person for help, or 0.
	Issue int `json:"issue,omitempty"`
	// Why explains the state while nobody is at work.
	Why string `json:"why,omitempty"`
	// Spent is what the runs of this spec cost, and when.
	Spent []Spending `json:"spent,omitempty"`
}

// Spending is the cost of one run in USD, as of At.
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

// Hidden returns the note as an HTML comment.
func (n Note) Hidden() string {
	data, err := json.Marshal(n)
	if err != nil {
		return ""
	}
	// JSON escapes < and >, so the content cannot close the comment.
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

// Busy reports whether another machine was at work on the spec just now.
func (n Note) Busy(machine string, now time.Time) bool {
	return n.Machine != "" && n.Machine != machine && now.Sub(n.LastSeen) < heartbeatTTL
}

// Spend records the cost of a run. A run that is already recorded is updated to the higher
// figures.
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

// began returns when work on the spec began.
func (n Note) began() time.Time {
	for _, s := range n.Spent {
		if !s.Began.IsZero() {
			return s.Began
		}
	}
	return n.LastSeen
}

// cost returns the cost of all runs of the spec.
func (n Note) cost() float64 {
	usd := 0.0
	for _, s := range n.Spent {
		usd += s.USD
	}
	return usd
}

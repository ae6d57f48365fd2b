package report

import (
	"encoding/json"
	"io"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// JSON writes the status as one object in one line:
//
//	{"runs": [...], "pull_requests": [...], "money": [...], "days": [...]}
//
// with the fields of record.Run, OpenPullRequest, record.Period and record.Day.
func (s Status) JSON(w io.Writer) error {
	return line(w, struct {
		Runs         []record.Run      `json:"runs"`
		PullRequests []OpenPullRequest `json:"pull_requests"`
		Money        []record.Period   `json:"money"`
		Days         []record.Day      `json:"days"`
	}{orEmpty(s.Runs), orEmpty(s.PullRequests), orEmpty(s.Money), orEmpty(s.Days)})
}

// attemptJSON is an attempt with the sums over its calls.
type attemptJSON struct {
	record.Attempt
	sums
}

// RunJSON writes one run as one object in one line:
//
//	{"run": {...}, "baseline": [...], "attempts": [...], "extra_calls": [...], "notes": [...],
//	 "requests": [...], "found": {...}, "evidence": {...}, "known": [...], "last_event": {...}}
//
// with the fields of package record; each attempt also has input_tokens,
// output_tokens, cost_usd, estimated and duration_ms, summed up.
func RunJSON(w io.Writer, d record.Detail) error {
	attempts := make([]attemptJSON, 0, len(d.Attempts))
	for _, a := range d.Attempts {
		attempts = append(attempts, attemptJSON{a, sumOf(a)})
	}
	return line(w, struct {
		Run      record.Run     `json:"run"`
		Baseline []record.Check `json:"baseline"`
		Attempts []attemptJSON  `json:"attempts"`
		Extra    []record.Call  `json:"extra_calls"`
		Notes    []record.Note  `json:"notes"`

		Requests []record.Request        `json:"requests"`
		Found    *event.BaselineFinished `json:"found"`
		Evidence *event.EvidenceFinished `json:"evidence"`
		Known    []string                `json:"known"`
		LeftOut  []event.LeftOut         `json:"left_out,omitempty"`
		Last     *record.Last            `json:"last_event"`
	}{
		d.Run, orEmpty(d.Baseline), attempts, orEmpty(d.Extra), orEmpty(d.Notes),
		orEmpty(d.Requests), d.Found, d.Evidence, orEmpty(d.Known), d.LeftOut, d.Last,
	})
}

func line(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

func orEmpty[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

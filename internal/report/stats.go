package report

import (
	"fmt"
	"io"
	"slices"
	"sort"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/journal/record"
)

// Stats is what `booty status --stats` shows: how the queue of specs does.
type Stats struct {
	Since time.Time `json:"since"`
	// Specs are those that came to an end: Done ones are green, Person ones wait for
	// a person.
	Specs  int `json:"specs"`
	Done   int `json:"done"`
	Person int `json:"person"`
	// First were solved at the first attempt or without one; Retried needed more,
	// and RetrySolved of them were solved so.
	First       int `json:"first_attempt"`
	Retried     int `json:"retried"`
	RetrySolved int `json:"retry_solved"`

	RetryPercent    float64 `json:"retry_success_percent"`
	PersonPercent   float64 `json:"person_percent"`
	AttemptsPerSpec float64 `json:"attempts_per_spec"`
	// RecoverySeconds is the median time from the start of a spec to its green end,
	// of those whose first attempt failed.
	RecoverySeconds float64 `json:"recovery_seconds"`
	SpecsPerDay     float64 `json:"specs_per_day"`
	USDPerDay       float64 `json:"usd_per_day"`
	USDPerSpec      float64 `json:"usd_per_spec"`
	Targets         Targets `json:"targets"`
}

// Targets are what a healthy queue comes to.
type Targets struct {
	RetryPercent    float64    `json:"retry_success_percent"`
	PersonPercent   float64    `json:"person_percent"`
	AttemptsPerSpec [2]float64 `json:"attempts_per_spec"`
	RecoverySeconds float64    `json:"recovery_seconds"`
	SpecsPerDay     [2]float64 `json:"specs_per_day"`
}

var targets = Targets{80, 5, [2]float64{1.2, 1.5}, 600, [2]float64{50, 100}}

// specStory is what the runs of one spec came to.
type specStory struct {
	outcome    string
	attempts   int
	begun, end time.Time
	usd        float64
}

// StatsOf adds up the runs of specs since a time.
func StatsOf(runs []record.Run, since, now time.Time) Stats {
	s := Stats{Since: since, Targets: targets}
	stories := storiesOf(runs)
	first, usd, attempts := now, 0.0, 0
	var recovery []time.Duration
	for _, t := range stories {
		usd += t.usd
		if t.begun.Before(first) {
			first = t.begun
		}
		green := t.outcome == event.Green
		if !green && !needsPerson(t.outcome) {
			continue // under way
		}
		s.Specs++
		attempts += t.attempts
		if t.attempts > 1 || t.attempts == 1 && !green {
			s.Retried++
		}
		switch {
		case !green:
			s.Person++
		case t.attempts <= 1:
			s.Done, s.First = s.Done+1, s.First+1
		default:
			s.Done, s.RetrySolved = s.Done+1, s.RetrySolved+1
			recovery = append(recovery, t.end.Sub(t.begun))
		}
	}
	if first.Before(since) {
		first = since
	}
	days := max(now.Sub(first).Hours()/24, 1)
	s.RetryPercent, s.PersonPercent = percent(s.RetrySolved, s.Retried), percent(s.Person, s.Specs)
	s.SpecsPerDay, s.USDPerDay = float64(s.Done)/days, usd/days
	if s.Specs > 0 {
		s.AttemptsPerSpec = float64(attempts) / float64(s.Specs)
	}
	if s.Done > 0 {
		s.USDPerSpec = usd / float64(s.Done)
	}
	if n := len(recovery); n > 0 {
		slices.Sort(recovery)
		s.RecoverySeconds = recovery[n/2].Seconds()
	}
	return s
}

// storiesOf puts the runs of each spec together, whatever order they come in.
func storiesOf(runs []record.Run) map[string]specStory {
	stories := map[string]specStory{}
	runs = slices.Clone(runs)
	sort.Slice(runs, func(i, j int) bool { return runs[i].Started.Before(runs[j].Started) })
	for _, r := range runs {
		if r.Task.Kind != "spec" {
			continue
		}
		key := r.Repo + "\x00" + r.Task.Spec
		t, known := stories[key]
		if !known {
			t.begun = r.Started
		}
		t.outcome, t.attempts, t.end = r.Outcome, max(t.attempts, r.AttemptsTotal), r.Finished
		t.usd += r.CostUSD
		stories[key] = t
	}
	return stories
}

// needsPerson says that the queue leaves a spec with this outcome to a person.
func needsPerson(outcome string) bool {
	switch outcome {
	case event.Exhausted, event.Stuck, event.NeedsReview, event.Question, event.Declined, event.Budget:
		return true
	}
	return false
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of) * 100
}

// JSON writes the figures as one object in one line.
func (s Stats) JSON(w io.Writer) error { return line(w, s) }

// Write writes the figures as text, with the targets beside them.
func (s Stats) Write(w io.Writer, r *lipgloss.Renderer) error {
	p := &paint{w: w, r: r}
	if s.Specs == 0 {
		p.line("No spec of the queue has come to an end since " + s.Since.Format("2006-01-02") + ".")
		return p.err
	}
	t := s.Targets
	p.table(columnsOf([]string{"SINCE " + s.Since.Format("2006-01-02"), "FIGURE", "TARGET"}, [][]string{
		{"specs done", fmt.Sprintf("%d of %d", s.Done, s.Specs), ""},
		{"solved at the first attempt", fmt.Sprint(s.First), ""},
		{"solved by a retry", fmt.Sprintf("%d of %d, %.0f %%", s.RetrySolved, s.Retried, s.RetryPercent),
			fmt.Sprintf("%.0f %%", t.RetryPercent)},
		{"attempts per spec", fmt.Sprintf("%.1f", s.AttemptsPerSpec),
			fmt.Sprintf("%.1f to %.1f", t.AttemptsPerSpec[0], t.AttemptsPerSpec[1])},
		{"a person was needed", fmt.Sprintf("%d, %.0f %%", s.Person, s.PersonPercent),
			fmt.Sprintf("under %.0f %%", t.PersonPercent)},
		{"time to recover", span(time.Duration(s.RecoverySeconds * float64(time.Second))),
			span(time.Duration(t.RecoverySeconds * float64(time.Second)))},
		{"specs a day", fmt.Sprintf("%.1f", s.SpecsPerDay),
			fmt.Sprintf("%.0f to %.0f", t.SpecsPerDay[0], t.SpecsPerDay[1])},
		{"USD a day", cents(s.USDPerDay), ""},
		{"USD per spec", cents(s.USDPerSpec), ""},
	}), "")
	return p.err
}

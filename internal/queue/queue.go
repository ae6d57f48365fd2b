// Package queue works through pending specs one by one. It reads the progress from GitHub,
// decides what to do next, and does it.
//
// Words. A spec is a pending test (see package specs). Its pull request is booty's own,
// opened from the spec's branch. The pull request is the only state: its labels, its title,
// and booty's one comment on it. There is no file that could disagree.
//
// The decisions are pure: next maps a [Situation] to a [Step], and [Labels.End] maps the
// result of a run to an [Ending]. A thin layer over GitHub carries them out.
//
// Promises. One spec is worked on at a time. Nothing is done twice: every step can be
// repeated after a kill at any moment. A pull request that is not booty's is never changed.
package queue

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/specs"
)

// Labels are the queue's labels, derived from the one in the settings.
type Labels string

// Queue marks every pull request of the queue.
func (l Labels) Queue() string { return string(l) }

// Conflict marks one that was in conflict with its base; a person merges it.
func (l Labels) Conflict() string { return string(l) + ":had-conflict" }

// Manual marks one without attempts left.
func (l Labels) Manual() string { return string(l) + ":manual-intervention" }

// Budget marks one that a spending limit stopped.
func (l Labels) Budget() string { return string(l) + ":budget-exceeded" }

// Review marks one whose spec is unclear, or that made no progress.
func (l Labels) Review() string { return string(l) + ":spec-review-needed" }

// Reset marks one that was closed so that its spec becomes pending again.
func (l Labels) Reset() string { return string(l) + ":reset-spec" }

// States are the labels that describe progress. They are removed after the merge.
func (l Labels) States() []string {
	return []string{l.Conflict(), l.Manual(), l.Budget(), l.Review()}
}

// Held are the labels that leave a spec to a person until they are removed.
func (l Labels) Held() []string { return []string{l.Manual(), l.Budget(), l.Review()} }

// Pull is a pull request of the queue as the decisions see it.
type Pull struct {
	Number int
	URL    string
	// Spec is the ID from the pull request's text or branch, "" for a foreign pull request
	// with the label.
	Spec   string
	Title  string
	Head   string
	Commit string
	Draft  bool
	Labels []string
	// AutoMerge is set if GitHub merges it as soon as it may.
	AutoMerge bool
	// Conflicts is set if a ready one conflicts with the newest base, Queued if it is in a
	// merge queue.
	Conflicts, Queued bool
	// FailedChecks are the checks of a ready one that block its merge. FailsOnBase is set
	// if one of them fails on the base as well.
	FailedChecks []string
	FailsOnBase  bool
	// NeedsReview is set if its text names something that a person must check before the
	// merge.
	NeedsReview bool
	// WaitedEnough is set if it has waited for GitHub for as long as other specs may be
	// delayed.
	WaitedEnough bool
	// Closed pull requests were Merged or rejected. SetAside is set if booty left the spec
	// to a person.
	Closed, Merged, SetAside bool
}

func (p Pull) has(labels ...string) bool {
	return slices.ContainsFunc(p.Labels, func(l string) bool {
		return slices.ContainsFunc(labels, func(w string) bool { return strings.EqualFold(l, w) })
	})
}

// State is the progress of a spec, as shown by status --queue.
type State string

// The states of a spec.
const (
	Pending    State = "pending"
	Active     State = "active"
	Ready      State = "ready"
	Conflicted State = "conflict"
	ForPerson  State = "manual"
	ForReview  State = "review"
	OverBudget State = "budget"
)

// StateOf returns the state of a spec from its pull request, which may be nil.
func (l Labels) StateOf(p *Pull) State {
	switch {
	case p == nil || p.Closed && p.has(l.Reset()) || p.Merged && !p.has(l.Queue()):
		return Pending
	case p.has(l.Manual()):
		return ForPerson
	case p.has(l.Budget()):
		return OverBudget
	case p.has(l.Review()):
		return ForReview
	case p.Closed && p.SetAside: // its label was removed
		return Pending
	case p.Closed: // a person rejected it, or it was merged and is pending again
		return ForReview
	case p.has(l.Conflict()) && !p.Draft:
		return Conflicted
	case p.Draft:
		return Active
	}
	return Ready
}

// Title is the title of a spec's pull request: the current or last attempt, and the
// maximum.
type Title struct {
	Spec        string
	Attempt, Of int
}

// String returns the title as shown on GitHub.
func (t Title) String() string {
	return "[TDD] Implement " + t.Spec + " | Attempt " + strconv.Itoa(t.Attempt) + "/" + strconv.Itoa(t.Of)
}

var titleForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[TDD\] Implement (\S+) \| Attempt (\d{1,3})/(\d{1,3})\s*$`)
})

// parseTitle reads a title; false if it is not one of the queue's.
func parseTitle(s string) (Title, bool) {
	m := titleForm().FindStringSubmatch(s)
	if m == nil {
		return Title{}, false
	}
	x, _ := strconv.Atoi(m[2])
	y, _ := strconv.Atoi(m[3])
	return Title{m[1], x, y}, x > 0 && y > 0
}

// Used returns how many attempts a pull request has used. Its title names the current
// attempt; noted comes from booty's comment, which alone knows that this attempt is over. A
// person can change the count by editing the title.
func Used(title string, noted int) int {
	t, ok := parseTitle(title)
	if !ok {
		return noted
	}
	if noted == t.Attempt {
		return noted
	}
	return t.Attempt - 1
}

// mostAttempts returns the maximum number of attempts for a spec.
func mostAttempts(s specs.Spec, setting int) int {
	if s.MaxAttempts > 0 {
		return s.MaxAttempts
	}
	return setting
}

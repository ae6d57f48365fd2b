// Package queue works pending specs off one by one: it reads how far the work is
// from GitHub, says what is to be done next, and does it through what it is given.
//
// Words. A spec is a pending test (see package specs). Its pull request is the
// one of booty's own from its branch; what was made of a spec is told by that
// pull request alone: its state, its labels, its title, and booty's one comment on
// it. There is no file beside it that could say something else.
//
// The decisions are pure: [Next] takes a [Situation] and gives a [Step], [End]
// takes what became of a run and gives an [Ending]. What they ask for is done by
// a [Desk], a thin layer over GitHub.
//
// Promises. Work on one spec at a time. Nothing is done twice: every step can be taken
// again after a kill at any moment. A pull request that is not booty's is never
// changed.
package queue

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/booty-cli/booty/internal/specs"
)

// Labels are those of the queue's pull requests, made of the label of the queue.
type Labels string

// Queue is the label of all of them.
func (l Labels) Queue() string { return string(l) }

// Conflict marks one that was in conflict with its base: a person merges it.
func (l Labels) Conflict() string { return string(l) + ":had-conflict" }

// Manual marks one whose attempts are used up.
func (l Labels) Manual() string { return string(l) + ":manual-intervention" }

// Budget marks one that a limit of spending ended.
func (l Labels) Budget() string { return string(l) + ":budget-exceeded" }

// Review marks one whose spec is unclear, or led nowhere.
func (l Labels) Review() string { return string(l) + ":spec-review-needed" }

// Reset marks one that was closed so that its spec is pending again.
func (l Labels) Reset() string { return string(l) + ":reset-spec" }

// States are the labels that say how far the work is: they go once it is merged.
func (l Labels) States() []string {
	return []string{l.Conflict(), l.Manual(), l.Budget(), l.Review()}
}

// Held are the labels that leave a spec to a person until they are taken away.
func (l Labels) Held() []string { return []string{l.Manual(), l.Budget(), l.Review()} }

// Pull is a pull request of the queue as GitHub has it.
type Pull struct {
	Number int
	URL    string
	// Spec is the id that the pull request's own text or its branch tells; "" for
	// one that is somebody else's and has the label.
	Spec   string
	Title  string
	Head   string
	Commit string
	Draft  bool
	Labels []string
	// AutoMerge says that GitHub merges it once it may.
	AutoMerge bool
	// Clash says that a ready one is in conflict with the newest base by now, Queued that
	// it waits in a merge queue.
	Clash, Queued bool
	// Red are the checks of a ready one that keep it from being merged. RedToo says that
	// the base fails one of them as well.
	Red    []string
	RedToo bool
	// Look says that its text tells what a person must look at before it is merged.
	Look bool
	// Rested says that it has waited for GitHub as long as others are kept waiting.
	Rested bool
	// Closed ones are Merged or were not wanted; SetAside says that booty left the spec
	// to a person to look at.
	Closed, Merged, SetAside bool
}

func (p Pull) has(labels ...string) bool {
	return slices.ContainsFunc(p.Labels, func(l string) bool {
		return slices.ContainsFunc(labels, func(w string) bool { return strings.EqualFold(l, w) })
	})
}

// State is how far a spec is, in the words of status --queue.
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

// StateOf tells the state of a spec from its pull request; nil where it has none.
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
	case p.Closed && p.SetAside: // its label was taken away
		return Pending
	case p.Closed: // by a person, not wanted like this; or merged, and pending again
		return ForReview
	case p.has(l.Conflict()) && !p.Draft:
		return Conflicted
	case p.Draft:
		return Active
	}
	return Ready
}

// Title is what the title of a spec's pull request says: the attempt under way,
// or the last one, of how many.
type Title struct {
	Spec        string
	Attempt, Of int
}

// String gives the title as it stands on GitHub.
func (t Title) String() string {
	return "[TDD] Implement " + t.Spec + " | Attempt " + strconv.Itoa(t.Attempt) + "/" + strconv.Itoa(t.Of)
}

var titleForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\[TDD\] Implement (\S+) \| Attempt (\d{1,3})/(\d{1,3})\s*$`)
})

// parseTitle reads a title, false where it is none of the queue's.
func parseTitle(s string) (Title, bool) {
	m := titleForm().FindStringSubmatch(s)
	if m == nil {
		return Title{}, false
	}
	x, _ := strconv.Atoi(m[2])
	y, _ := strconv.Atoi(m[3])
	return Title{m[1], x, y}, x > 0 && y > 0
}

// Used gives how many attempts a pull request has used. Its title says which one
// is under way; told is what booty noted last, which alone can say that this
// one is over. Who wants other numbers writes another title.
func Used(title string, told int) int {
	t, ok := parseTitle(title)
	if !ok {
		return told
	}
	if told == t.Attempt {
		return told
	}
	return t.Attempt - 1
}

// mostAttempts is how many attempts a spec may use.
func mostAttempts(s specs.Spec, setting int) int {
	if s.MaxAttempts > 0 {
		return s.MaxAttempts
	}
	return setting
}

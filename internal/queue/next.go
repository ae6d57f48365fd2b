package queue

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/specs"
)

// Situation is everything that a decision depends on.
type Situation struct {
	Labels Labels
	// Specs are the pending specs of the base, in order.
	Specs []specs.Spec
	// Open are the queue's open pull requests, oldest first.
	Open []Pull
	// Past are the newest closed pull requests by spec. Asked holds the specs whose closed
	// pull requests were read.
	Past  map[string]Pull
	Asked map[string]bool
	// Merged are merged pull requests that still have labels of a state.
	Merged []Pull
	// AutoMerge is the setting. NoAutoMerge is set if the repository or GitHub does not
	// allow it.
	AutoMerge, NoAutoMerge bool
	// Only limits the queue to one spec.
	Only string
}

// Kind is the kind of a step.
type Kind string

// The kinds of steps. Those that fix something are followed by another decision; the others
// end the turn.
const (
	// Tidy removes the labels of a state from a merged pull request.
	Tidy Kind = "tidy"
	// Relabel restores a lost label.
	Relabel Kind = "relabel"
	// Merge asks GitHub to merge a ready pull request.
	Merge Kind = "merge"
	// Ask reads the closed pull requests of some specs.
	Ask Kind = "ask"
	// Begin starts a spec; Continue continues with its pull request.
	Begin    Kind = "begin"
	Continue Kind = "go on"
	// Orphaned: the pull request's spec is no longer pending. PendingAgain: it was merged,
	// but its spec is pending again.
	Orphaned     Kind = "orphaned"
	PendingAgain Kind = "again"
	// AwaitMerge gives GitHub time to merge a pull request before another spec starts.
	AwaitMerge Kind = "rest"
	// Wait: a pull request needs time, or a person.
	Wait Kind = "wait"
	// Idle: nothing is left, or everything waits for people.
	Idle Kind = "idle"
	// Unknown: there is no such spec.
	Unknown Kind = "unknown"
)

// Step is what to do next.
type Step struct {
	Kind Kind
	Spec specs.Spec
	Pull Pull
	// IDs are the specs to ask about.
	IDs []string
	// Why explains what is waited for, or why there is nothing to do.
	Why string
	// Merging is set if GitHub merges by itself, after which another turn can continue.
	Merging bool
	// Person is set if a person has to act.
	Person bool
	// Skippable is set if other specs can be worked on during the wait.
	Skippable bool
}

// askAtOnce is the number of specs per query for closed pull requests.
const askAtOnce = 100

// next decides what to do next.
func next(s Situation) Step {
	for _, p := range s.Merged {
		if _, again := s.find(p.Spec); !again || !p.has(s.Labels.Review()) {
			return Step{Kind: Tidy, Pull: p}
		}
	}
	for _, p := range s.Open {
		if p.Spec != "" && !p.has(s.Labels.Queue()) {
			return Step{Kind: Relabel, Pull: p}
		}
	}
	var waits []Step
	for _, p := range s.Open {
		if p.has(s.Labels.Held()...) {
			continue
		}
		step := s.inProgress(p)
		switch {
		case s.Only != "" && p.Spec != s.Only && !step.Skippable:
			return Step{Kind: Wait, Pull: p, Spec: step.Spec, Person: true,
				Why: fmt.Sprintf("pull request #%d (%s) is under way: one spec at a time", p.Number,
					nameOf(p))}
		case p.Spec == s.Only || !step.Skippable:
			return step
		}
		waits = append(waits, step)
	}
	step := s.pick()
	if len(waits) == 0 || step.Kind != Begin && step.Kind != Idle {
		return step
	}
	for _, w := range waits {
		if w.Merging && (step.Kind != Begin || !w.Pull.WaitedEnough && s.Only == "") {
			if step.Kind == Begin {
				w.Kind = AwaitMerge
			}
			return w
		}
	}
	if step.Kind != Begin {
		return waits[0]
	}
	return step
}

// inProgress decides about the pull request that is under way.
func (s Situation) inProgress(p Pull) Step {
	step := Step{Pull: p, Person: true}
	spec, pending := s.find(p.Spec)
	step.Spec = spec
	switch {
	case p.Spec == "":
		step.Kind = Wait
		step.Why = fmt.Sprintf(
			"pull request #%d has the label %s, but is not booty's: merge or close it, or "+
				"take the label away", p.Number, s.Labels.Queue())
	case p.Draft && !pending:
		step.Kind = Orphaned
	case p.Queued:
		step.Kind, step.Merging, step.Person, step.Skippable = Wait, true, false, true
		step.Why = fmt.Sprintf("pull request #%d (%s) is ready, and waits in the merge queue", p.Number,
			p.Spec)
	case p.Draft || p.Conflicts || len(p.FailedChecks) > 0 && !p.FailsOnBase:
		step.Kind = Continue
	case p.FailsOnBase:
		step.Kind, step.Skippable = Wait, true
		step.Why = fmt.Sprintf(
			"pull request #%d (%s) is ready, but a check fails that fails on the base branch as "+
				"well: %s", p.Number, p.Spec, strings.Join(p.FailedChecks, ", "))
	case p.has(s.Labels.Conflict()):
		step.Kind, step.Skippable = Wait, true
		step.Why = fmt.Sprintf(
			"pull request #%d (%s) was in conflict with its base: it is ready, and a person "+
				"merges it", p.Number, p.Spec)
	case p.NeedsReview:
		step.Kind, step.Skippable = Wait, true
		step.Why = fmt.Sprintf(
			"pull request #%d (%s) is ready: a person merges it, and its text says what to look at",
			p.Number, p.Spec)
	case !s.AutoMerge:
		step.Kind, step.Why = Wait, fmt.Sprintf("pull request #%d (%s) is ready: a person merges it "+
			"(specs.auto_merge is off)", p.Number, p.Spec)
	case p.AutoMerge:
		step.Kind, step.Merging, step.Person, step.Skippable = Wait, true, false, true
		step.Why = fmt.Sprintf("pull request #%d (%s) is ready, and merged by GitHub once its checks pass",
			p.Number, p.Spec)
	case s.NoAutoMerge:
		step.Kind, step.Why = Wait,
			fmt.Sprintf("pull request #%d (%s) is ready: a person merges it, since the "+
				"repository allows no auto-merge", p.Number, p.Spec)
	default: // killed in between
		step.Kind = Merge
	}
	return step
}

// pick takes the first spec that is free.
func (s Situation) pick() Step {
	held, behind, ask := 0, 0, []string{}
	for _, spec := range s.Specs {
		if s.Only != "" && spec.ID != s.Only {
			continue
		}
		if p := s.open(spec.ID); p != nil {
			held++
			if s.Only != "" {
				return Step{Kind: Wait, Person: true, Pull: *p, Spec: spec,
					Why: fmt.Sprintf("pull request #%d for %s waits for a person: booty recover retry %d "+
						"goes on",
						p.Number, spec.ID, p.Number)}
			}
			continue
		}
		if !s.Asked[spec.ID] {
			if ask = append(ask, spec.ID); len(ask) == askAtOnce {
				break
			}
			continue
		}
		past, had := s.Past[spec.ID]
		if had && s.Labels.StateOf(&past) != Pending {
			if past.Merged && !past.has(s.Labels.Review()) {
				return Step{Kind: PendingAgain, Pull: past, Spec: spec}
			}
			held++
			if s.Only != "" {
				became := "closed without being merged"
				if past.Merged {
					became = "merged, and its test is pending again"
				}
				return Step{Kind: Wait, Person: true, Pull: past, Spec: spec,
					Why: fmt.Sprintf("pull request #%d for %s was %s: booty recover close-and-reset %d "+
						"starts it over",
						past.Number, spec.ID, became, past.Number)}
			}
			continue
		}
		if first := s.before(spec); first != "" && s.Only == "" {
			behind++
			continue
		}
		if len(ask) > 0 { // an earlier spec may be free as well
			break
		}
		return Step{Kind: Begin, Spec: spec}
	}
	switch {
	case len(ask) > 0:
		return Step{Kind: Ask, IDs: ask}
	case s.Only != "":
		return Step{Kind: Unknown, Why: fmt.Sprintf("there is no pending spec %s on the base branch", s.Only)}
	case len(s.Specs) == 0:
		return Step{Kind: Idle, Why: "the queue is empty: there is no pending spec on the base branch"}
	}
	why := fmt.Sprintf("nothing to do: all %d pending specs wait for a person", held)
	if behind > 0 {
		why = fmt.Sprintf("nothing to do: %d pending specs wait for a person, and %d for a spec that they "+
			"come after (@tdd-after)", held, behind)
	}
	return Step{Kind: Idle, Person: true, Why: why}
}

// before returns a pending spec that must be done before another, or "".
func (s Situation) before(spec specs.Spec) string {
	for _, id := range spec.After {
		if first, pending := s.find(id); pending && first.ID != spec.ID {
			return id
		}
	}
	return ""
}

func (s Situation) find(id string) (specs.Spec, bool) {
	for _, spec := range s.Specs {
		if spec.ID == id {
			return spec, true
		}
	}
	return specs.Spec{ID: id}, false
}

// open returns the open pull request of a spec, or nil.
func (s Situation) open(id string) *Pull {
	for i := range s.Open {
		if s.Open[i].Spec == id {
			return &s.Open[i]
		}
	}
	return nil
}

func nameOf(p Pull) string {
	if p.Spec == "" {
		return p.Head
	}
	return p.Spec
}

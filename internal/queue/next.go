package queue

import (
	"fmt"
	"strings"

	"github.com/booty-cli/booty/internal/specs"
)

// Situation is all that is known when something is to be decided.
type Situation struct {
	Labels Labels
	// Specs are the pending specs of the base, in their order.
	Specs []specs.Spec
	// Open are the open pull requests of the queue, the oldest first.
	Open []Pull
	// Past are the newest closed pull requests, by spec; Asked says of which specs
	// they are known.
	Past  map[string]Pull
	Asked map[string]bool
	// Merged are those that are merged and have labels of a state still.
	Merged []Pull
	// AutoMerge says that the settings want ready ones merged, NoAutoMerge that
	// the repository, or GitHub, does not.
	AutoMerge, NoAutoMerge bool
	// Only, where set, is the one spec that is asked for.
	Only string
}

// Kind is what a step is about.
type Kind string

// The kinds of steps. Those that mend are followed by another question of what
// is next; the others end the turn.
const (
	// Tidy takes the labels of a state off a merged pull request.
	Tidy Kind = "tidy"
	// Relabel puts a lost label back.
	Relabel Kind = "relabel"
	// Merge asks GitHub to merge a ready pull request.
	Merge Kind = "merge"
	// Ask asks for the closed pull requests of some specs.
	Ask Kind = "ask"
	// Begin begins a spec; GoOn goes on with its pull request.
	Begin Kind = "begin"
	GoOn  Kind = "go on"
	// Orphaned: the pull request's spec is pending no more. Again: it is merged, and
	// its spec is pending again.
	Orphaned Kind = "orphaned"
	Again    Kind = "again"
	// Rest: GitHub is given some time to merge one before another is begun.
	Rest Kind = "rest"
	// Wait: one is under way that needs time, or a person.
	Wait Kind = "wait"
	// Idle: nothing is left, or all of it waits for people.
	Idle Kind = "idle"
	// Unknown: there is no such spec.
	Unknown Kind = "unknown"
)

// Step is what is to be done next.
type Step struct {
	Kind Kind
	Spec specs.Spec
	Pull Pull
	// IDs are the specs to ask for.
	IDs []string
	// Why says it in words: what is waited for, or why nothing is to be done.
	Why string
	// Own says of a wait that GitHub merges by itself, and that another call goes on then.
	Own bool
	// Person says that a person is waited for.
	Person bool
	// Passed says of a wait that other specs may be worked on meanwhile.
	Passed bool
}

// askAtOnce is for how many specs the closed pull requests are asked at once.
const askAtOnce = 100

// next says what is to be done next.
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
		step := s.under(p)
		switch {
		case s.Only != "" && p.Spec != s.Only && !step.Passed:
			return Step{Kind: Wait, Pull: p, Spec: step.Spec, Person: true,
				Why: fmt.Sprintf("pull request #%d (%s) is under way: one spec at a time", p.Number, nameOf(p))}
		case p.Spec == s.Only || !step.Passed:
			return step
		}
		waits = append(waits, step)
	}
	step := s.pick()
	if len(waits) == 0 || step.Kind != Begin && step.Kind != Idle {
		return step
	}
	for _, w := range waits {
		if w.Own && (step.Kind != Begin || !w.Pull.Rested && s.Only == "") {
			if step.Kind == Begin {
				w.Kind = Rest
			}
			return w
		}
	}
	if step.Kind != Begin {
		return waits[0]
	}
	return step
}

// under says what to do about the one that is under way.
func (s Situation) under(p Pull) Step {
	step := Step{Pull: p, Person: true}
	spec, pending := s.find(p.Spec)
	step.Spec = spec
	switch {
	case p.Spec == "":
		step.Kind = Wait
		step.Why = fmt.Sprintf("pull request #%d has the label %s, but is not booty's: merge or close it, or "+
			"take the label away", p.Number, s.Labels.Queue())
	case p.Draft && !pending:
		step.Kind = Orphaned
	case p.Queued:
		step.Kind, step.Own, step.Person, step.Passed = Wait, true, false, true
		step.Why = fmt.Sprintf("pull request #%d (%s) is ready, and waits in the merge queue", p.Number, p.Spec)
	case p.Draft || p.Clash || len(p.Red) > 0 && !p.RedToo:
		step.Kind = GoOn
	case p.RedToo:
		step.Kind, step.Passed = Wait, true
		step.Why = fmt.Sprintf("pull request #%d (%s) is ready, but a check fails that fails on the base branch as "+
			"well: %s", p.Number, p.Spec, strings.Join(p.Red, ", "))
	case p.has(s.Labels.Conflict()):
		step.Kind, step.Passed = Wait, true
		step.Why = fmt.Sprintf("pull request #%d (%s) was in conflict with its base: it is ready, and a person "+
			"merges it", p.Number, p.Spec)
	case p.Look:
		step.Kind, step.Passed = Wait, true
		step.Why = fmt.Sprintf("pull request #%d (%s) is ready: a person merges it, and its text says what to look at",
			p.Number, p.Spec)
	case !s.AutoMerge:
		step.Kind, step.Why = Wait, fmt.Sprintf("pull request #%d (%s) is ready: a person merges it "+
			"(specs.auto_merge is off)", p.Number, p.Spec)
	case p.AutoMerge:
		step.Kind, step.Own, step.Person, step.Passed = Wait, true, false, true
		step.Why = fmt.Sprintf("pull request #%d (%s) is ready, and merged by GitHub once its checks pass",
			p.Number, p.Spec)
	case s.NoAutoMerge:
		step.Kind, step.Why = Wait, fmt.Sprintf("pull request #%d (%s) is ready: a person merges it, since the "+
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
					Why: fmt.Sprintf("pull request #%d for %s waits for a person: booty recover retry %d goes on",
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
				return Step{Kind: Again, Pull: past, Spec: spec}
			}
			held++
			if s.Only != "" {
				became := "closed without being merged"
				if past.Merged {
					became = "merged, and its test is pending again"
				}
				return Step{Kind: Wait, Person: true, Pull: past, Spec: spec,
					Why: fmt.Sprintf("pull request #%d for %s was %s: booty recover close-and-reset %d starts it over",
						past.Number, spec.ID, became, past.Number)}
			}
			continue
		}
		if first := s.before(spec); first != "" && s.Only == "" {
			behind++
			continue
		}
		if len(ask) > 0 { // an earlier one may be free as well
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
		why = fmt.Sprintf("nothing to do: %d pending specs wait for a person, and %d for a spec that they come after "+
			"(@tdd-after)", held, behind)
	}
	return Step{Kind: Idle, Person: true, Why: why}
}

// before gives a spec that is to be done before another, and is pending still; "" for
// none.
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

// open gives the open pull request of a spec, nil where there is none.
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

package queue

import (
	"time"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// Run is the result of a run on a spec.
type Run struct {
	// Outcome, Message, Hint and ExitCode are those of the event run.finished.
	Outcome  string
	Message  string
	Hint     string
	ExitCode int
	// Used and Of count attempts over all runs of the spec.
	Used, Of int
	// Conflicts reports whether the work conflicts with its base, Settled whether the model
	// has resolved such a conflict.
	Conflicts, Settled bool
	// Permanent is set if the model failed in a way that a retry cannot fix: it refused, or
	// the request is too long.
	Permanent bool
	// TimedOut is set if the run reached its time limit.
	TimedOut bool
	// Faults counts the runs before this one that ended with an unexplained error.
	Faults int
}

// Ending is what the queue does after a run.
type Ending struct {
	State State
	// Add and Remove are labels.
	Add, Remove []string
	// Ready marks the pull request as ready; Merge asks GitHub to merge it.
	Ready, Merge bool
	// Faults is the count to store in the note.
	Faults int
	// Why explains what happened and what to do.
	Why string
}

// maxFaults is how many unexplained errors in a row leave a spec to a person. Up to then it
// is retried.
const maxFaults = 2

// End decides what follows from the outcome of a run.
func (l Labels) End(r Run) Ending {
	e := Ending{State: Active}
	if r.Conflicts || r.Settled {
		e.Add = append(e.Add, l.Conflict())
	}
	switch r.Outcome {
	case event.Green:
		if r.Conflicts { // the next turn lets the model resolve it
			e.Why = "The checks pass, but the work is in conflict with its base. The next turn lets the model " +
				"resolve it."
			return e
		}
		e.State, e.Ready, e.Merge = Ready, true, !r.Settled
		e.Remove = l.Held()
		if r.Settled {
			e.State = Conflicted
			e.Why = "The checks pass. The work was in conflict with its base, which the model has resolved: a " +
				"person should look at it and merge it."
		}
		return e
	case event.Exhausted:
		return l.hold(e, ForPerson, l.Manual(), "The checks still fail, and "+engine.UsedUp(r.Of, "")+".")
	case event.Stuck:
		return l.hold(e, ForReview, l.Review(),
			"There was no progress: the same failure came again. The spec may ask for something unclear or "+
				"impossible.")
	case event.NothingToDo:
		return l.hold(e, ForReview, l.Review(), "The model says that no change is needed: "+r.Message)
	case event.NeedsReview, event.Question:
		return l.hold(e, ForReview, l.Review(),
			"The spec needs a person's word: "+r.Message+". Hint: "+r.Hint+".")
	case event.Declined:
		return l.hold(e, ForReview, l.Review(), "Every proposal was refused for safety: "+r.Message)
	case event.Budget:
		if r.TimedOut {
			return l.hold(e, ForReview, l.Review(),
				"The time for one run was over before the checks passed. Raise it (@tdd-timeout next to "+
					"the spec, or budget.run_time), or make the spec smaller.")
		}
		return l.hold(e, OverBudget, l.Budget(), "A spending limit ended the work: "+r.Message)
	case event.ModelFailed:
		if r.Permanent {
			return l.hold(e, ForPerson, l.Manual(),
				"The model will not answer this request, however often it is asked: "+r.Message)
		}
	case event.Errored:
		if e.Faults = r.Faults + 1; e.Faults >= maxFaults && r.ExitCode == 1 {
			return l.hold(e, ForPerson, l.Manual(), "An unexpected error came twice: "+r.Message)
		}
	}
	e.Why = "The work is not finished; the next turn continues it. " + r.Message
	return e
}

// held reports whether the spec is left to a person while the queue continues with others.
func (e Ending) held() bool {
	return e.State == ForPerson || e.State == ForReview || e.State == OverBudget
}

// asError returns the error of the turn. A problem of one spec does not end the night; only
// a spending limit keeps its own kind.
func (e Ending) asError(err error) error {
	if err == nil || !e.held() || e.State == OverBudget || fault.KindOf(err) == fault.Exhausted {
		return err
	}
	return fault.New(fault.Exhausted, fault.HintOf(err), "%w", err)
}

func (l Labels) hold(e Ending, s State, label, why string) Ending {
	e.State, e.Why = s, why
	e.Add = append(e.Add, label)
	return e
}

// heartbeatTTL is how long a heartbeat keeps other machines away.
const heartbeatTTL = 15 * time.Minute

// heartbeatInterval is the time between two heartbeats.
const heartbeatInterval = 4 * time.Minute

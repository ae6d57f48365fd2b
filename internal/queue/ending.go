package queue

import (
	"time"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
)

// Run is what became of working on a spec.
type Run struct {
	// Outcome, Message, Hint and ExitCode are those of run.finished.
	Outcome  string
	Message  string
	Hint     string
	ExitCode int
	// Used and Of are the attempts, over all runs of the spec.
	Used, Of int
	// Conflicts says that the work is in conflict with its base, Settled that it was
	// and the model has settled it.
	Conflicts, Settled bool
	// Lasting says of a failed model that asking again will not help: it refused, or
	// the request is too long.
	Lasting bool
	// Late says that the time for one run was over.
	Late bool
	// Faults is how many runs before this one ended by a fault that nobody knows.
	Faults int
}

// Ending is what follows from it.
type Ending struct {
	State State
	// Add are labels to put on, Remove those to take off.
	Add, Remove []string
	// Ready makes the pull request ready, Merge asks for its merge.
	Ready, Merge bool
	// Faults is what to note for the next one.
	Faults int
	// Why says in words what happened and what to do.
	Why string
}

// maxFaults is after how many faults in a row of which nobody knows the cause a
// spec is left to a person: they are tried once more.
const maxFaults = 2

// End says what follows from a run's outcome.
func (l Labels) End(r Run) Ending {
	e := Ending{State: Active}
	if r.Conflicts || r.Settled {
		e.Add = append(e.Add, l.Conflict())
	}
	switch r.Outcome {
	case event.Green:
		if r.Conflicts { // the next turn has the model settle it
			e.Why = "The checks pass, but the work is in conflict with its base. The next turn has the model " +
				"settle it."
			return e
		}
		e.State, e.Ready, e.Merge = Ready, true, !r.Settled
		e.Remove = l.Held()
		if r.Settled {
			e.State = Conflicted
			e.Why = "The checks pass. The work was in conflict with its base, which the model has settled: a " +
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
		return l.hold(e, ForReview, l.Review(), "The model says that nothing is to be changed: "+r.Message)
	case event.NeedsReview, event.Question:
		return l.hold(e, ForReview, l.Review(), "The spec needs a person's word: "+r.Message+". Hint: "+r.Hint+".")
	case event.Declined:
		return l.hold(e, ForReview, l.Review(), "Every proposal was refused for safety: "+r.Message)
	case event.Budget:
		if r.Late {
			return l.hold(e, ForReview, l.Review(),
				"The time for one run was over before the checks passed. Raise it (@tdd-timeout beside the spec, or "+
					"budget.run_time), or make the spec smaller.")
		}
		return l.hold(e, OverBudget, l.Budget(), "A limit of spending ended the work: "+r.Message)
	case event.ModelFailed:
		if r.Lasting {
			return l.hold(e, ForPerson, l.Manual(),
				"The model will not answer this request, however often it is asked: "+r.Message)
		}
	case event.Errored:
		if e.Faults = r.Faults + 1; e.Faults >= maxFaults && r.ExitCode == 1 {
			return l.hold(e, ForPerson, l.Manual(), "An unexpected error came twice: "+r.Message)
		}
	}
	e.Why = "The work is not finished; the next turn goes on with it. " + r.Message
	return e
}

// held says that the spec is left to a person, and the queue goes on with others.
func (e Ending) held() bool {
	return e.State == ForPerson || e.State == ForReview || e.State == OverBudget
}

// of is the error of a turn that came to the ending. What holds one spec alone ends no
// night: only a limit of spending keeps its own kind.
func (e Ending) of(err error) error {
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

// freshness is how long a sign of life keeps other machines away.
const freshness = 15 * time.Minute

// beat is how often a machine at work says that it is.
const beat = 4 * time.Minute

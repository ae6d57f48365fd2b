package event

import "strings"

// The outcomes of a run, as RunFinished and the records have them.
const (
	Green       = "green"
	Exhausted   = "exhausted"
	Stuck       = "stuck"
	NeedsReview = "needs_review"
	Question    = "question"
	Budget      = "budget"
	ModelFailed = "model_failed"
	NothingToDo = "nothing_to_do"
	Interrupted = "interrupted"
	Declined    = "refused"
	Environment = "environment"
	Errored     = "error"
)

// Words says an outcome of a run, or of an attempt, to people.
func Words(outcome string) string {
	switch outcome {
	case Exhausted:
		return "attempts used up"
	case Stuck:
		return "no progress"
	case Budget:
		return "budget reached"
	case Environment:
		return "checks cannot run here"
	}
	return strings.ReplaceAll(outcome, "_", " ")
}

// Ended says how a run with so many attempts ended. Without an attempt none were used up.
func Ended(outcome string, attempts int) string {
	if outcome == Exhausted && attempts == 0 {
		return "stopped before the first attempt"
	}
	return Words(outcome)
}

// The outcomes of an attempt; one that passes is Green.
const (
	// Failing attempts stand, RolledBack ones were worse and taken back.
	Failing    = "failing"
	RolledBack = "rolled_back"
	// Quality is a round in which only gates failed, which is no attempt.
	Quality = "quality"
	// Refused means that nothing of the reply could be checked; where the model asked a
	// question instead that nobody answered, it is Question.
	Refused = "refused"
)

// The verdicts on evidence.
const (
	Proven  = "proven"  // new tests fail on the old code and pass on the new
	NoTests = "none"    // the change brings no tests
	Vacuous = "vacuous" // its tests pass on the old code too
	Untried = "broken"  // the old code could not be tried
)

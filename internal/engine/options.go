package engine

import (
	"time"

	"github.com/booty-cli/booty/internal/event"
)

// Options are the run's own settings.
type Options struct {
	Task event.Task
	// MaxAttempts is how many attempts this run may use, 1 to 10; Earlier is how
	// many other runs of the same task have used before it.
	MaxAttempts, Earlier int
	// Refine works on the failing checks of the checkout as it is; green ones leave nothing to do.
	Refine bool
	// RunTime ends the run early enough for a draft; 0 is no limit.
	RunTime time.Duration
	// OldCommit is the code before earlier work on the same task that is continued; "" where there
	// is none. If the checks pass by now, that work is done.
	OldCommit string
	// Asked says that passing checks are not all that is asked for. Answered reports whether a
	// reply that changes nothing is the answer; may be nil.
	Asked    bool
	Answered func(reply string) bool
	// Patience are the waits, one after the other, for outages of the model and the environment;
	// empty means that booty does not wait.
	Patience []time.Duration
	// AllGreen requires that everything passes, also what failed before.
	AllGreen bool
	// RequireEvidence turns green without proof into a failed attempt. Mutants is how many small
	// changes are tried on green work.
	RequireEvidence bool
	Mutants         int
	// TestCount requires of a test command that counts no tests that it is seen to run some.
	TestCount bool
	// MustNotice says that the tests could judge the user's checkout instead of the tree: green
	// then requires that they notice the change.
	MustNotice bool
	// TestsMayGo says that tests may be removed: one that no longer runs is reported and does not
	// fail the attempt.
	TestsMayGo bool
	// Awaited is the pending test that the work is about; nil for any other task.
	Awaited *Awaited
	// Looking lets the model ask to see more before it answers with edits.
	Looking bool
	// DryRun stops before the first call to the model.
	DryRun bool
	// Merges says that green work is merged without a person, ChallengeUnproven that only work
	// without evidence is challenged.
	Merges, ChallengeUnproven bool
	// KeepTests adds those tests of a challenge to the work that notice what no other test does.
	KeepTests bool
	// Candidates is how many proposals an attempt asks for at once; 0 and 1
	// mean one.
	Candidates int
}

// Parts are what the loop works with. Only those whose comment says so may be nil.
type Parts struct {
	Workspace Workspace
	Prompts   Prompts
	Model     Model
	Checks    Checks
	Trees     Trees
	Changes   Changes
	// Prover finds out what the tests prove; nil where evidence is off.
	Prover Prover
	// Named reports whether the task names what a failure is about: then the failure is part of the
	// task even if it is old. May be nil.
	Named func(event.Failure) bool
	// TestReviewer is asked whether the task changes what tests expect; nil if there is no model to
	// ask.
	TestReviewer TestReviewer
	// Challenger has tests written against green work; nil if not asked for.
	Challenger Challenger
	// Reviewer reads green work, Publisher makes it public; each may be nil.
	Reviewer  Reviewer
	Publisher Publisher
	Journal   Journal
	// Merger resolves conflicts with the base; nil if there is no earlier work.
	Merger Merger
	// Person answers the model's questions; nil if nobody is at a terminal.
	Person Person
	Events event.Listener
	Now    func() time.Time
}

// Package engine is the loop: propose, apply, verify, decide, again. It is the
// only place that decides; the parts behind its interfaces act. It touches no
// disk, network or clock of its own, so that a whole run can be tested as a table.
//
// An attempt is one proposal, applied and checked. A reply that could not be
// applied uses up a reply, not an attempt; a quality round (only gates fail)
// uses up neither. A state is the whole work tree at one moment; the Workspace
// can restore any of them.
//
// Run, in engine.go, decides. What it decides about is found by parts: exchange asks the model,
// verifier runs code, evidence and challenges doubt green work, ending makes the result. Each is given
// its ports and its part of the memory; none knows the run.
package engine

import (
	"context"
	"errors"
	"time"

	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/look"
	"github.com/booty-cli/booty/pkg/edit"
)

// Role is what a request asks the model to be.
type Role string

// The roles of the loop; each has its own prompt.
const (
	Implement  Role = "implement"
	FixTests   Role = "fix-tests"
	FixQuality Role = "fix-quality"
	// ResolveConflicts resolves conflicts between earlier work and its base.
	ResolveConflicts Role = "resolve-conflicts"
	Review           Role = "review"
	// Challenge writes tests against a change that it does not see.
	Challenge Role = "challenge"
)

// ErrContextLength is what a Model's error wraps when the request was too long
// for it: the engine shrinks the context once and asks again.
var ErrContextLength = errors.New("the request is longer than the model's context")

// Prompt is a request as it is sent.
type Prompt struct {
	System, User string
	// Stable are the lengths, in bytes, of the prefixes of User that later requests of the run
	// share.
	Stable []int
	Tokens int
	Files  []event.ContextFile
	// LeftOut are the likeliest files that are not shown.
	LeftOut []event.ContextFile
	// Shrinkable says that something could still be left out.
	Shrinkable bool
	// Answers say how each of the brief's wishes was answered.
	Answers []event.Ask
}

// Brief is what a prompt is made from, besides the task and the tree.
type Brief struct {
	Role Role
	// Attempt is the number over all runs of the task, Max the highest there may be.
	Attempt, Max int
	// Failure of the state the tree is in; nil when there is none to show.
	Failure *failure.Verdict
	// Before says that the failure is from before the work and not named by the task: it selects no
	// files.
	Before bool
	// Old names what failed before the work, and still does.
	Old []string
	// LastSummary is the last attempt's own summary.
	LastSummary string
	// LastFiles are the files of the last change.
	LastFiles []string
	// RolledBack says why the last attempt was rolled back, and what it broke.
	RolledBack string
	// Problems are the reasons why the last reply was not applied.
	Problems []event.Problem
	// Kept names the files whose edits were good and are kept.
	Kept []string
	// Looks is how many more replies may ask to see more; Wishes are all that the
	// attempt has asked to see so far, LookedAt the files that the last one asked
	// to see, Answers what a person said to the model's questions.
	Looks    int
	Wishes   []look.Request
	LookedAt []string
	Answers  []Answered
	// View is what the attempt's last request showed: this one shows it again, with what
	// was asked for since. Empty where files are to be chosen.
	View []event.ContextFile
	// From and To are the states before and after the change that Stood fails with; zero where the
	// request shows no change.
	From, To State
	// Stood are failures of tests as they stood. If there are any, the request is about these
	// alone.
	Stood []event.Failure
	// Wide asks for more context than usual.
	Wide bool
	// Below is the size in tokens of a request that was too long: this one must be clearly smaller.
	// 0 where none was.
	Below int
	// Escalate asks the stronger model, where one is set.
	Escalate bool
}

// Prompts turns a brief into a request, choosing the files it shows.
type Prompts interface {
	Compose(ctx context.Context, b Brief) (Prompt, error)
}

// Call is one request to the model.
type Call struct {
	Attempt int
	Role    Role
	Prompt  Prompt
	// Escalate asks for the stronger model, where one is set.
	Escalate bool
	// SoFar is the reply up to where it was cut off, to be continued.
	SoFar string
	// Candidate numbers the same request made several times, from 0.
	Candidate int
}

// Reply is the model's answer.
type Reply struct {
	Text string
	// Cut says that the length limit ended the reply, Ended that the provider reports it as
	// complete. If the provider says neither, both are false.
	Cut, Ended bool
	// Continued is how often the engine had it continued; a Model leaves it 0.
	Continued int
	// View is what the request showed. The engine sets it.
	View []event.ContextFile `json:",omitempty"`
	// Changes hold the proposal of a provider that edits files itself.
	Changes []edit.Change
	// Kept are the good edits of the refused reply before, which are part of this one. The engine
	// sets it.
	Kept  []edit.Edit `json:",omitempty"`
	Usage Usage
}

// Usage is what a call used.
type Usage struct {
	// Cached is the part of Input that came from a prompt cache, Written the part written to it.
	// SavedUSD is what the cache saved.
	Input, Output, Cached, Written int
	CostUSD, SavedUSD              float64
	Estimated                      bool
	Duration                       time.Duration
}

// Model answers requests. It retries transient faults itself, so its errors are final; the Usage
// beside an error is what the failed call cost. It also reserves and settles the money.
type Model interface {
	Complete(ctx context.Context, c Call) (Reply, error)
	// Describe names the provider and model that a call would reach.
	Describe(role Role, escalate bool) (provider, model string)
}

// State is the whole work tree at one moment.
type State struct {
	N      int    `json:"n"`
	Commit string `json:"commit"`
	// Tree identifies the content: states with the same tree are equal.
	Tree string `json:"tree"`
}

// Start is where a run begins.
type Start struct {
	State  State  `json:"state"`
	Repo   string `json:"repo"`
	Branch string `json:"branch"`
	Base   string `json:"base"`
	// BaseCommit is the commit that the branch starts at; "" for a refine.
	BaseCommit string `json:"base_commit,omitempty"`
}

// Proposal is a reply, ready to be applied.
type Proposal struct {
	Summary string
	Changes []edit.Change
	// Problems stop the whole proposal: a part does not parse or match.
	Problems []event.Problem
	// Kept are the good edits of a proposal that Problems stop: only the others are asked for
	// again.
	Kept []edit.Edit
	// Refused parts were dropped for protection; the rest is kept.
	Refused []event.Problem
	// DocsOnly says that the changes need no test run.
	DocsOnly bool
	// Notes are for the user, such as an edit of an ignored file.
	Notes []string
	// Prose is the rest of the reply, without summary and edits.
	Prose string
	// Wishes are what the reply asks to see instead of proposing anything, View
	// what its request showed. The engine sets both.
	Wishes []look.Request
	View   []event.ContextFile
	// Said is the whole reply, for messages about why it led to nothing. The engine sets it.
	Said string
}

// Workspace is the tree that a run works in.
type Workspace interface {
	// Prepare records the tree before the run and names the run's branch.
	Prepare(ctx context.Context) (Start, error)
	// Resolve reads a reply against the current tree; it writes nothing.
	Resolve(ctx context.Context, r Reply) (Proposal, error)
	// Apply writes the changes, all or none, and keeps the state as number n.
	Apply(ctx context.Context, n int, changes []edit.Change) (State, error)
	// Restore restores a state.
	Restore(ctx context.Context, s State) error
	// KeepFixed makes what was done to the named paths since s part of that state. It returns the
	// new state and the paths that differ; the rest of the tree is not touched.
	KeepFixed(ctx context.Context, s State, paths []string) (State, []string, error)
	// AfterChecks deals with what the checks changed since s. Lock files whose manifests are among
	// the named paths become part of the returned state. Everything else is restored and listed.
	AfterChecks(ctx context.Context, s State, named []string) (now State, locks, putBack []string, err error)
	// Keep makes state s the result of the run: a commit on its branch or, for a refine, the files
	// of the checkout and, if asked for, a commit. It returns the commit; "" if there is none.
	Keep(ctx context.Context, s State, k Keep) (string, error)
	// Branch is the branch that Keep put the work on; "" for the one of Start.
	Branch() string
	// Leave ends the use of the tree. It is called once, at the end.
	Leave(ctx context.Context) error
}

// ErrConflict marks the end of a refine that passes in its tree, and conflicts with what
// the user changed meanwhile.
var ErrConflict = errors.New("it conflicts with what you changed meanwhile")

// HookChanged is the error of a Workspace's Keep if a pre-commit hook changed files, as formatters
// do, and refused the commit. State has the changed files.
type HookChanged struct {
	State State
	Paths []string
	Said  string
}

func (h *HookChanged) Error() string {
	return "the repository's pre-commit hook changed " + list(h.Paths) + " and refused the commit: " + h.Said
}

// Keep describes the result, for the commit.
type Keep struct {
	Green bool
	// Changed names the tests that fail as they stood.
	Changed []string
	// Summary is the subject, Prose the sentences for the reviewer.
	Summary, Prose string
	// Unasked says that no call was made since the run was resumed: only the commit was left, so
	// the user's hint is about the commit.
	Unasked bool
	// Paths are those that the proposals named: nothing else is committed. Kept is the one with
	// tests of a challenge; "" where there is none.
	Paths []string
	Kept  string
}

// VerifyInput is what a verification needs to know.
type VerifyInput struct {
	Attempt int
	// Previous failures run first, if the runner can do that.
	Previous []event.Failure
	// Twice runs failing tests once more: those that pass then, with nothing changed, say nothing
	// about the change.
	Twice bool
	// Full runs the full commands even if the Previous still fail.
	Full bool
	// Baseline is the verdict before the first attempt, nil while it is made.
	Baseline *Verdict
	// Named are the paths that the proposals named. If a manifest is among them, setup runs again.
	Named []string
	// Known reports failures that the text leaves out; may be nil.
	Known func(event.Failure) bool
	// DocsOnly skips the tests.
	DocsOnly bool
	// LeaveOut leaves out the gates whose tool is not installed, here and in later verifications
	// with this baseline.
	LeaveOut bool
	// TestsOnly leaves out the gates and setup.
	TestsOnly bool
	// Report receives each finished command.
	Report func(event.CheckFinished)
	// Fixed is called when fix_commands have run, before the tests; may be nil.
	Fixed func(context.Context) error
}

// Checks runs the repository's own setup, gates and tests.
type Checks interface {
	Setup(ctx context.Context, report func(event.CheckFinished)) (Verdict, error)
	Verify(ctx context.Context, in VerifyInput) (Verdict, error)
}

// Ask makes one request in a role. It is counted and shown like all others.
type Ask func(ctx context.Context, role Role, p Prompt) (Reply, error)

// Reviewer reads a green diff.
type Reviewer interface {
	// Review reviews the change, also for whether it works for more than the tests that failed
	// before; ask makes the request.
	Review(ctx context.Context, from, to State, failed string, ask Ask) (event.ReviewFinished, error)
	// Blocking reports whether BLOCKED makes a draft.
	Blocking() bool
}

// Publication is what a Publisher publishes: what the run knows, and its result.
type Publication struct {
	Memory
	Green            bool
	Outcome, Message string
	// Commit is the result, Changed says that there is one.
	Commit  string
	Changed bool
	// Best is the attempt that is kept, Main the one whose summary the commit has; nil where
	// nothing is kept.
	Best, Main *Attempt
	// Behind says that the best attempt is worse than the start of the run.
	Behind bool
	// Look is what a person must look at before it is merged. Judge says that the tests as they
	// stood fail, so that the work is not ready.
	Look  []string
	Judge bool
}

// Publisher opens or updates the pull request and the comment. It returns nil if none was
// asked for.
type Publisher interface {
	// Begin is called when work begins: a ready pull request becomes a draft again.
	Begin(ctx context.Context) error
	// Publish may return a pull request beside an error: it exists, but is not as asked for.
	Publish(ctx context.Context, p Publication) (*event.PullRequest, bool, error)
}

// Journal stores the engine's memory, so that a killed run can continue.
type Journal interface {
	Save(ctx context.Context, m Memory) error
}

// Package record holds what the journal remembers as plain data: runs, their
// attempts, checks and calls, and how money stands. The journal fills these
// types, the reports render them; neither needs to know the other.
//
// The JSON names are a contract with scripts (`booty status --json`): fields
// may be added, never renamed. Times are UTC. A blob is a compressed file
// beside the database; fields that name one hold its path within the state
// directory, such as runs/0f3k2m9x1a/attempt-1/prompt.md.gz, and are empty
// where nothing was stored.
package record

import (
	"encoding/json"
	"time"

	"github.com/booty-cli/booty/internal/event"
)

// States of a run.
const (
	// Running means that the process at work is alive.
	Running = "running"
	// Interrupted means that it ended without closing the run.
	Interrupted = "interrupted"
	// Finished means that the run has an outcome.
	Finished = "finished"
)

// Run is one start of the loop, from its task to its outcome.
type Run struct {
	ID string `json:"id"`
	// Repo is the path of the checkout, RepoName what people call it (owner/name).
	Repo     string `json:"repo"`
	RepoName string `json:"repo_name"`
	// Kind is the command: run, refine, demo.
	Kind string     `json:"kind"`
	Task event.Task `json:"task"`
	// TaskText is the whole task in words, for resume.
	TaskText string `json:"task_text,omitempty"`
	// Branch is booty's own, Base the one it goes into.
	Branch string `json:"branch"`
	Base   string `json:"base"`
	// StartBranch and StartCommit are where the checkout stood before the run.
	StartBranch string `json:"start_branch"`
	StartCommit string `json:"start_commit"`
	// Options are what the command was called with, for resume.
	Options    json.RawMessage `json:"options,omitempty"`
	MaxRetries int             `json:"max_retries"`

	// PID and Host name the process at work.
	PID  int    `json:"pid"`
	Host string `json:"host"`

	State     string    `json:"state"`
	Started   time.Time `json:"started"`
	Heartbeat time.Time `json:"heartbeat"`
	// Finished is zero until the run has an outcome.
	Finished time.Time `json:"finished,omitzero"`

	Outcome     string             `json:"outcome"`
	ExitCode    int                `json:"exit_code"`
	Message     string             `json:"message,omitempty"`
	Hint        string             `json:"hint,omitempty"`
	Commit      string             `json:"commit,omitempty"`
	PullRequest *event.PullRequest `json:"pull_request"`

	// Attempts counts those of this run that were checked, AttemptsTotal those of
	// all runs of the task up to it. Tokens and cost are sums over all calls;
	// Estimated says that at least one was not told by the provider.
	Attempts      int `json:"attempts"`
	AttemptsTotal int `json:"attempts_total"`

	InputTokens  int     `json:"input_tokens"`
	OutputTokens int     `json:"output_tokens"`
	CostUSD      float64 `json:"cost_usd"`
	Estimated    bool    `json:"estimated"`
	// Model is the one that was asked last.
	Model string `json:"model"`
	// Undone says that what it wrote in its checkout was taken back.
	Undone bool `json:"undone,omitempty"`
}

// MadeBranch is the branch that holds the run's work; "" where the run ended before
// there was any, as at a limit: the branch was never made, or left no trace.
func (r Run) MadeBranch() string {
	if r.Kind == "run" && r.State == Finished && r.Commit == "" && r.PullRequest == nil &&
		r.Outcome != event.Interrupted {
		return ""
	}
	return r.Branch
}

// Attempt is one proposal applied and checked.
type Attempt struct {
	Run     string `json:"run"`
	N       int    `json:"attempt"`
	Role    string `json:"role"`
	Outcome string `json:"outcome"` // green, failing, quality, refused, rolled_back; empty while at work
	Summary string `json:"summary"`
	// Prose are the model's sentences for the reviewer.
	Prose   string       `json:"prose,omitempty"`
	Files   []event.File `json:"files"`
	Failing int          `json:"failing"`
	// Known is how many failures from before Failing leaves out.
	Known int `json:"known,omitempty"`
	// Trouble says in words what stands in the way of a number.
	Trouble string `json:"trouble,omitempty"`
	// Signature and PatchHash are what "no progress" is seen by.
	Signature string `json:"signature,omitempty"`
	PatchHash string `json:"patch_hash,omitempty"`
	// Checkpoint is the commit that holds the attempt's tree.
	Checkpoint string `json:"checkpoint,omitempty"`
	// Diff is the blob with the attempt's patch.
	Diff     string          `json:"diff,omitempty"`
	Refused  []event.Problem `json:"refused,omitempty"`
	Started  time.Time       `json:"started"`
	Finished time.Time       `json:"finished,omitzero"`
	Checks   []Check         `json:"checks"`
	Calls    []Call          `json:"calls"`
}

// Checked says that an attempt with this outcome counts: a proposal was applied,
// and the checks judged it.
func Checked(outcome string) bool {
	switch outcome {
	case event.Green, event.Failing, event.RolledBack:
		return true
	}
	return false
}

// Check is one subprocess of the checks.
type Check struct {
	Run     string    `json:"run"`
	Attempt int       `json:"attempt"` // 0: before the first attempt
	Name    string    `json:"name"`
	Kind    string    `json:"kind"`
	Command string    `json:"command,omitempty"`
	At      time.Time `json:"at"`

	Passed     bool            `json:"passed"`
	ExitCode   int             `json:"exit_code"`
	TimedOut   bool            `json:"timed_out"`
	DurationMS int64           `json:"duration_ms"`
	Counts     event.Counts    `json:"counts"`
	Failures   []event.Failure `json:"failures"`
	Note       string          `json:"note,omitempty"`

	// Log is the blob with the full output, Distilled the short text of it.
	Log       string `json:"log,omitempty"`
	Distilled string `json:"distilled,omitempty"`
}

// Call is one request to a model.
type Call struct {
	Run      string    `json:"run"`
	Attempt  int       `json:"attempt"`
	Role     string    `json:"role"`
	Provider string    `json:"provider"`
	Model    string    `json:"model"`
	At       time.Time `json:"at"`

	// GuessTokens is what the request was taken for, Pieces its length (package tokens); 0 where
	// that is not known, or says nothing of the count.
	GuessTokens  int `json:"guess_tokens,omitempty"`
	Pieces       int `json:"-"`
	InputTokens  int `json:"input_tokens"`
	OutputTokens int `json:"output_tokens"`
	CachedTokens int `json:"cached_tokens"`
	// CacheWriteTokens were put into the prompt cache; SavedUSD is what the cache made
	// CostUSD smaller, negative where writing cost more.
	CacheWriteTokens int     `json:"cache_write_tokens"`
	CostUSD          float64 `json:"cost_usd"`
	Estimated        bool    `json:"estimated"`
	SavedUSD         float64 `json:"saved_usd"`
	DurationMS       int64   `json:"duration_ms"`
	Error            string  `json:"error,omitempty"`

	// Prompt and Reply are blobs.
	Prompt string `json:"prompt,omitempty"`
	Reply  string `json:"reply,omitempty"`
}

// Note is a line worth keeping that is no event of its own: a warning, the
// reviewer's words, why something was left out.
type Note struct {
	Attempt int       `json:"attempt"`
	Kind    string    `json:"kind"` // info, warning, review, evidence
	Text    string    `json:"text"`
	At      time.Time `json:"at"`
}

// Detail is a run with all that is known of it.
type Detail struct {
	Run Run `json:"run"`
	// Baseline holds the checks that ran before the first attempt.
	Baseline []Check `json:"baseline"`
	// Extra holds the calls that belong to no attempt, such as the review.
	Extra    []Call    `json:"extra_calls"`
	Attempts []Attempt `json:"attempts"`
	Notes    []Note    `json:"notes"`

	// Requests tell what each request showed the model, in order; Found is how the
	// checks stood before the first attempt, Evidence what the change proves, Known
	// what failed before and has nothing to do with it. All are empty once the
	// run's events are pruned.
	Requests []Request               `json:"requests"`
	Found    *event.BaselineFinished `json:"found"`
	Evidence *event.EvidenceFinished `json:"evidence"`
	Known    []string                `json:"known"`
	// LeftOut are gates that could not run.
	LeftOut []event.LeftOut `json:"left_out,omitempty"`
	// ChangedTests are existing tests of which the task asks that they change.
	ChangedTests []event.ChangedTest `json:"changed_tests,omitempty"`
	// Last is the newest event, for who watches a run at work.
	Last *Last `json:"last_event"`
}

// Last is an event by its name.
type Last struct {
	Event   string    `json:"event"`
	Attempt int       `json:"attempt"`
	At      time.Time `json:"time"`
}

// Request is what one request to a model held.
type Request struct {
	Attempt int    `json:"attempt"`
	Role    string `json:"role"`
	Model   string `json:"model"`
	// Tokens are of the whole request, as estimated before it was sent.
	Tokens int                 `json:"tokens"`
	Files  []event.ContextFile `json:"files"`
}

// Step is a finished part of a run, for resume.
type Step struct {
	Name string          `json:"step"`
	Data json.RawMessage `json:"data"`
	At   time.Time       `json:"at"`
}

// Standings of a spending period.
const (
	Available = "available"
	Warned    = "warning"
	Reached   = "reached"
)

// Period is how money stands in one period.
type Period struct {
	Period string `json:"period"` // run, day, week
	// UsedUSD is all that counts against the limit: settled calls at their
	// price, calls under way and unsettled ones at their worst case.
	UsedUSD float64 `json:"used_usd"`
	// ReservedUSD is the part of it held by calls under way, UnsettledUSD the
	// part left by processes that ended between a call and its settlement.
	ReservedUSD  float64 `json:"reserved_usd"`
	UnsettledUSD float64 `json:"unsettled_usd"`
	// LimitUSD 0 means that there is no limit; LeftUSD is 0 then.
	LimitUSD float64 `json:"limit_usd"`
	LeftUSD  float64 `json:"left_usd"`
	Percent  float64 `json:"percent"`
	Calls    int     `json:"calls"`
	Runs     int     `json:"runs"`
	State    string  `json:"state"` // available, warning, reached
	// Resets is when the oldest spending leaves the window; zero for a run, and
	// where nothing was spent.
	Resets time.Time `json:"resets,omitzero"`
}

// Day is what was spent on a day, in the time zone of who asks.
type Day struct {
	Day     string  `json:"day"` // 2026-11-22
	UsedUSD float64 `json:"used_usd"`
}

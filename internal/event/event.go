// Package event defines what happens in a run as typed values: the engine
// emits them, the screen, --json and the journal listen. The field names are a
// contract with scripts: fields may be added, never renamed. It holds data
// only: who emits what when is the engine's matter.
package event

import (
	"bytes"
	"fmt"
	"slices"
	"unicode"
	"unicode/utf16"

	"encoding/json"
	"time"

	"github.com/booty-cli/booty/internal/failure"
	"github.com/booty-cli/booty/internal/testreport"
)

// Event is one thing that happened.
type Event interface {
	// Name is the value of the "event" field, such as "check.finished".
	Name() string
}

// Listener is told each event in order, on the goroutine of the run.
type Listener interface {
	Handle(Event)
}

// Func makes a function a Listener.
type Func func(Event)

// Handle calls f.
func (f Func) Handle(e Event) { f(e) }

// Line encodes an event as one JSON object with event, time and run first.
func Line(e Event, at time.Time, run string) ([]byte, error) {
	head, err := json.Marshal(struct {
		Event string `json:"event"`
		Time  string `json:"time"`
		Run   string `json:"run"`
	}{e.Name(), at.UTC().Format("2006-01-02T15:04:05.000Z07:00"), run})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	if len(body) > 2 { // not "{}"
		head = append(append(head[:len(head)-1], ','), body[1:]...)
	}
	return append(visible(head), '\n'), nil
}

// visible escapes, in JSON, what a terminal obeys or nobody sees: control
// characters above ASCII, signs that turn the direction of text, tags. Outside of
// strings there is nothing above ASCII.
func visible(line []byte) []byte {
	hidden := func(r rune) bool {
		return r >= 0x7f && r <= 0x9f || unicode.Is(unicode.Bidi_Control, r) || r == 0xfeff ||
			r >= 0xe0000 && r <= 0xe007f
	}
	if !bytes.ContainsFunc(line, hidden) {
		return line
	}
	var b bytes.Buffer
	for _, r := range string(line) {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.Bytes()
}

// Task says what the run works on.
type Task struct {
	Kind   string `json:"kind"` // issue, pull_request, text, file, stdin, spec, refine
	Number int    `json:"number,omitempty"`
	Spec   string `json:"spec,omitempty"`
	Title  string `json:"title"`
}

// Counts, Failure and LeftOut are those that the checks tell.
type (
	Counts  = testreport.Counts
	Failure = failure.Failure
	LeftOut = failure.LeftOut
)

// File is a file of a change.
type File struct {
	Path    string `json:"path"`
	From    string `json:"from,omitempty"`
	Op      string `json:"op"` // create, modify, delete, rename
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
}

// KindProtected is the kind of a problem with a place that may not be touched.
const KindProtected = "protected"

// Problem is a part of a reply that was refused.
type Problem struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	// Kind is why: parse, match, path, protected, test, runner, limit and others.
	Kind string `json:"kind,omitempty"`
}

// PullRequest names a pull request.
type PullRequest struct {
	Number int    `json:"number"`
	URL    string `json:"url"`
	Draft  bool   `json:"draft"`
	// State is closed or merged where a later run saw that it is; never set in
	// the events of the run that made it.
	State string `json:"state,omitempty"`
}

// RunStarted opens a run.
type RunStarted struct {
	Task       Task   `json:"task"`
	Repo       string `json:"repo"`
	Branch     string `json:"branch"`
	Base       string `json:"base"`
	MaxRetries int    `json:"max_retries"`
}

// SetupFinished follows the setup command.
type SetupFinished struct {
	Passed bool `json:"passed"`
	// Skipped says that it was not run: nothing that it depends on has changed.
	Skipped    bool  `json:"skipped,omitempty"`
	DurationMS int64 `json:"duration_ms"`
}

// BaselineFinished tells how the checks stood before the first attempt.
type BaselineFinished struct {
	Green bool `json:"green"`
	// Passed and Failed are null where the runner's output does not tell.
	Passed *int `json:"passed"`
	Failed *int `json:"failed"`
	// Failing is how many tests failed, as far as the output tells; Trouble says
	// in words what stands in the way of a number, such as a failed build.
	Failing int    `json:"failing"`
	Trouble string `json:"trouble,omitempty"`
}

// ContextFile is a file, or a part of one, shown to the model.
type ContextFile struct {
	Path   string `json:"path"`
	Tokens int    `json:"tokens"`
	Part   string `json:"part"` // full, excerpt, outline, tree; none of one that is left out
	// Lines of the file that an excerpt shows, from 1, both ends included.
	Lines [][2]int `json:"lines,omitempty"`
	// Why says in a few words what speaks for the file.
	Why string `json:"why,omitempty"`
}

// Holds reports whether the lines from first to last are shown, 0 for all of the file.
func (f ContextFile) Holds(first, last int) bool {
	if f.Part == "full" {
		return true
	}
	return first > 0 && slices.ContainsFunc(f.Lines,
		func(l [2]int) bool { return l[0] <= first && last <= l[1] })
}

// Ask is one thing that the model asked to see before it answers with edits.
type Ask struct {
	Kind string `json:"kind"` // show, find, ask
	What string `json:"what"`
	// Answer is shown, not_found, refused or too_large; of a question answered, asked
	// where nobody has answered it, or kept where it came beside other wishes.
	Answer string `json:"answer"`
}

// ContextRequested tells that the model looked round, and what it was shown.
type ContextRequested struct {
	Attempt int   `json:"attempt"`
	Round   int   `json:"round"`
	Asks    []Ask `json:"asks"`
}

// ContextSelected tells what the model will see.
type ContextSelected struct {
	Attempt int           `json:"attempt"`
	Files   []ContextFile `json:"files"`
	Tokens  int           `json:"tokens"`
	// LeftOut are the likeliest files that are not shown, with the tokens that
	// they would take and why they are not.
	LeftOut []ContextFile `json:"left_out,omitempty"`
}

// ModelRequest goes before each call.
type ModelRequest struct {
	Attempt     int    `json:"attempt"`
	Role        string `json:"role"`
	Provider    string `json:"provider"`
	Model       string `json:"model"`
	InputTokens int    `json:"input_tokens"`
	// CostUSD is the estimated cost of a call that --dry-run did not make.
	CostUSD *float64 `json:"cost_usd,omitempty"`
	// Prompt is the whole request, in --dry-run only.
	Prompt string `json:"prompt,omitempty"`
}

// ModelRetry tells of a transient fault.
type ModelRetry struct {
	Attempt int    `json:"attempt"`
	Try     int    `json:"try"`
	Reason  string `json:"reason"`
	WaitMS  int64  `json:"wait_ms"`
}

// ModelReply follows each answered call.
type ModelReply struct {
	Attempt      int    `json:"attempt"`
	Role         string `json:"role"`
	InputTokens  int    `json:"input_tokens"`
	OutputTokens int    `json:"output_tokens"`
	CachedTokens int    `json:"cached_tokens"`
	// CacheWriteTokens were put into the prompt cache; SavedUSD is what the cache made
	// CostUSD smaller, negative where writing cost more.
	CacheWriteTokens int     `json:"cache_write_tokens"`
	CostUSD          float64 `json:"cost_usd"`
	Estimated        bool    `json:"estimated"`
	SavedUSD         float64 `json:"saved_usd"`
	DurationMS       int64   `json:"duration_ms"`
}

// EditsRefused tells what of a reply was not applied, and why.
type EditsRefused struct {
	Attempt  int       `json:"attempt"`
	Problems []Problem `json:"problems"`
}

// EditsApplied tells what was changed in the work tree.
type EditsApplied struct {
	Attempt int    `json:"attempt"`
	Summary string `json:"summary,omitempty"`
	// Said is the beginning of what the model says beside it, on one line.
	Said  string `json:"said,omitempty"`
	Files []File `json:"files"`
}

// CheckFinished follows every subprocess of the checks.
type CheckFinished struct {
	Attempt int    `json:"attempt"`
	Check   string `json:"name"`
	Kind    string `json:"kind"` // setup, gate, fix, rerun, test
	// Role is as_they_stood where the tests of before the work run on its code, else left
	// out.
	Role       string    `json:"role,omitempty"`
	Passed     bool      `json:"passed"`
	ExitCode   int       `json:"exit_code"`
	TimedOut   bool      `json:"timed_out"`
	DurationMS int64     `json:"duration_ms"`
	Counts     Counts    `json:"counts"`
	Failures   []Failure `json:"failures"`
	// Note says what is special: no tests ran, a flake, what the environment broke.
	Note string `json:"note,omitempty"`
}

// AsTheyStood is the role of checks that run the tests as they stood before the work.
const AsTheyStood = "as_they_stood"

// TestsStood tells what the tests as they stood before the work say of its code.
type TestsStood struct {
	Attempt int  `json:"attempt"`
	Passed  bool `json:"passed"`
	// Failed names those that fail, as far as they have names.
	Failed []string `json:"failed"`
}

// The claims of a change.
const (
	ClaimChange     = "change"     // a test fails without it and passes with it
	ClaimUnharmed   = "unharmed"   // nothing that the tests said before was weakened
	ClaimCanFail    = "can_fail"   // the test that shows it fails when its expectation is made wrong
	ClaimMutants    = "mutants"    // small changes to the changed lines make tests fail
	ClaimChallenged = "challenged" // tests that a model wrote against it hold
	StateProven     = "proven"     // a run shows it
	StateNotShown   = "not_shown"  // it was tried, and nothing shows it
	StateUntried    = "untried"    // it could not be tried
	StateDisproven  = "disproven"  // a run shows the contrary
)

// A Claim is what may be said of a change, and by what it is shown.
type Claim struct {
	Claim  string   `json:"claim"`
	State  string   `json:"state"`
	Tests  []string `json:"tests"`
	Reason string   `json:"reason,omitempty"`
}

// ProofFinished tells what a change proves: a green one of a run, or any that booty
// prove is asked about, which gives it a verdict.
type ProofFinished struct {
	Claims []Claim `json:"claims"`
	// Verdict is proven, kept, partly, not_shown, weakened, changed, failing, caught, untried or nothing, where booty
	// prove gives it, Reason what it is for in a sentence.
	Verdict string `json:"verdict,omitempty"`
	Reason  string `json:"reason,omitempty"`
	// Subject is the change in words, Base and Head are its two commits.
	Subject string `json:"subject,omitempty"`
	Base    string `json:"base,omitempty"`
	Head    string `json:"head,omitempty"`
	// Expectations are what tests of the same name expected before, and expect now.
	Expectations []Expectation `json:"expectations,omitempty"`
	// Files are those of the product in which mutants were tried; Survivors are the
	// mutants that no test noticed.
	Files     []ProvenFile `json:"files,omitempty"`
	Survivors []Survivor   `json:"survivors,omitempty"`
	// Dismissed are survivors of which people with write access said that they do not matter.
	Dismissed []Survivor `json:"dismissed,omitempty"`
	// Challenge is what tests that a model wrote against the change say of it.
	Challenge *ChallengeFinished `json:"challenge,omitempty"`
	// At is the first changed line of code.
	At Place `json:"at,omitzero"`
	// Look is what a person should look at, LeftOut what there was no time or way for.
	Look    []string `json:"look,omitempty"`
	LeftOut []string `json:"left_out,omitempty"`
	// OldFailures are the tests that fail before the change and after it, Flaky those that
	// fail only sometimes: neither shows anything.
	OldFailures []string `json:"old_failures,omitempty"`
	Flaky       []string `json:"flaky,omitempty"`
	// SuiteMS is how long the tests took once, DurationMS the whole proof.
	SuiteMS    int64 `json:"suite_ms,omitempty"`
	DurationMS int64 `json:"duration_ms,omitempty"`
}

// The verdicts of booty prove.
const (
	VerdictProven   = "proven"    // a test shows the change, and every place of it is noticed
	VerdictPartly   = "partly"    // a test shows the change, not all of it is noticed
	VerdictNotShown = "not_shown" // nothing shows the change
	VerdictWeakened = "weakened"  // the tests as they stood fail, or tests went
	VerdictChanged  = "changed"   // old tests fail, and those of the same name expect something else
	VerdictKept     = "kept"      // no test tells old from new, and tests notice each place of it
	VerdictFailing  = "failing"   // tests fail that did not before
	VerdictUntried  = "untried"   // the tests could not be run
	VerdictNothing  = "nothing"   // no product code changed
	VerdictCaught   = "caught"    // tests that were written against the change fail
)

// ProvenFile is a changed file of the product, and who noticed what was done to it.
type ProvenFile struct {
	Path     string `json:"path"`
	Tried    int    `json:"tried"`
	Survived int    `json:"survived"`
	// Tests failed on a mutant of the file, each once.
	Tests []string `json:"tests,omitempty"`
}

// Place is a line of a file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// Expectation is a line of a test as it was and as it is.
type Expectation struct {
	Test string `json:"test"`
	File string `json:"file"`
	Line int    `json:"line"`
	Was  string `json:"was"`
	Now  string `json:"now"`
}

// Survivor is a small change to changed code that no test noticed.
type Survivor struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// Was and Now are the line before and after, What says what was done to it.
	Was  string `json:"was"`
	Now  string `json:"now"`
	What string `json:"what"`
}

// ChallengeFinished tells what tests that a model wrote against a change say of it.
type ChallengeFinished struct {
	Tests []ChallengeTest `json:"tests"`
	// Reason says why there are none, or why they say nothing.
	Reason string `json:"reason,omitempty"`
	// File and Text are the file of tests as it ran, Head the text above its first test.
	File string `json:"file,omitempty"`
	Text string `json:"text,omitempty"`
	Head string `json:"head,omitempty"`
	// Provider and Model wrote them, for CostUSD.
	Provider string  `json:"provider,omitempty"`
	Model    string  `json:"model,omitempty"`
	CostUSD  float64 `json:"cost_usd"`
}

// ChallengeTest is one of these tests.
type ChallengeTest struct {
	Name string `json:"name"`
	// Quote is the sentence that it rests on; OfCode says that it is a line of the old code.
	Quote  string `json:"quote,omitempty"`
	OfCode bool   `json:"of_code,omitempty"`
	// Old and New are how it ends on the code before the change and after it: passes, fails,
	// unbuilt or missing.
	Old string `json:"old"`
	New string `json:"new"`
	// State is what that means: proves, guards, regression or open; or why the test counts for
	// nothing: not_run, flaky, cannot_fail, old_failure, unfounded or dropped.
	State string `json:"state"`
	// Message is how it fails with the change, Code its lines.
	Message string `json:"message,omitempty"`
	Code    string `json:"code,omitempty"`
	// File and Line are where in the product it fails, where that is known.
	File string `json:"at_file,omitempty"`
	Line int    `json:"at_line,omitempty"`
	// Notices are places of small changes that it fails with, and no other test.
	Notices []string `json:"notices,omitempty"`
}

// ProofStep tells of one step of booty prove as it ends.
type ProofStep struct {
	// Step is base, head, stood, new_tests, can_fail, challenge, mutants or repeat.
	Step string `json:"step"`
	Good bool   `json:"good"`
	// Text says in a few words what came of it.
	Text       string `json:"text"`
	DurationMS int64  `json:"duration_ms"`
}

// The steps of booty prove.
const (
	StepBase      = "base"
	StepHead      = "head"
	StepStood     = "stood"
	StepNewTests  = "new_tests"
	StepCanFail   = "can_fail"
	StepChallenge = "challenge"
	StepMutants   = "mutants"
	StepRepeat    = "repeat" // told only where tests do not end in one way each time
)

// AttemptFinished closes an attempt.
type AttemptFinished struct {
	Attempt int    `json:"attempt"`
	Outcome string `json:"outcome"` // green, failing, quality, refused, rolled_back
	// Failing is how many tests fail in the state that stands now: after a
	// roll-back, in the one from before. Trouble is as at the baseline.
	Failing int    `json:"failing"`
	Trouble string `json:"trouble,omitempty"`
	// Known is how many failures from before Failing leaves out.
	Known int `json:"known,omitempty"`
}

// ReviewFinished follows the reviewer's verdict.
type ReviewFinished struct {
	Verdict string `json:"verdict"`
	Notes   string `json:"notes"`
}

// EvidenceFinished tells what the proposal's own tests prove.
type EvidenceFinished struct {
	// Verdict is proven, none, vacuous (passes on the old code), broken or off.
	Verdict string `json:"verdict"`
	// Tests fail before the change and pass after it.
	Tests []string `json:"tests"`
	Note  string   `json:"note,omitempty"`
}

// Wait tells that something outside is waited for: the model, GitHub, the
// network or the environment of the checks.
type Wait struct {
	What   string `json:"what"`
	Reason string `json:"reason"`
	WaitMS int64  `json:"wait_ms"`
}

// BudgetWarning comes once a period, at 80 % of a limit.
type BudgetWarning struct {
	Period string  `json:"period"` // run, day, week
	Used   float64 `json:"used"`
	Limit  float64 `json:"limit"`
}

// Notice is a line for the user that no other event carries.
type Notice struct {
	Level   string `json:"level"` // info, warning
	Message string `json:"message"`
}

// PullRequestOpened tells of a new pull request.
type PullRequestOpened PullRequest

// PullRequestUpdated tells of a changed one.
type PullRequestUpdated PullRequest

// RunFinished is the last event of every run.
type RunFinished struct {
	// Outcome is green, exhausted, stuck, needs_review, question, environment, budget, model_failed,
	// nothing_to_do, interrupted, refused or error.
	Outcome      string       `json:"outcome"`
	ExitCode     int          `json:"exit_code"`
	Attempts     int          `json:"attempts"`
	Branch       string       `json:"branch"`
	Commit       string       `json:"commit"`
	PullRequest  *PullRequest `json:"pull_request"`
	InputTokens  int          `json:"input_tokens"`
	OutputTokens int          `json:"output_tokens"`
	CostUSD      float64      `json:"cost_usd"`
	DurationMS   int64        `json:"duration_ms"`
	Message      string       `json:"message"`
	Hint         string       `json:"hint,omitempty"`
	// AttemptsTotal are those of all runs of the task, Attempts those of this one.
	AttemptsTotal int `json:"attempts_total"`
	// Known names what failed before the work and still does, and has nothing to
	// do with it.
	Known []string `json:"known,omitempty"`
	// LeftOut are gates that could not run here, and why.
	LeftOut []LeftOut `json:"left_out,omitempty"`
	// ChangedTests fail as they stood, because the task asks for it.
	ChangedTests []ChangedTest `json:"changed_tests,omitempty"`
}

// ChangedTest is a test of which the task changes what it expects: Quote is the sentence that
// asks for it, Expected what it said as it stood.
type ChangedTest struct {
	Test     string `json:"test"`
	Quote    string `json:"quote"`
	Expected string `json:"expected,omitempty"`
}

// Name implements Event for each type.
func (RunStarted) Name() string         { return "run.started" }
func (SetupFinished) Name() string      { return "setup.finished" }
func (BaselineFinished) Name() string   { return "baseline.finished" }
func (ContextSelected) Name() string    { return "context.selected" }
func (ContextRequested) Name() string   { return "context.requested" }
func (ModelRequest) Name() string       { return "model.request" }
func (ModelRetry) Name() string         { return "model.retry" }
func (ModelReply) Name() string         { return "model.reply" }
func (EditsRefused) Name() string       { return "edits.refused" }
func (TestsStood) Name() string         { return "tests.stood" }
func (ProofFinished) Name() string      { return "proof.finished" }
func (EditsApplied) Name() string       { return "edits.applied" }
func (CheckFinished) Name() string      { return "check.finished" }
func (AttemptFinished) Name() string    { return "attempt.finished" }
func (ReviewFinished) Name() string     { return "review.finished" }
func (EvidenceFinished) Name() string   { return "evidence.finished" }
func (ProofStep) Name() string          { return "proof.step" }
func (ChallengeFinished) Name() string  { return "challenge.finished" }
func (Wait) Name() string               { return "wait" }
func (BudgetWarning) Name() string      { return "budget.warning" }
func (Notice) Name() string             { return "notice" }
func (PullRequestOpened) Name() string  { return "pull_request.opened" }
func (PullRequestUpdated) Name() string { return "pull_request.updated" }
func (RunFinished) Name() string        { return "run.finished" }

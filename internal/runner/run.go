package runner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/listing"
	"github.com/booty-cli/booty/internal/provider"
	"github.com/booty-cli/booty/internal/snapshot"
)

// Options are the options of one run, besides the settings.
type Options struct {
	// Challenge has tests written against green work.
	Challenge bool
	// DryRun makes no call and keeps no record.
	DryRun bool
	// Commit commits a green result of a refine.
	Commit bool
	// Setup runs setup_command even if its inputs did not change.
	Setup bool
	// Allow are globs of files that may be changed whatever the settings say, Files globs of those
	// that are always shown.
	Allow, Files []string
	// Hint is an extra instruction, Message the commit message instead of the model's.
	Hint, Message string
	// Replay is a cassette to answer from, Record where to save replies.
	Replay string
	Record io.Writer
	// Flags are the options as they were given, for resume.
	Flags json.RawMessage
}

// Job is one run to start or to resume.
type Job struct {
	// ID of the run.
	ID      string
	Task    Task
	Options Options
	// Refine starts from the files of the checkout as they are, and brings its result back into
	// them. Read is the checkout as it was read for that.
	Refine bool
	Read   snapshot.Checkpoint
	// Branch is the run's branch, Unnamed says that booty chose its name.
	Branch  string
	Unnamed bool
	// Base is what the branch starts at, as people call it; "" is HEAD.
	Base string
	// MaxAttempts replaces the setting if it is not 0. Earlier is how many attempts other runs of
	// the task have used.
	MaxAttempts, Earlier int
	// Awaited is the pending test that the work is about; nil for any other task.
	Awaited *engine.Awaited
	// Shared says how the work is published; nil for work that stays here.
	Shared *Shared
	// Again is the run that is resumed; nil for a new one.
	Again *Again
}

// review is how green work is reviewed: read by a reviewer, challenged by tests, or both.
type review struct {
	reads, challenges bool
	// unproven says that only work for which there is no evidence is challenged.
	unproven bool
}

// reviewOf says how green work is reviewed. What is merged without a person is challenged unless
// reviews are off: reading it decides nothing.
func reviewOf(s *Session, j Job) review {
	c := s.Settings.Config
	mode := c.Review.Mode
	if s.Settings.Origins["review.enabled"].Source != config.FromDefault { // the older form, or a flag
		if mode = "read"; !c.Review.Enabled {
			mode = "off"
		}
	}
	if mode == "off" && !j.Options.Challenge {
		return review{}
	}
	r := review{reads: mode == "read", challenges: mode == "tests" || j.Options.Challenge || j.merges(c)}
	if mode == "auto" && !r.challenges && c.Evidence.Mode != "off" {
		r.challenges, r.unproven = true, true
	}
	r.challenges = r.challenges && !j.Refine
	return r
}

// merges says that green work is merged without a person.
func (j Job) merges(c config.Config) bool {
	if j.Shared == nil || j.Shared.Publisher == nil {
		return false
	}
	return j.Task.Kind == "issue" && c.GitHub.AutoMerge || j.Task.Kind == "spec" && c.Specs.AutoMerge
}

// oldCommit is the code from before earlier work that is continued, "" where there is none.
func (j Job) oldCommit() string {
	if j.Shared == nil || !j.Shared.Continued {
		return ""
	}
	return j.Shared.BaseCommit
}

// Shared says how a run's work relates to the repository that it is published in.
type Shared struct {
	// From is the commit that the work starts at; "" for the job's base. Exists says that the job's
	// branch exists and is continued.
	From   string
	Exists bool
	// BaseName is the branch that the work is merged into, BaseCommit its newest commit.
	BaseName, BaseCommit string
	// Continued says that earlier work is continued: the base is merged into it first.
	Continued bool
	// Asked says that green checks are not all that is asked for. Answered reports whether a reply
	// without an edit is the answer; may be nil.
	Asked    bool
	Answered func(reply string) bool
	// Drafts commits work that still fails, too, for a draft.
	Drafts bool
	// Protected are files that the work must not change, beside those of the settings.
	Protected []string
	// Subject makes a commit subject of a summary.
	Subject func(summary string) string
	// Trailers go below each commit's message.
	Trailers []string
	// Publisher returns the run's publisher; nil publishes nothing.
	Publisher func(Publishing) engine.Publisher
}

// Publishing is what a publisher may know about the run.
type Publishing struct {
	Session *Session
	Run     string
	Events  event.Listener
	// Conflicts returns the paths in which earlier work conflicts with the base, and those that
	// this run resolved.
	Conflicts func() (open, settled []string)
}

// Show holds the observers of a run.
type Show struct {
	Events event.Listener
	// Progress receives what the model or a check is doing.
	Progress func(line string)
	// Person answers the model's questions; nil if nobody is there.
	Person engine.Person
}

// quiet shows only progress: what the sandbox lacks was already reported.
func (s Show) quiet() Show {
	return Show{Events: event.Func(func(event.Event) {}), Progress: s.Progress}
}

// Result is how a run ended.
type Result struct {
	engine.Outcome
	// Options are what the engine was given.
	Options engine.Options
}

// Run assembles the parts and runs the engine. An error beside the result says that the engine was
// not reached; the engine's own error is in the result.
func Run(ctx context.Context, s *Session, j Job, show Show) (Result, error) {
	if !j.Options.DryRun && (!j.Refine || j.Options.Commit) { // before anything is paid for
		if err := s.Repo.Commits.CheckIdentity(ctx); err != nil {
			return Result{}, err
		}
	}
	j.Task.Title = s.Redact.String(j.Task.Title)
	if j.Shared != nil {
		s = s.protecting(j.Shared.Protected)
	}
	if err := mustFit(ctx, s.Repo.Listing, j.Options.Files); err != nil {
		return Result{}, err
	}
	if !j.Options.DryRun { // a dry run is no run on record
		show.Events = both{show.Events, s.Journal.Listener(j.ID)}
	}
	s.Wait.hear(show.Events.Handle)
	if !j.Options.DryRun {
		if err := open(ctx, s, j); err != nil {
			return Result{}, err
		}
	}
	o := options(s, j)
	a, err := assemble(ctx, s, j, show)
	if err == nil && !j.Options.DryRun {
		err = a.models.afford(ctx)
	}
	var memory *engine.Memory
	if err == nil && j.Again != nil {
		memory = j.Again.Memory
		err = a.resume(ctx, j.Again, o, j.Options.Hint)
	}
	if err != nil {
		_ = a.Close() // what went wrong first says more
		return Result{}, closeRecord(ctx, s, j, err)
	}
	o.MustNotice = a.reachable
	r := Result{engine.Run(ctx, a.parts, o, memory), o}
	if err := a.Close(); r.Err == nil {
		r.Err = err
	}
	return r, nil
}

// keepMutants is how many small changes are tried to see which tests of a challenge are worth keeping.
const keepMutants = 10

// options returns the engine's options for the job.
func options(s *Session, j Job) engine.Options {
	c := s.Settings.Config
	o := engine.Options{
		Task: j.Task.Task, MaxAttempts: cmp.Or(j.MaxAttempts, c.MaxRetries), Refine: j.Refine,
		RunTime: c.Budget.RunTime.Std(),
		Earlier: j.Earlier, AllGreen: j.Refine || c.Baseline == "all_green", TestsMayGo: c.TestEdits == "allow",
		TestCount: c.TestCount != "off", RequireEvidence: c.Evidence.Mode == "require", Mutants: c.Evidence.Mutants, Merges: j.merges(c), ChallengeUnproven: reviewOf(s, j).unproven, DryRun: j.Options.DryRun,
		Candidates: c.Candidates, Looking: c.Model.Provider != provider.Agent,
		Awaited:   j.Awaited,
		OldCommit: j.oldCommit(), Patience: s.Wait.Steps,
	}
	if review := reviewOf(s, j); c.Review.Keep && review.challenges {
		if o.KeepTests = true; o.Mutants == 0 {
			o.Mutants = keepMutants
		}
	}
	if j.Shared != nil {
		o.Asked, o.Answered = j.Shared.Asked, j.Shared.Answered
	}
	if o.RunTime > 0 { // waiting before the run counts as well
		o.RunTime = max(o.RunTime-s.Wait.Spent(), time.Second)
	}
	return o
}

// mustFit refuses a glob of files that fits nothing: it is misspelt, most likely.
func mustFit(ctx context.Context, l *listing.Lister, globs []string) error {
	if len(globs) == 0 {
		return nil
	}
	files, err := l.Files(ctx)
	if err != nil {
		return err
	}
	for _, g := range globs {
		if !slices.ContainsFunc(files, func(f string) bool { ok, _ := doublestar.Match(g, f); return ok }) {
			return fault.New(fault.Usage, "paths start at the repository's root; ** matches any folders",
				"--file: no files match %s", g)
		}
	}
	return nil
}

// both is two listeners in one.
type both [2]event.Listener

// Handle implements event.Listener.
func (b both) Handle(e event.Event) {
	for _, l := range b {
		l.Handle(e)
	}
}

// open opens the run in the journal.
func open(ctx context.Context, s *Session, j Job) error {
	if j.Again != nil {
		return s.Journal.Resume(ctx, j.ID)
	}
	branch, commit, err := s.Repo.Home().Head(ctx)
	if err != nil {
		return err
	}
	kind := "run"
	if j.Refine {
		kind = "refine"
	}
	_, err = s.Journal.StartRun(ctx, journal.Run{
		ID: j.ID, Repo: s.Home, RepoName: s.repoName(ctx), Kind: kind, Task: j.Task.Task, TaskText: j.Task.Text,
		Branch: j.Branch, Base: j.Base, StartBranch: branch, StartCommit: commit, Options: j.Options.Flags,
		MaxRetries: s.Settings.MaxRetries,
	})
	if err == nil {
		prune(ctx, s)
	}
	return err
}

// prune takes away the recorded states of old runs, as the records do with
// what lies beside them. Failing at it today is no reason not to work.
func prune(ctx context.Context, s *Session) {
	if !s.Repo.Records.PruneDue() {
		return
	}
	gone, err := s.Repo.Records.Prune(ctx, journal.KeepFor, func(run string) bool {
		r, err := s.Journal.Run(ctx, run, "")
		return err == nil && (r.State == record.Interrupted || r.Outcome == event.Interrupted) ||
			err != nil &&
				!errors.Is(err, journal.ErrNoRun)
	})
	s.Log.Debug("old states pruned", "runs", gone, "err", err)
}

// closeRecord ends a run that did not get as far as the engine.
func closeRecord(ctx context.Context, s *Session, j Job, err error) error {
	if !j.Options.DryRun {
		_ = s.Journal.FinishRun(context.WithoutCancel(ctx), j.ID, event.RunFinished{
			Outcome: engine.OutcomeOf(err), ExitCode: fault.ExitCode(err), Message: err.Error(), Hint: fault.HintOf(err),
		})
	}
	return err
}

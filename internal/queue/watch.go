package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/booty-cli/booty/internal/commit"
	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/workspace"
)

// watcher listens to a run's events. It pushes each attempt, updates title and comment, and
// holds the last event back until the pull request is up to date.
type watcher struct {
	next event.Listener
	ps   *pullState
	ctx  context.Context //nolint:containedctx // //nolint:containedctx // events carry no context
	last *event.RunFinished
	repo *workspace.Repo
	run  string
	// judged counts the attempts of this run.
	judged int
	// tip is the branch's commit on GitHub; ahead is the same once an attempt was pushed.
	tip, ahead string
	// paths are the files named by proposals, summary is that of the last proposal.
	paths   []string
	summary string
}

// Handle implements event.Listener.
func (w *watcher) Handle(e event.Event) {
	switch v := e.(type) {
	case event.RunFinished:
		w.last = &v
		return
	case event.RunStarted:
		v.Branch = w.ps.pull.Head // the local branch may have a numeric suffix
		w.next.Handle(v)
		return
	case event.ModelRequest:
		if role := engine.Role(v.Role); role == engine.Implement || role == engine.FixTests ||
			role == engine.FixQuality {
			w.attemptStarted()
		}
	case event.EditsApplied:
		w.summary = v.Summary
		w.notePaths(v.Files)
	case event.AttemptFinished:
		w.next.Handle(e)
		if record.Checked(v.Outcome) {
			w.attemptDone(v)
		}
		return
	}
	w.next.Handle(e)
}

// notePaths records the paths of a proposal.
func (w *watcher) notePaths(files []event.File) {
	for _, f := range files {
		for _, p := range []string{f.Path, f.From} {
			if p != "" && !slices.Contains(w.paths, p) {
				w.paths = append(w.paths, p)
			}
		}
	}
}

// attemptStarted shows the current attempt in the title.
func (w *watcher) attemptStarted() {
	w.warn(w.ps.locked(func() error { return w.ps.retitle(w.ctx, w.ps.title()) }))
}

// warn reports an update that GitHub did not accept. The next update makes up for it.
func (w *watcher) warn(err error) {
	if err != nil && w.ctx.Err() == nil {
		w.next.Handle(event.Notice{Level: "warning",
			Message: fmt.Sprintf("the attempt could not be shown on GitHub: %v", err)})
	}
}

// attemptDone records a finished attempt on GitHub.
func (w *watcher) attemptDone(v event.AttemptFinished) {
	w.warn(w.ps.locked(func() error {
		w.ps.note.Used++
		w.judged++
		w.ps.passed = v.Outcome == event.Green
		var err error
		if v.Outcome != event.RolledBack {
			err = w.push(v.Attempt)
		}
		w.ps.note.Tip = w.tip
		return errors.Join(err, w.ps.spend(w.ctx, w.run, w.judged), w.ps.heartbeat(w.ctx))
	}))
}

// push pushes an attempt to the branch on GitHub with its number, so that the work can
// continue after a kill.
func (w *watcher) push(attempt int) error {
	cp, err := w.repo.Records.Checkpoint(w.ctx, w.run, attempt)
	if err != nil {
		return err
	}
	parent := w.ahead
	if parent == "" { // the run's branch, with the newest base merged
		if _, parent, err = w.repo.Head(w.ctx); err != nil {
			return err
		}
	}
	commit, err := w.repo.Commits.Paths(w.ctx, parent, cp.Commit, commit.Options{
		Message: fmt.Sprintf("attempt %d: %s", w.ps.note.Used, w.summary), Paths: w.paths,
		Trailers: []string{attemptTrailer + ": " + strconv.Itoa(w.ps.note.Used),
			runner.TrailerRun + ": " + w.run},
	})
	if err != nil || commit == "" {
		return err
	}
	if err := w.ps.q.up.PushBranch(w.ctx, w.ps.pull.Head, commit, w.tip); err != nil {
		return err
	}
	w.tip, w.ahead = commit, commit
	return nil
}

// finish emits the run's last event after GitHub is up to date.
func (w *watcher) finish(p *event.PullRequest, err error) {
	if w.last == nil {
		return
	}
	w.last.PullRequest, w.last.Branch = p, w.ps.pull.Head
	if err != nil && fault.ExitCode(err) != w.last.ExitCode {
		w.last.Outcome, w.last.ExitCode = engine.OutcomeOf(err), fault.ExitCode(err)
		w.last.Message, w.last.Hint = err.Error(), fault.HintOf(err)
	}
	w.next.Handle(*w.last)
}

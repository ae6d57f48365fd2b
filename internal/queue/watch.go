package queue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal/record"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/workspace"
)

// watcher hears a run's events: it pushes each attempt, keeps title and comment
// up to date, and holds the last event back until what follows from it is done.
type watcher struct {
	next event.Listener
	d    *desk
	ctx  context.Context //nolint:containedctx // an event carries none
	last *event.RunFinished
	repo *workspace.Repo
	run  string
	// judged are the attempts of this run that count.
	judged int
	// tip is the branch's commit on GitHub, ahead the same once an attempt is pushed.
	tip, ahead string
	// paths are those that proposals named, summary is the last one's.
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
		v.Branch = w.d.pull.Head // a local one may have a number behind it
		w.next.Handle(v)
		return
	case event.ModelRequest:
		if role := engine.Role(v.Role); role == engine.Implement || role == engine.FixTests || role == engine.FixQuality {
			w.begun()
		}
	case event.EditsApplied:
		w.summary = v.Summary
		w.named(v.Files)
	case event.AttemptFinished:
		w.next.Handle(e)
		if record.Checked(v.Outcome) {
			w.counted(v)
		}
		return
	}
	w.next.Handle(e)
}

// named takes note of the paths of a proposal.
func (w *watcher) named(files []event.File) {
	for _, f := range files {
		for _, p := range []string{f.Path, f.From} {
			if p != "" && !slices.Contains(w.paths, p) {
				w.paths = append(w.paths, p)
			}
		}
	}
}

// begun tells GitHub which attempt is under way.
func (w *watcher) begun() {
	w.tell(w.d.locked(func() error { return w.d.retitle(w.ctx, w.d.title()) }))
}

// tell warns of what GitHub could not be told. The next word from here makes up for it.
func (w *watcher) tell(err error) {
	if err != nil && w.ctx.Err() == nil {
		w.next.Handle(event.Notice{Level: "warning",
			Message: fmt.Sprintf("GitHub could not be told of the attempt: %v", err)})
	}
}

// counted tells GitHub that an attempt is over.
func (w *watcher) counted(v event.AttemptFinished) {
	w.tell(w.d.locked(func() error {
		w.d.note.Used++
		w.judged++
		w.d.over = v.Outcome == event.Green
		var err error
		if v.Outcome != event.RolledBack {
			err = w.push(v.Attempt)
		}
		w.d.note.Tip = w.tip
		return errors.Join(err, w.d.spend(w.ctx, w.run, w.judged), w.d.alive(w.ctx))
	}))
}

// push brings an attempt to the branch on GitHub, with its number: what a killed
// turn had reached is gone on with.
func (w *watcher) push(attempt int) error {
	cp, err := w.repo.Checkpoint(w.ctx, w.run, attempt)
	if err != nil {
		return err
	}
	parent := w.ahead
	if parent == "" { // the branch of the run, with the newest base in it
		if _, parent, err = w.repo.Head(w.ctx); err != nil {
			return err
		}
	}
	commit, err := w.repo.CommitPaths(w.ctx, parent, cp.Commit, workspace.CommitOptions{
		Message: fmt.Sprintf("attempt %d: %s", w.d.note.Used, w.summary), Paths: w.paths,
		Trailers: []string{attemptTrailer + ": " + strconv.Itoa(w.d.note.Used), runner.TrailerRun + ": " + w.run},
	})
	if err != nil || commit == "" {
		return err
	}
	if err := w.d.q.target.PushBranch(w.ctx, w.d.pull.Head, commit, w.tip); err != nil {
		return err
	}
	w.tip, w.ahead = commit, commit
	return nil
}

// finish tells the run's end, as it is once GitHub knows of it.
func (w *watcher) finish(p *event.PullRequest, err error) {
	if w.last == nil {
		return
	}
	w.last.PullRequest, w.last.Branch = p, w.d.pull.Head
	if err != nil && fault.ExitCode(err) != w.last.ExitCode {
		w.last.Outcome, w.last.ExitCode = engine.OutcomeOf(err), fault.ExitCode(err)
		w.last.Message, w.last.Hint = err.Error(), fault.HintOf(err)
	}
	w.next.Handle(*w.last)
}

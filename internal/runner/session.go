// Package runner puts a run together and works it off: what comes in is a Session
// (a repository opened, with its settings and records) and a Job (the task, and
// what was asked for beside the settings); what goes out is the engine's outcome.
// Between the two it fills the engine's ports: the work tree, the checks, the
// model, the prompts, evidence, review, candidates.
//
// It prints nothing and knows no command line; it knows no GitHub either: who
// publishes is handed in with the Job.
package runner

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/redact"
	"github.com/booty-cli/booty/internal/workspace"
)

// Session is a repository opened for work. It is made once and passed on; nobody
// writes to it.
type Session struct {
	Repo *workspace.Repo
	name string // see repoName
	// Home is the root of the checkout that the command was called in. Repo's root
	// differs from it where a run works in a tree of its own.
	Home     string
	Settings *config.Loaded
	// Journal is nil for who does without records.
	Journal *journal.Journal
	Redact  *redact.Redactor
	Log     *slog.Logger
	// Say tells the user a line beside the result.
	Say    func(format string, args ...any)
	Getenv func(string) string
	Now    func() time.Time
	Wait   *Waiter
}

// In is the session in another work tree of the repository.
func (s *Session) In(w *workspace.Repo) *Session {
	there := *s
	there.Repo = w
	return &there
}

// closers are what is to be ended with a run, the last first.
type closers []func() error

func (c *closers) add(f func() error) { *c = append(*c, f) }

// Close ends them.
func (c *closers) Close() error {
	var errs []error
	for _, f := range slices.Backward(*c) {
		errs = append(errs, f())
	}
	*c = nil
	return errors.Join(errs...)
}

// background runs f beside the run; closing ends it and waits.
func (c *closers) background(ctx context.Context, f func(context.Context)) {
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(ctx)
	}()
	c.add(func() error {
		stop()
		<-done
		return nil
	})
}

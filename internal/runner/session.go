// Package runner assembles a run and executes it. In come a Session (an opened
// repository with its settings and records) and a Job (the task, and what was asked for
// besides the settings); out comes the engine's outcome. In between it implements the
// engine's ports: the work tree, the checks, the model, the prompts, evidence, review,
// candidates.
//
// It prints nothing, and knows neither the command line nor GitHub: what publishes is passed
// in with the Job.
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

// Session is a repository opened for work. It is made once, passed on, and never modified.
type Session struct {
	Repo *workspace.Repo
	name string // see repoName
	// Home is the root of the checkout that the command was called in. Repo's root
	// differs from it where a run works in a tree of its own.
	Home     string
	Settings *config.Loaded
	// Journal is nil where no records are kept.
	Journal *journal.Journal
	Redact  *redact.Redactor
	Log     *slog.Logger
	// Say prints a line for the user, beside the result.
	Say    func(format string, args ...any)
	Getenv func(string) string
	Now    func() time.Time
	Wait   *Waiter
}

// In returns the session in another work tree of the repository.
func (s *Session) In(w *workspace.Repo) *Session {
	there := *s
	there.Repo = w
	return &there
}

// protecting returns the session with more protected paths.
func (s *Session) protecting(paths []string) *Session {
	if len(paths) == 0 {
		return s
	}
	there, settings := *s, *s.Settings
	settings.ProtectedPaths = slices.Concat(settings.ProtectedPaths, paths)
	there.Settings = &settings
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

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/booty-cli/booty/internal/config"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/journal"
	"github.com/booty-cli/booty/internal/redact"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/workspace"
)

// needs are what a command wants opened beside repository and settings.
type needs struct {
	// settings are the flags that stand for settings; may be nil.
	settings *pflag.FlagSet
	// project makes a missing .booty.yml an error.
	project bool
	// consent asks the user about what the repository's own file does.
	consent bool
	// patient has the waits of --patient.
	patient bool
}

// opened is a session with what is to be closed after the command, the last first.
type opened struct {
	*runner.Session
	closers []func() error
}

func (o *opened) closing(f func() error) { o.closers = append(o.closers, f) }

// Close closes what was opened.
func (o *opened) Close() error {
	var errs []error
	for _, f := range slices.Backward(o.closers) {
		errs = append(errs, f())
	}
	o.closers = nil
	return errors.Join(errs...)
}

// closing closes at the end of a command, and tells of that where it ended well.
func closing(c io.Closer, err *error) {
	if e := c.Close(); e != nil && *err == nil {
		*err = asReported(e)
	}
}

// open finds the repository, reads its settings and opens the records.
func (f *factory) open(ctx context.Context, n needs) (*opened, error) {
	s, err := f.session(ctx, n)
	if err != nil {
		return nil, err
	}
	o := &opened{Session: s}
	if n.patient {
		if s.Wait.Steps, err = runner.Patience(f.getenv); err != nil {
			return nil, err
		}
	}
	if n.consent {
		if err := f.consent(s.Settings); err != nil {
			return nil, err
		}
	}
	if s.Journal, err = f.openJournal(ctx, s.Redact); err != nil {
		return nil, err
	}
	o.closing(s.Journal.Close)
	return o, nil
}

// session is what is known of the repository without its records.
func (f *factory) session(ctx context.Context, n needs) (*runner.Session, error) {
	dir, err := f.workDir()
	if err != nil {
		return nil, err
	}
	repo, err := f.openRepo(ctx, dir)
	if err != nil {
		return nil, err
	}
	s := f.bare(repo)
	s.Settings, err = config.Load(config.LoadOptions{
		Root: repo.Root(), Flags: n.settings, Getenv: f.getenv, Environ: os.Environ(), RequireProject: n.project,
	})
	if err != nil {
		return nil, err
	}
	if err := runner.RefuseKeys(s.Settings); err != nil {
		return nil, err
	}
	repo.States.LimitFiles(runner.MaxUntracked)
	if f.verbose {
		s.Log = slog.New(slog.NewTextHandler(f.s.Err,
			&slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: s.Redact.ReplaceAttr}))
	}
	for _, w := range s.Settings.Warnings {
		f.say("booty: %s", w)
	}
	return s, nil
}

// bare is a session of a repository whose settings are not known yet.
func (f *factory) bare(repo *workspace.Repo) *runner.Session {
	return &runner.Session{
		Repo: repo, Home: repo.Root(), Redact: redact.New(redact.Options{Environ: os.Environ()}),
		Log: slog.New(slog.DiscardHandler), Say: f.say, Getenv: f.getenv, Now: f.now, Wait: runner.NewWaiter(nil, f.printWait),
	}
}

// printWait tells waits that come before the run begins.
func (f *factory) printWait(e event.Event) {
	w, ok := e.(event.Wait)
	if !ok {
		return
	}
	w.Reason = f.clean(w.Reason)
	if line, err := event.Line(w, f.now(), ""); err == nil && f.json {
		_, _ = f.s.Out.Write(line)
		return
	}
	f.say("booty: %s: %s; waiting %s", w.What, w.Reason, time.Duration(w.WaitMS)*time.Millisecond)
}

// openRepo finds the work tree that holds dir. Booty's own files of it lie among
// its records, where no command of the repository may write.
func (f *factory) openRepo(ctx context.Context, dir string) (*workspace.Repo, error) {
	state, err := f.recordsDir()
	if err != nil {
		return nil, err
	}
	env, tokens := runner.WithoutKeys(os.Environ())
	return workspace.Open(ctx, dir,
		workspace.Options{Env: env, RemoteEnv: tokens, StateDir: state, Outputs: f.outputs})
}

// recordsDir is where booty keeps its records.
func (f *factory) recordsDir() (string, error) {
	if f.stateDir != "" {
		return f.stateDir, nil
	}
	return journal.DefaultDir()
}

// openJournal opens the records.
func (f *factory) openJournal(ctx context.Context, r *redact.Redactor) (*journal.Journal, error) {
	o := journal.Options{Dir: f.stateDir, Now: f.now, Warn: func(s string) { f.say("booty: %s", s) }}
	if r != nil {
		o.Redact = r.String
	}
	j, err := journal.Open(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("open the records: %w", err)
	}
	return j, nil
}

// consent makes sure that the user agrees to what the repository's own file
// does with the key, and takes from the sandbox.
func (f *factory) consent(c *config.Loaded) error {
	store := config.ConsentStore{Path: config.DefaultConsentFile(f.getenv)}
	items := c.NeedsConsent()
	agreed, err := c.Agreed(store)
	if err != nil || agreed || len(items) == 0 {
		return err
	}
	if !f.yes && f.s.InTTY && f.s.ErrTTY {
		fmt.Fprintln(f.s.Err, "This repository's .booty.yml decides where your model key is sent, which program runs, or what its commands may touch:")
		for _, i := range items {
			fmt.Fprintln(f.s.Err, "  "+oneLine.Replace(i.String()))
		}
	}
	ok, err := f.confirm("Use these settings from now on?")
	if err != nil {
		return err
	}
	if !ok {
		return c.RequireConsent(store)
	}
	return c.Agree(store, f.now())
}

// cassettes opens what --record and --replay name.
func (f *factory) cassettes(o *opened, flags loopOptions, to *runner.Options) error {
	if flags.record != "" && flags.replay != "" {
		return fault.New(fault.Usage, "give one of them", "--record and --replay cannot be combined")
	}
	if flags.replay != "" {
		path, err := filepath.Abs(flags.replay)
		if err != nil {
			return err
		}
		to.Replay = path
	}
	if flags.record == "" {
		return nil
	}
	r, err := newRecording(flags.record)
	if err != nil {
		return err
	}
	to.Record = r
	o.closing(r.Close)
	return nil
}

package cli

import (
	"context"
	"fmt"
	"slices"

	"github.com/booty-cli/booty/internal/engine"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/term"
)

// work works a job off, and tells how it ended.
func (f *factory) work(ctx context.Context, s *runner.Session, j runner.Job) error {
	out := f.newOutput(s, j.ID, j.Options.DryRun)
	defer out.Close()
	show := out.show()
	show.Person = f.person(out.screen)
	r, err := runner.Run(ctx, s, j, show)
	if err != nil {
		return err
	}
	out.Close()
	switch {
	case j.Options.DryRun && !f.json && r.Err == nil:
		return asReported(f.showDryRun(s.Settings.Budget.RunUSD, out, r.Options))
	case f.json, j.Options.DryRun:
		return asReported(r.Err)
	}
	f.printEnd(ctx, s, j, r.Outcome)
	if r.Err != nil || f.noResult {
		return asReported(r.Err)
	}
	return asReported(f.printResult(ctx, s, j.Refine, r.Outcome))
}

// output is who listens to a run: the screen or --json, and the journal.
type output struct {
	listeners []event.Listener
	screen    *term.Screen
	watching  func(line string)
	// request and view are the last ones told, for a dry run.
	request event.ModelRequest
	view    event.ContextSelected
}

// newOutput makes the listeners of a run.
func (f *factory) newOutput(s *runner.Session, run string, dry bool) *output {
	o := &output{watching: f.watching}
	if f.json {
		o.listeners = append(o.listeners, event.Func(func(e event.Event) {
			line, err := event.Line(e, f.now(), run)
			if err == nil {
				_, _ = f.s.Out.Write(s.Redact.Bytes(line))
			}
		}))
	}
	if f.watching != nil || !f.json && !f.quiet {
		o.screen = term.NewScreen(f.s, f.styles(), f.verbose, f.now)
		o.listeners = append(o.listeners, redacted{o.screen, s.Redact.String, dry})
	}
	return o
}

// redacted is a screen that shows no secret which a message may carry.
type redacted struct {
	event.Listener
	redact func(string) string
	dry    bool
}

// Handle implements event.Listener.
func (t redacted) Handle(e event.Event) {
	switch v := e.(type) {
	case event.RunStarted:
		if t.dry {
			v.Branch = "" // nothing is done on it
		}
		e = v
	case event.EditsApplied:
		v.Summary, v.Said = t.redact(v.Summary), t.redact(v.Said)
		e = v
	case event.ContextRequested:
		v.Asks = slices.Clone(v.Asks)
		for i, ask := range v.Asks {
			v.Asks[i].What = t.redact(ask.What)
		}
		e = v
	case event.Notice:
		v.Message = t.redact(v.Message)
		e = v
	case event.ModelRetry:
		v.Reason = t.redact(v.Reason)
		e = v
	case event.Wait:
		v.Reason = t.redact(v.Reason)
		e = v
	case event.RunFinished:
		v.Message, v.Hint = t.redact(v.Message), t.redact(v.Hint)
		e = v
	}
	t.Listener.Handle(e)
}

// Handle implements event.Listener.
func (o *output) Handle(e event.Event) {
	switch v := e.(type) {
	case event.ModelRequest:
		o.request = v
	case event.ContextSelected:
		o.view = v
	}
	for _, l := range o.listeners {
		l.Handle(e)
	}
}

// show is the output as a run knows it.
func (o *output) show() runner.Show { return runner.Show{Events: o, Progress: o.progress} }

func (o *output) progress(line string) {
	if o.watching != nil {
		o.watching(line)
	}
	if o.screen != nil {
		o.screen.Output(line)
	}
}

// Close ends the live line.
func (o *output) Close() {
	if o.screen != nil {
		o.screen.Close()
	}
}

// showDryRun tells of the request that would be made, and what it and the run
// might cost; with -v it prints the request itself.
func (f *factory) showDryRun(runUSD float64, out *output, o engine.Options) error {
	d := report.DryRun{
		Request: out.request, View: out.view, Attempts: o.MaxAttempts, Calls: o.MaxCalls(),
		Looking: o.Looking, RunUSD: runUSD, Verbose: f.verbose,
	}
	if err := d.Write(f.s.Out); err != nil || !f.verbose {
		return err
	}
	_, err := fmt.Fprintf(f.s.Out, "\n%s\n", out.request.Prompt)
	return err
}

// printResult writes what a green run made to standard output, for scripts:
// branch, commit and pull request, or the files that refine changed.
func (f *factory) printResult(ctx context.Context, s *runner.Session, refine bool, r engine.Outcome) error {
	if !refine {
		line := r.Branch + " " + r.Commit
		if r.PullRequest != nil {
			line += " " + r.PullRequest.URL
		}
		_, err := fmt.Fprintln(f.s.Out, line)
		return err
	}
	changes, err := s.Repo.Compare.Changes(ctx, r.Memory.Start.State.Commit, r.Memory.Current.Commit)
	if err != nil {
		return err
	}
	named := r.Memory.Named()
	for _, c := range changes {
		if !slices.Contains(named, c.Path) {
			continue // left by the checks
		}
		if _, err := fmt.Fprintln(f.s.Out, c.Path); err != nil {
			return err
		}
	}
	return nil
}

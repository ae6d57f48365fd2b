package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/booty-cli/booty/internal/demo"
	"github.com/booty-cli/booty/internal/event"
	"github.com/booty-cli/booty/internal/fault"
	"github.com/booty-cli/booty/internal/pullrequest"
	"github.com/booty-cli/booty/internal/report"
	"github.com/booty-cli/booty/internal/runner"
	"github.com/booty-cli/booty/internal/term"
)

func newDemo(f *factory) *cobra.Command {
	challenge := false
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show the whole loop on a sample, offline, without a key",
		Long: `Create a small sample repository with a failing test suite in a temporary
folder and run booty on it. Everything is real except the model, whose replies
are scripted; the first one is wrong.

With --challenge the sample is a change that passes its own test and is wrong:
a model that does not see it writes tests against it, as in booty prove
--challenge. This needs Go.`,
		Example: "  booty demo\n  booty demo --challenge",
		Args:    cobra.NoArgs,
		RunE: f.runE(func(cmd *cobra.Command, _ []string) error {
			if challenge {
				return demoChallenge(cmd.Context(), f)
			}
			return demoRun(cmd.Context(), f)
		}),
	}
	cmd.Flags().BoolVar(&challenge, "challenge", false, "show how a wrong change is caught")
	return cmd
}

// demoSample makes a sample in a temporary folder, with the file of its scripted replies, and a
// factory that leaves no trace in the user's own records.
func demoSample(ctx context.Context, f *factory,
	sample demo.Sample) (there *factory, top, replies string, err error) {
	if _, err := exec.LookPath("git"); err != nil {
		return nil, "", "", fault.New(fault.Git, "install git", "cannot run git: %w", err)
	}
	if top, err = os.MkdirTemp("", "booty-demo-"); err != nil {
		return nil, "", "", noRoom(fmt.Errorf("make a folder for the sample: %w", err))
	}
	dir := filepath.Join(top, "sample")
	if err := sample.Make(ctx, dir); err != nil {
		return nil, "", "", noRoom(err)
	}
	cassette, err := sample.Cassette()
	if err != nil {
		return nil, "", "", err
	}
	replies = filepath.Join(top, "replies.jsonl")
	if err := os.WriteFile(replies, cassette, 0o600); err != nil {
		return nil, "", "", noRoom(fmt.Errorf("write the scripted replies: %w", err))
	}
	copied := *f
	copied.dir, copied.stateDir, copied.noResult = dir, filepath.Join(top, "state", "booty"), true
	return &copied, top, replies, nil
}

// demoChallenge proves a change that passes its own test, and has it challenged.
func demoChallenge(ctx context.Context, f *factory) error {
	if _, err := exec.LookPath("go"); err != nil {
		return fault.New(fault.Usage, "install Go, or run: booty demo",
			"the sample of --challenge needs go: %w", err)
	}
	sample := demo.Challenged()
	f, top, replies, err := demoSample(ctx, f, sample)
	if err != nil {
		return err
	}
	if err := sample.Change(ctx, f.dir, "fix"); err != nil {
		return noRoom(err)
	}
	f.say("booty: created a sample Go repository in %s", f.dir)
	f.say("booty: branch fix answers only for the numbers of its own test; only the reply of the model that writes tests against it is scripted")
	o := proveOptions{format: "text", time: "5m", mutants: 2,
		given: pflag.NewFlagSet("demo", pflag.ContinueOnError)}
	o.challenge, o.replay, o.task.text = true, replies, sample.Task
	err = proveRun(ctx, f, "", o)
	var status exitStatus
	if errors.As(err, &status) && int(status) == fault.ExitCode(fault.New(fault.Exhausted, "", "")) {
		err = nil // it is caught, as it should be
	}
	if err != nil || f.json {
		return err
	}
	_, err = fmt.Fprintf(f.s.Out, `
The change passes its own test, and a proof without a challenge calls it proven.
Next steps:
  cd %s
  booty prove --challenge --replay ../replies.jsonl
  rm -rf %s   # when you are done
In your own repository, with a real model:
  booty prove --challenge --task "what the change should do"
  booty run --challenge --task "describe the task"
`, f.dir, top)
	return err
}

// demoRun makes the sample and lets booty loose on it.
func demoRun(ctx context.Context, f *factory) (err error) {
	sample := demo.Pick()
	f, top, file, err := demoSample(ctx, f, sample)
	if err != nil {
		return err
	}
	f.say("booty: created a sample %s repository with failing tests in %s", sample.Language, f.dir)
	f.say("booty: only the model's replies are scripted; the first one is wrong")
	s, j, err := f.prepare(ctx, loopOptions{replay: file})
	if err != nil {
		return err
	}
	defer closing(s, &err)
	j.Branch = "booty/demo"
	j.Task = runner.Task{Task: event.Task{Kind: "text", Title: runner.Title(sample.Task)}, Text: sample.Task}
	if err := s.apart(ctx, &j); err != nil {
		return err
	}
	if err := f.work(ctx, s.Session, j); err != nil {
		return err
	}
	return f.afterDemo(ctx, s.Session, j.ID, top)
}

// afterDemo shows what a run leaves behind, and how to go on.
func (f *factory) afterDemo(ctx context.Context, s *runner.Session, run, top string) error {
	if f.json {
		return nil
	}
	d, err := s.Journal.Detail(ctx, run, "")
	if err != nil {
		return err
	}
	text, err := pullrequest.Preview(ctx, s.Journal, d, s.Settings.GitHub.Attribution)
	if err != nil {
		return err
	}
	page := filepath.Join(top, "run.html")
	if err := f.demoPage(ctx, s, run, page); err != nil {
		return err
	}
	// Nothing was pushed, and booty status does not look at the demo's records
	// unasked: the commands with these names would not work.
	text.Run, text.Branch = "", ""
	fmt.Fprintf(f.s.Out, "\nThe pull request that booty would open:\n\n%s\n\n%s\n", text.Title(),
		f.indented(report.Shown(text.Body())))
	fmt.Fprintf(f.s.Out, `
The run as a web page: %s
Next steps:
  cd %s
  git log --stat booty/demo
  XDG_STATE_HOME=%s booty status latest
  rm -rf %s   # when you are done
In your own repository, with a real model:
  booty init                    # finds your test commands, writes .booty.yml
  export OPENAI_API_KEY=...     # or ANTHROPIC_API_KEY, GEMINI_API_KEY, ...;
                                # a local ollama or llama.cpp needs none
  booty doctor                  # checks your setup
  booty run --task "describe the task"
`, page, filepath.Join(top, "sample"), filepath.Join(top, "state"), top)
	return nil
}

// demoPage writes the demo's run as a page.
func (f *factory) demoPage(ctx context.Context, s *runner.Session, run, file string) error {
	d, err := s.Journal.Detail(ctx, run, "")
	if err != nil {
		return err
	}
	return pastRun{f, s.Journal, d}.writePage(ctx, file)
}

// noRoom is the error of a folder for temporary files that takes none.
func noRoom(err error) error {
	return fault.New(fault.Usage,
		"free some space in "+os.TempDir()+" and make it writable, or set TMPDIR to another folder", "%w", err)
}

// indented sets a text in by two columns; on a terminal its lines end between words.
func (f *factory) indented(s string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		b.WriteString(strings.TrimRight(term.Wrap("  "+line, f.outWidth(), 4), " ") + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}
